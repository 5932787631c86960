//! What listeners decide.

use dayfly_runtime::Json;

use crate::{Content, Context};

/// Whether a call may go on to the guards.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a call is allowed, denied, or somebody is asked")]
pub enum PreDecision {
    /// It may.
    Allow,
    /// It may not.
    Deny {
        /// Why, in words that the model reads.
        reason: String,
    },
    /// Somebody is asked, through the registry's approval.
    Ask {
        /// What is asked, in words that a person reads.
        reason: String,
    },
}

impl PreDecision {
    /// A denial.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny { reason: reason.into() }
    }

    /// A question.
    #[must_use]
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask { reason: reason.into() }
    }
}

/// Whether an outcome stands.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "an outcome is accepted or blocked")]
pub enum PostDecision {
    /// It stands, perhaps with a part of it replaced.
    Accept {
        /// What takes the place of its content or of its value: one of them, never both.
        replace: Option<Replacement>,
        /// Messages to append after the result, after those that the tool deferred.
        contexts: Vec<Context>,
    },
    /// It does not: the call fails, its value, content, metadata and deferred contexts are discarded.
    Block {
        /// Why, in words that the model reads.
        reason: String,
        /// The only messages to append after the result.
        contexts: Vec<Context>,
    },
}

/// What an accepted outcome has instead of its own.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "content or value, never both")]
pub enum Replacement {
    /// What the model is shown; the value stays.
    Content(Vec<Content>),
    /// The canonical value, which is checked as the tool's own and rendered again. Only a success has one to replace.
    Value(Json),
}

impl PostDecision {
    /// The outcome stands as it is.
    #[must_use]
    pub const fn accept() -> Self {
        Self::Accept { replace: None, contexts: Vec::new() }
    }

    /// The outcome stands with other content.
    #[must_use]
    pub const fn replace_content(content: Vec<Content>) -> Self {
        Self::Accept { replace: Some(Replacement::Content(content)), contexts: Vec::new() }
    }

    /// The outcome stands with another value.
    #[must_use]
    pub const fn replace_value(value: Json) -> Self {
        Self::Accept { replace: Some(Replacement::Value(value)), contexts: Vec::new() }
    }

    /// The outcome is withheld.
    #[must_use]
    pub fn block(reason: impl Into<String>) -> Self {
        Self::Block { reason: reason.into(), contexts: Vec::new() }
    }

    /// Adds a message to append after the result.
    #[must_use]
    pub fn with_context(mut self, context: Context) -> Self {
        match &mut self {
            Self::Accept { contexts, .. } | Self::Block { contexts, .. } => contexts.push(context),
        }
        self
    }
}
