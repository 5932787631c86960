//! Declared, typed, policy-checked tools.

mod call;
mod content;
mod outcome;
mod token;

pub use call::{Execution, ToolCall};
pub use content::{Content, Context};
pub use outcome::{FailureInfo, ToolFailure, ToolOutcome};
pub use token::Token;

pub use dayfly_runtime::{BoxFuture, CancellationToken, Json};
