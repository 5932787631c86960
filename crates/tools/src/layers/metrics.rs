//! Counting calls and their time.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use dayfly_runtime::BoxFuture;
use futures_util::FutureExt as _;
use tower::{Layer, Service};

use crate::ToolFailure;
use crate::pipeline::{Dispatch, Dispatched};

/// What is counted, by tool; clones share the counts.
///
/// A layer of it counts what passes through the place where it stands: outermost, calls with all their retries; innermost,
/// attempts. Names are those of registered tools, so there is no more of them than of tools.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    tools: Arc<Mutex<HashMap<String, ToolMetrics>>>,
}

/// The counts of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolMetrics {
    /// Dispatches that have not ended.
    pub in_flight: u64,
    /// Dispatches that ended with a value.
    pub succeeded: u64,
    /// Dispatches that failed, by code; failures without one under the empty text.
    pub failed: BTreeMap<String, u64>,
    /// Dispatches that a layer, or a cancelled call, gave up before they had ended.
    pub abandoned: u64,
    /// The time of all that ended together.
    pub time: Duration,
    /// The longest time of one.
    pub longest: Duration,
}

impl Metrics {
    /// Counts of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A layer that counts here.
    #[must_use]
    pub fn layer(&self) -> MetricsLayer {
        MetricsLayer { metrics: self.clone() }
    }

    /// The counts at this moment, by tool.
    #[must_use]
    pub fn snapshot(&self) -> BTreeMap<String, ToolMetrics> {
        self.lock().iter().map(|(name, metrics)| (name.clone(), metrics.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, ToolMetrics>> {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, tool: &str, count: impl FnOnce(&mut ToolMetrics)) {
        let mut tools = self.lock();
        if let Some(metrics) = tools.get_mut(tool) {
            count(metrics);
        } else {
            count(tools.entry(tool.to_owned()).or_default());
        }
    }
}

/// The layer of [`Metrics`].
#[derive(Debug, Clone)]
pub struct MetricsLayer {
    metrics: Metrics,
}

impl<S> Layer<S> for MetricsLayer {
    type Service = Measure<S>;

    fn layer(&self, inner: S) -> Measure<S> {
        Measure { inner, metrics: self.metrics.clone() }
    }
}

/// The service of [`MetricsLayer`].
#[derive(Debug, Clone)]
pub struct Measure<S> {
    inner: S,
    metrics: Metrics,
}

impl<S> Service<Dispatch> for Measure<S>
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
        let running = Running::start(&self.metrics, dispatch.clone());
        let inner = self.inner.call(dispatch);
        async move {
            let result = inner.await;
            running.end(&result);
            result
        }
        .boxed()
    }
}

/// One dispatch that is being measured. Dropped before its end, it counts as abandoned.
struct Running {
    metrics: Metrics,
    dispatch: Dispatch,
    since: Instant,
    ended: bool,
}

impl Running {
    fn start(metrics: &Metrics, dispatch: Dispatch) -> Self {
        metrics.count(dispatch.execution().name(), |tool| tool.in_flight += 1);
        Self { metrics: metrics.clone(), dispatch, since: Instant::now(), ended: false }
    }

    fn end(mut self, result: &Result<Dispatched, ToolFailure>) {
        self.ended = true;
        self.count(|tool| match result {
            Ok(_) => tool.succeeded += 1,
            Err(failure) => *tool.failed.entry(failure.code().unwrap_or_default().to_owned()).or_default() += 1,
        });
    }

    fn count(&self, end: impl FnOnce(&mut ToolMetrics)) {
        let time = self.since.elapsed();
        self.metrics.count(self.dispatch.execution().name(), |tool| {
            tool.in_flight -= 1;
            tool.time += time;
            tool.longest = tool.longest.max(time);
            end(tool);
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            self.count(|tool| tool.abandoned += 1);
        }
    }
}
