//! Deep, wide and tangled schemas: texts in proportion to them, in time in proportion to them, that compile.
//!
//! Everything runs on a stack of 2 MiB, as tokio's workers have, in debug builds too.

use std::time::Duration;

use dayfly_tools::{Json, Tool};
use nix::time::{ClockId, clock_gettime};

use super::pyright::{Source, agrees};
use super::python::accepts;
use super::texts::{IMPORTS, declare, json, tool};

/// The limit is one of its thread's clock, which stands still while others have the CPU.
fn on_a_workers_stack<T: Send>(limit: Duration, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let measured = move || (work(), clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock"));
        let worker = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, measured).expect("a thread");
        let (done, taken) = worker.join().expect("no panic");
        assert!(Duration::from(taken) < limit, "took {taken}");
        done
    })
}

/// The module of a schema's type, made in time, and in proportion to the schema.
fn module_within(limit: Duration, schema: &Json, times: usize) -> String {
    let text = on_a_workers_stack(limit, || dayfly_tools::sdk::python_type(schema));
    let size = schema.serialized_len();
    assert!(text.len() <= times * size + 4_096, "{} bytes from {size}", text.len());
    let (declarations, ty) = text.rsplit_once('\n').unwrap_or(("", &text));
    format!("{IMPORTS}\n{declarations}\nvalue: {ty}\n")
}

fn nested(levels: usize, open: &str, inner: &str, close: &str) -> Json {
    json(&format!("{}{inner}{}", open.repeat(levels), close.repeat(levels)))
}

fn listed(number: usize, item: impl Fn(usize) -> String) -> String {
    (0..number).map(item).collect::<Vec<_>>().join(",")
}

const LONG: Duration = Duration::from_secs(30);

#[test]
fn deep_schemas_are_cut_into_names_that_compile() {
    let modules: Vec<String> = [
        nested(120, r#"{"type": "array", "items": "#, r#"{"type": "integer"}"#, "}"),
        nested(120, r#"{"type": "object", "additionalProperties": "#, "{}", "}"),
        nested(120, r#"{"type": "object", "properties": {"a": "#, "{}", "}}"),
        nested(120, r#"{"type": "array", "prefixItems": ["#, "{}", "]}"),
        nested(60, r#"{"anyOf": [{"type": "null"}, {"type": "array", "items": "#, r#"{"type": "integer"}"#, "}]}"),
        nested(120, r#"{"allOf": [{"minLength": 1}, "#, r#"{"type": "string"}"#, "]}"),
        nested(2_000, r#"{"items": "#, "{}", "}"),
        json(&format!(r#"{{"const": {}}}"#, nested(2_000, "[", "1", "]"))),
        json(&format!(r#"{{"const": {}}}"#, nested(100, r#"{"a": "#, "1", "}"))),
    ]
    .iter()
    .map(|schema| module_within(LONG, schema, 40))
    .collect();
    accepts(&modules);
    agrees(&modules.iter().map(|module| Source::new(module)).collect::<Vec<_>>());
}

#[test]
fn wide_schemas_compile_and_take_linear_time() {
    let modules: Vec<String> = [
        format!(r#"{{"enum": [{}]}}"#, listed(10_000, |n| format!("\"value {n}\""))),
        format!(
            r#"{{"type": "object", "properties": {{{}}}}}"#,
            listed(3_000, |n| format!(r#""m{n}": {{"type": "string"}}"#))
        ),
        format!(
            r#"{{"type": "object", "properties": {{{}}}}}"#,
            listed(3_000, |n| format!(r#""m-{n}": {{"const": {n}}}"#))
        ),
        format!(
            r#"{{"anyOf": [{}]}}"#,
            listed(1_500, |n| format!(r#"{{"type": "array", "items": {{"const": {n}}}}}"#))
        ),
        format!(
            r#"{{"oneOf": [{}]}}"#,
            listed(1_500, |n| format!(
                r#"{{"type": "object", "properties": {{"k": {{"const": "{n}"}}}}, "required": ["k"]}}"#
            ))
        ),
        format!(r#"{{"prefixItems": [{}]}}"#, listed(1_500, |n| format!(r#"{{"const": {n}}}"#))),
        format!(r#"{{"description": "{}"}}"#, "long \\\" text ".repeat(20_000)),
    ]
    .iter()
    .map(|schema| module_within(LONG, &json(schema), 12))
    .collect();
    accepts(&modules);
}

#[test]
fn schemas_that_share_do_not_multiply() {
    let defs = |number: usize, def: &dyn Fn(usize) -> String| listed(number, |n| format!(r#""D{n}": {}"#, def(n)));
    let rooted = |defs: &str| {
        json(&format!(r##"{{"$ref": "#/$defs/D0", "$defs": {{{defs}, "D100": {{"type": "integer"}}}}}}"##))
    };
    let modules: Vec<String> = [
        // Each refers to the next twice: two to the hundredth, written out.
        rooted(&defs(100, &|n| format!(r##"{{"type": "object", "properties": {{"l": {{"$ref": "#/$defs/D{0}"}}, "r": {{"$ref": "#/$defs/D{0}"}}}}}}"##, n + 1))),
        rooted(&defs(100, &|n| format!(r##"{{"anyOf": [{{"type": "array", "items": {{"$ref": "#/$defs/D{0}"}}}}, {{"type": "object", "additionalProperties": {{"$ref": "#/$defs/D{0}"}}}}]}}"##, n + 1))),
        rooted(&defs(100, &|n| format!(r##"{{"allOf": [{{"$ref": "#/$defs/D{0}"}}, {{"properties": {{"m{n}": {{"$ref": "#/$defs/D{0}"}}}}}}]}}"##, n + 1))),
        // Alternatives beside alternatives: eight to the tenth.
        json(&format!(r#"{{"allOf": [{}]}}"#, listed(10, |n| format!(r#"{{"anyOf": [{}]}}"#, listed(8, |m| format!(r#"{{"type": "object", "properties": {{"a{n}": {{"const": {m}}}}}, "required": ["a{n}"]}}"#)))))),
        // Recursive types that are merged: each pair of places is another type.
        json(&format!(r##"{{"allOf": [{}], "$defs": {{{}}}}}"##,
            listed(8, |n| format!(r##"{{"$ref": "#/$defs/R{n}_0"}}"##)),
            listed(8, |n| listed(n + 3, |m| format!(r##""R{n}_{m}": {{"type": "object", "properties": {{"next": {{"$ref": "#/$defs/R{n}_{}"}}}}}}"##, (m + 1) % (n + 3)))))),
        json(r##"{"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "string"}]}, "B": {"allOf": [{"$ref": "#/$defs/A"}]}}}"##),
        // An alternative that is nothing but another name for what is defined behind it, and one that is a name for that.
        json(r##"{"type": "object", "additionalProperties": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "array", "items": false}, {"const": 1}]}, "$defs": {"A": {"$ref": "#", "description": "itself"}, "B": {"$ref": "#/$defs/A", "description": "again"}}}"##),
        json(r##"{"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/A"}]}, "$defs": {"A": {"$ref": "#", "description": "itself"}}}"##),
        json(r##"{"$ref": "#"}"##),
        json(r##"{"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}"##),
    ]
    .iter()
    .map(|schema| module_within(LONG, schema, 80))
    .collect();
    accepts(&modules);
    agrees(&modules.iter().map(|module| Source::new(module)).collect::<Vec<_>>());
}

#[test]
fn many_tools_that_are_called_almost_the_same_compile() {
    let input = json(
        r##"{"type": "object", "properties": {"query": {"type": "string", "description": "What to look for"}, "filters": {"type": "array",
            "items": {"$ref": "#/$defs/F"}}, "limit": {"type": "integer", "minimum": 1}}, "required": ["query"], "$defs": {"F": {"type":
            "object", "properties": {"field": {"enum": ["a", "b"]}, "value": {"type": ["string", "number", "null"]}}}}}"##,
    );
    // All of one name, but for what is no letter: the worst for names of types.
    let tools: Vec<Tool> = (0..800)
        .map(|n| tool(&format!("tool{}", "-".repeat(n % 200) + &".".repeat(n / 200)), "Does.", &input, &input))
        .collect();
    let sdk = on_a_workers_stack(LONG, || declare(&tools));
    assert_eq!(sdk.bytes.len(), 800);
    accepts(&[sdk.text.to_string()]);
}

#[test]
fn what_python_alone_widens_is_listed_by_its_place() {
    let input = json(
        r#"{"type": "object", "properties": {"pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false},
            "deep": {"type": "object", "properties": {"x/y": {"const": 0.5}}}, "": {"type": "string"}}}"#,
    );
    let sdk = declare(&[tool("t", "", &input, &json(r#"{"type": "array", "items": {"const": [1, 2]}}"#))]);
    let mut found: Vec<(String, String)> = sdk
        .widened
        .iter()
        .map(|widening| (format!("{:?}{}", widening.schema, widening.path), widening.reason.clone()))
        .collect();
    found.sort();
    let lists = "JSON arrays are lists, and lists have no positions";
    let expected = [
        ("Input", "a TypedDict has no member whose name is empty"),
        ("Input/properties/deep/properties/x~1y", "Python has no literal types of floats"),
        ("Input/properties/pair", lists),
        ("Output/items", lists),
    ];
    assert_eq!(found, expected.map(|(path, reason)| (path.to_owned(), reason.to_owned())));
}

/// What is in two schemas that contain themselves contains itself: the type does, too, rather than being unfolded until the
/// budget is spent.
#[test]
fn what_schemas_that_contain_themselves_have_in_common_contains_itself() {
    let of_both = |one: &str, other: &str| {
        json(&format!(
            r##"{{"allOf": [{{"$ref": "#/$defs/A"}}, {{"$ref": "#/$defs/B"}}], "$defs": {{"A": {one}, "B": {other}}}}}"##
        ))
    };
    let itself = |wrapped: &str, text: &str| {
        json(&format!(r##"{{"$ref": "#/$defs/A", {wrapped}: {{"$ref": "#/$defs/A"}}, "$defs": {{"A": {text}}}}}"##))
    };
    let schemas = [
        of_both(
            r##"{"type": "array", "items": {"$ref": "#/$defs/A"}, "description": "one"}"##,
            r##"{"type": "array", "items": {"$ref": "#/$defs/B"}, "description": "other"}"##,
        ),
        of_both(
            r##"{"type": "object", "additionalProperties": {"$ref": "#/$defs/A"}}"##,
            r##"{"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/B"}}}"##,
        ),
        of_both(
            r##"{"type": "array", "prefixItems": [{"type": "string"}, {"$ref": "#/$defs/A"}], "items": {"$ref": "#/$defs/B"}}"##,
            r##"{"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/B"}]}}"##,
        ),
        of_both(
            r##"{"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/A"}}]}"##,
            r##"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/B"}}]}"##,
        ),
        itself(r#""items""#, r##"{"type": "array", "description": "a list of lists", "items": {"$ref": "#"}}"##),
        itself(r#""additionalProperties""#, r##"{"type": "object", "additionalProperties": {"$ref": "#"}}"##),
    ];
    let modules: Vec<String> = schemas.iter().map(|schema| module_within(LONG, schema, 0)).collect();
    for module in &modules {
        assert!(module.len() < 1_500, "{} bytes: {module}", module.len());
    }
    accepts(&modules);
    agrees(&modules.iter().map(|module| Source::new(module)).collect::<Vec<_>>());
    let (lists, _) = modules[0].rsplit_once("value:").unwrap();
    assert!(lists.contains("= list[\""), "{lists}");
}
