//! Every schema has a text, the same each time, that is TypeScript.

use dayfly_runtime::{Json, Language};
use dayfly_strip::{StripLimits, strip};
use dayfly_tools::Tool;
use dayfly_tools::sdk::{declare, typescript_type};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
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

fn is_taken(text: &str) -> Result<(), TestCaseError> {
    match strip(text, &StripLimits::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(TestCaseError::fail(format!("{error}\n{text}"))),
    }
}

/// Holds a text against the size of what it was made of: what schemas say, some of it again where it is shared, in longer words.
fn is_linear(schemas: usize, text: &str) -> Result<(), TestCaseError> {
    prop_assert!(text.len() <= 24 * schemas + 8_192, "{} bytes from {schemas}: {text}", text.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_text_of_any_schema_is_typescript(schema in schema()) {
        is_taken(&alone(&schema))?;
        is_linear(schema.serialized_len(), &alone(&schema))?;
        if let Some(tool) = accepted(&schema) {
            let sdk = declare(Language::TypeScript, std::slice::from_ref(&tool)).unwrap();
            is_taken(&sdk.text)?;
            is_linear(2 * schema.serialized_len(), &sdk.text)?;
            let again = accepted(&schema).map(|tool| declare(Language::TypeScript, &[tool]));
            prop_assert_eq!(again, Some(Some(sdk)));
        }
    }

    #[test]
    fn the_text_of_what_is_hardly_a_schema_is_typescript(schema in junk()) {
        is_taken(&alone(&schema))?;
        is_linear(schema.serialized_len(), &alone(&schema))?;
        if let Some(tool) = accepted(&schema) {
            let text = declare(Language::TypeScript, &[tool]).unwrap().text;
            is_taken(&text)?;
            is_linear(2 * schema.serialized_len(), &text)?;
        }
    }
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
