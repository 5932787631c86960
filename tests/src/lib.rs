//! What the end-to-end tests share: a host with tools, programs written in both languages, one expectation for both,
//! and a look at what a process leaves behind.
//!
//! [`table`] is the list of programs that both languages run. An entry cannot exist without a text for each language
//! (or the reason why a language has no such program), and has one expectation.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot be set up has failed")]

pub mod alone;
mod binaries;
mod both;
pub mod code_mode;
pub mod forged;
mod host;
pub mod hostile;
pub mod leftovers;
pub mod named;
pub mod patience;
pub mod silent;
pub mod table;
mod tools;
pub mod turns;

pub use both::Both;
pub use code_mode::CodeMode;
pub use host::{Host, configured};
pub use tools::{Gate, tools};
