//! How a peer can break the protocol.

use crate::{HEADER_BYTES, Kind, MAGIC, Side, VERSION};

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
}
