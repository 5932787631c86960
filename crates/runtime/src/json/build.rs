//! Values by events.

use super::number::{NumberError, check_float};
use super::tape::Tag;
use super::{Json, JsonRef, Writer};

/// The events given to a [`JsonBuilder`] do not make a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A key outside of an object, or after another key.
    #[error("a key was given where a value belongs; call `key` once before each value of an object")]
    UnexpectedKey,
    /// A value in an object without its key.
    #[error("a value was given to an object without its key; call `key` first")]
    MissingKey,
    /// An object ended after a key.
    #[error("an object ended after a key; give every key a value")]
    MissingValue,
    /// An end without a beginning.
    #[error("`end` was called with no array or object open; call it once for each `begin_array` and `begin_object`")]
    UnexpectedEnd,
    /// A second value after the first was complete.
    #[error("a value was given after the outermost one was complete; wrap them in one array")]
    SecondValue,
    /// Nothing was built, or something was left open.
    #[error("the value is not complete; call `end` for each open array and object and give at least one value")]
    Incomplete,
    /// A double is not lossless JSON.
    #[error(transparent)]
    Number(#[from] NumberError),
}

/// Builds a [`Json`] from events, in one tape and without intermediate values.
///
/// The first misuse is kept and given back by [`JsonBuilder::finish`]; what comes after it is ignored.
///
/// ```
/// use dayfly_runtime::json::JsonBuilder;
///
/// let mut builder = JsonBuilder::new();
/// builder.begin_object().key("matches").begin_array();
/// for line in [3, 14] {
///     builder.u64(line);
/// }
/// builder.end().end();
/// assert_eq!(builder.finish()?.to_string(), r#"{"matches":[3,14]}"#);
/// # Ok::<(), dayfly_runtime::json::BuildError>(())
/// ```
#[derive(Debug)]
pub struct JsonBuilder {
    writer: Writer,
    misuse: Option<BuildError>,
}

impl JsonBuilder {
    /// A builder that has been given nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { writer: Writer::new(), misuse: None }
    }

    /// Opens an array.
    pub fn begin_array(&mut self) -> &mut Self {
        self.value_with(|writer| writer.begin(Tag::Array))
    }

    /// Opens an object.
    pub fn begin_object(&mut self) -> &mut Self {
        self.value_with(|writer| writer.begin(Tag::Object))
    }

    /// Closes the innermost array or object.
    pub fn end(&mut self) -> &mut Self {
        let problem = match self.writer.open() {
            None => Some(BuildError::UnexpectedEnd),
            Some(_) if self.writer.pending_key() => Some(BuildError::MissingValue),
            Some(_) => None,
        };
        if self.accept(problem) {
            self.writer.end();
        }
        self
    }

    /// The key of the next value of an object.
    pub fn key(&mut self, key: &str) -> &mut Self {
        let fits = self.writer.opens_object() && !self.writer.pending_key();
        if self.accept((!fits).then_some(BuildError::UnexpectedKey)) {
            self.writer.key(key);
        }
        self
    }

    /// The value `null`.
    pub fn null(&mut self) -> &mut Self {
        self.value_with(Writer::null)
    }

    /// A boolean.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.value_with(|writer| writer.bool(value))
    }

    /// An integer.
    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.value_with(|writer| writer.integer(value))
    }

    /// An integer that is not negative.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.value_with(|writer| writer.integer(value))
    }

    /// A double; NaN, infinities and negative zero are a misuse.
    pub fn float(&mut self, value: f64) -> &mut Self {
        if self.accept(check_float(value).err().map(BuildError::Number)) {
            self.value_with(|writer| writer.float(value));
        }
        self
    }

    /// A string.
    pub fn string(&mut self, value: &str) -> &mut Self {
        self.value_with(|writer| writer.text(Tag::String, value))
    }

    /// A copy of a whole value.
    pub fn value(&mut self, value: &Json) -> &mut Self {
        self.value_ref(value.root())
    }

    /// A copy of a part of a value.
    pub fn value_ref(&mut self, value: JsonRef<'_>) -> &mut Self {
        self.value_with(|writer| writer.splice(value.tape, value.index))
    }

    /// The value.
    ///
    /// # Errors
    ///
    /// [`BuildError`]: the first event that did not fit, or [`BuildError::Incomplete`].
    pub fn finish(self) -> Result<Json, BuildError> {
        if let Some(misuse) = self.misuse {
            return Err(misuse);
        }
        if self.writer.open().is_some() || self.writer.nodes.is_empty() {
            return Err(BuildError::Incomplete);
        }
        Ok(Json::from_tape(self.writer.finish()))
    }

    fn value_with(&mut self, write: impl FnOnce(&mut Writer)) -> &mut Self {
        let problem = if self.writer.open().is_none() && !self.writer.nodes.is_empty() {
            Some(BuildError::SecondValue)
        } else if self.writer.opens_object() && !self.writer.pending_key() {
            Some(BuildError::MissingKey)
        } else {
            None
        };
        if self.accept(problem) {
            write(&mut self.writer);
        }
        self
    }

    /// Keeps the first problem; false once there is one.
    fn accept(&mut self, problem: Option<BuildError>) -> bool {
        self.misuse = self.misuse.or(problem);
        self.misuse.is_none()
    }
}

impl Default for JsonBuilder {
    fn default() -> Self {
        Self::new()
    }
}
