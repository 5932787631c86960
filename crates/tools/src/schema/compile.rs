//! From a document to a compiled schema, or to what is wrong with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dayfly_runtime::Json;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::flat::Flat;
use super::guard::on_large_stack;
use super::{Schema, SchemaError};
use crate::Warning;

/// The largest schema, in bytes of compact JSON.
pub const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// The deepest schema, in levels of JSON.
pub const MAX_SCHEMA_DEPTH: usize = 128;
/// The most references in a schema: `$ref`, `$dynamicRef` and `$recursiveRef` together.
pub const MAX_REFERENCES: usize = 4_096;

impl Schema {
    /// Compiles a schema of any draft. `role` is the beginning of the paths in warnings.
    ///
    /// # Errors
    ///
    /// [`SchemaError`].
    pub(crate) fn compile(document: Json, _role: &str, _warnings: &mut Vec<Warning>) -> Result<Self, SchemaError> {
        let bytes = document.serialized_len();
        if bytes > MAX_SCHEMA_BYTES {
            return Err(SchemaError::TooLarge { bytes });
        }
        document.check_depth(MAX_SCHEMA_DEPTH).map_err(|refusal| SchemaError::TooDeep { path: refusal.path })?;
        let schema = document
            .to_value()
            .map_err(|error| SchemaError::Invalid { path: error.path, reason: error.problem.to_string() })?;
        let validator = on_large_stack(|| catch_unwind(AssertUnwindSafe(|| build(&schema))));
        let validator = match validator {
            Ok(Ok(validator)) => validator?,
            Ok(Err(_)) => {
                return Err(SchemaError::Invalid {
                    path: String::new(),
                    reason: "the validator could not make sense of it".to_owned(),
                });
            }
            Err(_) => return Err(SchemaError::NoThread),
        };
        Ok(Self { document, validator })
    }
}

fn build(schema: &Value) -> Result<Validator<Flat>, SchemaError> {
    let options = jsonschema::options_for::<Flat>().offline().with_pattern_options(PatternOptions::regex());
    options
        .build(schema)
        .map_err(|error| SchemaError::Invalid { path: error.instance_path().to_string(), reason: error.to_string() })
}
