//! Whatever schemas a registry is given, what a model reads of them is TypeScript, the same each time and in proportion to them.
//!
//! It stands here because it is read by the stripper, on which the tools do not depend.

use dayfly::tools::Tool;
use dayfly::tools::sdk::{declare, typescript_type};
use dayfly::{Json, Language};
use dayfly_strip::{StripLimits, strip};
use proptest::prelude::*;

#[path = "../../../crates/tools/tests/sdk/schemas.rs"]
mod schemas;

use schemas::{junk, schema};

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
