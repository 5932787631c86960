//! Workers as the host sees them: real processes, on this machine.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "clippy allows them in tests, not in what tests call")]

mod contract;
mod directory;
mod fixture;
mod host;
mod metering;
mod tree;
