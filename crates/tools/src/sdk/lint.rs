//! What a harness author should know of tools before a model sees them.

use std::collections::BTreeMap;

use dayfly_runtime::Language;
use dayfly_runtime::json::JsonBuilder;

use super::{Widening, declare, instructions, is_member};
use crate::{Json, Tool, ToolSchema};

/// What was found about a set of tools, in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// Each tool, by name in lexicographic order.
    pub tools: Vec<ToolLint>,
    /// Names that differ only in case or in what is neither letter nor digit: easily mistaken for each other, never merged. What has
    /// neither is like no other name.
    pub similar: Vec<Vec<String>>,
    /// The size of all function definitions.
    pub native: Size,
    /// The size of all declarations, with what they share.
    pub sdk: Size,
    /// The size of the instructions above them, whatever the tools.
    pub instructions: Size,
}

/// What was found about one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolLint {
    /// The exact name.
    pub name: String,
    /// Why the name is awkward, if it is.
    pub odd_name: Vec<OddName>,
    /// Whether the tool has no description: a model can only guess.
    pub undescribed: bool,
    /// Where its declarations admit more than its schemas do.
    pub widened: Vec<Widening>,
    /// The size of its function definition.
    pub native: Size,
    /// The size of its declarations.
    pub sdk: Size,
}

/// Why a name is awkward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OddName {
    /// It is no identifier, or means something else in the language, so it is declared by a subscript, `tools["…"]`.
    Subscript,
    /// Model providers take 1 to 64 of `a–z`, `A–Z`, `0–9`, `_` and `-` for the name of a function definition.
    NotNative,
}

/// The size of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Size {
    /// Its bytes in UTF-8.
    pub bytes: usize,
}

impl Size {
    /// How many tokens it probably has: one for every four bytes, which English and JSON come near to with common tokenizers.
    #[must_use]
    pub const fn tokens(self) -> usize {
        self.bytes.div_ceil(4)
    }
}

/// Looks at tools as they would be declared in a language; of several of one name at the first, which is declared. `None` when there is no renderer for it.
#[must_use]
pub fn lint(language: Language, tools: &[Tool]) -> Option<Lint> {
    let text = declare(language, tools)?;
    let mut sizes: BTreeMap<&str, usize> = text.bytes.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let mut widened: BTreeMap<&str, Vec<Widening>> = BTreeMap::new();
    for widening in &text.widened {
        widened.entry(&widening.tool).or_default().push(widening.clone());
    }
    let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut linted = Vec::with_capacity(tools.len());
    let mut tools: Vec<&Tool> = tools.iter().collect();
    tools.sort_by(|one, other| one.name().cmp(other.name()));
    tools.dedup_by(|other, one| one.name() == other.name());
    for tool in tools {
        let name = tool.name();
        alike.entry(folded(name)).or_default().push(name.to_owned());
        linted.push(ToolLint {
            name: name.to_owned(),
            odd_name: odd_name(language, name),
            undescribed: tool.schema().description.trim().is_empty(),
            widened: widened.remove(name).unwrap_or_default(),
            native: Size { bytes: native(tool.schema()).serialized_len() },
            sdk: Size { bytes: sizes.remove(name).unwrap_or_default() },
        });
    }
    Some(Lint {
        similar: alike.into_values().filter(|names| names.len() > 1).collect(),
        native: Size { bytes: linted.iter().map(|tool| tool.native.bytes).sum() },
        sdk: Size { bytes: text.text.len() },
        instructions: Size { bytes: instructions(language).map_or(0, str::len) },
        tools: linted,
    })
}

/// A tool as model providers are given it.
fn native(schema: &ToolSchema) -> Json {
    let mut json = JsonBuilder::new();
    json.begin_object().key("name").string(&schema.name).key("description").string(&schema.description);
    json.key("parameters").value(&schema.input).end();
    json.finish().unwrap_or_default()
}

fn folded(name: &str) -> String {
    let folded: String =
        name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if folded.is_empty() { name.to_owned() } else { folded }
}

fn odd_name(language: Language, name: &str) -> Vec<OddName> {
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    let mut odd = Vec::new();
    if !is_member(language, name) {
        odd.push(OddName::Subscript);
    }
    if name.len() > 64 || !name.chars().all(plain) {
        odd.push(OddName::NotNative);
    }
    odd
}
