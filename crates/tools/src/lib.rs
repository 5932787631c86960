//! Declared, typed, policy-checked tools.

mod call;
mod content;
pub mod events;
pub mod layers;
mod outcome;
pub mod pipeline;
pub mod present;
pub mod registry;
mod run_context;
pub mod scheduler;
pub mod schema;
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
pub use registry::{
    ConfigError, Filter, GuardHandle, ListenerHandle, RUN_CODE, RegisterError, Registration, Registry, RegistryBuilder,
    RegistryConfig, RestrictError, Restriction, Scope,
};
pub use run_context::RunContext;
pub use scheduler::{Abandoned, Scheduler, Submission};
pub use token::Token;
pub use tool::{DeclarationError, NoArguments, Tool, ToolMode, ToolSchema, Warning};

pub use dayfly_runtime::{BoxFuture, CancellationToken, Json};
