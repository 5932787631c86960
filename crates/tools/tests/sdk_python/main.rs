//! Declarations for Python programs: compiled and run by CPython, and checked by pyright.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "all of this is a test, and one that is skipped says so"
)]

mod calls;
mod cases;
mod hostile;
mod limits;
mod property;
mod pyright;
mod python;
mod schemas;
mod texts;
