//! One run, from the program to what the model is given of it.

use std::sync::Arc;
use std::time::Duration;

use dayfly_runtime::{CodeRuntime, Json, RunRequest, RunResult, unfence};
use futures_util::FutureExt as _;
use tokio::runtime::Handle;

use super::bridge::{Bridge, Settling};
use super::{failure, result};
use crate::pipeline::{Contained, Panicked};
use crate::{RunContext, ToolFailure};

/// How long a runtime may take to end a run that was cancelled: it kills, reaps, and awaits the calls for a grace of its own.
const ENDING: Duration = Duration::from_secs(60);

/// Runs the program of these arguments with the tools that the calling scope sees.
pub(super) async fn run(
    runtime: Arc<dyn CodeRuntime>,
    max_parallel: usize,
    arguments: Json,
    context: RunContext,
) -> Result<Json, ToolFailure> {
    let program = arguments.get("code").and_then(|code| code.as_str().map(str::to_owned)).unwrap_or_default();
    if unfence(&program).trim().is_empty() {
        return Err(failure::blank(runtime.language()));
    }
    let Ok(handle) = Handle::try_current() else { return Err(failure::homeless()) };
    let bridge = Bridge::new(&context, max_parallel, handle);
    let settling = Settling::of(Arc::clone(&bridge));
    let request = RunRequest::new(program)
        .bind(bridge.namespace(context.scope()))
        .cancel_with(bridge.settlement())
        .within(context.execution().standing().clone());
    let ended = to_its_end(runtime, request, &bridge, &context).await;
    drop(settling);
    bridge.drain().await;

    let tally = bridge.tally();
    context.execution().set_dispatches(tally.dispatches());
    result::of(ended?, tally)
}

/// What the runtime gives back, or why it gives nothing.
async fn to_its_end(
    runtime: Arc<dyn CodeRuntime>,
    request: RunRequest,
    bridge: &Bridge,
    context: &RunContext,
) -> Result<RunResult, ToolFailure> {
    let mut running = Contained::new(move || async move { runtime.run(request).await }.boxed());
    let ended = tokio::select! {
        biased;
        ended = &mut running => Some(ended),
        () = context.cancel().cancelled() => {
            bridge.settle();
            tokio::time::timeout(ENDING, &mut running).await.ok()
        }
    };
    match ended {
        Some(Ok(Ok(result))) => Ok(result),
        Some(Ok(Err(error))) => Err(failure::unavailable(&error)),
        Some(Err(Panicked(text))) => Err(failure::panicked(&text)),
        None => Err(failure::endless(ENDING)),
    }
}
