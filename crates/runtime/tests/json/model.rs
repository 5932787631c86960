//! What a value is, said in the plainest way: the oracle of the properties.

use std::collections::BTreeMap;

use dayfly_runtime::Json;
use dayfly_runtime::json::JsonBuilder;
use serde_json::Value;

/// A small value whose meaning is obvious.
#[derive(Debug, Clone)]
pub(crate) enum Model {
    Null,
    Bool(bool),
    Integer(i64),
    /// Finite and not negative zero.
    Float(f64),
    Text(String),
    Array(Vec<Model>),
    /// With duplicates, of which the last counts.
    Object(Vec<(String, Model)>),
}

impl Model {
    pub(crate) fn json(&self) -> Json {
        let mut builder = JsonBuilder::new();
        self.build(&mut builder);
        builder.finish().unwrap()
    }

    fn build(&self, builder: &mut JsonBuilder) {
        match self {
            Self::Null => builder.null(),
            Self::Bool(value) => builder.bool(*value),
            Self::Integer(value) => builder.i64(*value),
            Self::Float(value) => builder.float(*value),
            Self::Text(value) => builder.string(value),
            Self::Array(items) => {
                builder.begin_array();
                items.iter().for_each(|item| item.build(builder));
                builder.end()
            }
            Self::Object(entries) => {
                builder.begin_object();
                for (key, value) in entries {
                    builder.key(key);
                    value.build(builder);
                }
                builder.end()
            }
        };
    }

    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::from(*value),
            Self::Integer(value) => Value::from(*value),
            Self::Float(value) => Value::from(*value),
            Self::Text(value) => Value::from(value.as_str()),
            Self::Array(items) => items.iter().map(Self::value).collect(),
            Self::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), value.value())).collect(),
        }
    }

    /// Text as another writer might give it: spaces, escapes, duplicates and all.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Null => " null".to_owned(),
            Self::Bool(value) => format!("{value}\t"),
            Self::Integer(value) => value.to_string(),
            Self::Float(value) => format!("{value:e}").replace('e', ".0E+").replace("E+-", "E-").replace_fraction(),
            Self::Text(value) => quoted(value),
            Self::Array(items) => {
                format!("[ {}\n]", items.iter().map(Self::text).collect::<Vec<_>>().join(" ,"))
            }
            Self::Object(entries) => {
                let entry = |(key, value): &(String, Self)| format!("{} : {}", quoted(key), value.text());
                format!("{{\r{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// The values in it, itself included.
    pub(crate) fn count(&self) -> usize {
        1 + match self {
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Float(_) | Self::Text(_) => 0,
            Self::Array(items) => items.iter().map(Self::count).sum(),
            Self::Object(entries) => entries.iter().map(|(_, value)| value.count()).sum::<usize>(),
        }
    }

    /// The bytes that reading it is charged with, duplicates included.
    pub(crate) fn charge(&self) -> usize {
        let inner = match self {
            Self::Null | Self::Bool(_) => 0,
            Self::Integer(value) => value.to_string().len(),
            Self::Float(value) => format!("{value:?}").len(),
            Self::Text(value) => value.len(),
            Self::Array(items) => items.iter().map(Self::charge).sum(),
            Self::Object(entries) => entries.iter().map(|(key, value)| 24 + key.len() + value.charge()).sum(),
        };
        16 + inner
    }

    /// Equality by meaning.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Text(left), Self::Text(right)) => left == right,
            (Self::Array(left), Self::Array(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same(right))
            }
            (Self::Object(left), Self::Object(right)) => {
                let (left, right) = (last_of_each(left), last_of_each(right));
                left.len() == right.len()
                    && left.iter().zip(&right).all(|(left, right)| left.0 == right.0 && left.1.same(right.1))
            }
            (Self::Integer(left), Self::Integer(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left == right,
            (Self::Integer(integer), Self::Float(float)) | (Self::Float(float), Self::Integer(integer)) => {
                // Rust prints a double's every digit.
                format!("{float:.1100}").trim_end_matches('0') == format!("{integer}.")
            }
            _ => false,
        }
    }
}

trait ReplaceFraction {
    fn replace_fraction(self) -> String;
}

impl ReplaceFraction for String {
    /// `1.5.0E+3`, made by blindly adding a fraction, without it.
    fn replace_fraction(self) -> String {
        if self.matches('.').count() > 1 { self.replace(".0E", "E") } else { self }
    }
}

fn last_of_each(entries: &[(String, Model)]) -> BTreeMap<&str, &Model> {
    entries.iter().map(|(key, value)| (key.as_str(), value)).collect()
}

/// Every other character as an escape of its UTF-16 units.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for (nth, character) in text.chars().enumerate() {
        if nth % 2 == 0 || character < ' ' || matches!(character, '"' | '\\') {
            for unit in character.encode_utf16(&mut [0; 2]) {
                quoted.push_str(&format!("\\u{unit:04X}"));
            }
        } else {
            quoted.push(character);
        }
    }
    quoted + "\""
}
