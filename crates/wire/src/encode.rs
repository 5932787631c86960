//! Messages to frames.

/// A message that cannot be put on the wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The payload is longer than a frame may be.
    #[error("the payload has {bytes} bytes, more than the limit of {limit}; send less, or in several calls")]
    TooLong {
        /// Bytes of the payload; a floor, when counting stopped at the limit.
        bytes: usize,
        /// The cap.
        limit: u32,
    },
    /// The header's layout does not fill its sixteen bytes.
    #[error("the header does not fill its sixteen bytes; this is a defect of this build of dayfly")]
    Header,
}
