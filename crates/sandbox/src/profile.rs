//! Named sets of layers.

use dayfly_runtime::{CpuAccounting, Isolation, LayerReport, LayerState};

use crate::{SpawnError, Spawner, canary};

/// A named set of layers: what a worker is kept from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// What needs no privilege and forbids no system call: a program may start processes, use the network and read and
    /// write what the host's user may. It still gets no environment and no descriptor of the host, keeps its limits, and
    /// nothing that descends from it outlives it.
    #[default]
    Open,
}

/// The names of the layers, as in reports and errors.
pub(crate) mod layer {
    pub(crate) const SIGNALS: &str = "signals";
    pub(crate) const REAPING: &str = "reaping";
    pub(crate) const PARENT_DEATH: &str = "parent-death";
    pub(crate) const SESSION: &str = "session";
    pub(crate) const DESCRIPTORS: &str = "descriptors";
    pub(crate) const WORKING_DIRECTORY: &str = "working-directory";
    pub(crate) const CORE_DUMPS: &str = "core-dumps";
    pub(crate) const RLIMITS: &str = "rlimits";
    pub(crate) const NO_NEW_PRIVS: &str = "no-new-privs";
    pub(crate) const ENVIRONMENT: &str = "environment";
    /// In errors only: the start of the warden.
    pub(crate) const WARDEN: &str = "warden";
    /// In errors only: the start of the interpreter.
    pub(crate) const EXEC: &str = "exec";
}

/// What `open` applies, in the order of the recipe.
const OPEN: [&str; 10] = [
    layer::SIGNALS,
    layer::REAPING,
    layer::PARENT_DEATH,
    layer::SESSION,
    layer::DESCRIPTORS,
    layer::WORKING_DIRECTORY,
    layer::CORE_DUMPS,
    layer::RLIMITS,
    layer::NO_NEW_PRIVS,
    layer::ENVIRONMENT,
];

/// What exists as a layer and is not part of `open`.
const NOT_IN_OPEN: [&str; 8] =
    ["capabilities", "uid", "seccomp", "landlock", "namespaces", "pid-namespace", "cgroup", "host-unreadable"];

impl Profile {
    /// The name in configuration and reports: `open`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
        }
    }

    /// What this profile applies to every worker; nothing is said to be verified.
    ///
    /// Every layer listed as applied is required: a worker for which its step fails is not started
    /// ([`SpawnError::Step`]). `rlimits` means every limit of [`ResourceLimits`](crate::ResourceLimits) that is set.
    #[must_use]
    pub fn report(self) -> Isolation {
        self.isolation(false)
    }

    /// The same after one canary child of this host was looked at: what was found in force is marked as verified.
    ///
    /// Blocks for a few milliseconds, once per process; later calls give the first outcome, unless it was an error.
    ///
    /// # Errors
    ///
    /// [`SpawnError::Canary`] when a layer that was applied without an error is not in force after all, and whatever
    /// [`Spawner::spawn`] gives when the canary cannot be started.
    pub fn verify(self, spawner: &Spawner) -> Result<Isolation, SpawnError> {
        match self {
            Self::Open => canary::verify_open(spawner)?,
        }
        Ok(self.isolation(true))
    }

    fn isolation(self, verified: bool) -> Isolation {
        let (applied, not_requested) = match self {
            Self::Open => (OPEN, NOT_IN_OPEN),
        };
        let mut isolation = Isolation::default();
        self.name().clone_into(&mut isolation.profile);
        isolation.layers = applied
            .into_iter()
            .map(|layer| LayerReport::new(layer, LayerState::Applied, verified))
            .chain(not_requested.into_iter().map(|layer| LayerReport::new(layer, LayerState::NotRequested, false)))
            .collect();
        // Processes that their own parent reaps unseen (it ignores SIGCHLD) escape the count; only a cgroup sees them.
        isolation.cpu = CpuAccounting::Sampled;
        isolation
    }
}
