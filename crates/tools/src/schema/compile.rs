//! From a document to a compiled schema, or to what is wrong with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dayfly_runtime::Json;
use jsonschema::Validator;
use serde_json::Value;

use super::flat::Flat;
use super::guard::on_large_stack;
use super::keywords::{add_looks, asks_nothing, count_references};
use super::nullable::admit_null;
use super::path::pointer_path;
use super::pattern::{Relaxed, engine, relax};
use super::unevaluated::check_unevaluated;
use super::words::{self, Oddities};
use super::{Schema, SchemaError};
use crate::Warning;

/// The largest schema, in bytes of compact JSON.
pub const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// The deepest schema, in levels of JSON.
pub const MAX_SCHEMA_DEPTH: usize = 128;
/// The most references in a schema: `$ref`, `$dynamicRef` and `$recursiveRef` together.
pub const MAX_REFERENCES: usize = 4_096;

/// Misspelt keywords that are warned of.
const MISSPELT_NAMED: usize = 32;
/// Characters shown of the validator's own words.
const REASON_SHOWN: usize = 400;

impl Schema {
    /// Compiles a schema of any draft. `role` is the beginning of the paths in warnings.
    ///
    /// # Errors
    ///
    /// [`SchemaError`].
    pub(crate) fn compile(document: Json, role: &str) -> Result<Self, SchemaError> {
        let bytes = document.serialized_len();
        if bytes > MAX_SCHEMA_BYTES {
            return Err(SchemaError::TooLarge { bytes });
        }
        document.check_depth(MAX_SCHEMA_DEPTH).map_err(|refusal| SchemaError::TooDeep { path: refusal.path })?;
        let value = document.to_value().map_err(|error| invalid(error.path, &error.problem))?;
        let asks_nothing = asks_nothing(&value);
        let references = count_references(&value);
        if references > MAX_REFERENCES {
            return Err(SchemaError::TooManyReferences { references });
        }
        // Compiling is a recursion of the validator's, and it is somebody else's schema: it may also panic.
        let compiled = on_large_stack(|| catch_unwind(AssertUnwindSafe(|| compile(value, role))));
        let compiled = compiled.map_err(|_| SchemaError::NoThread)?;
        let Compiled { validator, shown, warnings } =
            compiled.unwrap_or_else(|_| Err(invalid(String::new(), &"the validator cannot make sense of it")))?;
        Ok(Self { document: shown.unwrap_or(document), validator, references, asks_nothing, warnings })
    }
}

struct Compiled {
    validator: Validator<Flat>,
    /// The document as the model should see it, where that is not the author's.
    shown: Option<Json>,
    warnings: Vec<Warning>,
}

fn compile(document: Value, role: &str) -> Result<Compiled, SchemaError> {
    let Oddities { unknown_type, misspelt } = words::read(&document, role);
    if let Some((path, reason)) = unknown_type {
        return Err(invalid(format!("{role}{path}"), &shortened(reason)));
    }
    let (mut enforced, shown, mut warnings) = match relax(&document, role)? {
        None => (document, None, Vec::new()),
        Some(Relaxed { shown, enforced, warnings }) => {
            let shown = Json::from_value(&shown).map_err(|error| invalid(error.path, &error.problem))?;
            (enforced, Some(shown), warnings)
        }
    };
    warnings.extend(misspelt.into_iter().take(MISSPELT_NAMED));
    admit_null(&mut enforced);
    check_unevaluated(&enforced)?;
    add_looks(&mut enforced);
    let options = jsonschema::options_for::<Flat>().offline().with_pattern_options(engine());
    let validator = options
        .build(&enforced)
        .map_err(|error| invalid(pointer_path(error.instance_path().as_str()), &shortened(error.to_string())))?;
    Ok(Compiled { validator, shown, warnings })
}

fn invalid(path: String, reason: &impl ToString) -> SchemaError {
    SchemaError::Invalid { path, reason: reason.to_string() }
}

/// The validator's own words, which may quote a whole schema.
fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(REASON_SHOWN) {
        text.truncate(end);
        text.push('…');
    }
    text
}
