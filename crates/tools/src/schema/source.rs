//! Where schemas come from.

use dayfly_runtime::Json;
use dayfly_runtime::json::{ConvertError, ConvertProblem};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::SchemaError;

/// What can be given as a schema.
pub trait IntoSchema {
    /// The schema as JSON.
    ///
    /// # Errors
    ///
    /// [`SchemaError::Invalid`] when it is not lossless JSON, or nested too deeply to be a schema.
    fn into_schema(self) -> Result<Json, SchemaError>;
}

impl IntoSchema for Json {
    fn into_schema(self) -> Result<Json, SchemaError> {
        Ok(self)
    }
}

impl IntoSchema for &Json {
    fn into_schema(self) -> Result<Json, SchemaError> {
        Ok(self.clone())
    }
}

impl IntoSchema for serde_json::Value {
    fn into_schema(self) -> Result<Json, SchemaError> {
        Json::from_value(&self).map_err(|error| not_json(&error))
    }
}

impl IntoSchema for schemars::Schema {
    fn into_schema(self) -> Result<Json, SchemaError> {
        Json::from_value(self.as_value()).map_err(|error| not_json(&error))
    }
}

fn not_json(error: &ConvertError) -> SchemaError {
    if let ConvertProblem::TooDeep { .. } = error.problem {
        return SchemaError::TooDeep { path: error.path.clone() };
    }
    SchemaError::Invalid { path: error.path.clone(), reason: error.problem.to_string() }
}

/// The schema of what `T` can be read from.
pub(crate) fn input_of<T: JsonSchema>() -> Result<Json, SchemaError> {
    generate::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// The schema of what `T` is written as.
pub(crate) fn output_of<T: JsonSchema>() -> Result<Json, SchemaError> {
    generate::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Result<Json, SchemaError> {
    // The draft is the default of every reader, and the type's name tells a model nothing: both cost tokens.
    let settings = settings.with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.into_schema()
}
