//! The runtime of one language.

use std::sync::Arc;

use dayfly_runtime::{BoxFuture, CodeRuntime, Isolation, Language, RunError, RunRequest, RunResult};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::run;
use crate::supervisor::Shared;

/// Runs programs of one language, each in a fresh process.
///
/// It is a handle: clones share the supervisor that made it.
#[derive(Debug, Clone)]
pub struct ProcessRuntime {
    shared: Arc<Shared>,
    language: Language,
}

/// Where a run stands: which supervisor, and how many runs around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) supervisor: u64,
    pub(crate) level: usize,
}

tokio::task_local! {
    /// Set around every host function, so that a run started inside one is known to be nested.
    pub(crate) static STANDING: Standing;
}

impl ProcessRuntime {
    pub(crate) const fn new(shared: Arc<Shared>, language: Language) -> Self {
        Self { shared, language }
    }

    async fn run_one(&self, request: RunRequest) -> Result<RunResult, RunError> {
        request.validate()?;
        let (bytes, limit) = (request.program.len(), self.shared.limits.max_program_bytes.as_u64());
        if u64::try_from(bytes).is_ok_and(|bytes| bytes > limit) {
            return Err(RunError::ProgramTooLarge { bytes, limit });
        }
        let handle = tokio::runtime::Handle::try_current().map_err(|error| RunError::Host {
            action: "find a tokio runtime; poll the run inside one",
            source: std::io::Error::other(error),
        })?;
        let inside = |standing: &Standing| (standing.supervisor == self.shared.identity).then_some(standing.level + 1);
        // What was said is as good as what is seen, and reaches further: tools run in tasks of their own.
        let said = request.standing.get().and_then(inside);
        let seen = STANDING.try_with(inside).ok().flatten();
        let level = said.max(seen).unwrap_or(0);

        // The run is driven by a task of its own, so that dropping this future cannot leave it half undone.
        let dropped = CancellationToken::new();
        let (sender, receiver) = oneshot::channel();
        let driver = run::drive(Arc::clone(&self.shared), self.language, request, level, dropped.clone());
        {
            // A driver is either counted before shutdown begins to wait, or never started.
            let _token = self.shared.drivers.token();
            if self.shared.closing.is_cancelled() {
                return Err(RunError::ShutDown);
            }
            self.shared.drivers.spawn_on(
                async move {
                    // Nobody may be listening any more: then the result is dropped, and all else was done.
                    let _ = sender.send(driver.await);
                },
                &handle,
            );
        }
        let _drop_is_a_cancel = dropped.drop_guard();
        // The driver vanishes without an answer with the tokio runtime that drove it, or by a panic in tokio.
        receiver.await.unwrap_or_else(|_| Err(undriven(&self.shared)))
    }
}

/// Why a task of a run vanished.
pub(crate) fn undriven(shared: &Shared) -> RunError {
    if shared.closing.is_cancelled() {
        return RunError::ShutDown;
    }
    RunError::Host {
        action: "drive the run",
        source: std::io::Error::other(
            "its tokio runtime has ended, or has no I/O or time driver; build it with `enable_all()`",
        ),
    }
}

impl CodeRuntime for ProcessRuntime {
    fn run(&self, request: RunRequest) -> BoxFuture<'_, Result<RunResult, RunError>> {
        Box::pin(self.run_one(request))
    }

    fn language(&self) -> Language {
        self.language
    }

    fn isolation(&self) -> Isolation {
        self.shared.isolation()
    }
}
