//! The exact, flat JSON that crosses between host and worker.
//!
//! [`Json`] is a value, [`JsonRef`] a view into one. Both are walked with loops and never by recursion, because the
//! depth of a value is a hostile program's choice.
//!
//! What is *lossless*: integers of any size up to [`MAX_NUMBER_DIGITS`] digits, all finite doubles but negative zero, all
//! strings of Unicode scalar values. A decimal text that lies between two doubles is read as the nearest, as both
//! languages do; so `1e-400` is `0.0`, and `1e400` (infinite) and `-1e-400` (negative zero) are refused.

mod build;
mod compact;
mod compare;
mod convert;
mod deserialize;
mod deserialize_key;
mod embed;
mod from;
mod lex;
mod measure;
mod nesting;
mod number;
mod parse;
mod path;
mod plain;
mod print;
mod refusal;
mod serialize;
mod serialize_key;
mod store;
mod tape;
#[cfg(test)]
mod tests;
mod value;
mod value_tree;
mod view;
mod walk;
mod writer;

pub use build::{BuildError, JsonBuilder};
pub use convert::{ConvertError, ConvertProblem, MAX_CONVERSION_DEPTH};
pub use number::{MAX_NUMBER_DIGITS, NumberError};
pub use parse::{ParseError, ParseLimits, Parsed};
pub use refusal::{Refusal, RefusalKind};
pub use value::Json;
pub use view::{Entries, Items, JsonRef};

use writer::Writer;

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "JSON has six kinds of value")]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// An integer or a float.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The name in messages: `null`, `boolean`, `number`, `string`, `array`, `object`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}
