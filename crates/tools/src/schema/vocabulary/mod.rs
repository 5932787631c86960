//! A small vocabulary of values, for those who want neither Rust types nor JSON by hand: it makes ordinary JSON Schema.

mod object;
mod scalar;
mod value;

pub use object::{ObjectSpec, Parameters};
pub use scalar::{Scalar, ScalarSpec};
pub use value::{ArraySpec, OneOfSpec, ValueSpec};
