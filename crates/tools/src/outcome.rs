//! How a call ended.

use dayfly_runtime::Json;

use crate::{Content, Context};

/// The outcome of one call: frozen once the pipeline gives it out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolOutcome {
    /// The canonical value, or why there is none.
    pub result: Result<Json, ToolFailure>,
    /// What the model is shown. Of a failure exactly `Error: <message>`, unless a later stage replaced it.
    pub content: Vec<Content>,
    /// What a user interface is given beside it; durable.
    pub meta: Option<Json>,
    /// Messages to append after the result, in order.
    pub contexts: Vec<Context>,
}

impl ToolOutcome {
    /// A failed outcome: no value, and the content that every failure has.
    pub(crate) fn failed(failure: ToolFailure, contexts: Vec<Context>) -> Self {
        let content = vec![Content::Text(format!("Error: {}", failure.message))];
        Self { result: Err(failure), content, meta: None, contexts }
    }

    /// Whether the call failed.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        self.result.is_err()
    }

    /// The failure.
    #[must_use]
    pub const fn failure(&self) -> Option<&ToolFailure> {
        match &self.result {
            Ok(_) => None,
            Err(failure) => Some(failure),
        }
    }

    /// The text blocks, joined by line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        self.content.iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n")
    }
}

/// Why a call failed: a sentence for the model, and what programs can tell apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ToolFailure {
    /// What happened and what to do.
    pub message: String,
    /// For programs; never shown to the model.
    pub info: Option<FailureInfo>,
}

impl ToolFailure {
    /// A failure with this text.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), info: None }
    }

    /// A failure that programs can tell apart.
    #[must_use]
    pub fn coded(name: &'static str, code: &'static str, message: impl Into<String>) -> Self {
        Self { message: message.into(), info: Some(FailureInfo { name: name.into(), code: code.into() }) }
    }

    /// A failure with an error's text and that of everything behind it.
    #[must_use]
    pub fn from_error(error: impl std::error::Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::new(message)
    }

    /// The code, such as `INVALID_ARGS`.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.info.as_ref().map(|info| info.code.as_str())
    }
}

/// What programs can tell failures apart by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailureInfo {
    /// The class, such as `ToolArgsError`.
    pub name: String,
    /// The code, such as `INVALID_ARGS`.
    pub code: String,
}
