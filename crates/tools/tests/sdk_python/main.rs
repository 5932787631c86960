//! Declarations for Python programs: compiled and run by CPython, and checked by pyright.

#![expect(clippy::print_stderr, reason = "what is skipped is said")]

mod calls;
mod cases;
mod hostile;
mod limits;
mod property;
mod pyright;
mod python;
mod schemas;
mod texts;
