//! Where long texts are kept.

use std::io;

/// Keeps texts and gives back parts of them.
///
/// The methods may block: they are called on threads that may.
pub trait SpillStore: Send + Sync {
    /// Keeps a text, and says under which name it is found: 1 to 128 of `a`–`z`, `0`–`9` and `-`.
    ///
    /// # Errors
    ///
    /// [`SpillError`] when it cannot be kept; nothing of it is kept then.
    fn keep(&self, text: &str) -> Result<String, SpillError>;

    /// Reads the part of a text that begins at the byte `offset` and has at most `length` bytes. An end of either that falls inside a
    /// character moves to the character's beginning.
    ///
    /// # Errors
    ///
    /// [`SpillError`] when there is no such text, when the offset is beyond its end, and when it cannot be read.
    fn read(&self, locator: &str, offset: u64, length: u64) -> Result<Slice, SpillError>;
}

/// A part of a text that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slice {
    /// The part.
    pub text: String,
    /// Where it begins, in bytes: what was asked for, or the beginning of the character there.
    pub offset: u64,
    /// How many bytes the whole text has.
    pub total: u64,
}

impl Slice {
    /// A part of a text.
    #[must_use]
    pub const fn new(text: String, offset: u64, total: u64) -> Self {
        Self { text, offset, total }
    }

    /// Where the next part begins; `None` at the end.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        let end = self.offset.saturating_add(u64::try_from(self.text.len()).unwrap_or(u64::MAX));
        (end < self.total).then_some(end)
    }
}

/// A text that cannot be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpillError {
    /// The store has no room for it.
    #[error(
        "{bytes} bytes do not fit beside the {used} that are kept already, of {most}; make room, or raise the limit of the store"
    )]
    Full {
        /// The size of the text.
        bytes: u64,
        /// What is kept already.
        used: u64,
        /// What may be kept in all.
        most: u64,
    },
    /// Nothing is kept under this name.
    #[error("nothing is kept as {locator:?}; use the locator that a shortened result names")]
    Unknown {
        /// The name, or the beginning of it.
        locator: String,
    },
    /// The part begins beyond the end.
    #[error("the text has {total} bytes, and the part would begin at {offset}; begin before its end")]
    BeyondTheEnd {
        /// Where the part would begin.
        offset: u64,
        /// The size of the text.
        total: u64,
    },
    /// The store failed.
    #[error("failed to {action}: {source}")]
    Io {
        /// What was attempted, completing "failed to …".
        action: &'static str,
        /// The cause.
        #[source]
        source: io::Error,
    },
}
