//! Why a value has no counterpart on the other side of a conversion.

use std::fmt;

use super::measure::too_deep;
use super::{JsonRef, NumberError, Refusal};

/// The deepest value that is converted to and from types whose own code recurses.
pub const MAX_CONVERSION_DEPTH: usize = 128;

/// A conversion between [`Json`](super::Json) and another type failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConvertError {
    /// Where in the value, such as `items[3].name`; empty for the value itself.
    pub path: String,
    /// What is wrong there.
    pub problem: ConvertProblem,
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "at {}: ", self.path)?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for ConvertError {}

/// What made a conversion fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertProblem {
    /// The value is nested deeper than a type with recursive code should see.
    #[error("{}", too_deep(*limit))]
    TooDeep {
        /// The limit in levels.
        limit: usize,
    },
    /// A double is not lossless JSON.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// An integer has no exact counterpart.
    #[error("the integer {shown} does not fit {target}; send it as a string")]
    Integer {
        /// The integer's text, or the beginning of it.
        shown: String,
        /// What it does not fit.
        target: &'static str,
    },
    /// Text that stands for a number is none that is acceptable.
    #[error("{0}")]
    NumberText(String),
    /// A map's key is neither text nor something with an obvious text.
    #[error("a key must be a string, a character, an integer, a boolean or a unit variant; convert it to text first")]
    Key,
    /// The type's own code says so.
    #[error("{0}")]
    Message(String),
}

impl ConvertProblem {
    pub(super) fn integer(text: &str, target: &'static str) -> Self {
        let shown = if text.len() > 50 { format!("{}…", &text[..50]) } else { text.to_owned() };
        Self::Integer { shown, target }
    }

    pub(super) const fn at(self, path: String) -> ConvertError {
        ConvertError { path, problem: self }
    }
}

impl serde::ser::Error for ConvertProblem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Message(message.to_string())
    }
}

/// Refuses a value that recursive code should not see.
pub(super) fn check_depth(value: JsonRef<'_>, limit: usize) -> Result<(), ConvertError> {
    value.check_depth(limit).map_err(|Refusal { path, .. }| ConvertProblem::TooDeep { limit }.at(path))
}
