//! Declarations in TypeScript.
//!
//! What a type says is what `tsc --strict` holds. An object whose schema does not say whether it is open has no index signature:
//! objects of TypeScript admit further members by nature, and only a literal is held to the declared ones.

mod names;
mod plan;
mod text;
mod tool;
mod words;
mod write;

use std::sync::Arc;

use dayfly_runtime::Json;

use super::SdkText;
use crate::Tool;
use names::Given;
pub(super) use text::is_identifier as is_member;
pub(super) use tool::Declared;

pub(super) const INSTRUCTIONS: &str = include_str!("instructions.md").trim_ascii_end();

const BEFORE: &str = "\
type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}
";

const AFTER: &str = "
type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
";

/// Declares tools, in the order of their names.
pub(super) fn declare(tools: &[Tool]) -> SdkText {
    let mut tools: Vec<&Tool> = tools.iter().collect();
    tools.sort_by(|one, other| one.name().cmp(other.name()));
    tools.dedup_by(|other, one| one.name() == other.name());
    let declared: Vec<&Declared> =
        tools.iter().map(|tool| tool.sdk().typescript.get_or_init(|| tool::declared(tool))).collect();
    let mut given = Given::new();
    let names: Vec<Vec<String>> =
        declared.iter().map(|tool| tool.wanted.iter().map(|wanted| given.give(wanted)).collect()).collect();

    let mut text = String::from(BEFORE);
    let mut bytes: Vec<(String, usize)> = tools.iter().map(|tool| (tool.name().to_owned(), 0)).collect();
    let mut append = |text: &mut String, template: fn(&Declared) -> &tool::Template| {
        for ((tool, names), bytes) in declared.iter().zip(&names).zip(&mut bytes) {
            let from = text.len();
            template(tool).append(&tool.wanted, names, text);
            bytes.1 += text.len() - from;
        }
    };
    if names.iter().any(|names| !names.is_empty()) {
        text.push('\n');
        append(&mut text, |tool| &tool.types);
    }
    text.push_str("\ninterface ToolArgsMap {");
    append(&mut text, |tool| &tool.arguments);
    text.push_str("\n}\n\ninterface ToolOutputMap {");
    append(&mut text, |tool| &tool.output);
    text.push_str("\n}\n");
    text.push_str(AFTER);
    let widened = declared.iter().flat_map(|tool| tool.widened.iter().cloned()).collect();
    SdkText { text: Arc::from(text), widened, bytes }
}

/// The type of the values that a schema admits.
pub(super) fn type_of(schema: &Json) -> String {
    tool::type_of(schema)
}
