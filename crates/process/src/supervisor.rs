//! What runs share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dayfly_runtime::{Isolation, Language, RunError};
use dayfly_sandbox::{Spawner, remove_stale};
use tokio::sync::{OnceCell, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::admission::Admission;
use crate::config::{ConfigError, Limits, ProcessConfig};
use crate::doctor::{self, DoctorReport};
use crate::interpreter::{self, Interpreter};
use crate::run::Seat;
use crate::runtime::{ProcessRuntime, undriven};
use crate::worker::refused;

/// How long shutdown waits for workers that nobody drives any more. The spawner's thread kills them again and again; what
/// lives longer is stuck in the kernel.
const LAST_PATIENCE: Duration = Duration::from_secs(15);

/// Owns what runs share: admission, the thread that spawns workers, the interpreters it has found, shutdown.
///
/// It is a handle: clones are the same supervisor. Making one starts no process; a tokio runtime (any flavour, with
/// its I/O and time drivers enabled) is needed only when something runs.
#[derive(Debug, Clone)]
pub struct Supervisor {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) admission: Admission,
    /// Cancelled by shutdown: ends every run as an abort.
    pub(crate) closing: CancellationToken,
    /// The driver of every run; shutdown waits for them.
    pub(crate) drivers: TaskTracker,
    pub(crate) identity: u64,
    pub(crate) seat: Arc<Seat>,
    spawner: OnceCell<Spawner>,
    /// What is applied to every worker, verified on this host before the first one.
    isolation: OnceCell<Isolation>,
    interpreters: [OnceCell<Arc<Interpreter>>; Language::ALL.len()],
}

impl Supervisor {
    /// A supervisor with this configuration.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] with every problem at once.
    pub fn new(config: ProcessConfig) -> Result<Self, ConfigError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let limits = config.validate()?;
        let admission =
            Admission::new(limits.max_concurrent_runs, limits.max_nested_runs, limits.queue_length, limits.queue_wait);
        Ok(Self {
            shared: Arc::new(Shared {
                limits,
                admission,
                closing: CancellationToken::new(),
                drivers: TaskTracker::new(),
                identity: NEXT.fetch_add(1, Ordering::Relaxed),
                seat: Arc::new(Seat::new()),
                spawner: OnceCell::new(),
                isolation: OnceCell::new(),
                interpreters: [const { OnceCell::const_new() }; Language::ALL.len()],
            }),
        })
    }

    /// A runtime of `language` under this supervisor.
    #[must_use]
    pub fn runtime(&self, language: Language) -> ProcessRuntime {
        ProcessRuntime::new(Arc::clone(&self.shared), language)
    }

    /// What this host can do: the interpreters that were found and tried, and the layers that are applied.
    ///
    /// # Cancellation
    ///
    /// Dropping the future ends the interpreters it is trying.
    pub async fn doctor(&self) -> DoctorReport {
        doctor::examine(&self.shared).await
    }

    /// Ends all runs as [`Fault::Abort`](dayfly_runtime::Fault::Abort) and returns when no worker, descriptor or task
    /// of theirs is left. Later runs are refused with [`RunError::ShutDown`].
    ///
    /// # Cancellation
    ///
    /// The shutdown goes on when the future is dropped; calling it again waits for the rest.
    pub async fn shutdown(&self) {
        self.shared.closing.cancel();
        self.shared.drivers.close();
        self.shared.drivers.wait().await;
        self.shared.quiet().await;
    }
}

impl Shared {
    /// The directory in which the workers' private directories are made.
    pub(crate) fn work_root(&self) -> PathBuf {
        let configured = self.limits.work_root.clone().unwrap_or_else(std::env::temp_dir);
        // An empty TMPDIR is none.
        if configured.as_os_str().is_empty() { PathBuf::from("/tmp") } else { configured }
    }

    /// The thread that spawns, started when it is first needed.
    pub(crate) async fn spawner(&self) -> Result<&Spawner, RunError> {
        self.spawner
            .get_or_try_init(async || {
                let root = self.work_root();
                // What a crashed host left behind is removed at the next start, which is this one.
                let swept = tokio::task::spawn_blocking(move || remove_stale(&root)).await;
                if let Ok(Err(error)) = swept {
                    tracing::warn!(%error, "failed to remove the directories of an earlier host");
                }
                Spawner::start().map_err(|error| RunError::Host {
                    action: "start the thread that spawns workers",
                    source: std::io::Error::other(error),
                })
            })
            .await
    }

    /// Returns when no worker is left: neither one whose driver went with its tokio runtime, nor one that a doctor was
    /// trying.
    async fn quiet(&self) {
        let Some(spawner) = self.spawner.get() else { return };
        let (sender, receiver) = oneshot::channel();
        spawner.when_quiet(LAST_PATIENCE, move |left| {
            // Nobody waits any more when the shutdown was dropped.
            let _ = sender.send(left);
        });
        if let Ok(left @ 1..) = receiver.await {
            tracing::error!(left, "workers did not die; they are left to the spawner's thread");
        }
    }

    /// What is applied to every worker of this host: verified, once a canary child has been looked at.
    pub(crate) fn isolation(&self) -> Isolation {
        self.isolation.get().cloned().unwrap_or_else(|| self.limits.profile.report())
    }

    /// Looks at a canary child, once: a layer that was applied without an error and is not in force refuses every run.
    pub(crate) async fn verify(&self) -> Result<Isolation, RunError> {
        let verified = self.isolation.get_or_try_init(async || {
            let spawner = self.spawner().await?.clone();
            let profile = self.limits.profile;
            let verified = tokio::task::spawn_blocking(move || profile.verify(&spawner)).await;
            verified.map_err(|_| undriven(self))?.map_err(refused)
        });
        verified.await.cloned()
    }

    /// The interpreter for `language`, found and tried once.
    ///
    /// # Cancellation
    ///
    /// Dropping the future stops waiting; the search goes on for whoever comes next, and shutdown ends it.
    pub(crate) async fn interpreter(self: &Arc<Self>, language: Language) -> Result<Arc<Interpreter>, RunError> {
        let shared = Arc::clone(self);
        let search = self.drivers.spawn(async move {
            let index = Language::ALL.iter().position(|known| *known == language);
            let Some(cell) = index.and_then(|index| shared.interpreters.get(index)) else {
                return Err(interpreter::unsupported(language));
            };
            let found = cell.get_or_try_init(|| async { interpreter::find(&shared, language).await.map(Arc::new) });
            found.await.cloned()
        });
        search.await.unwrap_or_else(|_| Err(undriven(self)))
    }
}
