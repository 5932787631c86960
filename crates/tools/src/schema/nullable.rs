//! `nullable`, which OpenAPI adds to JSON Schema: what has it may be null as well.
//!
//! Declarations for programs say so, and so must the check: a word that nobody reads would refuse what the text admits.

use serde_json::{Map, Value, json};

use super::keywords::inner_schemas;

/// Keywords that say something of null too, or hold schemas against it that may.
const OF_ANY_VALUE: &[&str] =
    &["$dynamicRef", "$recursiveRef", "$ref", "allOf", "anyOf", "const", "else", "if", "not", "oneOf", "then"];

/// Lets every schema that is `nullable` take null, whatever else it says.
pub(super) fn admit_null(document: &mut Value) {
    let draft = document.get("$schema").and_then(Value::as_str).unwrap_or_default();
    // In these drafts nothing counts beside a reference.
    let lone_references = ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old));
    admit(document, lone_references);
}

fn admit(schema: &mut Value, lone_references: bool) {
    let Value::Object(schema) = schema else { return };
    inner_schemas(schema, |_, _, inner| admit(inner, lone_references));
    if schema.get("nullable") != Some(&Value::Bool(true)) || (lone_references && schema.contains_key("$ref")) {
        return;
    }
    for keyword in ["type", "enum"] {
        let null = if keyword == "type" { json!("null") } else { Value::Null };
        match schema.get_mut(keyword) {
            Some(Value::Array(values)) if !values.contains(&null) => values.push(null),
            Some(one @ Value::String(_)) if *one != null => *one = Value::Array(vec![one.take(), null]),
            Some(_) | None => {}
        }
    }
    let moved: Map<String, Value> = OF_ANY_VALUE.iter().filter_map(|keyword| schema.remove_entry(*keyword)).collect();
    if !moved.is_empty() {
        schema.insert("allOf".to_owned(), json!([{ "anyOf": [{ "type": "null" }, moved] }]));
    }
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::Json;

    use super::*;
    use crate::schema::Schema;

    #[test]
    fn what_is_nullable_takes_null_and_nothing_else_that_it_did_not() {
        for (schema, good, bad) in [
            (json!({ "type": "string", "nullable": true }), "\"x\"", "1"),
            (json!({ "type": ["string", "integer"], "nullable": true }), "1", "1.5"),
            (json!({ "type": "string", "enum": ["x"], "nullable": true }), "\"x\"", "\"y\""),
            (json!({ "const": "x", "nullable": true }), "\"x\"", "\"y\""),
            (json!({ "type": "array", "items": { "type": "string" }, "nullable": true }), "[\"x\"]", "[null]"),
            (json!({ "$ref": "#/$defs/a", "nullable": true, "$defs": { "a": { "type": "string" } } }), "\"x\"", "1"),
            (json!({ "allOf": [{ "type": "string" }], "nullable": true }), "\"x\"", "1"),
            (json!({ "oneOf": [{ "type": "null" }, { "type": "string" }], "nullable": true }), "\"x\"", "1"),
            (json!({ "if": { "type": "string" }, "else": false, "nullable": true }), "\"x\"", "1"),
        ] {
            let compiled = Schema::compile(Json::from_value(&schema).unwrap(), "input").unwrap();
            for (text, fits) in [("null", true), (good, true), (bad, false)] {
                assert_eq!(compiled.check(&Json::parse(text).unwrap()).is_ok(), fits, "{text} against {schema}");
            }
        }
    }

    #[test]
    fn what_is_not_nullable_stays_as_it_is() {
        for schema in [
            json!({ "type": "string", "nullable": false }),
            json!({ "properties": { "nullable": { "type": "boolean" } }, "enum": [{ "nullable": true, "type": "string" }] }),
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#", "nullable": true }),
        ] {
            let mut enforced = schema.clone();
            admit_null(&mut enforced);
            assert_eq!(enforced, schema);
        }
    }
}
