//! Which calls overlap, and in which order the rest happens.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

mod batch;
mod hall;
mod model;
mod runs;
mod schedules;
