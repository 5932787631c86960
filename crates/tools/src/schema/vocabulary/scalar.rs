//! Strings, numbers and booleans, with constants of their own type.

use std::marker::PhantomData;

use dayfly_runtime::Json;

use super::ValueSpec;
use super::value::annotated;
use crate::schema::SchemaError;

/// A Rust type whose values are constants of a scalar.
pub trait Scalar: sealed::Sealed {
    /// The constant as JSON.
    ///
    /// # Errors
    ///
    /// [`SchemaError::Invalid`] for a double that is not JSON.
    fn constant(self) -> Result<Json, SchemaError>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for String {}
    impl Sealed for f64 {}
    impl Sealed for i64 {}
    impl Sealed for bool {}
}

impl Scalar for String {
    fn constant(self) -> Result<Json, SchemaError> {
        Ok(Json::from(self))
    }
}

impl Scalar for f64 {
    fn constant(self) -> Result<Json, SchemaError> {
        Json::try_from(self)
            .map_err(|error| SchemaError::Invalid { path: String::new(), reason: format!("a constant: {error}") })
    }
}

impl Scalar for i64 {
    fn constant(self) -> Result<Json, SchemaError> {
        Ok(Json::from(self))
    }
}

impl Scalar for bool {
    fn constant(self) -> Result<Json, SchemaError> {
        Ok(Json::from(self))
    }
}

/// A recipe for the schema of a scalar whose constants are `T`.
#[derive(Debug, Clone)]
pub struct ScalarSpec<T> {
    spec: ValueSpec,
    constants: PhantomData<fn(T)>,
}

annotated!(ScalarSpec<T>, T: Scalar);

impl<T: Scalar> ScalarSpec<T> {
    pub(super) fn new(name: &str) -> Self {
        Self { spec: ValueSpec::typed(name), constants: PhantomData }
    }

    /// It is one of these.
    #[must_use]
    pub fn enum_values(mut self, values: impl IntoIterator<Item = impl Into<T>>) -> Self {
        let values = values.into_iter().map(|value| value.into().constant()).collect::<Result<Vec<Json>, _>>();
        self.spec = self.spec.set("enum", values.map(Json::array));
        self
    }

    /// It is this.
    #[must_use]
    pub fn const_value(mut self, value: impl Into<T>) -> Self {
        self.spec = self.spec.set("const", value.into().constant());
        self
    }
}

impl<T> From<ScalarSpec<T>> for ValueSpec {
    fn from(scalar: ScalarSpec<T>) -> Self {
        scalar.spec
    }
}
