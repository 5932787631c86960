//! Equality of values.

use super::tape::Tag;
use super::{Json, JsonRef, number};

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.root() == other.root()
    }
}

impl Eq for Json {}

impl PartialEq<JsonRef<'_>> for Json {
    fn eq(&self, other: &JsonRef<'_>) -> bool {
        self.root() == *other
    }
}

impl PartialEq<Json> for JsonRef<'_> {
    fn eq(&self, other: &Json) -> bool {
        *self == other.root()
    }
}

impl PartialEq<JsonRef<'_>> for JsonRef<'_> {
    fn eq(&self, other: &JsonRef<'_>) -> bool {
        let mut pending = vec![(*self, *other)];
        while let Some((left, right)) = pending.pop() {
            if !same(left, right, &mut pending) {
                return false;
            }
        }
        true
    }
}

impl Eq for JsonRef<'_> {}

/// Whether two values are the same but for what is inside containers, which is put on `pending`.
fn same<'a, 'b>(left: JsonRef<'a>, right: JsonRef<'b>, pending: &mut Vec<(JsonRef<'a>, JsonRef<'b>)>) -> bool {
    if std::ptr::eq(left.tape, right.tape) && left.index == right.index {
        return true;
    }
    let (left_text, right_text) = (left.number_text().unwrap_or(""), right.number_text().unwrap_or(""));
    match (left.node().tag(), right.node().tag()) {
        (Tag::Null, Tag::Null) => true,
        (Tag::Bool, Tag::Bool) => left.as_bool() == right.as_bool(),
        // Canonical text is the number.
        (Tag::Integer, Tag::Integer) | (Tag::Float, Tag::Float) => left_text == right_text,
        (Tag::Integer, Tag::Float) => number::integer_equals_float(left_text, right_text),
        (Tag::Float, Tag::Integer) => number::integer_equals_float(right_text, left_text),
        (Tag::String, Tag::String) => left.as_str() == right.as_str(),
        (Tag::Array, Tag::Array) => left.len() == right.len() && same_each(left.items().zip(right.items()), pending),
        (Tag::Object, Tag::Object) => left.len() == right.len() && same_entries(left, right, pending),
        _ => false,
    }
}

/// Compares scalars at once, so that an array of a million numbers does not become a million pending pairs.
fn same_each<'a, 'b>(
    pairs: impl Iterator<Item = (JsonRef<'a>, JsonRef<'b>)>,
    pending: &mut Vec<(JsonRef<'a>, JsonRef<'b>)>,
) -> bool {
    for (left, right) in pairs {
        if left.node().is_container() && right.node().is_container() {
            pending.push((left, right));
        } else if !same(left, right, pending) {
            return false;
        }
    }
    true
}

/// Entries in any order: in step as long as the keys agree, and by sorted keys from there, never by looking each up.
fn same_entries<'a, 'b>(left: JsonRef<'a>, right: JsonRef<'b>, pending: &mut Vec<(JsonRef<'a>, JsonRef<'b>)>) -> bool {
    let in_step = left.entries().zip(right.entries()).take_while(|((left, _), (right, _))| left == right).count();
    let steps = left.entries().zip(right.entries()).take(in_step);
    if !same_each(steps.map(|((_, left), (_, right))| (left, right)), pending) {
        return false;
    }
    if in_step == left.len() {
        return true;
    }
    let mut left_rest: Vec<_> = left.entries().skip(in_step).collect();
    let mut right_rest: Vec<_> = right.entries().skip(in_step).collect();
    // Keys are unique within an object, so the order is total.
    left_rest.sort_unstable_by_key(|(key, _)| *key);
    right_rest.sort_unstable_by_key(|(key, _)| *key);
    let pairs = || left_rest.iter().zip(&right_rest);
    pairs().all(|((left, _), (right, _))| left == right)
        && same_each(pairs().map(|((_, left), (_, right))| (*left, *right)), pending)
}
