//! The sixteen bytes before every payload.

use std::fmt;

use crate::{EncodeError, Violation};

/// The length of a header in bytes.
pub const HEADER_BYTES: usize = 16;

/// The version of the protocol that this crate speaks.
pub const VERSION: u16 = 1;

/// The first four bytes of every frame.
pub const MAGIC: [u8; 4] = *b"DAYF";

/// Bit 0 of a `reply`: the call failed.
pub(crate) const FLAG_FAILED: u8 = 1;

/// One of the two ends of the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a socket has two ends")]
pub enum Side {
    /// The process that runs the program; hostile.
    Worker,
    /// The process that runs the worker.
    Host,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Worker => "worker",
            Self::Host => "host",
        })
    }
}

/// What a frame is.
///
/// Exhaustive on purpose: a new kind must break the build wherever it is not handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(clippy::exhaustive_enums, reason = "a new kind must break the build wherever it is not handled")]
pub enum Kind {
    /// The worker can take a program.
    Ready = 0x01,
    /// The program calls a function of the host.
    Call = 0x02,
    /// The program printed something.
    Log = 0x03,
    /// The program completed.
    Done = 0x04,
    /// The program failed.
    Failed = 0x05,
    /// The program and all that it may call.
    Start = 0x81,
    /// The answer to one call.
    Reply = 0x82,
}

impl Kind {
    /// Every kind of this version.
    pub const ALL: [Self; 7] = [Self::Ready, Self::Call, Self::Log, Self::Done, Self::Failed, Self::Start, Self::Reply];

    /// The byte in the header.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind with this byte, if there is one.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The name in PROTOCOL.md and in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Call => "call",
            Self::Log => "log",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Start => "start",
            Self::Reply => "reply",
        }
    }

    /// The only side that may send it.
    #[must_use]
    pub const fn sender(self) -> Side {
        match self {
            Self::Ready | Self::Call | Self::Log | Self::Done | Self::Failed => Side::Worker,
            Self::Start | Self::Reply => Side::Host,
        }
    }

    /// Whether its header carries the id of a call.
    const fn has_id(self) -> bool {
        match self {
            Self::Call | Self::Reply => true,
            Self::Ready | Self::Log | Self::Done | Self::Failed | Self::Start => false,
        }
    }

    /// The flag bits it may set.
    const fn known_flags(self) -> u8 {
        match self {
            Self::Reply => FLAG_FAILED,
            Self::Ready | Self::Call | Self::Log | Self::Done | Self::Failed | Self::Start => 0,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A checked header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "sixteen bytes that a version fixes")]
pub struct Header {
    /// What the frame is.
    pub kind: Kind,
    /// Bit 0 of a `reply`: the call failed. Every other bit is 0.
    pub flags: u8,
    /// The call's id, from 1, in `call` and `reply`; 0 in all others.
    pub id: u32,
    /// Bytes of payload that follow.
    pub length: u32,
}

/// The header as it lies on the wire: `bincode`, fixed-width little-endian integers, arrays without a length.
#[derive(Debug, Clone, Copy, bincode::Encode, bincode::Decode)]
struct Layout {
    magic: [u8; 4],
    version: u16,
    kind: u8,
    flags: u8,
    id: u32,
    length: u32,
}

const fn layout() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding()
}

impl Header {
    /// Checks a header that `from` sent, in the order of PROTOCOL.md.
    ///
    /// The bytes are taken by value: what has been checked cannot change afterwards.
    ///
    /// # Errors
    ///
    /// The first of [`Violation::Magic`], [`Violation::Version`], [`Violation::UnknownKind`],
    /// [`Violation::WrongSide`], [`Violation::Flags`], [`Violation::Id`] and [`Violation::TooLong`] that applies.
    pub fn decode(bytes: [u8; HEADER_BYTES], from: Side, max_frame_bytes: u32) -> Result<Self, Violation> {
        // The layout has a fixed size, so all that bincode can find wrong is that bytes are missing.
        let Ok((Layout { magic, version, kind, flags, id, length }, _)) =
            bincode::decode_from_slice::<Layout, _>(&bytes, layout())
        else {
            return Err(Violation::Truncated { received: bytes.len(), expected: HEADER_BYTES });
        };
        if magic != MAGIC {
            return Err(Violation::Magic { found: magic });
        }
        if version != VERSION {
            return Err(Violation::Version { found: version });
        }
        let Some(kind) = Kind::from_code(kind) else { return Err(Violation::UnknownKind { found: kind }) };
        if kind.sender() != from {
            return Err(Violation::WrongSide { kind, from });
        }
        if flags & !kind.known_flags() != 0 {
            return Err(Violation::Flags { kind, found: flags });
        }
        if (id != 0) != kind.has_id() {
            return Err(Violation::Id { kind, found: id });
        }
        if length > max_frame_bytes {
            return Err(Violation::TooLong { kind, length, limit: max_frame_bytes });
        }
        Ok(Self { kind, flags, id, length })
    }

    /// The header's bytes.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Header`] if sixteen bytes do not hold the layout, which a test rules out.
    pub fn encode(&self) -> Result<[u8; HEADER_BYTES], EncodeError> {
        let mut bytes = [0; HEADER_BYTES];
        let layout_of = Layout {
            magic: MAGIC,
            version: VERSION,
            kind: self.kind.code(),
            flags: self.flags,
            id: self.id,
            length: self.length,
        };
        match bincode::encode_into_slice(layout_of, &mut bytes, layout()) {
            Ok(HEADER_BYTES) => Ok(bytes),
            Ok(_) | Err(_) => Err(EncodeError::Header),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_at_the_offsets_of_the_protocol() {
        let header = Header { kind: Kind::Reply, flags: 1, id: 0x0403_0201, length: 0x0807_0605 };
        let expected = [0x44, 0x41, 0x59, 0x46, 1, 0, 0x82, 1, 1, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(header.encode().unwrap(), expected);
        assert_eq!(Header::decode(expected, Side::Host, u32::MAX).unwrap(), header);
    }

    #[test]
    fn every_kind_is_found_by_its_code_and_no_other_byte_is_a_kind() {
        let found: Vec<Kind> = (0..=u8::MAX).filter_map(Kind::from_code).collect();
        assert_eq!(found, Kind::ALL);
    }
}
