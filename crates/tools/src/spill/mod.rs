//! Results that are too long to show: a preview goes to the model, the whole is kept, and a tool reads parts of it.
//!
//! A [`Spill`] stands at two places. Of a call that the model made itself, `run_code` among them, it replaces content that is longer than
//! its limit. Of a call that a program made it replaces the copy that the session keeps: the program has had the canonical value, which
//! is never cut. What is kept is read with the tool [`READ_SPILLED`], from the next program or directly.
//!
//! ```
//! use dayfly_tools::spill::{DirectoryStore, Spill};
//! use dayfly_tools::{Json, NoArguments, Registry, Tool, ToolCall};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = std::env::temp_dir().join(format!("dayfly-spill-example-{}", std::process::id()));
//! let registry = Registry::new();
//! let log = Tool::typed::<NoArguments, String>("log").render_plain().execute(async |_, _| Ok("all is well\n".repeat(10_000)))?;
//! registry.register(log)?.keep();
//! let spill = Spill::new(DirectoryStore::open(&directory)?).limit(1_000);
//! let _spill = spill.install(registry.global())?;
//!
//! let shown = registry.execute(ToolCall::new("1", "log", Json::parse("{}")?)).await.text();
//! assert!(shown.len() < 2_000 && shown.contains("`spill-1`"), "{shown}");
//!
//! let slice = Json::parse(r#"{"locator": "spill-1", "offset": 119988, "length": 100}"#)?;
//! let read = registry.execute(ToolCall::new("2", "read_spilled", slice)).await;
//! assert_eq!(read.result?.get("text").and_then(|text| text.as_str()), Some("all is well\n"));
//! # std::fs::remove_dir_all(directory)?;
//! # Ok(())
//! # }
//! ```

mod directory;
mod policy;
mod preview;
mod read;
mod store;

pub use directory::DirectoryStore;
pub use policy::{Installed, Spill};
pub use read::READ_SPILLED;
pub use store::{Slice, SpillError, SpillStore};
