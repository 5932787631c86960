//! A host as a test needs it.

use std::path::PathBuf;
use std::time::Duration;

use dayfly::{CodeRuntime as _, Language, ProcessConfig, ProcessRuntime, RunRequest, RunResult, Supervisor};

use crate::Both;

/// How long an interpreter may take to start: no test but those of this very limit is about it, and a busy machine that
/// starts twenty at a time needs more than the default.
const START: Duration = Duration::from_secs(120);

/// The configuration that tests begin with: the defaults but for the time to start, and the interpreters that the
/// environment names.
///
/// `DAYFLY_NODE` and `DAYFLY_PYTHON` are paths of interpreters; without them Dayfly searches as it does for
/// its users.
#[must_use]
pub fn configured() -> ProcessConfig {
    let mut config = ProcessConfig::default().ready_deadline(START);
    if let Some(path) = std::env::var_os("DAYFLY_NODE") {
        config = config.node(PathBuf::from(path));
    }
    if let Some(path) = std::env::var_os("DAYFLY_PYTHON") {
        config = config.python(PathBuf::from(path));
    }
    config
}

/// A supervisor with a runtime for each language.
#[derive(Debug)]
pub struct Host {
    /// What the runtimes share.
    pub supervisor: Supervisor,
    runtimes: Both<ProcessRuntime>,
}

impl Host {
    /// A host with the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::with(|config| config)
    }

    /// A host whose configuration is the defaults, changed.
    ///
    /// # Panics
    ///
    /// When the configuration is refused.
    #[must_use]
    pub fn with(change: impl FnOnce(ProcessConfig) -> ProcessConfig) -> Self {
        let supervisor = Supervisor::new(change(configured())).unwrap_or_else(|error| panic!("{error}"));
        let runtimes = Both::new(supervisor.runtime(Language::TypeScript), supervisor.runtime(Language::Python));
        Self { supervisor, runtimes }
    }

    /// The runtime of `language`.
    #[must_use]
    pub fn runtime(&self, language: Language) -> &ProcessRuntime {
        self.runtimes.of(language)
    }

    /// Runs a program that must start.
    ///
    /// # Panics
    ///
    /// When no program was started.
    pub async fn run(&self, language: Language, request: RunRequest) -> RunResult {
        let outcome = self.runtime(language).run(request).await;
        outcome.unwrap_or_else(|error| panic!("{language}: no program was started: {error}"))
    }

    /// Runs the program of `language` with nothing to call.
    pub async fn run_text(&self, language: Language, programs: Both<&str>) -> RunResult {
        self.run(language, RunRequest::new(*programs.of(language))).await
    }

    /// Proves that the host still serves: a trivial run has its value.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub async fn still_serves(&self, language: Language) {
        let result = self.run_text(language, Both::new("return 1 + 1", "return 1 + 1")).await;
        assert_eq!(result.failure, None, "{language}: the host no longer serves");
        assert_eq!(result.value.map(|value| value.to_string()).as_deref(), Some("2"), "{language}");
    }
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}
