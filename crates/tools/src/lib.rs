//! Declared, typed, policy-checked tools.

mod call;
mod content;
mod outcome;
pub mod present;
mod run_context;
pub mod schema;
mod token;
pub mod tool;

pub use call::{Execution, ToolCall};
pub use content::{Content, Context};
pub use outcome::{FailureInfo, ToolFailure, ToolOutcome};
pub use present::{CallView, DurableResult, ResultView};
pub use run_context::RunContext;
pub use token::Token;
pub use tool::{DeclarationError, NoArguments, Tool, ToolMode, ToolSchema, Warning};

pub use dayfly_runtime::{BoxFuture, CancellationToken, Json};
