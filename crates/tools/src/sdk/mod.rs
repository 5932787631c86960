//! The text that declares tools to a model that writes programs.
//!
//! The text of an unchanged set of tools is the same to the byte: tools are in the lexicographic order of their names, and what a tool
//! contributes depends on its declaration alone, but for the numbers in names of types that another tool has taken. So it is kept with
//! the tool, and only schemas of tools that are new are looked at. Every schema gets a type. What a type cannot say is a comment beside
//! it, and where a type had to admit more than its schema, [`SdkText::widened`] says where and why.

mod lint;
mod lower;
mod python;
mod shape;
mod typescript;

use std::sync::{Arc, OnceLock};

use dayfly_runtime::{Json, Language};

use crate::Tool;

pub use lint::{Lint, OddName, Size, ToolLint, lint};

/// The SDK of a set of tools in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SdkText {
    /// The declarations, without the instructions around them.
    pub text: Arc<str>,
    /// Where the declarations admit more than the schemas do.
    pub widened: Vec<Widening>,
    /// How many bytes of `text` each tool accounts for, its named types included, in the order of the tools.
    pub bytes: Vec<(String, usize)>,
}

/// A place where a declaration admits more than the schema does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Widening {
    /// The tool's exact name.
    pub tool: String,
    /// Which of its schemas.
    pub schema: SchemaOf,
    /// The JSON pointer into that schema; empty for its root.
    pub path: String,
    /// What could not be said.
    pub reason: String,
}

/// One of a tool's two schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a tool has two schemas")]
pub enum SchemaOf {
    /// Of its arguments.
    Input,
    /// Of its canonical value.
    Output,
}

/// What one tool contributes in each language, made when it is first declared in it and kept for as long as the tool is.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    typescript: OnceLock<typescript::Declared>,
    python: python::Kept,
}

/// Declares tools in a language; never fails. Of several tools of one name the first is declared. `None` when there is no renderer for
/// the language.
#[must_use]
pub fn declare(language: Language, tools: &[Tool]) -> Option<SdkText> {
    match language {
        Language::TypeScript => Some(typescript::declare(tools)),
        Language::Python => Some(python::declare(tools)),
        // A language that the seam learns of before this crate does.
        _ => None,
    }
}

/// How to write programs in a language: what stands above the declarations, always the same text.
#[must_use]
pub fn instructions(language: Language) -> Option<&'static str> {
    match language {
        Language::TypeScript => Some(typescript::INSTRUCTIONS),
        Language::Python => Some(python::INSTRUCTIONS),
        _ => None,
    }
}

/// Whether programs call a tool of this name as `tools.name`, and not by a subscript.
pub(crate) fn is_member(language: Language, name: &str) -> bool {
    if language == Language::Python { python::is_member(name) } else { typescript::is_member(name) }
}

/// The whole section of a prompt: the instructions, and below them the declarations in a fenced block. `None` when there is no renderer
/// for the language.
#[must_use]
pub fn section(language: Language, tools: &[Tool]) -> Option<String> {
    let (instructions, declarations) = (instructions(language)?, declare(language, tools)?);
    let fence = fence(&declarations.text);
    let instructions = instructions.trim_end();
    Some(format!("{instructions}\n\n{fence}{}\n{}\n{fence}", language.name(), declarations.text.trim_end()))
}

/// A fence that the text cannot close: descriptions may have fences of their own.
fn fence(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat((longest + 1).max(3))
}

/// The TypeScript type of the values that a JSON Schema admits, of `JsonValue` and the language's own types. What recurs is `unknown`
/// inside itself: a type that stands alone has no name to refer to.
#[must_use]
pub fn typescript_type(schema: &Json) -> String {
    typescript::type_of(schema)
}

/// The Python type of the values that a JSON Schema admits; `Any` where nothing can be said.
#[must_use]
pub fn python_type(schema: &Json) -> String {
    python::type_of(schema)
}
