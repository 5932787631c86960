//! What of an outcome a session keeps.

use dayfly_runtime::Json;
use serde::{Deserialize, Serialize};

use crate::{Content, ToolOutcome};

/// The durable part of an outcome: without its canonical value, which is never replayed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DurableResult {
    /// Whether the call failed.
    pub is_error: bool,
    /// What the model was shown.
    pub content: Vec<Content>,
    /// What the tool's `presentation_meta` derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

impl DurableResult {
    /// A result as it is read back from a log.
    #[must_use]
    pub const fn new(is_error: bool, content: Vec<Content>, meta: Option<Json>) -> Self {
        Self { is_error, content, meta }
    }
}

impl From<&ToolOutcome> for DurableResult {
    fn from(outcome: &ToolOutcome) -> Self {
        Self { is_error: outcome.is_error(), content: outcome.content.clone(), meta: outcome.meta.clone() }
    }
}
