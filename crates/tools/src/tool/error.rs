//! Why a declaration is refused, and the failures a tool itself makes of a call.

use crate::ToolFailure;
use crate::schema::SchemaError;

/// A tool cannot be declared like this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclarationError {
    /// The name is empty or longer than 1024 bytes.
    #[error("a tool cannot be named {name:?}; use 1 to 1024 bytes")]
    Name {
        /// The name, or the beginning of it.
        name: String,
    },
    /// A timeout of zero, or one that means "for ever".
    #[error("the timeout of the tool `{tool}` must be positive and finite; leave it out for none")]
    Timeout {
        /// The tool's name.
        tool: String,
    },
    /// The schema of the arguments is not usable.
    #[error("the input schema of the tool `{tool}` is refused: {source}")]
    InputSchema {
        /// The tool's name.
        tool: String,
        /// What is wrong with it.
        source: SchemaError,
    },
    /// The schema of the canonical value is not usable.
    #[error("the output schema of the tool `{tool}` is refused: {source}")]
    OutputSchema {
        /// The tool's name.
        tool: String,
        /// What is wrong with it.
        source: SchemaError,
    },
}

/// `INVALID_ARGS`.
pub(super) fn invalid_arguments(tool: &str, violations: &str) -> ToolFailure {
    ToolFailure::coded(
        "ToolArgsError",
        "INVALID_ARGS",
        format!("the arguments of `{tool}` do not match its schema; correct them and call again: {violations}"),
    )
}

/// `INVALID_OUTPUT`.
pub(super) fn invalid_output(tool: &str, violations: &str) -> ToolFailure {
    ToolFailure::coded(
        "ToolOutputError",
        "INVALID_OUTPUT",
        format!(
            "`{tool}` returned a value that does not match its output schema, which is a defect of the tool: {violations}"
        ),
    )
}
