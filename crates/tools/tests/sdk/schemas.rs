//! Schemas that proptest makes up: every keyword, nested and referred to, with junk where it is least expected.

use dayfly_runtime::Json;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Names that members, types and anchors have.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(vec!["a", "b", "c", "node", "kind"]).prop_map(str::to_owned),
        1 => select(vec![
            "", "__proto__", "constructor", "class", "default", "a-b", "a/b", "a~b", "%41", "工具", "\u{2028}", "quote\"\n\\", "*/",
            "${x}", "1", "self", "None", "Array", "JsonValue", "e\u{301}", "\"\"\"", "\u{202e}",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>().prop_map(|text| text.chars().take(12).collect()),
    ]
}

/// Text for people.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec![
            "Plain.",
            "ends */ here",
            "/** begins",
            "two\nlines",
            "\"\"\" and '''",
            "back\\slash",
            "// x",
            "```\nfence",
            "\u{2029}\u{0}"
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

/// What a reference may say; most of it is there.
fn reference() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just("#".to_owned()),
        6 => select(vec!["a", "b", "c", "node"]).prop_map(|name| format!("#/$defs/{name}")),
        1 => select(vec!["a", "b"]).prop_map(|name| format!("#/definitions/{name}")),
        1 => name().prop_map(|name| format!("#/properties/{}", name.replace('~', "~0").replace('/', "~1"))),
        1 => select(vec!["#anchor", "other", "other#/$defs/a", "https://example.com/x", "#/allOf/0", "%", "", "#/$defs"])
            .prop_map(str::to_owned),
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_i64..9).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e6..1e6_f64).prop_map(|float| if float == 0.0 { json!(0) } else { json!(float) }),
        text().prop_map(Value::from),
        name().prop_map(Value::from),
    ]
}

/// Any JSON.
pub(crate) fn anything() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((name(), inner), 0..5).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn type_name() -> impl Strategy<Value = Value> {
    select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]).prop_map(Value::from)
}

/// A keyword and its value, which holds further schemas.
fn keyword(inner: impl Strategy<Value = Value> + Clone + 'static) -> BoxedStrategy<(String, Value)> {
    let list = vec(inner.clone(), 1..4).prop_map(Value::from);
    let map =
        vec((name(), inner.clone()), 0..5).prop_map(|entries| Value::Object(entries.into_iter().collect())).boxed();
    let size = (0_u64..5).prop_map(Value::from);
    let named = |keyword: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| (keyword.to_owned(), value)).boxed()
    };
    let one_of = |keywords: &[&'static str], value: BoxedStrategy<Value>| {
        select(keywords.to_vec()).prop_flat_map(move |keyword| named(keyword, value.clone())).boxed()
    };
    prop_oneof![
        6 => one_of(&["type"], type_name().boxed()),
        2 => one_of(&["type"], prop::collection::hash_set(type_name(), 1..4).prop_map(|names| names.into_iter().collect()).boxed()),
        6 => one_of(&["properties"], map.clone()),
        2 => one_of(&["$defs", "definitions", "patternProperties", "dependentSchemas"], map),
        2 => one_of(&["required"], prop::collection::hash_set(name(), 1..4).prop_map(|names| names.into_iter().map(Value::from).collect()).boxed()),
        4 => one_of(&["items", "additionalProperties"], inner.clone().boxed()),
        2 => one_of(&["not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "additionalItems"], inner.boxed()),
        4 => one_of(&["anyOf", "oneOf", "allOf", "prefixItems"], list.boxed()),
        3 => one_of(&["$ref"], reference().prop_map(Value::from).boxed()),
        1 => one_of(&["$dynamicRef"], Just(json!("#anchor")).boxed()),
        1 => one_of(&["$anchor", "$dynamicAnchor"], Just(json!("anchor")).boxed()),
        2 => one_of(&["enum"], vec(anything(), 1..5).prop_map(Value::from).boxed()),
        2 => one_of(&["const", "default"], anything().boxed()),
        2 => one_of(&["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "minContains", "maxContains"], size.boxed()),
        2 => one_of(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], (-9_i64..9).prop_map(Value::from).boxed()),
        3 => one_of(&["description", "title", "format", "$comment"], text().prop_map(Value::from).boxed()),
        1 => one_of(&["pattern"], select(vec!["^a+$", "*/", "\"\"\""]).prop_map(Value::from).boxed()),
        1 => one_of(&["nullable", "uniqueItems", "deprecated", "readOnly"], any::<bool>().prop_map(Value::from).boxed()),
        1 => one_of(&["dependentRequired"], vec((name(), vec(name(), 0..3)), 0..3).prop_map(|entries| {
            entries.into_iter().map(|(name, names)| (name, Value::from(names))).collect::<Map<String, Value>>().into()
        }).boxed()),
        1 => one_of(&["examples"], vec(anything(), 0..3).prop_map(Value::from).boxed()),
    ]
    .boxed()
}

/// A schema that a registry may well accept.
pub(crate) fn schema() -> BoxedStrategy<Json> {
    let leaf = prop_oneof![
        4 => type_name().prop_map(|name| json!({"type": name})),
        1 => any::<bool>().prop_map(Value::from),
        1 => reference().prop_map(|text| json!({"$ref": text})),
        1 => Just(json!({})),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        vec(keyword(inner), 0..6).prop_map(|entries| Value::Object(entries.into_iter().collect()))
    })
    .prop_map(|mut schema| {
        if let Value::Object(root) = &mut schema {
            // Most of what is referred to is there.
            let defs = root.entry("$defs").or_insert_with(|| json!({}));
            for (name, schema) in [
                ("a", json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/a"}}})),
                ("b", json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/c"}, {"type": "null"}]})),
                ("c", json!({"type": "array", "items": {"$ref": "#/$defs/b"}, "description": "Said */ once."})),
                ("node", json!({"enum": ["x", 1, null]})),
            ] {
                defs[name] = schema;
            }
        }
        Json::from_value(&schema).unwrap_or_default()
    })
    .boxed()
}

/// A schema of which any keyword may hold anything at all.
pub(crate) fn junk() -> BoxedStrategy<Json> {
    let keywords = vec![
        "type",
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "items",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "unevaluatedProperties",
        "minItems",
        "maxItems",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependentRequired",
        "dependencies",
        "nullable",
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$schema",
        "$defs",
        "definitions",
        "enum",
        "const",
        "default",
        "examples",
        "description",
        "title",
        "format",
        "pattern",
        "minimum",
        "exclusiveMinimum",
        "multipleOf",
        "minLength",
        "contains",
        "minContains",
        "deprecated",
    ];
    let entry = move |inner: BoxedStrategy<Value>| {
        let value = prop_oneof![
            3 => inner.clone(),
            1 => anything(),
            1 => reference().prop_map(Value::from),
            1 => vec(inner.clone(), 0..4).prop_map(Value::from),
            2 => vec((name(), inner), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ];
        (select(keywords.clone()).prop_map(str::to_owned), value)
    };
    anything()
        .prop_recursive(5, 64, 6, move |inner| {
            vec(entry(inner.boxed()), 0..6).prop_map(|entries| Value::Object(entries.into_iter().collect()))
        })
        .prop_map(|schema| Json::from_value(&schema).unwrap_or_default())
        .boxed()
}
