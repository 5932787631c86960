//! Deadlines: cancel, then await.

use std::future::Future;
use std::task::{Context, Poll};
use std::time::Duration;

use dayfly_runtime::BoxFuture;
use futures_util::FutureExt as _;
use tower::{Layer, Service};

use crate::ToolFailure;
use crate::pipeline::{DROPPED, Dispatch, Dispatched, code};

/// Enforces the deadlines that tools declare.
///
/// When one passes, the body is asked to stop and awaited up to the registry's grace, and the call fails as `TOOL_TIMEOUT`,
/// whatever the body makes of it by then. (A timeout that drops its inner future would leave the body half way.) Of a program that was
/// stopped, what became of its calls and what it had printed stand below that. Within a
/// retry layer the deadline is of each attempt; around one it is of all attempts and the waits between them.
#[derive(Debug, Clone, Default)]
pub struct TimeoutLayer {
    fallback: Option<Duration>,
}

impl TimeoutLayer {
    /// A layer that enforces declared deadlines alone.
    #[must_use]
    pub const fn new() -> Self {
        Self { fallback: None }
    }

    /// The deadline of tools that declare none. `run_code` is one: a program has this long, whatever its runtime allows.
    #[must_use]
    pub const fn fallback(mut self, deadline: Duration) -> Self {
        self.fallback = Some(deadline);
        self
    }
}

impl<S> Layer<S> for TimeoutLayer {
    type Service = Timeout<S>;

    fn layer(&self, inner: S) -> Timeout<S> {
        Timeout { inner, fallback: self.fallback }
    }
}

/// The service of [`TimeoutLayer`].
#[derive(Debug, Clone)]
pub struct Timeout<S> {
    inner: S,
    fallback: Option<Duration>,
}

impl<S> Service<Dispatch> for Timeout<S>
where
    S: Service<Dispatch, Response = Dispatched, Error = ToolFailure>,
    S::Future: Send + 'static,
{
    type Response = Dispatched;
    type Error = ToolFailure;
    type Future = BoxFuture<'static, Result<Dispatched, ToolFailure>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), ToolFailure>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, dispatch: Dispatch) -> Self::Future {
        let Some(deadline) = dispatch.timeout().or(self.fallback) else {
            return self.inner.call(dispatch).boxed();
        };
        let caller = dispatch.cancel().clone();
        let signal = caller.child_token();
        let (tool, grace) = (dispatch.execution().name().to_owned(), dispatch.cancel_grace());
        let inner = self.inner.call(dispatch.with_cancel(signal.clone()));
        async move {
            let mut inner = std::pin::pin!(inner);
            tokio::select! {
                biased;
                result = &mut inner => return result,
                // A call that is being cancelled ends within its grace, and as what it is.
                () = caller.cancelled() => return inner.await,
                () = tokio::time::sleep(deadline) => signal.cancel(),
            }
            // The body ends within the grace, by itself or by being dropped; other layers get as much again.
            let stopped = stop(&mut inner, grace.saturating_mul(2)).await;
            Err(timed_out(&tool, deadline, stopped))
        }
        .boxed()
    }
}

/// What came of what was asked to stop; nothing when it did not, or was dropped where it stood.
async fn stop(
    inner: impl Future<Output = Result<Dispatched, ToolFailure>>,
    limit: Duration,
) -> Option<Result<Dispatched, ToolFailure>> {
    let ended = tokio::time::timeout(limit, inner).await.ok()?;
    // The pipeline's own word for a body that it had to drop.
    let dropped = matches!(&ended, Err(ToolFailure { info: Some(info), .. }) if info.name == DROPPED);
    (!dropped).then_some(ended)
}

fn timed_out(tool: &str, deadline: Duration, stopped: Option<Result<Dispatched, ToolFailure>>) -> ToolFailure {
    let end = if stopped.is_some() {
        "and was stopped"
    } else {
        "did not stop when it was asked to, and was dropped where it stood; what it was doing may be half done"
    };
    let mut message = format!("`{tool}` took longer than its deadline of {deadline:?} {end}");
    // A model that is not told what the calls of its program have done makes them again.
    if let Some(Err(failure)) = stopped
        && failure.code() == Some(code::CODE_RUN_FAILED)
    {
        message.push('\n');
        message.push_str(&failure.message);
    }
    ToolFailure::coded("ToolTimeoutError", code::TOOL_TIMEOUT, message)
}
