//! `Json` against models, hostile depth and hostile size.

#![expect(clippy::unwrap_used, reason = "a test ends where an assumption of its own fails")]

mod budget;
mod convert;
mod deep;
mod linear;
mod model;
mod properties;
mod strategies;
