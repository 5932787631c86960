//! Every schema has a text that is TypeScript: the compiler takes those of a few hundred. The stripper, on which this crate does not
//! depend, takes those of more (`tests/tests/run_code/typescript.rs`).

use dayfly_runtime::{Json, Language};
use dayfly_tools::Tool;
use dayfly_tools::sdk::{declare, typescript_type};
use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

use crate::checker::{compiler, complaints};
use crate::schemas::{junk, schema};
use crate::tools::json;

/// A schema as a tool's, if a registry takes it.
fn accepted(schema: &Json) -> Option<Tool> {
    let tool = Tool::raw("get-stock", schema.clone()).description("Ends */ here.\n\"\"\"");
    tool.output_plain(schema.clone()).execute(|arguments, _| async move { Ok(arguments) }).ok()
}

/// A program of a type that stands alone.
fn alone(schema: &Json) -> String {
    format!("type JsonValue = unknown;\ntype Alone = {};\n", typescript_type(schema))
}

/// So many schemas, the same in every run.
fn sample(strategy: &BoxedStrategy<Json>, count: usize) -> Vec<Json> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

#[test]
fn declarations_of_generated_schemas_type_check() {
    let Some(compiler) = compiler() else { return };
    let schemas = sample(&schema(), 600);
    let mut modules: Vec<(String, String)> = Vec::new();
    for (nth, schema) in schemas.iter().enumerate() {
        if let Some(tool) = accepted(schema) {
            modules.push((format!("tool{nth}"), declare(Language::TypeScript, &[tool]).unwrap().text.to_string()));
        }
    }
    assert!(modules.len() > 200, "a registry takes only {} of the schemas", modules.len());
    modules.extend(schemas.iter().enumerate().map(|(nth, schema)| (format!("alone{nth}"), alone(schema))));
    let junk = sample(&junk(), 300);
    modules.extend(junk.iter().enumerate().map(|(nth, schema)| (format!("junk{nth}"), alone(schema))));
    let said = complaints(&compiler, &modules);
    let first = said.first().and_then(|line| line.split_once(".ts")).map(|(name, _)| name.to_owned());
    let text = modules.iter().find(|(name, _)| Some(name) == first.as_ref()).map(|(_, text)| text.as_str());
    assert!(said.is_empty(), "{}\n{}", said.join("\n"), text.unwrap_or_default());
}

#[test]
fn a_type_of_any_depth_is_written_on_a_small_stack() {
    let deep = |open: &str, close: &str| json(&format!("{}true{}", open.repeat(10_000), close.repeat(10_000)));
    let schemas = [
        deep(r#"{"items": "#, "}"),
        deep(r#"{"properties": {"a": "#, "}}"),
        deep(r#"{"allOf": ["#, "]}"),
        deep(r#"{"anyOf": ["#, "]}"),
        deep(r#"{"not": "#, "}"),
        deep(r#"{"const": ["#, "]}"),
        deep(r#"{"$id": "a/", "items": "#, "}"),
    ];
    let written = std::thread::Builder::new()
        .stack_size(128 << 10)
        .spawn(move || schemas.iter().map(|schema| typescript_type(schema).len()).max());
    assert!(written.unwrap().join().unwrap() < Some(64 << 10));
}
