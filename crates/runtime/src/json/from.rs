//! Values from Rust values.

use super::number::{NumberError, check_float};
use super::tape::Tag;
use super::{Json, JsonRef, Writer};

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::write(|writer| writer.bool(value))
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Json {
            fn from(value: $integer) -> Self {
                Self::write(|writer| writer.integer(value))
            }
        }
    )*};
}

from_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl TryFrom<f64> for Json {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        check_float(value)?;
        Ok(Self::write(|writer| writer.float(value)))
    }
}

impl TryFrom<f32> for Json {
    type Error = NumberError;

    fn try_from(value: f32) -> Result<Self, NumberError> {
        Self::try_from(f64::from(value))
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::write(|writer| writer.text(Tag::String, value))
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::from(value.as_str())
    }
}

impl From<&String> for Json {
    fn from(value: &String) -> Self {
        Self::from(value.as_str())
    }
}

/// Copies the subtree.
impl From<JsonRef<'_>> for Json {
    fn from(value: JsonRef<'_>) -> Self {
        JsonRef::to_owned(&value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Self {
        Self::array(values)
    }
}

impl<T: Into<Self>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::array(values)
    }
}

fn append(writer: &mut Writer, value: &Json) {
    let root = value.root();
    writer.splice(root.tape, root.index);
}

impl Json {
    /// An array of these values.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    ///
    /// assert_eq!(Json::array([1, 2]).to_string(), "[1,2]");
    /// ```
    #[must_use]
    pub fn array<V: Into<Self>>(values: impl IntoIterator<Item = V>) -> Self {
        Self::write(|writer| {
            writer.begin(Tag::Array);
            for value in values {
                append(writer, &value.into());
            }
            writer.end();
        })
    }

    /// An object of these entries; of duplicate keys the last counts.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    ///
    /// let json = Json::object([("name", Json::from("grep")), ("limit", Json::from(3))]);
    /// assert_eq!(json.to_string(), r#"{"name":"grep","limit":3}"#);
    /// ```
    #[must_use]
    pub fn object<K: AsRef<str>, V: Into<Self>>(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        Self::write(|writer| {
            writer.begin(Tag::Object);
            for (key, value) in entries {
                writer.key(key.as_ref());
                append(writer, &value.into());
            }
            writer.end();
        })
    }
}
