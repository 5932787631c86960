//! Objects, and the parameters of a tool.

use dayfly_runtime::Json;
use indexmap::IndexMap;

use super::ValueSpec;
use super::value::annotated;
use crate::schema::{IntoSchema as _, SchemaError};

/// A recipe for the schema of an object.
#[derive(Debug, Clone)]
pub struct ObjectSpec {
    spec: ValueSpec,
    properties: Vec<Property>,
    /// Absent for parameters, which are open without saying so.
    open: Option<bool>,
}

#[derive(Debug, Clone)]
struct Property {
    name: String,
    value: ValueSpec,
    required: bool,
}

annotated!(ObjectSpec);

impl ObjectSpec {
    pub(super) fn new(open: Option<bool>) -> Self {
        Self { spec: ValueSpec::typed("object"), properties: Vec::new(), open }
    }

    /// A property that must be there.
    #[must_use]
    pub fn required(self, name: impl Into<String>, value: impl Into<ValueSpec>) -> Self {
        self.property(name.into(), value.into(), true)
    }

    /// A property that may be left out; what it is then is the tool's own business, as defaults are never filled in.
    #[must_use]
    pub fn optional(self, name: impl Into<String>, value: impl Into<ValueSpec>) -> Self {
        self.property(name.into(), value.into(), false)
    }

    fn property(mut self, name: String, value: ValueSpec, required: bool) -> Self {
        self.properties.push(Property { name, value, required });
        self
    }
}

impl From<ObjectSpec> for ValueSpec {
    fn from(object: ObjectSpec) -> Self {
        let ObjectSpec { spec, properties, open } = object;
        let mut required: Vec<Json> = Vec::new();
        let mut known: IndexMap<String, Json> = IndexMap::with_capacity(properties.len());
        for Property { name, value, required: must } in properties {
            if known.contains_key(&name) {
                let reason = format!("the property {name:?} is declared twice; declare it once");
                return spec.set("properties", Err(SchemaError::Invalid { path: String::new(), reason }));
            }
            if must {
                required.push(Json::from(&name));
            }
            match value.into_schema() {
                Ok(value) => drop(known.insert(name, value)),
                Err(error) => return spec.set("properties", Err(error)),
            }
        }
        let mut spec = spec.set("properties", Ok(Json::object(known)));
        if !required.is_empty() {
            spec = spec.set("required", Ok(Json::array(required)));
        }
        match open {
            Some(open) => spec.set("additionalProperties", Ok(Json::from(open))),
            None => spec,
        }
    }
}

/// A recipe for a tool's parameters: an object that is open without saying so, as models add what they like.
///
/// With [`ValueSpec`] it is a vocabulary for those who want neither Rust types nor JSON by hand. Constants have the type
/// of what they constrain, and an object says whether it is open or closed. Anything else that JSON Schema has is one
/// `keyword` away.
///
/// ```
/// use dayfly_tools::schema::{IntoSchema as _, Parameters, ValueSpec};
///
/// let parameters = Parameters::new()
///     .required("path", ValueSpec::string().description("Absolute file path"))
///     .optional("limit", ValueSpec::integer().keyword("minimum", 1));
/// assert_eq!(
///     parameters.into_schema()?.to_string(),
///     concat!(
///         r#"{"type":"object","properties":{"path":{"type":"string","description":"Absolute file path"},"#,
///         r#""limit":{"type":"integer","minimum":1}},"required":["path"]}"#
///     ),
/// );
///
/// let verdict = ValueSpec::one_of(ValueSpec::string().const_value("yes"))
///     .or(ValueSpec::closed_object().required("no", ValueSpec::string().enum_values(["late", "wrong"])));
/// assert_eq!(
///     verdict.into_schema()?.to_string(),
///     concat!(
///         r#"{"oneOf":[{"type":"string","const":"yes"},{"type":"object","properties":{"#,
///         r#""no":{"type":"string","enum":["late","wrong"]}},"required":["no"],"additionalProperties":false}]}"#
///     ),
/// );
/// # Ok::<(), dayfly_tools::schema::SchemaError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Parameters {
    object: ObjectSpec,
}

impl Parameters {
    /// No parameters yet.
    #[must_use]
    pub fn new() -> Self {
        Self { object: ObjectSpec::new(None) }
    }

    /// A parameter that must be given.
    #[must_use]
    pub fn required(self, name: impl Into<String>, value: impl Into<ValueSpec>) -> Self {
        Self { object: self.object.required(name, value) }
    }

    /// A parameter that may be left out; what it is then is the tool's own business, as defaults are never filled in.
    #[must_use]
    pub fn optional(self, name: impl Into<String>, value: impl Into<ValueSpec>) -> Self {
        Self { object: self.object.optional(name, value) }
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self::new()
    }
}

impl crate::schema::IntoSchema for Parameters {
    fn into_schema(self) -> Result<Json, SchemaError> {
        self.object.into_schema()
    }
}
