//! Erases TypeScript's types from a program, position for position, so that what is left runs as JavaScript with every
//! line and column where it was.
//!
//! The program is the body of an async function: `await` and `return` stand at its top level, the code is strict, and
//! `import` and `export` of values have no place in it. What is not a type (an `enum`, a `namespace` with values, a parameter
//! property, a decorator) is refused by name, with its line and what to write instead.
//!
//! The text is hostile. It is scanned for length, depth and chains before it is parsed ([`StripLimits`]), and it is
//! parsed on a thread with a stack sized from those caps, so [`strip`] can be called from a thread of any size.
//! Afterwards the result is parsed again as JavaScript and compared with what was there before: a program is
//! refused rather than run as something else.
//!
//! ```
//! use dayfly_strip::{StripLimits, strip};
//!
//! let stripped = strip("const n: number = await tools.count({} as Query)\nreturn n", &StripLimits::default())?;
//! assert_eq!(stripped.code, "const n         = await tools.count({}         )\nreturn n");
//! assert_eq!(stripped.mentions[0].member, "count");
//! # Ok::<(), dayfly_strip::StripError>(())
//! ```

mod called;
mod edits;
mod erase;
mod error;
mod gaps;
#[cfg(test)]
mod hostile;
mod limits;
mod meant;
mod mentions;
mod parse;
mod position;
mod promises;
mod scan;
mod shape;
mod unawaited;
mod uncalled;
mod unreturned;
mod uses;

pub use error::{Excerpt, StaticImport, StripError, StripErrorKind};
pub use limits::StripLimits;
pub use mentions::Mention;
pub use position::Position;
pub use promises::UsedPromise;

/// A program without its types.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stripped {
    /// JavaScript, as many bytes as the source, with every line end and every kept character at its byte, line and
    /// column.
    pub code: String,
    /// The members of global objects that the program names, each once, in order.
    pub mentions: Vec<Mention>,
    /// The function that was meant to run, when the program only defines functions and calls none: its name, or
    /// `(anonymous)`. Such a program completes without doing anything.
    pub uncalled: Option<String>,
    /// An async function of the program's own that it calls at its top level and does not wait for: its name, or
    /// `(anonymous)`. Such a program ends before the function does, and what the function throws is lost.
    pub unawaited: Option<String>,
    /// Where the last statement stands, when it makes a value, does nothing else and so is lost: a `return` was forgotten.
    pub unreturned: Option<Position>,
    /// The members of global objects that the program only ever calls, each once, in order: it takes them for functions, and
    /// has not asked whether they are there.
    pub called: Vec<Mention>,
    /// Calls whose promises the program uses like their values, in order: an `await` was forgotten.
    pub used_promises: Vec<UsedPromise>,
}

/// Erases the types of one program.
///
/// Blocks the calling thread while a thread of its own parses: within the default [`StripLimits`] that takes
/// milliseconds, at worst a quarter of a second of CPU in a release build. From asynchronous code, call it where blocking
/// is allowed.
///
/// # Errors
///
/// [`StripError`] when the text is not TypeScript, holds what cannot be erased, or is over a limit. Every one says where,
/// and what to write instead.
pub fn strip(source: &str, limits: &StripLimits) -> Result<Stripped, StripError> {
    parse::on_own_stack(source, limits)
}
