//! The worker protocol: bytes to checked messages, and back, without I/O.

mod decoder;
mod encode;
mod header;
mod limits;
mod violation;

pub use decoder::{Decoder, Frame};
pub use encode::EncodeError;
pub use header::{HEADER_BYTES, Header, Kind, MAGIC, Side, VERSION};
pub use limits::WireLimits;
pub use violation::Violation;
