//! A borrowed view of one value inside a [`Json`].

use super::number;
use super::tape::{Node, Tag, Tape};
use super::{Json, JsonKind, Writer};

/// A value inside a [`Json`]: a copyable view that allocates nothing.
///
/// Every accessor that meets a value of another kind answers `None`, or behaves as if the value were empty.
#[derive(Clone, Copy)]
pub struct JsonRef<'a> {
    pub(super) tape: &'a Tape,
    pub(super) index: usize,
}

impl<'a> JsonRef<'a> {
    pub(super) fn node(self) -> Node {
        self.tape.nodes[self.index]
    }

    /// The kind of value.
    #[must_use]
    pub fn kind(self) -> JsonKind {
        match self.node().tag() {
            Tag::Null => JsonKind::Null,
            Tag::Bool => JsonKind::Bool,
            Tag::Integer | Tag::Float => JsonKind::Number,
            Tag::String | Tag::Dead => JsonKind::String,
            Tag::Array => JsonKind::Array,
            Tag::Object => JsonKind::Object,
        }
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// The string.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        (self.node().tag() == Tag::String).then(|| self.tape.text_of(self.node()))
    }

    /// The boolean.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        (self.node().tag() == Tag::Bool).then(|| self.node().value() == 1)
    }

    /// The number, when it is exactly an `i64`; `3.0` is 3.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.as_integer()
    }

    /// The number, when it is exactly a `u64`; `3.0` is 3.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.as_integer()
    }

    /// The double nearest to the number; `None` when it is beyond all doubles.
    ///
    /// An integer of more than 53 bits may be rounded: [`JsonRef::number_text`] has all of it.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.number_text().map(number::to_f64).filter(|value| value.is_finite())
    }

    /// The number's canonical text: all digits of an integer, the shortest exact text of a float.
    ///
    /// A float always has a point or an exponent, an integer neither.
    #[must_use]
    pub fn number_text(self) -> Option<&'a str> {
        matches!(self.node().tag(), Tag::Integer | Tag::Float).then(|| self.tape.text_of(self.node()))
    }

    /// Whether this is a number that was written with a fraction or an exponent, such as `1.0`.
    #[must_use]
    pub fn is_float(self) -> bool {
        self.node().tag() == Tag::Float
    }

    /// The value under `key`, in time linear in the size of the object.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        self.entries().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The element at `index`, in time linear in the index.
    #[must_use]
    pub fn at(self, index: usize) -> Option<Self> {
        self.items().nth(index)
    }

    /// The number of elements or entries; 0 for anything that is neither an array nor an object.
    #[must_use]
    pub fn len(self) -> usize {
        if self.node().is_container() { self.node().value() } else { 0 }
    }

    /// Whether there are no elements or entries.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The elements of an array.
    #[must_use]
    pub fn items(self) -> Items<'a> {
        let left = if self.node().tag() == Tag::Array { self.len() } else { 0 };
        Items { next: Self { tape: self.tape, index: self.index + 1 }, left }
    }

    /// The entries of an object, in the order in which their keys were last written.
    #[must_use]
    pub fn entries(self) -> Entries<'a> {
        let left = if self.node().tag() == Tag::Object { self.len() } else { 0 };
        Entries { next: Self { tape: self.tape, index: self.index + 1 }, left }
    }

    /// The value's place among all the keys and values of its [`Json`]: no two views of one `Json` share it but views of
    /// the same value, and what is inside a container comes after it.
    #[must_use]
    pub const fn ordinal(self) -> usize {
        self.index
    }

    /// A value of its own: copies this subtree and nothing else.
    #[must_use]
    pub fn to_owned(&self) -> Json {
        let mut writer = Writer::new();
        writer.nodes.reserve_exact(self.node().span());
        writer.splice(self.tape, self.index);
        Json::from_tape(writer.finish())
    }

    fn as_integer<T: std::str::FromStr>(self) -> Option<T> {
        let text = self.number_text()?;
        if self.is_float() {
            return number::integral_text(number::to_f64(text))?.parse().ok();
        }
        text.parse().ok()
    }
}

/// The elements of an array.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    next: JsonRef<'a>,
    left: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = JsonRef<'a>;

    fn next(&mut self) -> Option<JsonRef<'a>> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next.index += item.node().span();
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Items<'_> {}

/// The entries of an object.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    next: JsonRef<'a>,
    left: usize,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a str, JsonRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let tape = self.next.tape;
        let key = tape.text_of(self.next.node());
        let value = JsonRef { tape, index: self.next.index + 1 };
        self.next.index = value.index + value.node().span();
        Some((key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Entries<'_> {}
