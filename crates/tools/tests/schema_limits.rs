//! Deep, large and intricate schemas and values: checked or refused by name, at no cost of a stack or of a host's time.
//!
//! Everything runs on a stack of 2 MiB, as tokio's workers have, in debug builds too. The times that are asserted are at
//! least tenfold what was measured; without its limit each of these cases takes hours, or all memory.

#![expect(clippy::expect_used, reason = "helpers of tests, which may panic")]

use std::time::Duration;

use dayfly_tools::schema::{
    IntoSchema, MAX_REFERENCES, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_VALUE_DEPTH, Parameters, SchemaError, ValueSpec,
};
use dayfly_tools::{DeclarationError, Json, Tool, ToolFailure};
use nix::time::{ClockId, clock_gettime};

const LIST: &str = r##"{"$ref": "#/$defs/list", "$defs": {"list": {"type": "object", "additionalProperties": false,
    "properties": {"next": {"$ref": "#/$defs/list"}, "value": {"type": "integer"}}}}}"##;

/// Each branch of the choice recurses before it looks at the tag, so what is wrong at the bottom is found again by both
/// branches of every level: a power of the depth.
const TREE: &str = r##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"oneOf": [
    {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "op": {"const": "add"}}, "required": ["op"]},
    {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "op": {"const": "sub"}}, "required": ["op"]},
    {"type": "integer"}]}}}"##;

const INTRICATE: &str = "is too intricate to be held against this schema";

fn json(text: &str) -> Json {
    Json::parse(text).expect("the test's own JSON")
}

fn declare(schema: impl IntoSchema) -> Result<Tool, DeclarationError> {
    Tool::raw("t", schema).output_plain(json("true")).execute(|arguments, _| async move { Ok(arguments) })
}

fn tool(schema: &str) -> Tool {
    declare(json(schema)).expect("a declaration")
}

fn refusal(schema: impl IntoSchema) -> SchemaError {
    match declare(schema) {
        Err(DeclarationError::InputSchema { source, .. }) => source,
        other => panic!("{other:?}"),
    }
}

/// Runs on a stack of 2 MiB, and within a time on the clock of its thread, which stands still while others have the CPU.
fn on_a_workers_stack<T: Send>(limit: Duration, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let measured = move || (work(), clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock"));
        let worker = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, measured).expect("a thread");
        let (done, taken) = worker.join().expect("no panic");
        assert!(Duration::from(taken) < limit, "took {taken}");
        done
    })
}

fn nested(levels: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

/// Schemas `a0` to `aN`, each of which says `link` of the next.
fn chain(links: usize, link: impl Fn(&str) -> String, end: &str) -> String {
    let links: Vec<String> = (0..links)
        .map(|nth| format!(r##""a{nth}": {}"##, link(&format!("#/$defs/a{}", nth + 1))))
        .chain([format!(r#""a{links}": {end}"#)])
        .collect();
    format!(r##"{{"$ref": "#/$defs/a0", "$defs": {{{}}}}}"##, links.join(","))
}

fn message(checked: Result<(), ToolFailure>) -> String {
    checked.expect_err("a refusal").message
}

#[test]
fn values_are_held_against_recursive_schemas_to_the_limit_and_refused_by_path_beyond_it() {
    on_a_workers_stack(Duration::from_secs(10), || {
        let tool = tool(LIST);
        for depth in [1, 2, 64, MAX_VALUE_DEPTH] {
            let value = |inner: &str| json(&nested(depth - 1, r#"{"next":"#, inner, "}"));
            assert!(tool.check_arguments(&value(r#"{"value": 1}"#)).is_ok(), "{depth}");
            let wrong = message(tool.check_arguments(&value(r#"{"value": "x"}"#)));
            assert!(wrong.ends_with(r#"value: must be an integer, not the string "x""#), "{wrong}");
        }
        for depth in [MAX_VALUE_DEPTH + 1, 10_000] {
            let deep = json(&nested(depth, r#"{"next":"#, "1", "}"));
            let refused = message(tool.check_arguments(&deep));
            assert!(refused.contains("next.next.next.next.next.next.next.next…(240 more)…"), "{refused}");
            assert!(refused.contains("nested deeper than the limit of 256 levels"), "{refused}");
            assert!(tool.check_output(&deep).is_ok(), "a schema that asks nothing takes any depth");
        }
    });
}

#[test]
fn the_violations_of_alternatives_that_recurse_are_told_in_time() {
    on_a_workers_stack(Duration::from_secs(60), || {
        let tool = tool(TREE);
        for depth in [4, 16, MAX_VALUE_DEPTH] {
            let value = |inner: &str| json(&nested(depth, r#"{"left":"#, inner, r#","op":"add"}"#));
            assert!(tool.check_arguments(&value("1")).is_ok(), "{depth}");
            let wrong = message(tool.check_arguments(&value(r#""x""#)));
            assert!(wrong.contains("left.left.left.left"), "at {depth} levels it says where to begin: {wrong}");
        }
    });
}

#[test]
fn a_schema_that_costs_a_power_of_its_size_is_given_up_on() {
    let twice = |next: &str| format!(r#"{{"allOf": [{{"$ref": "{next}"}}, {{"$ref": "{next}"}}]}}"#);
    let either = |next: &str| format!(r#"{{"anyOf": [{{"$ref": "{next}"}}, {{"$ref": "{next}"}}]}}"#);
    let chosen = |next: &str| {
        format!(r#"{{"if": {{"$ref": "{next}"}}, "then": {{"$ref": "{next}"}}, "else": {{"$ref": "{next}"}}}}"#)
    };
    let dependent = |next: &str| format!(r#"{{"dependentSchemas": {{"a": {{"$ref": "{next}"}}}}, "$ref": "{next}"}}"#);
    on_a_workers_stack(Duration::from_secs(120), || {
        let numbers = r#"{"type": ["number", "object"]}"#;
        let mut given_up = 0;
        for (schema, valid) in [
            (chain(60, twice, "true"), true),
            (chain(60, twice, numbers), true),
            (chain(60, either, "false"), false),
            (chain(60, either, r#"{"type": "null"}"#), false),
            (chain(60, chosen, "true"), true),
            (chain(60, dependent, "true"), true),
        ] {
            let tool = tool(&schema);
            // Some are decided in time after all: the validator remembers what it knows of a container.
            for value in ["1", r#"{"a": 1}"#] {
                match tool.check_arguments(&json(value)) {
                    Ok(()) => assert!(valid, "{schema}"),
                    Err(failure) if failure.message.contains(INTRICATE) => given_up += 1,
                    Err(failure) => assert!(!valid, "{schema} {failure}"),
                }
            }
        }
        assert!(given_up >= 4, "{given_up}");
    });
}

#[test]
fn unevaluated_keywords_that_would_take_a_power_of_the_schemas_size_to_compile_are_refused() {
    const TWICE: &str = r#"[{"$ref": "NEXT"}, {"$ref": "NEXT"}]"#;
    let closed = format!(r#"{{"anyOf": {TWICE}, "unevaluatedProperties": false}}"#);
    let dynamic = r#"{"$ref": "NEXT", "$dynamicRef": "NEXT", "unevaluatedItems": false}"#.to_owned();
    let open = format!(r#"{{"if": {{"$ref": "NEXT"}}, "else": {{"allOf": {TWICE}}}}}"#);
    on_a_workers_stack(Duration::from_secs(60), || {
        for link in [&closed, &dynamic, &open] {
            let schema = |links, by: fn(&str) -> String| {
                let text = chain(links, |next| link.replace("NEXT", &by(next)), r#"{"properties": {"a": {}}}"#);
                text.replacen('{', r#"{"unevaluatedProperties": false, "#, 1)
            };
            assert!(tool(&schema(5, str::to_owned)).check_arguments(&json(r#"{"a": 1}"#)).is_ok(), "{link}");
            assert_eq!(refusal(json(&schema(60, str::to_owned))), SchemaError::TooIntricate, "{link}");
            let coded = |next: &str| next.replace('$', "%24");
            assert_eq!(refusal(json(&schema(60, coded))), SchemaError::TooIntricate, "{link}");
        }
        let straight = chain(2_000, |next| format!(r#"{{"$ref": "{next}"}}"#), r#"{"properties": {"a": {}}}"#);
        let long = tool(&straight.replacen('{', r#"{"unevaluatedProperties": false, "#, 1));
        assert!(long.check_arguments(&json(r#"{"a": 1}"#)).is_ok());
        assert!(long.check_arguments(&json(r#"{"b": 1}"#)).is_err());
        let circle = r##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}], "unevaluatedProperties": false},
            "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}"##;
        assert_eq!(refusal(json(circle)), SchemaError::TooIntricate);
    });
}

#[test]
fn unevaluated_keywords_see_through_references_however_they_are_written() {
    for (reference, id) in [("#/$defs/x", ""), ("#named", ""), ("inner", r#""$id": "inner", "#), ("#/$defs/%78", "")] {
        let schema = format!(
            r##"{{"$id": "https://example.com/root", "$ref": "{reference}", "unevaluatedProperties": false,
                "$defs": {{"x": {{{id}"$anchor": "named", "properties": {{"a": true}}}}}}}}"##
        );
        let tool = tool(&schema);
        assert!(tool.check_arguments(&json(r#"{"a": 1}"#)).is_ok(), "{reference}");
        assert!(tool.check_arguments(&json(r#"{"b": 1}"#)).is_err(), "{reference}");
    }
}

#[test]
fn a_chain_of_references_to_the_limit_is_compiled_followed_and_dropped() {
    on_a_workers_stack(Duration::from_secs(60), || {
        let link = |next: &str| format!(r#"{{"$ref": "{next}"}}"#);
        let tool = tool(&chain(MAX_REFERENCES - 1, link, r#"{"type": "string"}"#));
        assert!(tool.check_arguments(&json(r#""x""#)).is_ok());
        assert!(message(tool.check_arguments(&json("1"))).ends_with("must be a string, not 1"));
        drop(tool);
        let error = refusal(json(&chain(MAX_REFERENCES, link, "true")));
        assert_eq!(error, SchemaError::TooManyReferences { references: MAX_REFERENCES + 1 });
    });
}

#[test]
fn a_draft_7_chain_of_references_is_followed_too_although_nothing_can_stand_beside_one() {
    on_a_workers_stack(Duration::from_secs(60), || {
        let link = |next: &str| format!(r#"{{"$ref": "{next}"}}"#);
        let latest = chain(MAX_REFERENCES - 1, link, r#"{"type": "string"}"#);
        let allof = latest.replacen(r##""$ref": "#/$defs/a0""##, r##""allOf": [{"$ref": "#/$defs/a0"}]"##, 1);
        let tool = tool(&allof.replacen('{', r#"{"$schema": "http://json-schema.org/draft-07/schema#", "#, 1));
        assert!(message(tool.check_arguments(&json("1"))).ends_with("must be a string, not 1"));
    });
}

#[test]
fn a_schema_is_compiled_to_the_limit_of_depth_and_refused_by_path_beyond_it() {
    on_a_workers_stack(Duration::from_secs(60), || {
        for (open, close) in [(r#"{"items":"#, "}"), (r#"{"not":"#, "}"), (r#"{"allOf":["#, "]}")] {
            let levels = open.matches(['{', '[']).count();
            let deepest = tool(&nested(MAX_SCHEMA_DEPTH / levels, open, "true", close));
            let value = json(&nested(MAX_VALUE_DEPTH, "[", "", "]"));
            let _ = deepest.check_arguments(&value);
            for beyond in [MAX_SCHEMA_DEPTH / levels + 1, 10_000] {
                let error = refusal(json(&nested(beyond, open, "true", close)));
                assert!(matches!(&error, SchemaError::TooDeep { path } if path.contains("more)…")), "{error}");
            }
        }
    });
}

#[test]
fn a_schema_that_is_given_as_a_value_is_refused_for_its_depth_in_the_same_words() {
    on_a_workers_stack(Duration::from_secs(60), || {
        let value =
            |levels: usize| (1..levels).fold(serde_json::json!({}), |inner, _| serde_json::json!({ "not": inner }));
        assert!(declare(value(MAX_SCHEMA_DEPTH)).is_ok());
        let error = refusal(value(MAX_SCHEMA_DEPTH + 1));
        assert!(matches!(&error, SchemaError::TooDeep { path } if path.starts_with("not.not")), "{error:?}");
        assert!(
            error.to_string().ends_with("it is nested deeper than 128 levels; move parts of it into `$defs`"),
            "{error}"
        );
    });
}

#[test]
fn a_deep_recipe_is_refused_and_overflows_nothing() {
    on_a_workers_stack(Duration::from_secs(60), || {
        let deep = (0..2_000).fold(ValueSpec::json(), |inner, _| ValueSpec::array().items(inner).into());
        assert!(matches!(refusal(deep), SchemaError::TooDeep { .. }));
    });
}

#[test]
fn a_schema_beyond_the_limit_of_size_is_refused() {
    let described = |bytes: usize| Parameters::new().optional("a", ValueSpec::json().description("x".repeat(bytes)));
    assert!(declare(described(MAX_SCHEMA_BYTES - 1_000)).is_ok());
    let error = refusal(described(MAX_SCHEMA_BYTES));
    assert!(matches!(error, SchemaError::TooLarge { bytes } if bytes > MAX_SCHEMA_BYTES), "{error}");
}

#[test]
fn a_schema_of_a_stranger_does_not_compile_to_any_amount_of_memory() {
    let patterns: Vec<String> = (0..300).map(|nth| format!(r#"{{"pattern": "^[a-z]{{{nth}}}$"}}"#)).collect();
    let error = refusal(json(&format!(r#"{{"anyOf": [{}]}}"#, patterns.join(","))));
    assert!(error.to_string().contains("more than 256 different patterns"), "{error}");
    let large = tool(r#"{"pattern": "^(\\p{L}x|y\\p{Lu}){0,100}$"}"#);
    assert!(large.warnings().iter().any(|warning| warning.to_string().contains("1 MiB")), "{:?}", large.warnings());
}

#[test]
fn large_values_cost_in_proportion_to_their_size() {
    on_a_workers_stack(Duration::from_secs(120), || {
        let unique = tool(r#"{"uniqueItems": true, "items": {"type": ["object", "integer"], "required": ["k"]}}"#);
        let numbers: Vec<String> = (0..200_000).map(|nth| nth.to_string()).collect();
        assert!(unique.check_arguments(&json(&format!("[{}]", numbers.join(",")))).is_ok());
        let objects: Vec<String> = (0..50_000).map(|nth| format!(r#"{{"k": [{nth}]}}"#)).collect();
        assert!(unique.check_arguments(&json(&format!("[{}]", objects.join(",")))).is_ok());
        assert!(
            message(unique.check_arguments(&json(&format!("[{}]", vec!["{}"; 200_000].join(","))))).contains("more")
        );

        let names: Vec<String> = (0..500).map(|nth| format!("\"k{nth}\"")).collect();
        let wide = tool(&format!(r#"{{"type": "object", "required": [{}]}}"#, names.join(",")));
        let entries: Vec<String> = (0..100_000).map(|nth| format!("\"k{nth}\": {nth}")).collect();
        assert!(wide.check_arguments(&json(&format!("{{{}}}", entries.join(",")))).is_ok());
    });
}

#[test]
fn checks_on_many_threads_at_once_share_one_tool() {
    let tool = tool(LIST);
    let value = json(&nested(MAX_VALUE_DEPTH - 1, r#"{"next":"#, "{}", "}"));
    std::thread::scope(|scope| {
        let checks: Vec<_> = (0..8).map(|_| scope.spawn(|| tool.check_arguments(&value).is_ok())).collect();
        assert!(checks.into_iter().all(|check| check.join().expect("no panic")));
    });
}

#[test]
fn what_an_intricate_schema_iterates_over_counts_as_looked_at() {
    let names: Vec<String> = (0..5_000).map(|name| format!("\"k{name}\": 1")).collect();
    let numbers: Vec<String> = (0..5_000).map(|number| number.to_string()).collect();
    let object = format!("{{{}}}", names.join(","));
    let array = format!("[{}]", numbers.join(","));
    for (leaf, value) in [("true", &object), (r#"{"uniqueItems": true}"#, &array)] {
        let mut definitions: Vec<String> = (0..40)
            .map(|level| {
                let next = level + 1;
                format!("\"a{level}\": {{\"allOf\": [{{\"$ref\": \"#/$defs/a{next}\"}}, {{\"$ref\": \"#/$defs/a{next}\"}}]}}")
            })
            .collect();
        definitions.push(format!("\"a40\": {leaf}"));
        let schema = format!("{{\"$ref\": \"#/$defs/a0\", \"$defs\": {{{}}}}}", definitions.join(","));
        let (tool, value) = (tool(&schema), json(value));
        let refused = on_a_workers_stack(Duration::from_secs(60), || message(tool.check_arguments(&value)));
        assert!(refused.contains(INTRICATE), "{leaf}: {refused}");
    }
}
