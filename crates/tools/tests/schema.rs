//! What schemas say, in every draft, and what is said of values that do not match.

#![expect(clippy::expect_used, reason = "helpers of tests, which may panic")]

use dayfly_tools::schema::{IntoSchema, Parameters, Schema, SchemaError, ValueSpec, Violation};
use dayfly_tools::{DeclarationError, Json, Tool, Warning};

fn json(text: &str) -> Json {
    Json::parse(text).expect("the test's own JSON")
}

fn declare(schema: impl IntoSchema) -> Result<Tool, DeclarationError> {
    Tool::raw("t", schema).output_plain(json("true")).execute(|arguments, _| async move { Ok(arguments) })
}

fn tool(schema: &str) -> Tool {
    declare(json(schema)).expect("a declaration")
}

/// What is wrong with a value, without the words around it.
fn violations(tool: &Tool, value: &str) -> String {
    let message = tool.check_arguments(&json(value)).expect_err("a violation").message;
    message.split_once("call again: ").expect("the usual words").1.to_owned()
}

fn refusal(schema: &str) -> SchemaError {
    match declare(json(schema)) {
        Err(DeclarationError::InputSchema { source, .. }) => source,
        other => panic!("{other:?}"),
    }
}

fn schema_of(spec: impl IntoSchema) -> String {
    spec.into_schema().expect("a schema").to_string()
}

#[test]
fn the_vocabulary_has_string_number_integer_boolean_null_array_object_json_and_exact_one_one_of() {
    assert_eq!(schema_of(ValueSpec::string()), r#"{"type":"string"}"#);
    assert_eq!(schema_of(ValueSpec::number()), r#"{"type":"number"}"#);
    assert_eq!(schema_of(ValueSpec::integer()), r#"{"type":"integer"}"#);
    assert_eq!(schema_of(ValueSpec::boolean()), r#"{"type":"boolean"}"#);
    assert_eq!(schema_of(ValueSpec::null()), r#"{"type":"null"}"#);
    assert_eq!(schema_of(ValueSpec::array()), r#"{"type":"array"}"#);
    assert_eq!(
        schema_of(ValueSpec::array().items(ValueSpec::null()).description("gaps")),
        r#"{"type":"array","items":{"type":"null"},"description":"gaps"}"#
    );
    assert_eq!(schema_of(ValueSpec::json()), "{}");
    assert_eq!(schema_of(ValueSpec::json().description("anything")), r#"{"description":"anything"}"#);
    let one_of = declare(ValueSpec::one_of(ValueSpec::integer()).or(ValueSpec::number())).expect("a declaration");
    assert!(one_of.check_arguments(&json("1.5")).is_ok(), "one of the two");
    assert!(one_of.check_arguments(&json("1")).is_err(), "both of the two");
}

#[test]
fn scalar_enum_and_const_values_are_type_correct() {
    assert_eq!(schema_of(ValueSpec::string().enum_values(["a", "b"])), r#"{"type":"string","enum":["a","b"]}"#);
    assert_eq!(schema_of(ValueSpec::integer().enum_values([1, 2])), r#"{"type":"integer","enum":[1,2]}"#);
    assert_eq!(schema_of(ValueSpec::number().const_value(0.5)), r#"{"type":"number","const":0.5}"#);
    assert_eq!(schema_of(ValueSpec::boolean().const_value(true)), r#"{"type":"boolean","const":true}"#);
    let nan = ValueSpec::number().const_value(f64::NAN).into_schema().expect_err("not JSON");
    assert!(nan.to_string().contains("NaN"), "{nan}");
}

#[test]
fn every_explicit_object_declares_additional_properties_and_the_parameter_root_keeps_the_open_default() {
    assert_eq!(schema_of(ValueSpec::open_object()), r#"{"type":"object","properties":{},"additionalProperties":true}"#);
    assert_eq!(
        schema_of(ValueSpec::closed_object()),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    assert_eq!(schema_of(Parameters::new()), r#"{"type":"object","properties":{}}"#);
}

#[test]
fn a_closed_object_with_no_declared_properties_accepts_only_an_empty_one() {
    let closed = declare(ValueSpec::closed_object()).expect("a declaration");
    assert!(closed.check_arguments(&json("{}")).is_ok());
    assert_eq!(violations(&closed, r#"{"a": 1}"#), r#"has the unknown property "a""#);
}

#[test]
fn open_objects_without_properties_and_arrays_without_items_receive_only_a_container_type_check() {
    let (object, array) = (declare(ValueSpec::open_object()), declare(ValueSpec::array()));
    let (object, array) = (object.expect("a declaration"), array.expect("a declaration"));
    assert!(object.check_arguments(&json(r#"{"a": [1, {}], "b": null}"#)).is_ok());
    assert_eq!(violations(&object, "[]"), "must be an object, not an array");
    assert!(array.check_arguments(&json(r#"[1, "a", [[]], null]"#)).is_ok());
    assert_eq!(violations(&array, "{}"), "must be an array, not an object");
}

#[test]
fn raw_json_schema_objects_remain_open_unless_they_set_additional_properties_to_false() {
    let open = tool(r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#);
    assert!(open.check_arguments(&json(r#"{"b": 1}"#)).is_ok());
    let closed = tool(r#"{"type": "object", "properties": {"a": {}}, "additionalProperties": false}"#);
    assert_eq!(violations(&closed, r#"{"b": 1, "c": 2}"#), r#"has the unknown properties "b", "c"; known are "a""#);
}

#[test]
fn what_stands_in_the_place_of_an_object_or_array_is_told_what_belongs_there() {
    let found = tool(
        r#"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": ["object", "null"]}}}"#,
    );
    for (arguments, told) in [
        (r#""x""#, r#"must be an object, not the string "x"; its properties are "a", "b""#),
        ("[]", r#"must be an object, not an array; its properties are "a", "b""#),
        (
            r#""{\"a\": []}""#,
            r#"must be an object, not the string "{\"a\": []}"; give the object itself, not its JSON text"#,
        ),
        (
            r#"{"a": " [\"x\"]"}"#,
            r#"a: must be an array, not the string " [\"x\"]"; give the array itself, not its JSON text"#,
        ),
        (r#"{"a": "x"}"#, r#"a: must be an array, not the string "x""#),
        (r#"{"b": "[1]"}"#, r#"b: must be null or an object, not the string "[1]""#),
    ] {
        assert_eq!(violations(&found, arguments), told);
    }
}

#[test]
fn a_property_that_is_declared_twice_is_refused() {
    let twice = Parameters::new().required("a", ValueSpec::string()).optional("a", ValueSpec::integer());
    let error = twice.into_schema().expect_err("twice");
    assert!(error.to_string().contains(r#""a" is declared twice"#), "{error}");
}

#[test]
fn outputs_permit_any_json_root() {
    for (schema, good, bad) in [
        (schema_of(ValueSpec::null()), "null", "0"),
        (schema_of(ValueSpec::string()), r#""x""#, "1"),
        (schema_of(ValueSpec::array().items(ValueSpec::integer())), "[1]", "[1.5]"),
        ("false".to_owned(), "", "null"),
    ] {
        let declaration = Tool::raw("t", Parameters::new()).output_plain(json(&schema));
        let tool = declaration.execute(|_, _| async { Ok(Json::null()) }).expect("a declaration");
        assert!(good.is_empty() || tool.check_output(&json(good)).is_ok(), "{schema} {good}");
        assert!(tool.check_output(&json(bad)).is_err(), "{schema} {bad}");
    }
}

#[test]
fn every_draft_is_understood_and_its_keywords_mean_what_they_meant() {
    let draft4 = tool(
        r##"{"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/x",
            "properties": {"n": {"minimum": 3, "exclusiveMinimum": true}}}"##,
    );
    assert_eq!(violations(&draft4, r#"{"n": 3}"#), "n: must be more than 3, not 3");
    let draft7 = tool(
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"s": {"type": "string"}},
            "items": [{"$ref": "#/definitions/s"}], "additionalItems": false}"##,
    );
    assert_eq!(violations(&draft7, "[1]"), "[0]: must be a string, not 1");
    assert_eq!(violations(&draft7, r#"["a", 2]"#), "must have no more than 1 items");
    let latest = tool(r#"{"prefixItems": [{"type": "string"}], "items": false}"#);
    assert!(latest.check_arguments(&json(r#"["a", 2]"#)).is_err());
    let dependent =
        tool(r#"{"dependentRequired": {"a": ["b"]}, "unevaluatedProperties": false, "properties": {"a": {}}}"#);
    assert_eq!(violations(&dependent, r#"{"a": 1}"#), "b: is required but missing");
    assert!(violations(&dependent, r#"{"c": 1}"#).starts_with(r#"has the unknown property "c""#));
}

#[test]
fn a_reference_to_another_document_is_refused_when_the_tool_is_declared_and_nothing_is_fetched() {
    for reference in ["https://example.com/schema.json", "http://127.0.0.1:1/x", "file:///etc/passwd", "other.json"] {
        let error = refusal(&format!(r#"{{"type": "object", "properties": {{"a": {{"$ref": "{reference}"}}}}}}"#));
        assert!(matches!(error, SchemaError::Invalid { .. }), "{error:?}");
        assert!(error.to_string().len() < 600, "{error}");
    }
    let error = refusal(r#"{"$schema": "https://example.com/meta", "type": "object"}"#);
    assert!(matches!(error, SchemaError::Invalid { .. }), "{error:?}");
    // The drafts' own meta-schemas are built in.
    let meta = tool(r#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#);
    assert!(meta.check_arguments(&json(r#"{"type": 1}"#)).is_err());
}

#[test]
fn references_within_the_document_are_followed_whatever_they_are_named_by() {
    let by_pointer = tool(r##"{"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}}"##);
    let by_anchor = tool(r##"{"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "string"}}}"##);
    let by_id = tool(
        r##"{"$id": "https://example.com/root", "$ref": "inner", "$defs": {"x": {"$id": "inner", "type": "string"}}}"##,
    );
    for tool in [by_pointer, by_anchor, by_id] {
        assert!(tool.check_arguments(&json(r#""x""#)).is_ok());
        assert_eq!(violations(&tool, "1"), "must be a string, not 1");
    }
    let cycle = tool(r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##);
    assert!(cycle.check_arguments(&json("1")).is_ok(), "a circle of references says nothing");
}

#[test]
fn numbers_are_exact_whatever_their_size_and_spelling() {
    let integer = tool(r#"{"type": "integer", "enum": [9007199254740993, 3]}"#);
    assert!(integer.check_arguments(&json("9007199254740993")).is_ok());
    assert!(integer.check_arguments(&json("3.0")).is_ok());
    assert_eq!(violations(&integer, "9007199254740992"), "must be one of 9007199254740993, 3, not 9007199254740992");
    let any = tool(r#"{"type": "integer"}"#);
    assert!(any.check_arguments(&json(&"9".repeat(400))).is_ok(), "no double is that large");
    assert_eq!(violations(&any, "1.5"), "must be an integer, not 1.5");
    let unique = tool(r#"{"uniqueItems": true}"#);
    assert!(unique.check_arguments(&json("[9007199254740992, 9007199254740993]")).is_ok());
    assert_eq!(violations(&unique, "[1, 1.0]"), "must not contain the same item twice");
}

#[test]
fn a_violation_of_alternatives_says_what_is_wrong_with_the_closest() {
    let shapes = tool(
        r#"{"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
            {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
            {"type": "null"}]}"#,
    );
    assert_eq!(
        violations(&shapes, r#"{"kind": "square", "side": "2"}"#),
        concat!(
            "must match exactly one of 3 alternatives; the closest, number 2, says ",
            r#"(side: must be a number, not the string "2")"#
        )
    );
}

#[test]
fn violations_are_bounded_in_number_and_in_length() {
    let strings = tool(r#"{"items": {"type": "string", "maxLength": 3}}"#);
    let many = format!("[{}]", vec!["1"; 1_000].join(","));
    let message = violations(&strings, &many);
    assert_eq!(message.matches("must be a string").count(), 32);
    assert!(message.ends_with("; and more"), "{message}");
    let too_many = format!("[{}]", vec!["1"; 100_000].join(","));
    assert_eq!(violations(&strings, &too_many), "[0]: must be a string, not 1; and more");
    let long = format!(r#"[{{"{}": "{}"}}]"#, "k".repeat(100_000), "v".repeat(1_000_000));
    assert!(violations(&strings, &long).len() < 200);
    let text = tool(r#"{"const": 1}"#);
    assert!(violations(&text, &format!("\"{}\"", "v".repeat(1_000_000))).len() < 200);
}

#[test]
fn a_pattern_beyond_a_linear_engine_is_a_doc_comment_and_a_warning_and_constrains_nothing() {
    let tool = tool(
        r#"{"type": "object", "properties": {
            "password": {"type": "string", "description": "A password", "pattern": "^(?=.*[0-9]).{4,}$"},
            "name": {"type": "string", "pattern": "^[a-z]+$"}}}"#,
    );
    let warning = Warning::UnenforcedPattern {
        path: "input.properties.password.pattern".to_owned(),
        pattern: r#""^(?=.*[0-9]).{4,}$""#.to_owned(),
    };
    let [found] = tool.warnings() else { panic!("{:?}", tool.warnings()) };
    assert_eq!(format!("{found:?}"), format!("{warning:?}"));
    assert!(found.to_string().contains("nothing enforces it"), "{found}");
    let shown = tool.schema().input.get("properties").and_then(|all| all.get("password")).expect("shown");
    assert_eq!(
        shown.get("description").and_then(|text| text.as_str()),
        Some("A password\nMust match the regular expression `^(?=.*[0-9]).{4,}$`; nothing checks that.")
    );
    assert!(shown.get("pattern").is_some(), "the model sees the pattern too");
    assert!(tool.check_arguments(&json(r#"{"password": "x"}"#)).is_ok(), "it is not enforced");
    assert!(tool.check_arguments(&json(r#"{"password": 1}"#)).is_err(), "all else is");
    assert_eq!(
        violations(&tool, r#"{"name": "A"}"#),
        r#"name: must match the regular expression "^[a-z]+$", not the string "A""#
    );
}

/// The library's constructors are exercised above; this one is about keywords whose inside must not become weaker.
#[test]
fn what_encloses_such_a_pattern_never_refuses_more_for_its_absence() {
    let look = r#"{"type": "string", "pattern": "^(?!x)"}"#;
    let cases = [
        (format!(r#"{{"not": {look}}}"#), vec![r#""x""#, r#""y""#]),
        (format!(r#"{{"oneOf": [{look}, {{"type": "string", "const": "x"}}]}}"#), vec![r#""x""#, r#""y""#]),
        (
            format!(r#"{{"if": {look}, "then": {{"minLength": 2}}, "else": {{"maxLength": 1}}}}"#),
            vec![r#""yy""#, r#""x""#],
        ),
        (format!(r#"{{"if": {look}, "then": false}}"#), vec![r#""x""#]),
        (format!(r#"{{"contains": {look}, "maxContains": 1}}"#), vec![r#"["x", "y"]"#]),
        (format!(r##"{{"not": {{"$ref": "#/$defs/l"}}, "$defs": {{"l": {look}}}}}"##), vec![r#""x""#]),
        (
            r#"{"patternProperties": {"^(?!x)": {"type": "integer"}}, "additionalProperties": false}"#.to_owned(),
            vec![r#"{"y": 1}"#],
        ),
        (
            r#"{"allOf": [{"patternProperties": {"^(?!x)": {"type": "integer"}}}], "unevaluatedProperties": false}"#
                .to_owned(),
            vec![r#"{"y": 1}"#],
        ),
    ];
    for (schema, valid) in cases {
        let tool = tool(&schema);
        assert!(tool.warnings().iter().any(|warning| matches!(warning, Warning::UnenforcedPattern { .. })), "{schema}");
        for value in valid {
            assert!(tool.check_arguments(&json(value)).is_ok(), "{schema} refuses {value}");
        }
    }
    let weakened = tool(&format!(r#"{{"type": "object", "properties": {{"a": {{"not": {look}}}}}}}"#));
    let paths: Vec<String> = weakened.warnings().iter().map(ToString::to_string).collect();
    assert!(paths.iter().any(|text| text.starts_with("input.properties.a.not depends on a pattern")), "{paths:?}");
}

#[test]
fn a_pattern_that_is_no_regular_expression_is_refused() {
    let error = refusal(r#"{"properties": {"a": {"pattern": "("}}}"#);
    assert!(error.to_string().contains("properties.a.pattern"), "{error}");
}

#[test]
fn a_pattern_runs_in_linear_time() {
    let tool = tool(r#"{"pattern": "^(a+)+$"}"#);
    let text = format!("\"{}!\"", "a".repeat(100_000));
    assert!(tool.check_arguments(&json(&text)).is_err());
}

#[test]
fn property_names_required_lists_and_large_objects_are_checked_without_a_copy() {
    let tool = tool(r#"{"type": "object", "required": ["k1", "k9999"], "propertyNames": {"pattern": "^k"}}"#);
    let entries: Vec<String> = (0..10_000).map(|nth| format!("\"k{nth}\": {nth}")).collect();
    assert!(tool.check_arguments(&json(&format!("{{{}}}", entries.join(",")))).is_ok());
    let other = violations(&tool, r#"{"k1": 0, "k9999": 0, "other": 0}"#);
    assert_eq!(other, r#"must not have the key "other", which must match the regular expression "^k", not "other""#);
}

#[test]
fn a_harness_holds_its_own_values_against_the_same_vocabulary_and_gets_path_qualified_violations() {
    let schema = Schema::new(json(r#"{"type": "object", "properties": {"a": {"items": {"type": "null"}}}}"#));
    let schema = schema.expect("a schema");
    assert!(schema.says_object() && schema.warnings().is_empty());
    let violations = schema.check(&json(r#"{"a": [null, 1, null, false]}"#)).expect_err("two");
    let paths: Vec<&str> = violations.named.iter().map(|Violation { path, .. }| path.as_str()).collect();
    assert_eq!((paths, violations.more), (vec!["a[1]", "a[3]"], false));
    assert!(
        !Schema::new(ValueSpec::json()).expect("a schema").says_object(),
        "what must be an object is for callers to ask"
    );
}
