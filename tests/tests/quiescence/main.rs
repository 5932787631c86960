//! Nothing is left: of runs, of supervisors, of hosts that were killed.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod killed;
mod left;
