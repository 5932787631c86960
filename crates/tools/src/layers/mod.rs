//! Layers around the body that come with the registry; add them with [`RegistryBuilder::layer`](crate::RegistryBuilder::layer).
//!
//! The first one added is the outermost. Of the order: a [`TimeoutLayer`] outside a [`RetryLayer`] bounds all attempts
//! together, inside it each one. With a deadline of 2 s and three attempts, a tool that hangs fails after 2 s in the first
//! case and after 6 s in the second. [`Metrics`] outside both count calls, inside both attempts.
//!
//! Any tower layer will do whose service is cloned and shares its state between clones. A tower layer that drops its inner
//! future does not leave a body behind: the pipeline asks it to stop and awaits it before the call has an outcome.

mod around;
mod metrics;
mod retry;
mod timeout;

pub use around::{Around, AroundLayer};
pub use metrics::{Measure, Metrics, MetricsLayer, ToolMetrics};
pub use retry::{Retry, RetryLayer};
pub use timeout::{Timeout, TimeoutLayer};
