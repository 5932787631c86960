//! Declared, typed, policy-checked tools: what a model may use, and everything that stands around each use of it.
//!
//! A harness declares its tools, registers them for all agents or for one, puts policy around them, and makes the calls that its
//! model asks for. Every call comes to an outcome: a value for programs and content for the model, or a failure in words.
//!
//! # A registry
//!
//! A tool is a name, a description, types, a body, and a way to show its value to a model. Its schemas come from its
//! types, its arguments are checked before the body runs and its value before anybody sees it.
//!
//! ```
//! use dayfly_tools::{Json, Registry, RunContext, Tool, ToolCall};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Lookup {
//!     /// The country's name in English.
//!     country: String,
//! }
//!
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! struct Capital {
//!     name: String,
//!     people: u64,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let capital = Tool::typed::<Lookup, Capital>("capital")
//!     .description("Says the capital of a country and how many live there.")
//!     .render(|lookup, capital| format!("{}: {} ({} people)", lookup.country, capital.name, capital.people))
//!     .concurrency_safe(|_| true)
//!     .execute(async |lookup: Lookup, _run: RunContext| match lookup.country.as_str() {
//!         "Iceland" => Ok(Capital { name: "Reykjavík".to_owned(), people: 139_000 }),
//!         other => Err(dayfly_tools::ToolFailure::new(format!("no country named `{other}` is known; use its English name"))),
//!     })?;
//!
//! let registry = Registry::new();
//! let _capital = registry.register(capital)?;
//!
//! let call = |country: &str| ToolCall::new("call-1", "capital", Json::object([("country", country)]));
//! let outcome = registry.execute(call("Iceland")).await;
//! assert_eq!(outcome.text(), "Iceland: Reykjavík (139000 people)");
//! assert_eq!(outcome.result?.to_string(), r#"{"name":"Reykjavík","people":139000}"#);
//!
//! // A failure is an outcome too. The model reads it, and can do better.
//! let outcome = registry.execute(call("Island")).await;
//! assert_eq!(outcome.text(), "Error: no country named `Island` is known; use its English name");
//! let outcome = registry.execute(ToolCall::new("call-2", "capital", Json::parse(r#"{"land": "Iceland"}"#)?)).await;
//! assert_eq!(outcome.failure().and_then(|failure| failure.code()), Some("INVALID_ARGS"));
//! # Ok(())
//! # }
//! ```
//!
//! What is registered goes when its handle does: `_capital` above is the tool's life. [`Registration::keep`] gives that up. Tools
//! that come with a JSON Schema of their own are declared with [`Tool::raw`], or with the vocabulary of [`schema`].
//!
//! # Agents
//!
//! A [`Scope`] is one agent's view. It sees what is registered for all, what is registered in it, which shadows the former,
//! and not what it masks. Scopes nest.
//!
//! ```
//! use dayfly_tools::{Filter, Json, NoArguments, Registry, Tool, ToolCall};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let says = |name: &str, what: &'static str| {
//!     Tool::typed::<NoArguments, String>(name).render_plain().execute(async |_, _| Ok(what.to_owned()))
//! };
//! let registry = Registry::new();
//! registry.register(says("whoami", "somebody")?)?.keep();
//! registry.register(says("erase", "gone")?)?.keep();
//!
//! let reader = registry.scope("reader");
//! let _own = reader.register(says("whoami", "the reader")?)?;
//! let _mask = reader.restrict(Filter::deny(["erase"]))?;
//!
//! let names: Vec<String> = reader.schemas().into_iter().map(|schema| schema.name).collect();
//! assert_eq!(names, ["whoami"]);
//! let outcome = reader.execute(ToolCall::new("1", "whoami", Json::parse("{}")?)).await;
//! assert_eq!(outcome.text(), "the reader");
//! # Ok(())
//! # }
//! ```
//!
//! [`Scope::schemas`] is what a model is shown, in an order that does not change, and [`Scope::changes`] says when to look again.
//!
//! # Policy
//!
//! Listeners allow, deny or ask before a call runs, guards deny for good, layers stand around the body, and listeners review what came
//! of it. All of it is registered with a scope, or built into the registry, and none of it can change what was asked for.
//!
//! ```
//! use std::time::Duration;
//!
//! use dayfly_tools::{Execution, Json, NoArguments, PreDecision, Registry, TimeoutLayer, Tool, ToolCall};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::builder().layer(TimeoutLayer::new().fallback(Duration::from_secs(60))).build()?;
//! let erase = Tool::typed::<NoArguments, String>("erase").render_plain().execute(async |_, _| Ok("gone".to_owned()))?;
//! registry.register(erase)?.keep();
//! let _policy = registry.on_pre_execute(async |execution: Execution, so_far| match execution.name() {
//!     "erase" => PreDecision::deny("nothing is erased on Sundays"),
//!     _ => so_far,
//! });
//!
//! let outcome = registry.execute(ToolCall::new("1", "erase", Json::parse("{}")?)).await;
//! assert_eq!(outcome.text(), "Error: `erase` may not run: nothing is erased on Sundays");
//! # Ok(())
//! # }
//! ```
//!
//! The order of the stages, and what each may and may not change, is in [`pipeline`]; a worked example of every one is in
//! PIPELINE.md beside this crate's sources.
//!
//! # Several calls, and what is kept of them
//!
//! [`Scope::execute_batch`] makes the calls of one turn: those that are [safe](tool::Declaration::concurrency_safe) overlap, the rest
//! run alone, and outcomes are in the order of the calls. [`Scheduler`] is the same for calls that come one by one.
//! [`Scope::record`] gives what happened to whoever keeps the session, for instance as [lines of JSON](JsonLines), and a tool's
//! [cards](present) are made from that alone.

mod call;
mod code;
mod content;
pub mod events;
pub mod layers;
mod outcome;
pub mod pipeline;
pub mod present;
pub mod prompt;
pub mod registry;
mod run_context;
pub mod scheduler;
pub mod schema;
pub mod sdk;
pub mod spill;
mod token;
pub mod tool;

pub use call::{Execution, ToolCall};
pub use content::{Content, Context};
pub use events::{JsonLines, SessionEvent, SessionEvents};
pub use layers::{Metrics, MetricsLayer, RetryLayer, TimeoutLayer, ToolMetrics};
pub use outcome::{FailureInfo, ToolFailure, ToolOutcome};
pub use pipeline::{
    Approval, ApprovalAnswer, ApprovalRequest, Dispatch, Dispatched, Next, PostDecision, PreDecision, Replacement,
};
pub use present::{CallView, DurableResult, ResultView};
pub use prompt::{Assembly, AssemblyError, Section};
pub use registry::{
    ConfigError, Filter, GuardHandle, ListenerHandle, PresentError, Presentation, PresentationHandle, RUN_CODE,
    RegisterError, Registration, Registry, RegistryBuilder, RegistryConfig, RestrictError, Restriction, Scope,
    SectionError, SectionHandle,
};
pub use run_context::RunContext;
pub use scheduler::{Abandoned, Scheduler, Submission};
pub use token::Token;
pub use tool::{DeclarationError, NoArguments, Tool, ToolMode, ToolSchema, Warning};

pub use dayfly_runtime::{BoxFuture, CancellationToken, Json};

/// The examples of PIPELINE.md, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../PIPELINE.md")]
mod worked_examples {}
