//! What the model is shown of a result.

use dayfly_runtime::Json;

/// One block of model-facing content.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(String),
    /// An image, for models that see: its media type and its bytes in base64.
    Image {
        /// Such as `image/png`.
        media_type: String,
        /// The bytes in base64.
        data: String,
    },
}

impl Content {
    /// A block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The text, when it is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Image { .. } => None,
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A message for the model that is appended after a call's result, never inside it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Context {
    /// Who says it: a plugin, a tool, a policy.
    pub source: String,
    /// What it says.
    pub content: Vec<Content>,
    /// What the harness wants to keep beside it.
    pub meta: Option<Json>,
}

impl Context {
    /// A message of one text block.
    #[must_use]
    pub fn text(source: impl Into<String>, text: impl Into<String>) -> Self {
        Self { source: source.into(), content: vec![Content::Text(text.into())], meta: None }
    }
}
