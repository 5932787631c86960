//! The built command, end to end.

mod bench;
mod examples;
mod files;
mod host;
mod interrupts;
mod programs;
mod scheduling;
mod tools;
mod usage;
