//! An assembled prompt.

use crate::ToolSchema;

/// The sections of a prompt and the tools of the request, in their orders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Assembly {
    /// The sections.
    pub sections: Vec<Section>,
    /// The function definitions.
    pub tools: Vec<ToolSchema>,
}

/// A section of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// Its id, such as `tools:sdk`.
    pub id: String,
    /// Its place; of equal ones the id decides.
    pub order: i32,
    /// Its text; an empty one leaves nothing in the prompt.
    pub text: String,
}

impl Section {
    /// A section.
    #[must_use]
    pub fn new(id: impl Into<String>, order: i32, text: impl Into<String>) -> Self {
        Self { id: id.into(), order, text: text.into() }
    }
}

impl Assembly {
    /// The text of all sections, with an empty line between two.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.sections.iter().map(|section| section.text.as_str()).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join("\n\n")
    }

    /// The section of this id.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }
}
