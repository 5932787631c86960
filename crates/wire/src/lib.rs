//! The worker protocol: bytes to checked messages, and back, without I/O.

mod decoder;
mod encode;
mod header;
mod host;
mod limits;
mod payload;
mod program_failure;
mod session;
mod violation;
mod worker;

pub use decoder::{Decoder, Frame};
pub use encode::EncodeError;
pub use header::{HEADER_BYTES, Header, Kind, MAGIC, Side, VERSION};
pub use host::{HostMessage, Start, StartErrorClass, StartNamespace};
pub use limits::WireLimits;
pub use program_failure::{ProgramFailure, ProgramFailureKind};
pub use session::{Accepted, Ignored, Session, SessionState, Settlement};
pub use violation::Violation;
pub use worker::WorkerMessage;
