//! Strings, numbers and booleans, with constants of their own type.

use std::marker::PhantomData;

use dayfly_runtime::Json;

use super::ValueSpec;
use super::value::annotated;
use crate::schema::SchemaError;

/// A Rust value that can be a constant of a scalar: `T` is `String`, `f64`, `i64` or `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no constant of a scalar whose constants are `{T}`",
    label = "the constants of this scalar are `{T}`"
)]
pub trait Scalar<T> {
    /// The constant as JSON.
    ///
    /// # Errors
    ///
    /// [`SchemaError::Invalid`] for a double that is not JSON.
    fn constant(self) -> Result<Json, SchemaError>;
}

macro_rules! constants {
    ($($constant:ty => $scalar:ty),*) => {$(
        impl Scalar<$scalar> for $constant {
            fn constant(self) -> Result<Json, SchemaError> {
                Ok(Json::from(self))
            }
        }
    )*};
}

constants!(&str => String, &String => String, String => String, i32 => i64, i64 => i64, u32 => i64, bool => bool);

impl Scalar<f64> for f64 {
    fn constant(self) -> Result<Json, SchemaError> {
        Json::try_from(self)
            .map_err(|error| SchemaError::Invalid { path: String::new(), reason: format!("a constant: {error}") })
    }
}

/// A recipe for the schema of a scalar whose constants are `T`.
#[derive(Debug, Clone)]
pub struct ScalarSpec<T> {
    spec: ValueSpec,
    constants: PhantomData<fn(T)>,
}

annotated!(ScalarSpec<T>, T);

impl<T> ScalarSpec<T> {
    pub(super) fn new(name: &str) -> Self {
        Self { spec: ValueSpec::typed(name), constants: PhantomData }
    }

    /// It is one of these.
    #[must_use]
    pub fn enum_values(mut self, values: impl IntoIterator<Item = impl Scalar<T>>) -> Self {
        let values = values.into_iter().map(Scalar::constant).collect::<Result<Vec<Json>, _>>();
        self.spec = self.spec.set("enum", values.map(Json::array));
        self
    }

    /// It is this.
    #[must_use]
    pub fn const_value(mut self, value: impl Scalar<T>) -> Self {
        self.spec = self.spec.set("const", value.constant());
        self
    }
}

impl<T> From<ScalarSpec<T>> for ValueSpec {
    fn from(scalar: ScalarSpec<T>) -> Self {
        scalar.spec
    }
}
