//! `run_code` and the bridge from programs to tools, without processes.
#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

mod bridging;
mod cards;
mod journal;
mod limits;
mod model;
mod operator;
mod policy;
mod results;
mod scheduling;
mod scopes;
mod settlement;
mod states;
mod support;
mod unavailable;
mod words;
