//! The registry and the pipeline, from outside.
#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

mod approval;
mod cancellation;
mod failures;
mod layers;
mod review;
mod scopes;
mod shipped;
mod stages;
mod support;
mod visibility;
