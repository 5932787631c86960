//! Trying again what may be tried again.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use dayfly_runtime::BoxFuture;
use futures_util::FutureExt as _;
use tower::{Layer, Service, ServiceExt as _};

use crate::ToolFailure;
use crate::pipeline::{Dispatch, Dispatched, code};

type Retries = Arc<dyn Fn(&ToolFailure) -> bool + Send + Sync>;

/// Makes a failed call again, of tools that are declared retryable and of no others.
///
/// The body runs again with the same arguments, as the same call: listeners, guards and approval are not asked again. Bodies
/// do not overlap. Of what the bodies deferred only the last one's is kept: it made the outcome. What the caller cancelled is
/// not tried again, nor is what would fail again as surely: invalid arguments, invalid output, a closed call.
#[derive(Clone)]
pub struct RetryLayer {
    attempts: u32,
    wait: Duration,
    longest_wait: Duration,
    retries: Retries,
}

impl RetryLayer {
    /// At most `attempts` bodies for each call, the first included: zero counts as one. No wait between them.
    #[must_use]
    pub fn new(attempts: u32) -> Self {
        Self {
            attempts: attempts.max(1),
            wait: Duration::ZERO,
            longest_wait: Duration::from_secs(30),
            retries: Arc::new(|_| true),
        }
    }

    /// Waits before the second attempt, and twice as long before each further one, up to `longest`.
    #[must_use]
    pub const fn wait(mut self, first: Duration, longest: Duration) -> Self {
        self.wait = first;
        self.longest_wait = longest;
        self
    }

    /// Tries again only after failures of which `retries` is true.
    #[must_use]
    pub fn when(mut self, retries: impl Fn(&ToolFailure) -> bool + Send + Sync + 'static) -> Self {
        self.retries = Arc::new(retries);
        self
    }

    fn wait_after(&self, attempt: u32) -> Duration {
        self.wait.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1))).min(self.longest_wait)
    }

    fn tries_again(&self, failure: &ToolFailure) -> bool {
        let for_good = [
            "INVALID_ARGS",
            "INVALID_OUTPUT",
            code::ABORTED_BEFORE_DISPATCH,
            code::ABORTED,
            code::CALL_CLOSED,
            code::ALREADY_DISPATCHED,
        ];
        !failure.code().is_some_and(|code| for_good.contains(&code)) && (self.retries)(failure)
    }
}

impl std::fmt::Debug for RetryLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RetryLayer").field("attempts", &self.attempts).field("wait", &self.wait).finish_non_exhaustive()
    }
}

impl<S> Layer<S> for RetryLayer {
    type Service = Retry<S>;

    fn layer(&self, inner: S) -> Retry<S> {
        Retry { inner, policy: self.clone() }
    }
}

/// The service of [`RetryLayer`].
#[derive(Debug, Clone)]
pub struct Retry<S> {
    inner: S,
    policy: RetryLayer,
}

impl<S> Service<Dispatch> for Retry<S>
where
    S: Service<Dispatch, Response = Dispatched, Error = ToolFailure> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Dispatched;
    type Error = ToolFailure;
    type Future = BoxFuture<'static, Result<Dispatched, ToolFailure>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), ToolFailure>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, dispatch: Dispatch) -> Self::Future {
        if !dispatch.is_retryable() {
            return self.inner.call(dispatch).boxed();
        }
        // The clone that is left behind has not been made ready; the one that has is used up.
        let spare = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, spare);
        let policy = self.policy.clone();
        let mut calling = inner.call(dispatch.clone());
        async move {
            for attempt in 1..policy.attempts {
                let failure = match calling.await {
                    Err(failure) if policy.tries_again(&failure) => failure,
                    settled => return settled,
                };
                let waiting = tokio::time::sleep(policy.wait_after(attempt));
                if dispatch.cancel().run_until_cancelled(waiting).await.is_none() {
                    return Err(failure);
                }
                let Some(room) = dispatch.cancel().run_until_cancelled(inner.ready()).await else {
                    return Err(failure);
                };
                calling = room?.call(dispatch.clone());
            }
            calling.await
        }
        .boxed()
    }
}
