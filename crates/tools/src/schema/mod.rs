//! JSON Schemas: compiled once, within limits, and held against values without trusting either.
//!
//! Any draft is understood; `$schema` says which, and 2020-12 is meant without it. Nothing is fetched: a reference to
//! another document is refused when the tool is declared, except to the drafts' own meta-schemas, which are built in.
//! Patterns run on a linear-time engine; see [`Warning::UnenforcedPattern`](crate::Warning::UnenforcedPattern) for those
//! that it cannot take. `default` is an annotation: nothing is ever filled in.
//!
//! The limits, each refused by name:
//!
//! | limit | value | what it bounds |
//! |---|---|---|
//! | [`MAX_SCHEMA_BYTES`] | 1 MiB | the memory and time of compiling |
//! | [`MAX_SCHEMA_DEPTH`] | 128 | the stack of compiling |
//! | [`MAX_REFERENCES`] | 4,096 | how long a chain of references can be |
//! | [`MAX_PATTERNS`] | 256 | with 1 MiB for each, the memory of compiled patterns |
//! | [`MAX_VALUE_DEPTH`] | 256 | the stack of validation, and paths in messages |
//! | [`MAX_VIOLATIONS`] | 32 | what a model is told at once |
//!
//! Validation itself has a budget of steps, in proportion to the value: a schema whose alternatives recurse would
//! otherwise cost a power of the value's depth.

mod compile;
mod describe;
mod equality;
mod error;
mod flat;
mod guard;
mod keywords;
mod path;
mod pattern;
mod source;
mod validate;
mod vocabulary;

use std::fmt;

use dayfly_runtime::Json;

pub use compile::{MAX_REFERENCES, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH};
pub use error::{SchemaError, Violation, Violations};
pub use pattern::MAX_PATTERNS;
pub use source::IntoSchema;
pub(crate) use source::{input_of, output_of};
pub use validate::{MAX_VALUE_DEPTH, MAX_VIOLATIONS};
pub use vocabulary::{ArraySpec, ObjectSpec, OneOfSpec, Parameters, Scalar, ScalarSpec, ValueSpec};

use flat::Flat;

/// A compiled schema.
pub(crate) struct Schema {
    document: Json,
    validator: jsonschema::Validator<Flat>,
    /// How long a chain of references may be that is followed without a look at the value.
    references: usize,
}

impl Schema {
    /// The schema as the model is shown it.
    pub(crate) const fn document(&self) -> &Json {
        &self.document
    }

    /// Whether the root accepts nothing but objects, and says so by `type`.
    pub(crate) fn says_object(&self) -> bool {
        self.document.get("type").is_some_and(|kind| kind.as_str() == Some("object"))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.document).finish()
    }
}
