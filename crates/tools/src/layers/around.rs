//! An async function as a layer.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll};

use dayfly_runtime::BoxFuture;
use futures_util::FutureExt as _;
use tower::{Layer, Service};

use crate::ToolFailure;
use crate::pipeline::{Dispatch, Dispatched, Next};

/// Puts an async function around the body; see [`RegistryBuilder::around`](crate::RegistryBuilder::around).
#[derive(Debug, Clone)]
pub struct AroundLayer<F> {
    around: Arc<F>,
}

impl<F> AroundLayer<F> {
    /// A layer of this function, which is given the call and what comes next.
    pub fn new(around: F) -> Self {
        Self { around: Arc::new(around) }
    }
}

impl<F> Layer<Next> for AroundLayer<F> {
    type Service = Around<F>;

    fn layer(&self, next: Next) -> Around<F> {
        Around { around: Arc::clone(&self.around), next }
    }
}

/// The service of [`AroundLayer`].
#[derive(Debug)]
pub struct Around<F> {
    around: Arc<F>,
    next: Next,
}

impl<F> Clone for Around<F> {
    fn clone(&self) -> Self {
        Self { around: Arc::clone(&self.around), next: self.next.clone() }
    }
}

impl<F, Fut> Service<Dispatch> for Around<F>
where
    F: Fn(Dispatch, Next) -> Fut,
    Fut: Future<Output = Result<Dispatched, ToolFailure>> + Send + 'static,
{
    type Response = Dispatched;
    type Error = ToolFailure;
    type Future = BoxFuture<'static, Result<Dispatched, ToolFailure>>;

    /// Always ready: the function itself waits for what comes next, by [`Next::run`].
    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), ToolFailure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, dispatch: Dispatch) -> Self::Future {
        (self.around)(dispatch, self.next.clone()).boxed()
    }
}
