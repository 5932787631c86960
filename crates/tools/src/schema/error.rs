//! What is wrong with a schema, and with a value.

use std::fmt;

/// A schema that is not usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// It is not a JSON Schema of its draft, or a reference in it leads nowhere.
    #[error("{}{reason}", at(path))]
    Invalid {
        /// Where in the schema; empty for the schema itself.
        path: String,
        /// What is wrong there.
        reason: String,
    },
    /// It is larger than [`MAX_SCHEMA_BYTES`](super::MAX_SCHEMA_BYTES).
    #[error("it has {bytes} bytes and may have {}; say less, or split the tool", super::MAX_SCHEMA_BYTES)]
    TooLarge {
        /// Its size in bytes of compact JSON.
        bytes: usize,
    },
    /// It is nested deeper than [`MAX_SCHEMA_DEPTH`](super::MAX_SCHEMA_DEPTH).
    #[error("{}it is nested deeper than {} levels; move parts of it into `$defs`", at(path), super::MAX_SCHEMA_DEPTH)]
    TooDeep {
        /// The path of the first part that is too deep.
        path: String,
    },
    /// It has more references than [`MAX_REFERENCES`](super::MAX_REFERENCES).
    #[error(
        "it has {references} references and may have {}; write some of what they lead to in their place",
        super::MAX_REFERENCES
    )]
    TooManyReferences {
        /// How many it has.
        references: usize,
    },
    /// Its `unevaluatedProperties` and `unevaluatedItems` would have to look through more than
    /// [`MAX_UNEVALUATED`](super::MAX_UNEVALUATED) schemas, or through a circle of them.
    #[error(
        "its `unevaluatedProperties` and `unevaluatedItems` have to look through a circle of schemas, or through more than \
         {}, each as often as there are ways to it; use `additionalProperties`, or refer to fewer",
        super::MAX_UNEVALUATED
    )]
    TooIntricate,
    /// The host gave no thread to compile it on.
    #[error("the host has no thread to compile it on; try again")]
    NoThread,
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("at {path}: ") }
}

/// Everything that is wrong with a value, up to a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violations {
    /// The violations, in the schema's order.
    pub named: Vec<Violation>,
    /// Whether there are more.
    pub more: bool,
}

impl Violations {
    pub(super) fn one(path: String, problem: String) -> Self {
        Self { named: vec![Violation { path, problem }], more: false }
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, violation) in self.named.iter().enumerate() {
            if nth > 0 {
                f.write_str("; ")?;
            }
            violation.fmt(f)?;
        }
        if self.more { f.write_str("; and more") } else { Ok(()) }
    }
}

impl std::error::Error for Violations {}

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// Where, such as `items[3].name`; empty for the value itself.
    pub path: String,
    /// What, such as `must be a string, not a number`.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.problem);
        }
        write!(f, "{}: {}", self.path, self.problem)
    }
}
