//! The built command, end to end.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bench;
mod examples;
mod files;
mod host;
mod interrupts;
mod programs;
mod scheduling;
mod sdk;
mod tools;
mod usage;
