//! A scripted runtime for tests that need no process.
//!
//! [`ScriptedRuntime`] implements [`CodeRuntime`](crate::CodeRuntime) by playing a [`Script`] where a real one would run
//! the program. Everything around the program is real: the request is validated, the host functions of the request
//! are called (a panic in one fails that call), the observer is told, the cancel token is obeyed, and the result has
//! logs, usage and receipts.
//!
//! ```
//! use dayfly_runtime::testing::{Script, ScriptedRuntime};
//! use dayfly_runtime::{CallError, CodeRuntime, Json, Language, Namespace, Outcome, RunRequest};
//!
//! # let executor = tokio::runtime::Builder::new_current_thread().build()?;
//! # executor.block_on(async {
//! let program = "const sum = await tools.add({a: 1, b: 2}); console.log(sum); return sum";
//! let runtime = ScriptedRuntime::new(Language::TypeScript).on(
//!     program,
//!     Script::new()
//!         .call("tools", "add", Json::object([("a", 1), ("b", 2)]))
//!         .log("3")
//!         .returns_with(|answers| answers.value(1).cloned().unwrap_or_default()),
//! );
//!
//! let tools = Namespace::tools().async_fn("add", |call| async move {
//!     let number = |key| call.arguments.get(key).and_then(|value| value.as_i64());
//!     match (number("a"), number("b")) {
//!         (Some(a), Some(b)) => Ok(Json::from(a + b)),
//!         _ => Err(CallError::new("add needs two integers, a and b")),
//!     }
//! });
//! let result = runtime.run(RunRequest::new(program).bind(tools)).await?;
//!
//! assert_eq!(result.value, Some(Json::from(3)));
//! assert_eq!(result.logs[0].text, "3");
//! assert_eq!(result.receipts.calls[0].outcome, Outcome::Succeeded);
//! # Ok::<(), dayfly_runtime::RunError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calls;
mod notify;
mod play;
mod runtime;
mod script;

pub use runtime::ScriptedRuntime;
pub use script::{Answers, Script, ScriptedCall};
