//! How a peer can break the protocol.

use std::fmt::Write as _;

use dayfly_runtime::json::Refusal;

use crate::{HEADER_BYTES, Kind, MAGIC, SessionState, Side, VERSION};

/// Characters shown of a peer's text that stands where another belongs.
pub(crate) const VALUE_SHOWN: usize = 64;
/// Characters shown of a sentence that may quote a peer's text.
pub(crate) const REASON_SHOWN: usize = 320;

/// The peer broke the protocol; the run ends as `worker-exit` with this as its reason.
///
/// Every message holds what was found, bounded in length and escaped: text of a peer is never shown raw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// A frame does not begin with [`MAGIC`].
    #[error("a frame begins with \"{}\" instead of \"{}\"", found.escape_ascii(), MAGIC.escape_ascii())]
    Magic {
        /// The four bytes.
        found: [u8; 4],
    },
    /// The peer speaks another version.
    #[error("the frame is of protocol version {found}, not {VERSION}")]
    Version {
        /// Its version.
        found: u16,
    },
    /// No kind has this byte.
    #[error("there is no kind {found:#04x} of frame in protocol version {VERSION}")]
    UnknownKind {
        /// The byte.
        found: u8,
    },
    /// The kind belongs to the other side.
    #[error("a {kind} frame came from the {from}, which never sends one")]
    WrongSide {
        /// The kind.
        kind: Kind,
        /// Who sent it.
        from: Side,
    },
    /// A flag bit without a meaning is set.
    #[error("a {kind} frame has the flags {found:#010b}, of which at least one means nothing")]
    Flags {
        /// The kind.
        kind: Kind,
        /// The flags.
        found: u8,
    },
    /// An id where none belongs, or 0 where one does.
    #[error("a {kind} frame has the id {found}; calls and replies count from 1, all else has 0")]
    Id {
        /// The kind.
        kind: Kind,
        /// The id.
        found: u32,
    },
    /// The header promises more than the host takes.
    #[error("a {kind} frame announces {length} bytes, more than the limit of {limit}")]
    TooLong {
        /// The kind.
        kind: Kind,
        /// The announced length of the payload.
        length: u32,
        /// The cap.
        limit: u32,
    },
    /// The stream ended inside a frame.
    #[error("the stream ended after {received} of at least {expected} bytes of a frame (a header has {HEADER_BYTES})")]
    Truncated {
        /// Bytes of the frame that arrived.
        received: usize,
        /// Bytes that were due: the header's, or the whole frame's once the header is known.
        expected: usize,
    },
    /// A payload is not UTF-8.
    #[error("the payload of a {kind} frame is not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The kind.
        kind: Kind,
        /// Where the text breaks, counted from 0 in the payload.
        offset: usize,
    },
    /// A payload is not JSON.
    #[error("the payload of a {kind} frame is not JSON: {reason}")]
    NotJson {
        /// The kind.
        kind: Kind,
        /// What is wrong and where.
        reason: String,
    },
    /// A payload is JSON, but not an object.
    #[error("the payload of a {kind} frame is of type {found}, not an object")]
    NotAnObject {
        /// The kind.
        kind: Kind,
        /// The type of what was found.
        found: &'static str,
    },
    /// A field is absent.
    #[error("a {kind} frame has no field \"{field}\"")]
    MissingField {
        /// The kind.
        kind: Kind,
        /// The field's path.
        field: String,
    },
    /// A field has a value of another type.
    #[error("the field \"{field}\" of a {kind} frame is of type {found}, not {expected}")]
    FieldType {
        /// The kind.
        kind: Kind,
        /// The field's path.
        field: String,
        /// The type that belongs there.
        expected: &'static str,
        /// The type of what was found.
        found: &'static str,
    },
    /// A field has a value of the right type that means nothing.
    #[error("the field \"{field}\" of a {kind} frame is \"{found}\", which is not among its values")]
    FieldValue {
        /// The kind.
        kind: Kind,
        /// The field's path.
        field: String,
        /// The value, cut and escaped.
        found: String,
    },
    /// Something other than an argument or a completion is not lossless, too deep or too large.
    #[error("the payload of a {kind} frame is refused {}", excerpt(&refusal.to_string(), REASON_SHOWN))]
    NotLossless {
        /// The kind.
        kind: Kind,
        /// Where and why.
        refusal: Refusal,
    },
    /// The state of the run does not allow the message.
    #[error("a {kind} frame came {state}")]
    Unexpected {
        /// The kind.
        kind: Kind,
        /// The state.
        state: SessionState,
    },
}

impl Violation {
    /// The name for counters and test vectors, such as `unknown-kind`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Magic { .. } => "magic",
            Self::Version { .. } => "version",
            Self::UnknownKind { .. } => "unknown-kind",
            Self::WrongSide { .. } => "wrong-side",
            Self::Flags { .. } => "flags",
            Self::Id { .. } => "id",
            Self::TooLong { .. } => "too-long",
            Self::Truncated { .. } => "truncated",
            Self::NotUtf8 { .. } => "not-utf8",
            Self::NotJson { .. } => "not-json",
            Self::NotAnObject { .. } => "not-an-object",
            Self::MissingField { .. } => "missing-field",
            Self::FieldType { .. } => "field-type",
            Self::FieldValue { .. } => "field-value",
            Self::NotLossless { .. } => "not-lossless",
            Self::Unexpected { .. } => "unexpected",
        }
    }
}

/// The beginning of a peer's text, with everything escaped that could pass for something else on a terminal.
pub(crate) fn excerpt(text: &str, characters: usize) -> String {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    let mut shown = text[..end].escape_debug().to_string();
    if end < text.len() {
        // Writing to a string cannot fail.
        let _ = write!(shown, "… ({} bytes in all)", text.len());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_peer_is_cut_and_escaped() {
        assert_eq!(excerpt("ruby", VALUE_SHOWN), "ruby");
        assert_eq!(excerpt("a\n\u{1b}[31m\"\u{202e}", VALUE_SHOWN), "a\\n\\u{1b}[31m\\\"\\u{202e}");
        assert_eq!(excerpt(&"é".repeat(1_000_000), VALUE_SHOWN), format!("{}… (2000000 bytes in all)", "é".repeat(64)));
    }
}
