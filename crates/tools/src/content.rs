//! What the model is shown of a result.

use std::borrow::Cow;

use dayfly_runtime::Json;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One block of model-facing content.
///
/// In JSON `{"type":"text","text":…}` or `{"type":"image","mediaType":…,"data":…}`.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// A [`Content`] as it is written.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Block<'a> {
    Text { text: Cow<'a, str> },
    Image { media_type: Cow<'a, str>, data: Cow<'a, str> },
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let block = match self {
            Self::Text(text) => Block::Text { text: text.into() },
            Self::Image { media_type, data } => Block::Image { media_type: media_type.into(), data: data.into() },
        };
        block.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Block::deserialize(deserializer)? {
            Block::Text { text } => Self::Text(text.into_owned()),
            Block::Image { media_type, data } => {
                Self::Image { media_type: media_type.into_owned(), data: data.into_owned() }
            }
        })
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
