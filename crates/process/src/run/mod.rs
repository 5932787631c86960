//! One run, from its request to the last thing that is left of it.

mod active;
mod alarm;
mod calls;
mod contain;
mod dump;
mod forgotten;
#[cfg(feature = "typescript")]
mod imports;
mod link;
mod meter;
mod output;
mod pace;
mod prepare;
mod receipts;
mod reply;
mod settle;
mod socket;
mod start;
#[cfg(feature = "typescript")]
mod unknown;
mod watch;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dayfly_runtime::{CancellationToken, Failure, Isolation, Language, RunError, RunRequest, RunResult, StartMethod};
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::runtime::Standing;
use crate::supervisor::Shared;
use active::ActiveRun;
use contain::Bindings;
use pace::Pace;
pub(crate) use pace::Seat;
use watch::Watch;

/// Everything that can end a run from outside.
#[derive(Debug, Clone)]
struct Stop {
    request: CancellationToken,
    dropped: CancellationToken,
    closing: CancellationToken,
}

impl Stop {
    /// Returns when the run is to be ended.
    async fn stopped(&self) {
        tokio::select! {
            () = self.request.cancelled() => {}
            () = self.dropped.cancelled() => {}
            () = self.closing.cancelled() => {}
        }
    }

    fn is_stopped(&self) -> bool {
        self.request.is_cancelled() || self.dropped.is_cancelled() || self.closing.is_cancelled()
    }
}

/// Drives one run to its end. It owns all that the run needs, so that it goes on when nobody waits for its result.
///
/// # Cancellation
///
/// `dropped` ends the run. Dropping the future itself (the end of its tokio runtime) kills the worker and leaves the
/// reaping to the spawner thread.
pub(crate) fn drive(
    shared: Arc<Shared>,
    language: Language,
    request: RunRequest,
    level: usize,
    dropped: CancellationToken,
) -> impl Future<Output = Result<RunResult, RunError>> + Send {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let run = NEXT.fetch_add(1, Ordering::Relaxed);
    let span = tracing::info_span!("run", run, %language, level);
    let RunRequest { program, bindings, cancel, observer, .. } = request;
    let stop = Stop { request: cancel, dropped, closing: shared.closing.clone() };
    // Held from the first, so that a future that is never polled lets go of them in the same way.
    let work = Work { language, program, bindings: Bindings::new(bindings), watch: Watch::new(observer), level };
    async move {
        let result = stages(shared, work, stop).instrument(span.clone()).await;
        let _entered = span.entered();
        match &result {
            Ok(result) => {
                let failure = result.failure.as_ref().map(|failure| failure.kind().name());
                tracing::info!(failure, wall = ?result.usage.wall, cpu = ?result.usage.cpu, "settled");
            }
            Err(error) => tracing::info!(%error, "not started"),
        }
        result
    }
}

/// What a run is asked to do.
#[derive(Debug)]
struct Work {
    language: Language,
    program: String,
    bindings: Bindings,
    watch: Watch,
    level: usize,
}

async fn stages(shared: Arc<Shared>, work: Work, stop: Stop) -> Result<RunResult, RunError> {
    let Work { language, program, bindings, watch, level } = work;
    let isolation = shared.isolation();
    let prepared = match prepare::prepare(language, program, &bindings, &shared.limits).await {
        Ok(prepared) => prepared,
        Err(failure) => return Ok(never_started(isolation, failure)),
    };
    if stop.is_stopped() {
        return Ok(never_started(isolation, settle::aborted()));
    }
    let place = tokio::select! {
        biased;
        () = stop.stopped() => return Ok(never_started(isolation, settle::aborted())),
        place = shared.admission.enter(level) => place?,
    };
    let admitted = Instant::now();
    let Some(started) = start::start(&shared, language, &stop).await? else {
        return Ok(never_started(isolation, settle::aborted()));
    };
    let startup = admitted.elapsed();

    let standing = Standing { supervisor: shared.identity, level };
    let pace = Pace::new(Arc::clone(&shared.seat));
    let run = ActiveRun::begin(&shared.limits, started, prepared, bindings, standing, Arc::new(watch), pace);
    let mut result = run.drive(&stop).await;
    result.usage.startup = startup;
    result.isolation = shared.isolation();
    drop(place);
    Ok(result)
}

/// The result of a run that no worker was started for.
fn never_started(isolation: Isolation, failure: Failure) -> RunResult {
    let mut result = RunResult::default();
    result.failure = Some(failure);
    result.isolation = isolation;
    result.start = StartMethod::None;
    result
}
