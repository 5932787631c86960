//! The words of JSON Schema, and those that are nearly them.

use std::fmt::Write as _;

use dayfly_runtime::nearest_names;
use serde_json::{Map, Value};

use super::keywords::{LIST, MAP, ONE, inner_places};
use super::path::pointer_path;
use crate::Warning;

/// The types that a value can have.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Words for these types in other languages.
const TYPE_SYNONYMS: [(&str, &[&str]); 7] = [
    ("array", &["list", "vec", "tuple"]),
    ("boolean", &["bool"]),
    ("integer", &["int", "i64", "i32", "u64", "long"]),
    ("null", &["none", "nil", "void", "undefined"]),
    ("number", &["float", "double", "decimal", "f64"]),
    ("object", &["dict", "map", "record"]),
    ("string", &["str", "text", "file", "date"]),
];

/// Keywords whose value holds no schema, of every draft, and `example`, which OpenAPI has taught everyone.
const PLAIN: [&str; 41] = [
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "$vocabulary",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "id",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// What is odd about the words of a schema.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    /// A type that does not exist, by its path and in words; such a schema cannot be used.
    pub(super) unknown_type: Option<(String, String)>,
    /// Keywords that do not exist and are nearly one that does. JSON Schema allows them, and ignores them.
    pub(super) misspelt: Vec<Warning>,
}

/// Reads the words of a schema. `role` begins the paths of warnings.
pub(super) fn read(schema: &Value, role: &str) -> Oddities {
    let mut oddities = Oddities::default();
    // Of schemas, in the order in which they are written: the last is the next.
    let mut pending = vec![(String::new(), schema)];
    while let Some((pointer, schema)) = pending.pop() {
        let Some(schema) = schema.as_object() else { continue };
        oddities.read(role, &pointer, schema);
        let inner = schema.iter().flat_map(|(keyword, value)| inner_places(&pointer, keyword, value));
        pending.extend(inner.collect::<Vec<_>>().into_iter().rev());
    }
    oddities
}

impl Oddities {
    fn read(&mut self, role: &str, pointer: &str, schema: &Map<String, Value>) {
        for keyword in schema.keys() {
            if let Some(meant) = nearest_keyword(keyword) {
                let path = format!("{role}{}", pointer_path(pointer));
                self.misspelt.push(Warning::MisspeltKeyword { path, keyword: keyword.clone(), meant });
            }
        }
        let types = match schema.get("type") {
            Some(Value::Array(types)) => types.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        for (given, name) in types.into_iter().map(|one| (one, one.as_str())) {
            if self.unknown_type.is_none() && name.is_none_or(|name| !TYPES.contains(&name)) {
                self.unknown_type = Some((pointer_path(&format!("{pointer}/type")), unknown_type(given)));
            }
        }
    }
}

fn unknown_type(given: &Value) -> String {
    let mut text = match given.as_str() {
        Some(name) => format!("there is no type {name:?}"),
        None => "a type is text, or a list of texts".to_owned(),
    };
    if let Some(meant) = given.as_str().and_then(nearest_type) {
        // Writing to a string cannot fail.
        let _ = write!(text, "; did you mean `{meant}`?");
    }
    let separator = if text.ends_with('?') { " There" } else { "; there" };
    let [first, .., last] = TYPES;
    let between = TYPES.get(1..TYPES.len() - 1).unwrap_or_default().join("`, `");
    text + &format!("{separator} are `{first}`, `{between}` and `{last}`")
}

fn nearest_type(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let synonym = TYPE_SYNONYMS.iter().find(|(_, words)| words.contains(&lower.as_str())).map(|(name, _)| *name);
    synonym.or_else(|| nearest_names(name, TYPES).first().copied())
}

/// The keyword that was probably meant. People do add words of their own to schemas, and those are not to be
/// complained of: what is short is near to many words, and a misspelling mostly begins as the keyword does.
fn nearest_keyword(word: &str) -> Option<&'static str> {
    let known = || ONE.iter().chain(LIST).chain(MAP).chain(&PLAIN).copied();
    if word.len() < 4 || word.starts_with("x-") || known().any(|keyword| keyword == word) {
        return None;
    }
    let initial = |text: &str| text.chars().find(char::is_ascii_alphabetic).map(|first| first.to_ascii_lowercase());
    nearest_names(word, known()).into_iter().find(|near| near.len() > 3 && initial(near) == initial(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn warning(path: &str, keyword: &str, meant: &'static str) -> Warning {
        Warning::MisspeltKeyword { path: path.to_owned(), keyword: keyword.to_owned(), meant }
    }

    #[test]
    fn misspelt_keywords_are_named_with_the_nearest_wherever_schemas_are() {
        let schema = json!({
            "propertys": {},
            "properties": { "requird": { "anyOf": [{ "minimun": 1 }] }, "typ": true },
            "items": [{ "additionalproperties": false }],
        });
        let expected = [
            warning("input", "propertys", "properties"),
            warning("input.items[0]", "additionalproperties", "additionalProperties"),
            warning("input.properties.requird.anyOf[0]", "minimun", "minimum"),
        ];
        assert_eq!(read(&schema, "input"), Oddities { unknown_type: None, misspelt: expected.to_vec() });
    }

    #[test]
    fn words_of_ones_own_and_values_that_are_no_schemas_are_left_alone() {
        let schema = json!({
            "x-propertys": 1, "unit": "m", "owner": "me", "note": "", "nullable": true, "example": {},
            "default": { "propertys": 1 }, "enum": [{ "requird": 1 }], "required": ["typ"], "const": { "type": "sting" },
        });
        assert_eq!(read(&schema, "input"), Oddities::default());
        assert_eq!(read(&json!(true), "input"), Oddities::default());
    }

    #[test]
    fn a_type_that_does_not_exist_is_answered_with_those_that_do() {
        let said = |schema: Value| read(&schema, "input").unknown_type.unwrap();
        let all = "`array`, `boolean`, `integer`, `null`, `number`, `object` and `string`";
        let (path, text) = said(json!({ "items": { "type": "sting" } }));
        assert_eq!(path, ".items.type");
        assert_eq!(text, format!("there is no type \"sting\"; did you mean `string`? There are {all}"));
        assert!(said(json!({ "type": ["null", "dict"] })).1.contains("did you mean `object`?"));
        assert_eq!(said(json!({ "type": "zzzzzzzz" })).1, format!("there is no type \"zzzzzzzz\"; there are {all}"));
        assert_eq!(said(json!({ "type": 3 })).1, format!("a type is text, or a list of texts; there are {all}"));
    }
}
