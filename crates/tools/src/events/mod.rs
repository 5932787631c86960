//! What a session keeps of its calls: that they were made, and what they came to.
//!
//! Whoever keeps a session implements [`SessionEvents`], or uses [`JsonLines`], and is given to the scope whose calls it
//! keeps with [`Scope::record`](crate::Scope::record). Nothing else in this crate depends on how, or whether, events are
//! stored.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//!
//! use dayfly_tools::{Json, NoArguments, Registry, SessionEvent, Tool, ToolCall};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::new();
//! let agent = registry.scope("reader");
//! let answer = Tool::typed::<NoArguments, u32>("answer").render_plain().execute(async |_, _| Ok(42))?;
//! let _answer = registry.register(answer)?;
//!
//! let kept = Arc::new(Mutex::new(Vec::new()));
//! let keeper = Arc::clone(&kept);
//! let _recording = agent.record(move |event: SessionEvent| keeper.lock().unwrap().push(event));
//! agent.execute(ToolCall::new("call-1", "answer", Json::parse("{}")?)).await;
//!
//! let kept = kept.lock().unwrap();
//! let kinds: Vec<&str> = kept.iter().map(SessionEvent::kind).collect();
//! assert_eq!(kinds, ["tool/call", "tool/result"]);
//! # Ok(())
//! # }
//! ```

mod event;
mod json;
mod json_lines;
mod read;
mod record;

pub use event::{CallEvent, CodeDispatchEvent, CodeDispatchStartEvent, ResultEvent, SessionEvent};
pub use json::EventError;
pub use json_lines::{Flush, JsonLines, JsonLinesError};
pub use read::{ReadError, read_events};

pub(crate) use record::{Keepers, call, dispatch, result};

/// Keeps the events of a session.
///
/// Events come in the order in which they are to be read back: of one batch the calls in the order of submission, and the
/// results in the same, and of one program its calls likewise. Of other calls from within another call there are none: what
/// made them says what it wants to.
pub trait SessionEvents: Send + Sync {
    /// Keeps one event. Must be quick, because the call waits for it.
    ///
    /// Whatever goes wrong here is the keeper's to surface: a call is never changed by it. A panic is logged.
    fn record(&self, event: SessionEvent);
}

impl<F: Fn(SessionEvent) + Send + Sync> SessionEvents for F {
    fn record(&self, event: SessionEvent) {
        self(event);
    }
}
