//! What of a declaration cannot be held as it was written.

use std::fmt;

/// Something a harness author should know of a tool that was accepted all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A pattern is beyond a linear-time engine, because it needs look-around or back-references or compiles to more than
    /// 1 MiB. Nothing enforces it: the schema shown to the model asks for it in words.
    UnenforcedPattern {
        /// Where the keyword stands: `input` or `output`, then the path into that schema.
        path: String,
        /// The pattern in quotes, or the beginning of it.
        pattern: String,
    },
    /// A keyword encloses a pattern that is not enforced, or a reference that may lead to one, and would refuse valid
    /// values without it: it is not enforced as it is written either.
    Weakened {
        /// Where the keyword stands: `input` or `output`, then the path into that schema.
        path: String,
    },
    /// A word that JSON Schema does not know, and therefore ignores, is nearly one that it does.
    MisspeltKeyword {
        /// Where it stands: `input` or `output`, then the path into that schema.
        path: String,
        /// The word.
        keyword: String,
        /// What was probably meant.
        meant: &'static str,
    },
    /// The input schema accepts something other than an object, which model providers refuse.
    InputNotAnObject,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnenforcedPattern { path, pattern } => write!(
                f,
                "the pattern {pattern} at {path} is beyond a linear-time engine (look-around, back-references, or more than \
                 1 MiB compiled); nothing enforces it, and the schema's description asks for it: write it without, or check \
                 it in the tool"
            ),
            Self::Weakened { path } => write!(
                f,
                "{path} depends on a pattern that is not enforced, so it is only enforced as far as it does not; rewrite \
                 the pattern without look-around, or check it in the tool"
            ),
            Self::MisspeltKeyword { path, keyword, meant } => {
                let keyword: String = keyword.chars().take(64).collect();
                write!(f, "`{keyword}` at {path} is no keyword and is ignored; did you mean `{meant}`?")
            }
            Self::InputNotAnObject => f.write_str(
                "the input schema does not say `\"type\": \"object\"` at its root, and model providers refuse such a \
                 tool; take an object with one property",
            ),
        }
    }
}
