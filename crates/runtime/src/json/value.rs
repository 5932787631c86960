//! The owned value.

use std::sync::{Arc, LazyLock};

use super::tape::{Node, Tape};
use super::view::{Entries, Items};
use super::{JsonKind, JsonRef, Writer};

/// An immutable JSON value: exact, flat, and cheap to clone.
///
/// A clone shares the one allocation. Nothing that a `Json` does takes a stack frame per level, so a value may be of
/// any depth. Integers are kept whole whatever their size, floats as the doubles they are; `-0`, infinities and lone
/// surrogates cannot be in one. Of duplicate keys the last counts, and stands where it was written.
///
/// Two values are equal when their numbers are equal exactly (`1 == 1.0`, 2<sup>53</sup>+1 is not the double
/// 2<sup>53</sup>), their strings and booleans the same, their arrays equal in order, and their objects in any order.
///
/// ```
/// use dayfly_runtime::Json;
///
/// let json = Json::parse(r#"{"name": "Ada", "born": 1815, "works": ["notes"]}"#)?;
/// assert_eq!(json.get("name").and_then(|name| name.as_str()), Some("Ada"));
/// assert_eq!(json.get("works").map(|works| works.len()), Some(1));
/// assert_eq!(json.to_string(), r#"{"name":"Ada","born":1815,"works":["notes"]}"#);
/// # Ok::<(), dayfly_runtime::json::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Json {
    tape: Arc<Tape>,
    /// Where the value begins: not at 0 when it shares a larger one's memory.
    index: usize,
}

static NULL: LazyLock<Json> = LazyLock::new(|| Json::from_tape(Writer::new().finish()));

impl Json {
    pub(super) fn from_tape(tape: Tape) -> Self {
        Self { tape: Arc::new(tape), index: 0 }
    }

    pub(super) fn write(write: impl FnOnce(&mut Writer)) -> Self {
        let mut writer = Writer::new();
        write(&mut writer);
        Self::from_tape(writer.finish())
    }

    /// The value `null`.
    #[must_use]
    pub fn null() -> Self {
        NULL.clone()
    }

    /// The view of the whole value.
    #[must_use]
    pub fn root(&self) -> JsonRef<'_> {
        JsonRef { tape: &self.tape, index: self.index }
    }

    /// A value of its own from a part of this one, sharing its memory: nothing is copied, and the whole stays allocated
    /// until the part is dropped.
    ///
    /// A `part` of another value is copied.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    ///
    /// let message = Json::parse(r#"{"name": "grep", "args": {"pattern": "fn"}}"#)?;
    /// let args = message.get("args").map(|args| message.share(args));
    /// assert_eq!(args, Some(Json::object([("pattern", "fn")])));
    /// # Ok::<(), dayfly_runtime::json::ParseError>(())
    /// ```
    #[must_use]
    pub fn share(&self, part: JsonRef<'_>) -> Self {
        if std::ptr::eq(part.tape, &*self.tape) {
            return Self { tape: Arc::clone(&self.tape), index: part.index };
        }
        Self::from(part)
    }

    /// The bytes of memory that the value keeps allocated, together with its clones and what it shares with others.
    #[must_use]
    pub fn memory_size(&self) -> usize {
        size_of::<Tape>() + self.tape.nodes.len() * Node::BYTES + self.tape.text.len()
    }

    /// The kind of value.
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        self.root().kind()
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.root().is_null()
    }

    /// The string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.root().as_str()
    }

    /// The boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        self.root().as_bool()
    }

    /// The number, when it is exactly an `i64`; see [`JsonRef::as_i64`].
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.root().as_i64()
    }

    /// The number, when it is exactly a `u64`; see [`JsonRef::as_u64`].
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.root().as_u64()
    }

    /// The double nearest to the number; see [`JsonRef::as_f64`].
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.root().as_f64()
    }

    /// The number's canonical text; see [`JsonRef::number_text`].
    #[must_use]
    pub fn number_text(&self) -> Option<&str> {
        self.root().number_text()
    }

    /// Whether this is a number that was written with a fraction or an exponent, such as `1.0`.
    #[must_use]
    pub fn is_float(&self) -> bool {
        self.root().is_float()
    }

    /// The value under `key`, in time linear in the size of the object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<JsonRef<'_>> {
        self.root().get(key)
    }

    /// The element at `index`, in time linear in the index.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<JsonRef<'_>> {
        self.root().at(index)
    }

    /// The number of elements or entries; 0 for anything that is neither an array nor an object.
    #[must_use]
    pub fn len(&self) -> usize {
        self.root().len()
    }

    /// Whether there are no elements or entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root().is_empty()
    }

    /// The elements of an array.
    #[must_use]
    pub fn items(&self) -> Items<'_> {
        self.root().items()
    }

    /// The entries of an object, in the order in which their keys were last written.
    #[must_use]
    pub fn entries(&self) -> Entries<'_> {
        self.root().entries()
    }
}

impl Default for Json {
    fn default() -> Self {
        Self::null()
    }
}
