//! What layers around the body are given, and what they give back.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use dayfly_runtime::{BoxFuture, CancellationToken, Json};
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt as _};

use super::attempt::Attempt;
use super::failure::{self, code};
use super::open_call::OpenCall;
use crate::{Execution, Token, ToolFailure, ToolSchema};

/// A call on its way to the body: an opaque handle, of which only the cancel signal can be replaced.
///
/// Giving it to the next service starts the body. A clone is of the same call: a tool that is not declared retryable starts
/// once for each call, bodies of one call never overlap, and none starts once the call has ended.
#[derive(Clone)]
pub struct Dispatch {
    call: Arc<OpenCall>,
    /// What a layer put in the place of the caller's signal.
    signal: Option<CancellationToken>,
}

impl Dispatch {
    pub(super) const fn new(call: Arc<OpenCall>) -> Self {
        Self { call, signal: None }
    }

    /// The call, as every stage sees it.
    #[must_use]
    pub fn execution(&self) -> &Execution {
        &self.call.execution
    }

    /// What the model is shown of the tool that the call was resolved to.
    #[must_use]
    pub fn schema(&self) -> &ToolSchema {
        self.call.tool.schema()
    }

    /// How long the tool says that a call may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.call.tool.timeout()
    }

    /// Whether the tool says that a failed call may be made again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.call.tool.is_retryable()
    }

    /// How long a body that was asked to stop is awaited before it is dropped.
    #[must_use]
    pub fn cancel_grace(&self) -> Duration {
        self.call.scope.core().config.cancel_grace
    }

    /// The signal that asks the body to stop. Layers that wait should watch it.
    #[must_use]
    pub fn cancel(&self) -> &CancellationToken {
        self.signal.as_ref().unwrap_or_else(|| self.call.execution.cancel())
    }

    /// Puts another signal in its place. The caller's own still reaches the body, whatever is put here.
    #[must_use]
    pub fn with_cancel(mut self, signal: CancellationToken) -> Self {
        self.signal = Some(signal);
        self
    }
}

impl fmt::Debug for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatch").field("execution", self.execution()).finish_non_exhaustive()
    }
}

/// The canonical value of a call.
///
/// A layer may make one of a value of its own; it is then held against the tool's output schema as the tool's would be.
#[derive(Clone)]
pub struct Dispatched {
    value: Json,
    /// The body that it came from, checked; absent of a layer's own.
    from: Option<Arc<Attempt>>,
}

impl Dispatched {
    pub(super) const fn checked(value: Json, from: Arc<Attempt>) -> Self {
        Self { value, from: Some(from) }
    }

    /// The value.
    #[must_use]
    pub const fn value(&self) -> &Json {
        &self.value
    }

    /// The body of the execution `token` that the value came from. A value from another call's body counts as a layer's own.
    pub(super) fn attempt(&self, token: Token) -> Option<&Arc<Attempt>> {
        self.from.as_ref().filter(|attempt| attempt.token() == token)
    }
}

impl From<Json> for Dispatched {
    fn from(value: Json) -> Self {
        Self { value, from: None }
    }
}

impl fmt::Debug for Dispatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dispatched").field(&self.value).finish()
    }
}

/// What comes next on the way to the body: a tower service that layers wrap.
#[derive(Clone)]
pub struct Next(BoxCloneSyncService<Dispatch, Dispatched, ToolFailure>);

impl Next {
    pub(crate) fn body() -> Self {
        Self(BoxCloneSyncService::new(Body))
    }

    pub(crate) fn new<S>(service: S) -> Self
    where
        S: Service<Dispatch, Response = Dispatched> + Clone + Send + Sync + 'static,
        S::Error: Into<Box<dyn Error + Send + Sync>> + 'static,
        S::Future: Send + 'static,
    {
        Self(BoxCloneSyncService::new(service.map_err(|error| normalised(error.into()))))
    }

    /// Waits until what comes next has room, and hands the call on.
    ///
    /// # Errors
    ///
    /// What the body, or a layer on the way to it, failed with.
    ///
    /// # Cancellation
    ///
    /// Dropping the future asks the body to stop; the pipeline awaits it.
    pub async fn run(mut self, dispatch: Dispatch) -> Result<Dispatched, ToolFailure> {
        self.0.ready().await?.call(dispatch).await
    }
}

impl Service<Dispatch> for Next {
    type Response = Dispatched;
    type Error = ToolFailure;
    type Future = BoxFuture<'static, Result<Dispatched, ToolFailure>>;

    fn poll_ready(&mut self, cx: &mut TaskContext<'_>) -> Poll<Result<(), ToolFailure>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, dispatch: Dispatch) -> Self::Future {
        self.0.call(dispatch)
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

/// The innermost service.
#[derive(Clone)]
struct Body;

impl Service<Dispatch> for Body {
    type Response = Dispatched;
    type Error = ToolFailure;
    type Future = Pin<Box<dyn Future<Output = Result<Dispatched, ToolFailure>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut TaskContext<'_>) -> Poll<Result<(), ToolFailure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, Dispatch { call, signal }: Dispatch) -> Self::Future {
        Box::pin(async move { call.dispatch(signal).await })
    }
}

/// A failure stays what it is on its way out through layers with errors of their own.
fn normalised(error: Box<dyn Error + Send + Sync>) -> ToolFailure {
    match error.downcast::<ToolFailure>() {
        Ok(failure) => *failure,
        Err(other) => failure::layer(code::LAYER_FAILED, format!("a layer around the tool failed: {other}")),
    }
}
