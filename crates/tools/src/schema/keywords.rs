//! Where in a schema other schemas stand.

use serde_json::{Map, Value};

/// Keywords whose value is a schema; `items` may also be a list of them.
pub(super) const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is a list of schemas.
pub(super) const LIST: &[&str] = &["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value is an object of schemas.
pub(super) const MAP: &[&str] =
    &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];
/// Keywords that hold other schemas against the same value.
const IN_PLACE: &[&str] = &["allOf", "anyOf", "dependencies", "dependentSchemas", "else", "if", "not", "oneOf", "then"];
/// Keywords that refer to another schema.
const REFERENCES: &[&str] = &["$dynamicRef", "$recursiveRef", "$ref"];

/// Visits the schemas directly inside one, each with the keyword it stands under and its pointer from there.
pub(super) fn inner_schemas(schema: &mut Map<String, Value>, mut visit: impl FnMut(&str, &str, &mut Value)) {
    for (keyword, value) in schema {
        let keyword = keyword.as_str();
        match value {
            Value::Array(items) if LIST.contains(&keyword) => {
                for (nth, inner) in items.iter_mut().enumerate() {
                    visit(keyword, &format!("/{keyword}/{nth}"), inner);
                }
            }
            Value::Object(entries) if MAP.contains(&keyword) => {
                for (key, inner) in entries.iter_mut().filter(|(_, inner)| inner.is_object()) {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    visit(keyword, &format!("/{keyword}/{key}"), inner);
                }
            }
            Value::Object(_) if ONE.contains(&keyword) => visit(keyword, &format!("/{keyword}"), value),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            }
        }
    }
}

/// The schemas directly inside the value of a keyword, each with its pointer below `pointer`.
pub(super) fn inner_places<'a>(pointer: &str, keyword: &str, value: &'a Value) -> Vec<(String, &'a Value)> {
    let below = |name: &str| format!("{pointer}/{keyword}/{}", name.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Array(items) if LIST.contains(&keyword) => {
            items.iter().enumerate().map(|(nth, item)| (below(&nth.to_string()), item)).collect()
        }
        Value::Object(entries) if MAP.contains(&keyword) => {
            entries.iter().map(|(name, schema)| (below(name), schema)).collect()
        }
        Value::Object(_) if ONE.contains(&keyword) => vec![(format!("{pointer}/{keyword}"), value)],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Vec::new()
        }
    }
}

/// Whether a schema asks nothing of a value: it is `true`, or has annotations alone.
pub(super) fn asks_nothing(document: &Value) -> bool {
    const ANNOTATIONS: &[&str] = &[
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "example",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    ];
    match document {
        Value::Bool(anything) => *anything,
        Value::Object(words) => words.keys().all(|word| ANNOTATIONS.contains(&word.as_str())),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => false,
    }
}

/// How many references a document may have at most: data that looks like one is counted too.
pub(super) fn count_references(document: &Value) -> usize {
    let mut count = 0;
    let mut pending = vec![document];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(entries) => {
                count += entries.keys().filter(|key| REFERENCES.contains(&key.as_str())).count();
                pending.extend(entries.values());
            }
            Value::Array(items) => pending.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    count
}

/// The schemas inside one that are held against the same value.
pub(super) fn in_place_schemas(schema: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let inside = schema.iter().filter(|(key, _)| IN_PLACE.contains(&key.as_str()));
    inside.flat_map(|(key, value)| {
        let (one, several) = match value {
            Value::Array(items) => (None, items.iter().collect()),
            Value::Object(entries) if MAP.contains(&key.as_str()) => (None, entries.values().collect()),
            Value::Object(entries) => (Some(entries), Vec::new()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (None, Vec::new()),
        };
        one.into_iter().chain(several.into_iter().filter_map(Value::as_object))
    })
}

/// Where a schema itself refers to.
pub(super) fn references(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    REFERENCES.iter().filter_map(|keyword| schema.get(*keyword)?.as_str())
}

/// Whether a schema itself refers to another.
pub(super) fn refers(schema: &Map<String, Value>) -> bool {
    schema.keys().any(|key| REFERENCES.contains(&key.as_str()))
}

/// Makes every schema that holds several others against one value look at the value.
///
/// A diamond of such schemas costs a power of its height, whatever the value, and a boolean schema at its end never
/// looks at anything: only a look is accounted for. A `type` that allows every type is one.
pub(super) fn add_looks(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    let branches = schema.keys().any(|key| IN_PLACE.contains(&key.as_str()))
        || schema.keys().filter(|key| REFERENCES.contains(&key.as_str())).count() > 1;
    if branches && !schema.contains_key("type") {
        let every = ["null", "boolean", "number", "string", "array", "object"];
        schema.insert("type".to_owned(), every.into_iter().collect());
    }
    inner_schemas(schema, |_, _, inner| add_looks(inner));
}
