//! Well-formed JSON that is not acceptable.

use std::fmt;

/// Why, and where, well-formed JSON was not accepted as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Where in the value, such as `args.items[3]` or `args["odd-name"][0]`; empty for the value itself. Long paths have
    /// their middle left out.
    pub path: String,
    /// What kind of thing was refused.
    pub kind: RefusalKind,
    /// What is wrong and what to do, in words.
    pub reason: String,
}

impl Refusal {
    pub(super) fn new(kind: RefusalKind, path: String, reason: String) -> Self {
        Self { path, kind, reason }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.reason);
        }
        write!(f, "at {}: {}", self.path, self.reason)
    }
}

/// What can be refused in well-formed JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// Arrays and objects are nested deeper than the limit.
    TooDeep,
    /// A number is negative zero.
    NegativeZero,
    /// A number is beyond all doubles.
    Infinite,
    /// A number has more digits than the limit.
    TooManyDigits,
    /// An escape in a string or a key is half of a surrogate pair.
    LoneSurrogate,
    /// The decoded value takes more memory than the limit.
    TooLarge,
    /// An integer is not exactly a double where only doubles can go.
    InexactInteger,
}
