//! Held flat or as a tree of `serde_json`, a value matches or does not: the validator's own representation is the oracle.

use dayfly_tools::{Json, Tool};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Values that are often equal to one another and often match what [`schema`] says.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        prop_oneof![Just(1.0), Just(1.5), Just(-2.0), Just(1e300)].prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "[a-c~/é]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c0]{0,1}", inner, 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"$ref": "#"})),
        prop::sample::select(vec!["null", "boolean", "integer", "number", "string", "array", "object"])
            .prop_map(|kind| json!({"type": kind})),
        (-2_i64..3).prop_map(|limit| json!({"minimum": limit})),
        (-2_i64..3).prop_map(|limit| json!({"exclusiveMaximum": limit})),
        (1_i64..4).prop_map(|unit| json!({"multipleOf": unit})),
        (0_u64..3).prop_map(|limit| json!({"minLength": limit, "maxItems": limit})),
        (0_u64..3).prop_map(|limit| json!({"maxProperties": limit})),
        Just(json!({"uniqueItems": true})),
        Just(json!({"pattern": "^a"})),
        Just(json!({"propertyNames": {"pattern": "^[ab]"}})),
        value().prop_map(|constant| json!({"const": constant})),
        prop::collection::vec(value(), 1..4).prop_map(|options| json!({"enum": options})),
        prop::collection::btree_set("[a-c0]{0,1}", 0..3).prop_map(|names| json!({"dependentRequired": {"a": names}})),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..4);
        let map = prop::collection::btree_map("[a-c0]{0,1}", inner.clone(), 0..3);
        prop_oneof![
            list.clone().prop_map(|all| json!({"allOf": all})),
            list.clone().prop_map(|any| json!({"anyOf": any})),
            list.clone().prop_map(|one| json!({"oneOf": one})),
            list.prop_map(|first| json!({"prefixItems": first, "unevaluatedItems": {"type": "integer"}})),
            inner.clone().prop_map(|not| json!({"not": not})),
            inner.clone().prop_map(|items| json!({"items": items})),
            inner.clone().prop_map(|inner| json!({"contains": inner, "maxContains": 2})),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(when, then, otherwise)| json!({"if": when, "then": then, "else": otherwise})),
            (map.clone(), inner.clone())
                .prop_map(|(known, other)| json!({"properties": known, "additionalProperties": other})),
            (map, inner).prop_map(|(known, other)| json!({"properties": known, "unevaluatedProperties": other})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn a_flat_value_matches_exactly_when_the_same_tree_does(schema in schema(), values in prop::collection::vec(value(), 1..8)) {
        let oracle = jsonschema::options().offline().build(&schema).expect("a schema");
        let schema = Json::from_value(&schema).expect("a schema");
        let tool = Tool::raw("t", schema).output_plain(Json::from(true)).execute(|arguments, _| async move { Ok(arguments) });
        let tool = tool.expect("a declaration");
        for value in values {
            let flat = Json::from_value(&value).expect("lossless");
            let checked = tool.check_arguments(&flat);
            prop_assert_eq!(checked.is_ok(), oracle.is_valid(&value), "{} {:?}", value, checked);
        }
    }

    /// Whatever is wrong, it is said in few words, and at a path that is not made up.
    #[test]
    fn what_is_wrong_is_said_in_bounded_words(schema in schema(), value in value()) {
        let schema = Json::from_value(&schema).expect("a schema");
        let tool = Tool::raw("t", schema).output_plain(Json::from(true)).execute(|arguments, _| async move { Ok(arguments) });
        if let Err(failure) = tool.expect("a declaration").check_arguments(&Json::from_value(&value).expect("lossless")) {
            prop_assert!(failure.message.len() < 32 * 2_000, "{}", failure.message.len());
            prop_assert_eq!(failure.code(), Some("INVALID_ARGS"));
        }
    }
}
