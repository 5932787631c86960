//! The worker protocol: bytes to checked messages, and back, without I/O.
//!
//! A worker is hostile from its first byte. Its bytes become an action of the host in four steps, each of which can
//! end in a [`Violation`] and none of which trusts the one before it:
//!
//! 1. [`Decoder`]: bytes to a [`Frame`]. The header is copied, checked, and obeyed only as a copy; memory follows what
//!    has arrived, not what a header announces.
//! 2. [`WorkerMessage::decode`]: a frame to a message whose form is right, within the [`WireLimits`]. A value that
//!    is not lossless JSON is no violation: the message carries a [`Refusal`](dayfly_runtime::json::Refusal) with its
//!    path instead, because the program may be honest and only that one call or completion is lost.
//! 3. [`Session::accept`]: is the message allowed now? Ids rise, a run settles once, what comes too late is
//!    [`Accepted::Ignored`].
//! 4. The caller: does the name exist, is there budget left? That is not the wire's business.
//!
//! In the other direction a [`HostMessage`] becomes the bytes of its frame. `PROTOCOL.md`, beside this crate's
//! manifest, has the byte offsets, every payload and every answer to what should not have been sent. Both message types
//! also have their mirror ([`WorkerMessage::encode`], [`HostMessage::decode`]), for tests and for peers that forge.
//!
//! ```
//! use dayfly_runtime::Json;
//! use dayfly_wire::{Accepted, Decoder, HostMessage, Session, Start, StartNamespace, WireLimits, WorkerMessage};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let from_worker = {
//! #     let ready = WorkerMessage::Ready { language: dayfly_runtime::Language::TypeScript, version: "20.20.2".into() };
//! #     let args = Json::object([("a", 1), ("b", 2)]);
//! #     let call = WorkerMessage::Call { id: 1, global: "tools".into(), name: "add".into(), args: Ok(args) };
//! #     [ready.encode()?, call.encode()?].concat()
//! # };
//! let limits = WireLimits::DEFAULT;
//! let (mut decoder, mut session, mut to_worker) = (Decoder::new(limits), Session::new(), Vec::new());
//!
//! // `feed` stands for the socket; an event loop reads into `decoder.read_buffer()` and copies nothing.
//! decoder.feed(&from_worker);
//! while let Some(frame) = decoder.next()? {
//!     match session.accept(WorkerMessage::decode(&frame, &limits)?)? {
//!         Accepted::Ready { .. } => {
//!             let start = Start::new("return await tools.add({a: 1, b: 2})", &limits)
//!                 .namespace(StartNamespace::new("tools", ["add"]).error_class("ToolCallError", "toolName"));
//!             session.started();
//!             to_worker.push(HostMessage::Start(start).encode()?);
//!         }
//!         Accepted::Call { id, name, args, .. } => {
//!             let outcome = match args {
//!                 Ok(args) if name == "add" => {
//!                     let number = |key| args.get(key).and_then(|value| value.as_i64()).unwrap_or(0);
//!                     Ok(Json::from(number("a") + number("b")))
//!                 }
//!                 Ok(_) => Err(format!("there is no function {name:?}")),
//!                 Err(refusal) => Err(refusal.to_string()),
//!             };
//!             to_worker.push(HostMessage::Reply { id, outcome }.encode_within(limits.max_frame_bytes)?);
//!         }
//!         Accepted::Log(_) | Accepted::Settled(_) | Accepted::Ignored(_) => {}
//!     }
//! }
//! decoder.finish()?;
//! assert_eq!(&to_worker[1][..], b"DAYF\x01\0\x82\0\x01\0\0\0\x01\0\0\x003");
//! # Ok(())
//! # }
//! ```

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
