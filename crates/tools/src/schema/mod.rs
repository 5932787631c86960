//! JSON Schemas: compiled once, within limits, and held against values without trusting either.
//!
//! Any draft is understood; `$schema` says which, and 2020-12 is meant without it. Nothing is fetched: a reference to
//! another document is refused when the tool is declared, except to the drafts' own meta-schemas, which are built in.
//! Patterns run on a linear-time engine; see [`Warning::UnenforcedPattern`] for those
//! that it cannot take. `default` is an annotation: nothing is ever filled in.
//!
//! The limits, each refused by name:
//!
//! | limit | value | what it bounds |
//! |---|---|---|
//! | [`MAX_SCHEMA_BYTES`] | 1 MiB | the memory and time of compiling |
//! | [`MAX_SCHEMA_DEPTH`] | 128 | the stack of compiling |
//! | [`MAX_REFERENCES`] | 4,096 | how long a chain of references can be |
//! | [`MAX_UNEVALUATED`] | 2,048 | the time of compiling `unevaluatedProperties` and `unevaluatedItems` |
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
mod nullable;
mod path;
mod pattern;
mod source;
mod unevaluated;
mod validate;
mod vocabulary;
mod words;

use std::fmt;

use dayfly_runtime::Json;

/// The crate whose derive makes schemas of Rust types.
pub use schemars;

pub use compile::{MAX_REFERENCES, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH};
pub(crate) use equality::Distinct;
pub use error::{SchemaError, Violation, Violations};
pub use pattern::MAX_PATTERNS;
pub use source::IntoSchema;
pub(crate) use source::{input_of, output_of};
pub use unevaluated::MAX_UNEVALUATED;
pub use validate::{MAX_VALUE_DEPTH, MAX_VIOLATIONS};
pub use vocabulary::{ArraySpec, ObjectSpec, OneOfSpec, Parameters, Scalar, ScalarSpec, ValueSpec};

use crate::Warning;
use flat::Flat;

/// A compiled schema, for whatever else a harness holds against one: what a tool's arguments and output go through.
///
/// ```
/// use dayfly_tools::Json;
/// use dayfly_tools::schema::{Schema, ValueSpec};
///
/// let schema = Schema::new(ValueSpec::closed_object().required("port", ValueSpec::integer()))?;
/// assert!(schema.check(&Json::parse(r#"{"port": 80}"#)?).is_ok());
/// let violations = schema.check(&Json::parse(r#"{"port": "80"}"#)?).unwrap_err();
/// assert_eq!(violations.to_string(), r#"port: must be an integer, not the string "80""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Schema {
    document: Json,
    validator: jsonschema::Validator<Flat>,
    /// How long a chain of references may be that is followed without a look at the value.
    references: usize,
    /// Whether every value fits, of any depth.
    asks_nothing: bool,
    warnings: Vec<Warning>,
}

impl Schema {
    /// Compiles a schema of any draft.
    ///
    /// # Errors
    ///
    /// [`SchemaError`]: it is no JSON Schema, refers to another document, or is beyond a limit.
    pub fn new(schema: impl IntoSchema) -> Result<Self, SchemaError> {
        Self::compile(schema.into_schema()?, "schema")
    }

    /// The schema as a model should be shown it: as it was given, but for what a [`Warning`] says in words.
    #[must_use]
    pub const fn document(&self) -> &Json {
        &self.document
    }

    /// What of the schema is not held as it was written.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether the root accepts nothing but objects, and says so by `type`.
    #[must_use]
    pub fn says_object(&self) -> bool {
        self.document.get("type").is_some_and(|kind| kind.as_str() == Some("object"))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.document).finish()
    }
}
