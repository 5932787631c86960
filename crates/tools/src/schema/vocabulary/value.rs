//! Any value, arrays, and exactly one of several.

use dayfly_runtime::Json;

use super::{ObjectSpec, ScalarSpec};
use crate::schema::{IntoSchema, SchemaError};

/// A recipe for the schema of one value.
#[derive(Debug, Clone)]
pub struct ValueSpec {
    /// The keywords in the order in which they were said, or the first thing that cannot be a schema.
    keywords: Result<Vec<(String, Json)>, SchemaError>,
}

impl ValueSpec {
    pub(super) const fn empty() -> Self {
        Self { keywords: Ok(Vec::new()) }
    }

    pub(super) fn typed(name: &str) -> Self {
        Self::empty().set("type", Ok(Json::from(name)))
    }

    /// Says a keyword, or says it again.
    pub(super) fn set(mut self, keyword: &str, value: Result<Json, SchemaError>) -> Self {
        if let Ok(keywords) = &mut self.keywords {
            match value {
                Err(error) => self.keywords = Err(error),
                Ok(value) => match keywords.iter_mut().find(|(said, _)| said == keyword) {
                    Some((_, said)) => *said = value,
                    None => keywords.push((keyword.to_owned(), value)),
                },
            }
        }
        self
    }

    /// A string.
    #[must_use]
    pub fn string() -> ScalarSpec<String> {
        ScalarSpec::new("string")
    }

    /// A number.
    #[must_use]
    pub fn number() -> ScalarSpec<f64> {
        ScalarSpec::new("number")
    }

    /// A number without a fraction.
    #[must_use]
    pub fn integer() -> ScalarSpec<i64> {
        ScalarSpec::new("integer")
    }

    /// `true` or `false`.
    #[must_use]
    pub fn boolean() -> ScalarSpec<bool> {
        ScalarSpec::new("boolean")
    }

    /// `null`.
    #[must_use]
    pub fn null() -> Self {
        Self::typed("null")
    }

    /// Any JSON value.
    #[must_use]
    pub const fn json() -> Self {
        Self::empty()
    }

    /// An array, of anything unless [`items`](ArraySpec::items) says of what.
    #[must_use]
    pub fn array() -> ArraySpec {
        ArraySpec { spec: Self::typed("array") }
    }

    /// An object with these properties and any others.
    #[must_use]
    pub fn open_object() -> ObjectSpec {
        ObjectSpec::new(Some(true))
    }

    /// An object with these properties and no others; without properties, only `{}`.
    #[must_use]
    pub fn closed_object() -> ObjectSpec {
        ObjectSpec::new(Some(false))
    }

    /// Exactly one of this and of what [`or`](OneOfSpec::or) adds.
    #[must_use]
    pub fn one_of(first: impl Into<Self>) -> OneOfSpec {
        OneOfSpec { spec: Self::empty(), cases: vec![first.into()] }
    }
}

impl IntoSchema for ValueSpec {
    fn into_schema(self) -> Result<Json, SchemaError> {
        self.keywords.map(Json::object)
    }
}

/// The methods that every recipe has, and its way to a schema.
macro_rules! annotated {
    ($spec:ty $(, $($generic:tt)+)?) => {
        impl $(<$($generic)+>)? $spec {
            /// What the value means; the model reads it.
            #[must_use]
            pub fn description(self, description: impl Into<String>) -> Self {
                self.keyword("description", description.into())
            }

            /// Any other keyword, as JSON Schema has it; `default` among them fills nothing in.
            #[must_use]
            pub fn keyword(mut self, keyword: &str, value: impl Into<dayfly_runtime::Json>) -> Self {
                self.spec = self.spec.set(keyword, Ok(value.into()));
                self
            }
        }

        impl $(<$($generic)+>)? crate::schema::IntoSchema for $spec {
            fn into_schema(self) -> Result<dayfly_runtime::Json, crate::schema::SchemaError> {
                crate::schema::ValueSpec::from(self).into_schema()
            }
        }
    };
}
pub(super) use annotated;

/// A recipe for the schema of an array.
#[derive(Debug, Clone)]
pub struct ArraySpec {
    spec: ValueSpec,
}

annotated!(ArraySpec);

impl ArraySpec {
    /// What each element is.
    #[must_use]
    pub fn items(mut self, items: impl Into<ValueSpec>) -> Self {
        self.spec = self.spec.set("items", items.into().into_schema());
        self
    }
}

impl From<ArraySpec> for ValueSpec {
    fn from(array: ArraySpec) -> Self {
        array.spec
    }
}

/// A recipe for a choice of which exactly one must fit.
#[derive(Debug, Clone)]
pub struct OneOfSpec {
    spec: ValueSpec,
    cases: Vec<ValueSpec>,
}

annotated!(OneOfSpec);

impl OneOfSpec {
    /// Another value that it may be.
    #[must_use]
    pub fn or(mut self, case: impl Into<ValueSpec>) -> Self {
        self.cases.push(case.into());
        self
    }
}

impl From<OneOfSpec> for ValueSpec {
    fn from(one_of: OneOfSpec) -> Self {
        let cases = one_of.cases.into_iter().map(IntoSchema::into_schema).collect::<Result<Vec<Json>, _>>();
        one_of.spec.set("oneOf", cases.map(Json::array))
    }
}

impl ValueSpec {
    /// What the value means; the model reads it.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        self.keyword("description", description.into())
    }

    /// Any other keyword, as JSON Schema has it; `default` among them fills nothing in.
    #[must_use]
    pub fn keyword(self, keyword: &str, value: impl Into<Json>) -> Self {
        self.set(keyword, Ok(value.into()))
    }
}
