//! Schemas and names that nobody would write, for proptest.

use dayfly_tools::Json;
use proptest::prelude::*;

/// Text that texts break on.
pub(crate) fn nasty_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "", "a", "class", "__init__", "__private", "self", "args", "list", "str", "Any", "Tools", "ToolCallError", "é", "ﬁle",
            "a\"b", "\"\"\"", "ends with \"", "\\", "a\\d+\\", "a\nb", "\r\n", "\u{2028}x", "\u{202e}evil", "tab\tfeed\u{c}",
            "# coding: latin-1", "%s {x} {{", "名前", "🦀", "None", "TypeError", "a-b", "a_b", "a b", "aB", "0", "12ab", "\u{1}",
            "]", "Literal[\"a\"]", "''' + exit() + '''", "*/", "\u{feff}", "\u{85}", "Args", "Output", "Item", "overload", "__class__",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-z_]{1,200}",
    ]
}

/// A value of any kind.
fn value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::null()),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        prop::sample::select(vec!["1.5", "3.0", "1e300", "123456789012345678901234567890", "-0.5"])
            .prop_map(|text| Json::parse(text).unwrap()),
        nasty_text().prop_map(|text| Json::from(text.as_str())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::array),
            prop::collection::vec((nasty_text(), inner), 0..4).prop_map(Json::object),
        ]
    })
}

fn reference() -> impl Strategy<Value = Json> {
    let targets =
        ["#", "#/$defs/A", "#/$defs/B", "#/$defs/~1", "#/properties/a", "#/nowhere", "other.json", "#/$defs/C/items"];
    prop::sample::select(targets.to_vec()).prop_map(Json::from)
}

/// A schema of any keywords, sound or not.
fn part() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Json::from),
        prop::sample::select(vec!["string", "number", "integer", "boolean", "null", "array", "object"])
            .prop_map(|kind| Json::object([("type", kind)])),
        value().prop_map(|value| Json::object([("const", value)])),
        prop::collection::vec(value(), 0..6).prop_map(|values| Json::object([("enum", Json::array(values))])),
        reference().prop_map(|target| Json::object([("$ref", target)])),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let many = || prop::collection::vec(inner.clone(), 0..5).prop_map(Json::array);
        let named = || prop::collection::vec((nasty_text(), inner.clone()), 0..6).prop_map(Json::object);
        let keyword = prop_oneof![
            prop::sample::select(vec!["object", "array", "string"]).prop_map(|kind| ("type", Json::from(kind))),
            prop::collection::vec(prop::sample::select(vec!["object", "array", "string", "null", "integer"]), 1..4)
                .prop_map(|kinds| ("type", Json::array(kinds))),
            named().prop_map(|members| ("properties", members)),
            prop::collection::vec(nasty_text(), 0..4)
                .prop_map(|names| ("required", Json::array(names.iter().map(String::as_str)))),
            inner.clone().prop_map(|schema| ("additionalProperties", schema)),
            named().prop_map(|members| ("patternProperties", members)),
            inner.clone().prop_map(|schema| ("items", schema)),
            many().prop_map(|schemas| ("prefixItems", schemas)),
            many().prop_map(|schemas| ("oneOf", schemas)),
            many().prop_map(|schemas| ("anyOf", schemas)),
            many().prop_map(|schemas| ("allOf", schemas)),
            inner.clone().prop_map(|schema| ("not", schema)),
            inner.clone().prop_map(|schema| ("if", schema)),
            reference().prop_map(|target| ("$ref", target)),
            nasty_text().prop_map(|text| ("description", Json::from(text.as_str()))),
            value().prop_map(|value| ("default", value)),
            value().prop_map(|value| ("const", value)),
            (0_i64..9).prop_map(|number| ("minimum", Json::from(number))),
            (0_i64..4).prop_map(|number| ("minItems", Json::from(number))),
            any::<bool>().prop_map(|nullable| ("nullable", Json::from(nullable))),
            value().prop_map(|value| ("type", value)),
        ];
        prop::collection::vec(keyword, 1..6).prop_map(Json::object)
    })
}

/// A schema with things to refer to.
pub(crate) fn schema() -> impl Strategy<Value = Json> {
    (part(), part(), part(), part(), nasty_text()).prop_map(|(root, a, b, c, name)| {
        let defs = [("A", a), ("B", b), ("C", c.clone()), ("/", c.clone()), (name.as_str(), c)];
        let mut entries: Vec<(String, Json)> =
            root.entries().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        entries.push(("$defs".to_owned(), Json::object(defs)));
        Json::object(entries)
    })
}
