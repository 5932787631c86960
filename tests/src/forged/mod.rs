//! Forged peers: a worker that speaks whatever bytes a test tells it to.
//!
//! A [`ForgedHost`] is a real supervisor whose interpreter, in both languages, is the executable `forged-worker`. It
//! answers the questions by which Dayfly tries an interpreter, and as a worker it plays a [`Script`] on its socket
//! instead of running a program: before `ready`, between `ready` and `start`, and after.
//!
//! ```no_run
//! # async fn example() {
//! use dayfly::{FailureKind, Language, RunRequest};
//! use dayfly_tests::forged::{Ending, ForgedHost, Script};
//! use dayfly_tests::tools;
//!
//! let host = ForgedHost::new();
//! let script = Script::honest(Language::Python)
//!     .frame(0x02, 1, r#"{"global":"tools","name":"echo","args":1}"#)
//!     .await_replies(1)
//!     .send(b"GET / HTTP/1.1\r\n")
//!     .end(Ending::Linger);
//! let result = host.play(Language::Python, &script, RunRequest::new("").bind(tools())).await.unwrap();
//! assert_eq!(result.failure.unwrap().kind(), FailureKind::WorkerExit);
//! host.still_serves(Language::Python).await;
//! # }
//! ```

mod host;
pub mod player;
mod script;

pub use host::{ForgedHost, Turn};
pub use script::{Ending, Script, Step, frame, header};
