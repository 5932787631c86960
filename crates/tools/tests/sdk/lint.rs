//! What the author of tools is told of them: what is widened, and what they cost, to the byte.

use dayfly_runtime::Language;
use dayfly_tools::Tool;
use dayfly_tools::sdk::{Lint, SchemaOf, declare, instructions, lint};

use crate::golden::{folders, tools_of};
use crate::tools::{json, tool};

/// A function definition as a provider is sent it.
fn definition(tool: &Tool) -> String {
    let schema = tool.schema();
    let text = |text: &str| serde_json::to_string(text).unwrap();
    let (name, description) = (text(&schema.name), text(&schema.description));
    format!(r#"{{"name":{name},"description":{description},"parameters":{}}}"#, schema.input)
}

#[test]
fn every_size_is_that_of_the_text_it_is_the_size_of() {
    for folder in folders() {
        let tools = tools_of(&folder);
        let mut definitions: Vec<(String, usize)> =
            tools.iter().map(|tool| (tool.name().to_owned(), definition(tool).len())).collect();
        definitions.sort();
        for language in Language::ALL {
            let sdk = declare(language, &tools).unwrap();
            let found: Lint = lint(language, &tools).unwrap();
            let named = |size: fn(&dayfly_tools::sdk::ToolLint) -> usize| -> Vec<(String, usize)> {
                found.tools.iter().map(|tool| (tool.name.clone(), size(tool))).collect()
            };
            assert_eq!(named(|tool| tool.native.bytes), definitions, "{language}: {}", folder.display());
            assert_eq!(named(|tool| tool.sdk.bytes), sdk.bytes, "{language}: {}", folder.display());
            let all: usize = definitions.iter().map(|(_, bytes)| bytes).sum();
            assert_eq!(found.native.bytes, all, "{language}: {}", folder.display());
            assert_eq!(found.sdk.bytes, sdk.text.len(), "{language}: {}", folder.display());
            assert_eq!(found.instructions.bytes, instructions(language).unwrap().len(), "{language}");
            for size in [found.native, found.sdk, found.instructions] {
                assert!(size.tokens() * 4 >= size.bytes && size.tokens() * 4 < size.bytes + 4, "{size:?}");
            }
            let widened: Vec<_> = found.tools.iter().flat_map(|tool| tool.widened.clone()).collect();
            assert_eq!(widened, sdk.widened, "{language}: {}", folder.display());
        }
    }
}

#[test]
fn of_several_tools_of_one_name_the_first_is_looked_at() {
    let schema = || json(r#"{"type": "object"}"#);
    let [one, other] = ["First.", ""].map(|description| tool("search", description, schema(), schema()));
    for language in Language::ALL {
        let alone = lint(language, std::slice::from_ref(&one));
        assert_eq!(lint(language, &[one.clone(), other.clone()]), alone, "{language}");
    }
}

/// Schemas, each with the paths that are listed of it in both languages.
const LISTED: &[(&str, &[&str])] = &[
    // What limits one value.
    (r#"{"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2}"#, &[]),
    (r#"{"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a", "format": "date"}"#, &[]),
    (r#"{"type": "array", "minItems": 1, "maxItems": 9, "uniqueItems": true}"#, &[]),
    (r#"{"type": "object", "minProperties": 1, "maxProperties": 9}"#, &[]),
    // A schema that is not applied.
    (r#"{"type": "array", "contains": {"type": "string"}}"#, &["/contains"]),
    (r#"{"type": "array", "contains": {"const": 1}, "minContains": 0, "maxContains": 2}"#, &["/contains"]),
    (r#"{"type": "array", "contains": {"const": 1}, "minContains": 0}"#, &[]),
    (r#"{"type": "array", "contains": true}"#, &[]),
    (r#"{"type": "string", "contains": {"const": 1}}"#, &[]),
    (r#"{"type": "object", "propertyNames": {"pattern": "^a"}}"#, &["/propertyNames"]),
    (r#"{"type": "object", "propertyNames": {"enum": ["a", "b"]}}"#, &[]),
    (r#"{"type": "object", "propertyNames": {"enum": ["a", "bc"], "maxLength": 1}}"#, &["/propertyNames"]),
    (r#"{"type": "object", "propertyNames": true}"#, &[]),
    (r#"{"type": "string", "not": {"const": "a"}}"#, &["/not"]),
    (r#"{"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}"#, &["/if"]),
    (
        r#"{"type": "object", "dependentSchemas": {"a/b": {"required": ["c"]}, "d": {"required": ["e"]}}}"#,
        &["/dependentSchemas/a~1b", "/dependentSchemas/d"],
    ),
    // What ties members or alternatives together.
    (r#"{"type": "object", "dependentRequired": {"a": ["b"], "c": []}}"#, &["/dependentRequired/a"]),
    (
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}"#,
        &["/dependencies/a", "/dependencies/c"],
    ),
    (r#"{"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, &["/oneOf"]),
    (r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#, &["/oneOf"]),
    (r#"{"oneOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#, &["/oneOf"]),
    // What is equal is the same value, however it is written.
    (r#"{"oneOf": [{"const": 1}, {"const": 1.0}]}"#, &["/oneOf"]),
    (r#"{"oneOf": [{"enum": [1, 1.0, 2]}, {"const": 3.0}]}"#, &[]),
    (r#"{"oneOf": [{"const": {"a": 1, "b": 2}}, {"enum": [{"b": 2.0, "a": 1}]}]}"#, &["/oneOf"]),
    (r#"{"oneOf": [{"enum": ["a", null]}, {"const": "b", "nullable": true}]}"#, &["/oneOf"]),
    (
        r#"{"type": "object", "required": ["k"], "oneOf": [{"properties": {"k": {"const": 1}}}, {"properties": {"k": {"const": 1.0}}}]}"#,
        &["/oneOf"],
    ),
    (r#"{"oneOf": [{"const": "a"}, {"type": "string"}]}"#, &["/oneOf"]),
    (r#"{"oneOf": [{"const": "a"}, {"enum": ["b", 1]}, {"type": "null"}, {"type": "array"}]}"#, &[]),
    (
        r#"{"oneOf": [{"type": "object", "properties": {"k": {"const": "a"}}, "required": ["k"]}, {"type": "object", "properties":
            {"k": {"enum": ["b", "c"]}}, "required": ["k"]}, {"type": "null"}]}"#,
        &[],
    ),
    (
        r#"{"type": "object", "required": ["k"], "oneOf": [{"properties": {"k": {"const": "a"}}}, {"properties": {"k": {"const": "b"}}}]}"#,
        &[],
    ),
    (
        r#"{"oneOf": [{"type": "object", "properties": {"k": {"const": "a"}}}, {"type": "object", "properties": {"k": {"const": "b"}}}]}"#,
        &["/oneOf"],
    ),
    (
        r##"{"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {"A": {"$ref": "#/$defs/C"}, "B": {"type": "array"}, "C": {"type": "string"}}}"##,
        &[],
    ),
    (
        r##"{"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {"A": {"type": "object", "properties": {"a": {"type": "string"}}},
            "B": {"type": "object", "properties": {"b": {"type": "string"}}}}}"##,
        &["/oneOf"],
    ),
    (r##"{"oneOf": [{"$ref": "#"}, {"type": "string"}]}"##, &["/oneOf"]),
];

#[test]
fn what_a_schema_asks_and_its_type_does_not_is_listed_unless_it_limits_one_value() {
    for (schema, paths) in LISTED {
        let tool = tool("t", "", json(r#"{"type": "object"}"#), json(schema));
        for language in Language::ALL {
            let found = lint(language, std::slice::from_ref(&tool)).unwrap();
            let listed: Vec<(SchemaOf, &str)> =
                found.tools[0].widened.iter().map(|widening| (widening.schema, widening.path.as_str())).collect();
            let expected: Vec<(SchemaOf, &str)> = paths.iter().map(|path| (SchemaOf::Output, *path)).collect();
            assert_eq!(listed, expected, "{language}: {schema}");
        }
    }
}
