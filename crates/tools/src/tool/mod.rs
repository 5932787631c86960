//! A tool: what the model is shown of it, what runs, and how its results are shown.

mod declaration;
mod error;
mod mode;
mod output;
mod state;
mod warning;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use dayfly_runtime::{BoxFuture, Json};

pub use declaration::{Declaration, NoArguments};
pub use error::DeclarationError;
pub use mode::ToolMode;
pub use output::IntoContent;
pub use state::{Complete, NeedsOutput, NeedsRender};
pub use warning::Warning;

use crate::present::{CallView, DurableResult, ResultView};
use crate::schema::Schema;
use crate::{Content, Execution, RunContext, ToolFailure, ToolOutcome, code, sdk};

/// Replaces the model-facing content of a settled call, or leaves it with `None`.
pub type Finalizer = Arc<dyn Fn(&Execution, &ToolOutcome) -> Option<Vec<Content>> + Send + Sync>;

type Body = Arc<dyn Fn(Json, RunContext) -> BoxFuture<'static, Result<Json, ToolFailure>> + Send + Sync>;
type Project<T> = Arc<dyn Fn(&Json, &Json) -> Result<T, ToolFailure> + Send + Sync>;
type Classifier = Arc<dyn Fn(&Json) -> bool + Send + Sync>;
type CallPresenter = Arc<dyn Fn(&Json) -> Option<CallView> + Send + Sync>;
type ResultPresenter = Arc<dyn Fn(&Json, &DurableResult) -> Option<ResultView> + Send + Sync>;

/// What the model is shown of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolSchema {
    /// The exact name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON Schema of its arguments, as declared.
    pub input: Json,
}

/// One declared tool; cloning shares it.
///
/// Made by [`Tool::typed`] from Rust types or by [`Tool::raw`] from JSON Schemas. See [`Declaration`].
#[derive(Clone)]
pub struct Tool {
    inner: Arc<Inner>,
}

struct Inner {
    /// No other tool of this process has it.
    identity: u64,
    schema: ToolSchema,
    output_schema: Json,
    /// Absent when the tool validates its arguments itself.
    input: Option<Schema>,
    output: Schema,
    body: Body,
    render: Project<Vec<Content>>,
    presentation_meta: Option<Project<Json>>,
    finalizer: Option<Finalizer>,
    timeout: Option<Duration>,
    retryable: bool,
    /// The registry's own way to programs: it checks its output itself, and its body is awaited for as long as it takes.
    transport: bool,
    concurrency_safe: Option<Classifier>,
    present_call: Option<CallPresenter>,
    present_result: Option<ResultPresenter>,
    warnings: Vec<Warning>,
    /// What it contributes to the declarations for programs.
    sdk: sdk::Kept,
}

impl Tool {
    /// What it contributes to the declarations for programs, by language: made once, when first asked for.
    pub(crate) fn sdk(&self) -> &sdk::Kept {
        &self.inner.sdk
    }

    /// What no other declaration has, of the same name or not.
    pub(crate) fn identity(&self) -> u64 {
        self.inner.identity
    }

    /// The exact name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.schema.name
    }

    /// What the model is shown.
    #[must_use]
    pub fn schema(&self) -> &ToolSchema {
        &self.inner.schema
    }

    /// The JSON Schema of the canonical value that a call resolves to.
    #[must_use]
    pub fn output_schema(&self) -> &Json {
        &self.inner.output_schema
    }

    /// How long a call may take, for whatever layer enforces it: positive and finite, never shown to the model.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.inner.timeout
    }

    /// Whether a failed call may be made again with the same arguments.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.inner.retryable
    }

    pub(crate) fn is_transport(&self) -> bool {
        self.inner.transport
    }

    /// What of the declaration cannot be held as it was written; empty for most tools.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.inner.warnings
    }

    /// Whether a call with these arguments may overlap others.
    ///
    /// Parallel only when the tool declared a classifier, the arguments are valid, and the classifier answered exactly
    /// `true`; exclusive in every other case, a panic included.
    #[must_use]
    pub fn classify(&self, arguments: &Json) -> ToolMode {
        let Some(classifier) = &self.inner.concurrency_safe else { return ToolMode::Exclusive };
        if self.check_arguments(arguments).is_err() {
            return ToolMode::Exclusive;
        }
        match catch_unwind(AssertUnwindSafe(|| classifier(arguments))) {
            Ok(true) => ToolMode::Parallel,
            Ok(false) | Err(_) => ToolMode::Exclusive,
        }
    }

    /// Holds arguments against the input schema.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGS`, whose message names every violation with its path. Never for a tool that validates its arguments
    /// itself.
    pub fn check_arguments(&self, arguments: &Json) -> Result<(), ToolFailure> {
        let Some(input) = &self.inner.input else { return Ok(()) };
        input.check(arguments).map_err(|violations| error::invalid_arguments(self.name(), &violations.to_string()))
    }

    /// Runs the body and nothing else: no policy, no deadline, no check of the value.
    ///
    /// # Errors
    ///
    /// What the body failed with; `INVALID_ARGS` when the arguments do not fit its Rust type, before the body starts.
    ///
    /// # Panics
    ///
    /// When the body does, in this call or when polled; the pipeline contains it.
    ///
    /// # Cancellation
    ///
    /// The context's token asks the body to stop; dropping the future drops the body where it stands.
    #[must_use]
    pub fn execute(&self, arguments: Json, context: RunContext) -> BoxFuture<'static, Result<Json, ToolFailure>> {
        (self.inner.body)(arguments, context)
    }

    /// Holds a canonical value against the output schema.
    ///
    /// # Errors
    ///
    /// `INVALID_OUTPUT`, whose message names every violation with its path.
    pub fn check_output(&self, value: &Json) -> Result<(), ToolFailure> {
        if self.inner.transport {
            return code::check(value).map_err(|violation| error::invalid_output(self.name(), &violation));
        }
        self.inner.output.check(value).map_err(|violations| error::invalid_output(self.name(), &violations.to_string()))
    }

    /// Turns a checked canonical value into what the model is shown.
    ///
    /// # Errors
    ///
    /// `INVALID_OUTPUT` when the value does not fit the tool's Rust type.
    ///
    /// # Panics
    ///
    /// When the tool's own `render` does; the pipeline contains it.
    pub fn render(&self, arguments: &Json, value: &Json) -> Result<Vec<Content>, ToolFailure> {
        (self.inner.render)(arguments, value)
    }

    /// The durable metadata of a checked canonical value, when the tool declares some.
    ///
    /// # Errors
    ///
    /// As [`Tool::render`].
    ///
    /// # Panics
    ///
    /// As [`Tool::render`].
    pub fn presentation_meta(&self, arguments: &Json, value: &Json) -> Result<Option<Json>, ToolFailure> {
        self.inner.presentation_meta.as_ref().map(|project| project(arguments, value)).transpose()
    }

    /// The callback that owns the last word on content; the pipeline takes it when a call starts.
    #[must_use]
    pub fn finalizer(&self) -> Option<Finalizer> {
        self.inner.finalizer.clone()
    }

    /// How a user interface shows a call; `None` asks for the generic card.
    ///
    /// Depends on the arguments alone, and never fails: of arguments from an older log that no longer fit, or of a
    /// presenter that panics, it is `None`.
    #[must_use]
    pub fn present_call(&self, arguments: &Json) -> Option<CallView> {
        let present = self.inner.present_call.as_ref()?;
        self.check_arguments(arguments).ok()?;
        catch_unwind(AssertUnwindSafe(|| present(arguments))).ok().flatten()
    }

    /// How a user interface shows a result; `None` asks for the generic card.
    ///
    /// Depends on the arguments and the durable result alone, so a replayed log shows what was shown live. Soft as
    /// [`Tool::present_call`].
    #[must_use]
    pub fn present_result(&self, arguments: &Json, result: &DurableResult) -> Option<ResultView> {
        let present = self.inner.present_result.as_ref()?;
        self.check_arguments(arguments).ok()?;
        catch_unwind(AssertUnwindSafe(|| present(arguments, result))).ok().flatten()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name()).finish_non_exhaustive()
    }
}
