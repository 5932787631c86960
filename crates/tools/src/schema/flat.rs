//! The flat [`Json`](dayfly_runtime::Json) as a validator's instance: nothing is converted, so numbers stay exact and
//! a large value is not copied.

use std::borrow::Cow;
use std::ops::ControlFlow;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::{Entries, Items, JsonKind};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value};

use super::equality::{all_different, equals};
use super::guard::Guard;

/// The representation.
pub(super) struct Flat;

/// An object has so many entries passed over in the time of one look.
const ENTRIES_PER_LOOK: usize = 8;

/// Characters of a key that an error keeps.
const KEY_KEPT: usize = 100;

/// One value as the validator sees it: every look at it is accounted for.
#[derive(Clone, Copy)]
pub(super) struct FlatNode<'a> {
    part: Part<'a>,
    guard: Option<&'a Guard>,
}

/// A value, or an object's key on its own.
#[derive(Clone, Copy)]
enum Part<'a> {
    Value(JsonRef<'a>),
    Key(&'a str),
}

impl<'a> FlatNode<'a> {
    pub(super) const fn new(value: JsonRef<'a>, guard: &'a Guard) -> Self {
        Self { part: Part::Value(value), guard: Some(guard) }
    }

    fn look(self) -> Part<'a> {
        if let Some(guard) = self.guard {
            guard.step(1);
        }
        self.part
    }

    fn value(self) -> Option<JsonRef<'a>> {
        match self.look() {
            Part::Value(value) => Some(value),
            Part::Key(_) => None,
        }
    }
}

impl Json for Flat {
    type Node<'a> = FlatNode<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = ENTRIES_PER_LOOK;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(FlatNode<'_>) -> T) -> T {
        f(FlatNode { part: Part::Key(string), guard: None })
    }
}

impl<'a> Node<'a, Flat> for FlatNode<'a> {
    type Object = FlatObject<'a>;
    type Array = FlatArray<'a>;
    type Number = FlatNumber<'a>;

    fn as_object(&self) -> Option<FlatObject<'a>> {
        let value = self.value().filter(|value| value.kind() == JsonKind::Object)?;
        Some(FlatObject { value, guard: self.guard })
    }

    fn as_array(&self) -> Option<FlatArray<'a>> {
        let value = self.value().filter(|value| value.kind() == JsonKind::Array)?;
        Some(FlatArray { value, guard: self.guard })
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.look() {
            Part::Value(value) => value.as_str().map(Cow::Borrowed),
            Part::Key(key) => Some(Cow::Borrowed(key)),
        }
    }

    fn as_number(&self) -> Option<FlatNumber<'a>> {
        let value = self.value()?;
        Some(FlatNumber { value, text: value.number_text()? })
    }

    fn as_boolean(&self) -> Option<bool> {
        self.value()?.as_bool()
    }

    fn is_null(&self) -> bool {
        self.value().is_some_and(JsonRef::is_null)
    }

    fn is_number(&self) -> bool {
        self.json_type() == JsonType::Number
    }

    fn json_type(&self) -> JsonType {
        match self.look() {
            Part::Key(_) => JsonType::String,
            Part::Value(value) => match value.kind() {
                JsonKind::Null => JsonType::Null,
                JsonKind::Bool => JsonType::Boolean,
                JsonKind::Number => JsonType::Number,
                JsonKind::String => JsonType::String,
                JsonKind::Array => JsonType::Array,
                JsonKind::Object => JsonType::Object,
            },
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match self.look() {
            Part::Value(value) => equals(value, expected, self.guard),
            Part::Key(key) => expected.as_str() == Some(key),
        }
    }

    /// Only an error asks for it, to keep it, and only a key's is used: to copy values would be quadratic, as every level
    /// around a violation may have an error of its own.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self.part {
            Part::Key(key) => Value::String(key.chars().take(KEY_KEPT).collect()),
            Part::Value(value) => {
                if let Some(guard) = self.guard {
                    guard.violation(value.ordinal());
                }
                Value::Null
            }
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(match self.look() {
            Part::Value(value) => NodeIdentity::tagged(value.ordinal(), 0),
            Part::Key(key) => NodeIdentity::tagged(key.as_ptr().addr(), 1),
        })
    }
}

/// An object.
pub(super) struct FlatObject<'a> {
    value: JsonRef<'a>,
    guard: Option<&'a Guard>,
}

impl<'a> Object<'a, Flat> for FlatObject<'a> {
    type Node = FlatNode<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.value.len()
    }

    fn get(&self, key: &String) -> Option<FlatNode<'a>> {
        if let Some(guard) = self.guard {
            guard.step(u64::try_from(self.value.len() / ENTRIES_PER_LOOK).unwrap_or(u64::MAX));
        }
        let value = self.value.get(key)?;
        Some(FlatNode { part: Part::Value(value), guard: self.guard })
    }

    fn members(&self) -> Members<'a> {
        Members { entries: self.value.entries(), passed: Passed::new(self.guard) }
    }

    fn try_for_each_name_node<B>(
        &self,
        (): &mut (),
        mut f: impl FnMut(FlatNode<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.value.entries().try_for_each(|(key, _)| f(FlatNode { part: Part::Key(key), guard: self.guard }))
    }
}

/// Accounts for what an iteration passes over, whether it is looked at or not.
struct Passed<'a> {
    guard: Option<&'a Guard>,
    entries: usize,
}

impl<'a> Passed<'a> {
    const fn new(guard: Option<&'a Guard>) -> Self {
        Self { guard, entries: 0 }
    }

    fn one(&mut self) -> Option<&'a Guard> {
        self.entries += 1;
        if self.entries.is_multiple_of(ENTRIES_PER_LOOK)
            && let Some(guard) = self.guard
        {
            guard.step(1);
        }
        self.guard
    }
}

/// An object's entries.
pub(super) struct Members<'a> {
    entries: Entries<'a>,
    passed: Passed<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, FlatNode<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.entries.next()?;
        Some((key, FlatNode { part: Part::Value(value), guard: self.passed.one() }))
    }
}

/// An array.
pub(super) struct FlatArray<'a> {
    value: JsonRef<'a>,
    guard: Option<&'a Guard>,
}

impl<'a> Array<'a, Flat> for FlatArray<'a> {
    type Node = FlatNode<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.value.len()
    }

    fn elements(&self) -> Elements<'a> {
        Elements { items: self.value.items(), passed: Passed::new(self.guard) }
    }

    fn is_unique(&self) -> bool {
        all_different(self.value, self.guard)
    }
}

/// An array's elements.
pub(super) struct Elements<'a> {
    items: Items<'a>,
    passed: Passed<'a>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = FlatNode<'a>;

    fn next(&mut self) -> Option<FlatNode<'a>> {
        let item = self.items.next()?;
        Some(FlatNode { part: Part::Value(item), guard: self.passed.one() })
    }
}

/// A number.
pub(super) struct FlatNumber<'a> {
    value: JsonRef<'a>,
    text: &'a str,
}

impl JsonNumber for FlatNumber<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.value.as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.value.as_i64()
    }

    fn as_f64(&self) -> Option<f64> {
        self.value.as_f64()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.text)
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let whole = self.value.as_u64().map(Number::from).or_else(|| self.value.as_i64().map(Number::from));
        let number = whole.or_else(|| self.value.as_f64().and_then(Number::from_f64));
        Cow::Owned(number.unwrap_or_else(|| Number::from(u64::MAX)))
    }

    fn is_integer(&self) -> bool {
        !self.value.is_float() || self.value.as_f64().is_some_and(|value| value.fract() == 0.0)
    }

    fn is_written_as_integer(&self) -> bool {
        !self.value.is_float()
    }
}
