//! Results that are too long to show.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod policy;
mod programs;
mod scopes;
mod store;
mod support;
