//! Messages to frames.

use std::fmt;

use bytes::Bytes;
use dayfly_runtime::Json;
use dayfly_runtime::json::Refusal;

use crate::{HEADER_BYTES, Header, Kind};

/// A message that cannot be put on the wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The payload is longer than a frame may be.
    #[error("the payload has {bytes} bytes, more than the limit of {limit}; send less, or in several calls")]
    TooLong {
        /// Bytes of the payload.
        bytes: usize,
        /// The cap.
        limit: u32,
    },
    /// The message holds a refusal where it should hold a value.
    #[error("the message holds no value but its refusal {}; encode a value", refusal.escape_debug())]
    Refused {
        /// The refusal.
        refusal: String,
    },
    /// The header's layout does not fill its sixteen bytes.
    #[error("the header does not fill its sixteen bytes; this is a defect of this build of dayfly")]
    Header,
}

impl EncodeError {
    pub(crate) fn refused(refusal: &Refusal) -> Self {
        Self::Refused { refusal: refusal.to_string() }
    }
}

/// An object of the fields that are present, in this order.
pub(crate) fn object(fields: &[(&str, Option<Json>)]) -> Json {
    Json::object(fields.iter().filter_map(|(name, value)| value.clone().map(|value| (*name, value))))
}

/// One frame: the header, and the payload printed behind it.
pub(crate) fn frame(kind: Kind, flags: u8, id: u32, payload: &Json, limit: u32) -> Result<Bytes, EncodeError> {
    let mut text = BoundedText { bytes: vec![0; HEADER_BYTES], payload: 0, limit };
    // The sink takes everything: what it does not keep it counts.
    let _ = payload.write_to(&mut text);
    let too_long = EncodeError::TooLong { bytes: text.payload, limit };
    let length = u32::try_from(text.payload).ok().filter(|length| *length <= limit).ok_or(too_long)?;
    let header = Header { kind, flags, id, length }.encode()?;
    let mut bytes = text.bytes;
    bytes[..HEADER_BYTES].copy_from_slice(&header);
    Ok(bytes.into())
}

/// Keeps what fits a payload and counts all of it, so that an error can name the size without holding it in memory.
struct BoundedText {
    bytes: Vec<u8>,
    payload: usize,
    limit: u32,
}

impl fmt::Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.payload += text.len();
        if u32::try_from(self.payload).is_ok_and(|payload| payload <= self.limit) {
            self.bytes.extend_from_slice(text.as_bytes());
        }
        Ok(())
    }
}
