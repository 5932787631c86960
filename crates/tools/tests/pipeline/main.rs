//! The registry and the pipeline, from outside.

mod approval;
mod cancellation;
mod failures;
mod layers;
mod scopes;
mod stages;
mod support;
mod visibility;
