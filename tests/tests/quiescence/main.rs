//! Nothing is left: of runs, of supervisors, of hosts that were killed.

mod killed;
mod left;
