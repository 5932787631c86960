//! JSON Schemas: compiled once, within limits, and held against values without trusting either.

mod error;
mod source;

use std::fmt;

use dayfly_runtime::Json;

pub use error::{SchemaError, Violation, Violations};
pub use source::IntoSchema;
pub(crate) use source::{input_of, output_of};

use crate::Warning;

/// The deepest value that is held against a schema; validators recurse, and report quadratically.
pub const MAX_VALUE_DEPTH: usize = 256;
/// The most violations that are named.
pub const MAX_VIOLATIONS: usize = 32;

/// A compiled schema.
pub(crate) struct Schema {
    document: Json,
    validator: jsonschema::Validator,
}

impl Schema {
    /// Compiles a schema of any draft. `role` is the beginning of the paths in warnings.
    pub(crate) fn compile(document: Json, _role: &str, _warnings: &mut Vec<Warning>) -> Result<Self, SchemaError> {
        let value = document.to_value().map_err(|error| SchemaError::Invalid { reason: error.to_string() })?;
        let validator = jsonschema::options()
            .offline()
            .with_pattern_options(jsonschema::PatternOptions::regex())
            .build(&value)
            .map_err(|error| SchemaError::Invalid { reason: error.to_string() })?;
        Ok(Self { document, validator })
    }

    /// The schema as the model is shown it.
    pub(crate) const fn document(&self) -> &Json {
        &self.document
    }

    /// Whether the root accepts nothing but objects, and says so by `type`.
    pub(crate) fn says_object(&self) -> bool {
        self.document.get("type").is_some_and(|kind| kind.as_str() == Some("object"))
    }

    /// Holds a value against the schema.
    pub(crate) fn check(&self, value: &Json) -> Result<(), Violations> {
        let tree = value
            .to_value_with_depth(MAX_VALUE_DEPTH)
            .map_err(|error| Violations::one(error.path, error.problem.to_string()))?;
        if self.validator.is_valid(&tree) {
            return Ok(());
        }
        let named = self
            .validator
            .iter_errors(&tree)
            .take(MAX_VIOLATIONS)
            .map(|error| Violation { path: error.instance_path().to_string(), problem: error.masked().to_string() });
        Err(Violations { named: named.collect(), more: false })
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.document).finish()
    }
}
