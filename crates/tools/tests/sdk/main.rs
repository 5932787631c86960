//! The text that declares tools to a model that writes programs.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "all of this is a test")]

mod checker;
mod golden;
mod kept;
mod linear;
mod lint;
mod property;
mod run_code;
mod schemas;
mod tools;
mod typescript;
