//! The text that declares tools to a model that writes programs.

#![expect(clippy::unwrap_used, reason = "all of this is a test")]

mod golden;
mod tools;
