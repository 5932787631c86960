//! One start of a body: a task that the pipeline owns, whatever the layers around it do.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use dayfly_runtime::{CancellationToken, Json};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::contain::Contained;
use super::deferral::Deferral;
use super::failure;
use crate::call::Progress;
use crate::registry::Core;
use crate::{Execution, RunContext, Scope, Token, Tool, ToolFailure};

/// How long the drop of a body may take, from when its task is aborted.
const GOING: Duration = Duration::from_millis(100);

/// A body that was started.
pub(super) struct Attempt {
    execution: Execution,
    core: Arc<Core>,
    /// Whether the body is dropped when it does not stop. The registry's own is not: it ends when what it started has.
    droppable: bool,
    /// Asks the body to stop; a child of the caller's token, so the caller's cancel reaches it whatever a layer did.
    pub(super) cancel: CancellationToken,
    pub(super) deferral: Deferral,
    /// Cancelled when the task is gone, whichever way.
    ended: CancellationToken,
    /// Nobody waits for the body any more.
    given_up: AtomicBool,
    /// Until when the body is awaited, from the first time it was asked to stop.
    deadline: OnceLock<Instant>,
    task: OnceLock<AbortHandle>,
    result: Mutex<Option<Result<Json, ToolFailure>>>,
}

/// Marks the end also of a task that is aborted, or whose runtime goes away.
struct Ending(Arc<Attempt>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.ended.cancel();
    }
}

impl Attempt {
    pub(super) fn start(scope: &Scope, tool: &Tool, execution: &Execution, runtime: &Handle) -> Arc<Self> {
        let attempt = Arc::new(Self {
            execution: execution.clone(),
            core: Arc::clone(scope.core()),
            droppable: !tool.is_transport(),
            cancel: execution.cancel().child_token(),
            deferral: Deferral::new(),
            ended: CancellationToken::new(),
            given_up: AtomicBool::new(false),
            deadline: OnceLock::new(),
            task: OnceLock::new(),
            result: Mutex::new(None),
        });
        let context =
            RunContext::new(scope.clone(), execution.clone(), attempt.cancel.clone(), attempt.deferral.clone());
        execution.set_progress(Progress::Started);
        let running = Arc::clone(&attempt).run(tool.clone(), context);
        let task = runtime.spawn(attempt.core.in_flight.track_future(running)).abort_handle();
        let _first = attempt.task.set(task);
        attempt
    }

    fn run(self: Arc<Self>, tool: Tool, context: RunContext) -> impl Future<Output = ()> + Send {
        let ending = Ending(Arc::clone(&self));
        async move {
            let ending = ending;
            let execution = &self.execution;
            let body = Contained::new(|| tool.execute(execution.arguments().clone(), context));
            let result = body.await.unwrap_or_else(|panicked| Err(failure::body_panicked(execution, &panicked)));
            let late = execution.cancel().is_cancelled();
            execution.set_progress(Progress::Ended { succeeded: result.is_ok(), late });
            *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            drop(ending);
        }
    }

    pub(super) fn token(&self) -> Token {
        self.execution.token()
    }

    /// Waits until the body has ended of itself, for as long as nobody asks it to stop; then up to the grace.
    pub(super) async fn settled(&self) {
        tokio::select! {
            biased;
            () = self.ended.cancelled() => {}
            () = self.cancel.cancelled() => self.stop().await,
        }
    }

    /// Asks the body to stop, waits for it up to the grace, and then drops it.
    pub(super) async fn stop(&self) {
        self.cancel.cancel();
        if !self.droppable {
            return self.ended.cancelled().await;
        }
        let deadline = *self.deadline.get_or_init(|| Instant::now() + self.core.config.cancel_grace);
        tokio::select! {
            biased;
            () = self.ended.cancelled() => {}
            () = tokio::time::sleep_until(deadline) => self.give_up().await,
        }
    }

    async fn give_up(&self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
        // Where a body yields, it is gone before its call has an outcome. One that blocks its thread goes when it yields,
        // and `quiesce` alone waits for that.
        let _blocked = tokio::time::timeout(GOING, self.ended.cancelled()).await;
        self.given_up.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits for the body any more: it has ended, or it was given up.
    pub(super) fn is_over(&self) -> bool {
        self.ended.is_cancelled() || self.given_up.load(Ordering::Relaxed)
    }

    /// What the body resolved to; that it was dropped, when it did not.
    pub(super) fn take_result(&self) -> Result<Json, ToolFailure> {
        let result = self.result.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.unwrap_or_else(|| Err(failure::dropped(&self.execution, self.core.config.cancel_grace)))
    }
}
