//! The failures that the pipeline itself makes: what the model reads, and what programs tell apart.

use std::time::Duration;

use dayfly_runtime::{Json, Language};

use super::contain::Panicked;
use crate::call::Progress;
use crate::registry::RUN_CODE;
use crate::{Context, Execution, ToolFailure, ToolOutcome, sdk};

/// The codes of the pipeline's own failures. `INVALID_ARGS` and `INVALID_OUTPUT` are the tool's.
pub mod code {
    /// No tool of this name is seen by the calling scope.
    pub const UNKNOWN_TOOL: &str = "UNKNOWN_TOOL";
    /// A listener denied the call.
    pub const PERMISSION_DENIED: &str = "PERMISSION_DENIED";
    /// A listener failed.
    pub const PRE_EXECUTE_FAILED: &str = "PRE_EXECUTE_FAILED";
    /// A listener asked, and nobody can be asked.
    pub const APPROVAL_UNAVAILABLE: &str = "APPROVAL_UNAVAILABLE";
    /// Whoever was asked said no.
    pub const APPROVAL_REJECTED: &str = "APPROVAL_REJECTED";
    /// Whoever was asked dismissed the question.
    pub const APPROVAL_CANCELLED: &str = "APPROVAL_CANCELLED";
    /// Nobody answered in time.
    pub const APPROVAL_EXPIRED: &str = "APPROVAL_EXPIRED";
    /// The approval failed, or answered another question.
    pub const APPROVAL_FAILED: &str = "APPROVAL_FAILED";
    /// A guard denied the call.
    pub const GUARD_DENIED: &str = "GUARD_DENIED";
    /// A guard failed, which denies the call.
    pub const GUARD_FAILED: &str = "GUARD_FAILED";
    /// The call was cancelled before its body started.
    pub const ABORTED_BEFORE_DISPATCH: &str = "ABORTED_BEFORE_DISPATCH";
    /// The call was cancelled after its body had started, and there is no more specific failure.
    pub const ABORTED: &str = "ABORTED";
    /// A deadline passed.
    pub const TOOL_TIMEOUT: &str = "TOOL_TIMEOUT";
    /// The body panicked.
    pub const TOOL_FAILED: &str = "TOOL_FAILED";
    /// A layer around the body failed.
    pub const LAYER_FAILED: &str = "LAYER_FAILED";
    /// A layer dispatched a call that has ended.
    pub const CALL_CLOSED: &str = "CALL_CLOSED";
    /// A layer dispatched a tool a second time that is not declared retryable.
    pub const ALREADY_DISPATCHED: &str = "ALREADY_DISPATCHED";
    /// The tool's `render` or `presentation_meta` failed.
    pub const RENDER_FAILED: &str = "RENDER_FAILED";
    /// A listener withheld the result.
    pub const POST_EXECUTE_BLOCKED: &str = "POST_EXECUTE_BLOCKED";
    /// A listener failed, which withholds the result.
    pub const POST_EXECUTE_FAILED: &str = "POST_EXECUTE_FAILED";
    /// The tool's `finalize_content` failed.
    pub const FINALIZE_FAILED: &str = "FINALIZE_FAILED";
    /// A program failed: it threw, spent a budget, was cancelled, or left something that is no result.
    pub const CODE_RUN_FAILED: &str = "CODE_RUN_FAILED";
    /// No program was started, because the runtime of programs cannot, or not now.
    pub const CODE_RUNTIME_UNAVAILABLE: &str = "CODE_RUNTIME_UNAVAILABLE";
    /// The runtime of programs broke its own rules: it panicked, or did not end a run that was cancelled.
    pub const CODE_RUNTIME_FAILED: &str = "CODE_RUNTIME_FAILED";
    /// The runtime that the call ran on went away.
    pub const PIPELINE_FAILED: &str = "PIPELINE_FAILED";
}

/// The class of failures that say that a body had to be dropped.
pub(crate) const DROPPED: &str = "ToolDroppedError";

/// `code_only` says that the model may call the transport alone, whatever it meant.
pub(super) fn unknown(execution: &Execution, nearest: &[String], code_only: bool) -> ToolFailure {
    let hint = match nearest {
        [] => "call one of the tools you were given, by its exact name".to_owned(),
        [only] => format!("did you mean `{only}`?"),
        several => format!("did you mean one of `{}`?", several.join("`, `")),
    };
    let name = named(execution);
    let mut message = format!("there is no tool named `{name}`; {hint}");
    if code_only {
        message.push_str(&format!(
            " Tools are called from inside a `{RUN_CODE}` program: only `{RUN_CODE}` is called directly"
        ));
    }
    ToolFailure::coded("UnknownToolError", code::UNKNOWN_TOOL, message)
}

/// The tool is there, and the way to it is a program.
pub(super) fn code_only(execution: &Execution, language: Option<Language>) -> ToolFailure {
    let name = named(execution);
    let access = if language.is_some_and(|language| sdk::is_member(language, &name)) {
        format!("tools.{name}(…)")
    } else {
        format!("tools[{}](…)", Json::from(name.as_str()))
    };
    let message = format!(
        "`{name}` is not called directly: only `{RUN_CODE}` is. Call `{access}` from inside a `{RUN_CODE}` program instead"
    );
    ToolFailure::coded("UnknownToolError", code::UNKNOWN_TOOL, message)
}

/// A name is the model's own text: long ones are cut, and what would not be seen is left out.
pub(super) fn named(execution: &Execution) -> String {
    execution.name().chars().filter(|character| !character.is_control()).take(64).collect()
}

pub(super) fn denied(code: &'static str, message: String) -> ToolFailure {
    ToolFailure::coded("ToolDeniedError", code, message)
}

pub(super) fn policy(code: &'static str, message: String) -> ToolFailure {
    ToolFailure::coded("ToolPolicyError", code, message)
}

pub(super) fn aborted_before_dispatch(execution: &Execution) -> ToolFailure {
    let message = format!("the call was cancelled before `{}` started; nothing has been done", named(execution));
    ToolFailure::coded("ToolAbortedError", code::ABORTED_BEFORE_DISPATCH, message)
}

pub(super) fn aborted(execution: &Execution) -> ToolFailure {
    let name = named(execution);
    let when = match execution.progress() {
        Progress::Ended { succeeded: true, late: false } => {
            format!("the call was cancelled when `{name}` had completed")
        }
        Progress::Ended { succeeded: true, late: true } => format!("`{name}` completed after the call was cancelled"),
        Progress::NotStarted | Progress::Started | Progress::Ended { succeeded: false, .. } => {
            format!("the call was cancelled while `{name}` was running")
        }
    };
    let message = format!("{when}; what it has done is done, and its result is discarded");
    ToolFailure::coded("ToolAbortedError", code::ABORTED, message)
}

pub(super) fn dropped(execution: &Execution, grace: Duration) -> ToolFailure {
    let message = format!(
        "`{}` was asked to stop, did not within {grace:?}, and was dropped where it stood; what it was doing may be half done",
        named(execution)
    );
    ToolFailure::coded(DROPPED, code::ABORTED, message)
}

pub(super) fn body_panicked(execution: &Execution, Panicked(text): &Panicked) -> ToolFailure {
    let message = format!("`{}` panicked, which is a defect of the tool: {text}", named(execution));
    ToolFailure::coded("ToolExecutionError", code::TOOL_FAILED, message)
}

pub(super) fn layer(code: &'static str, message: String) -> ToolFailure {
    ToolFailure::coded("ToolLayerError", code, message)
}

pub(super) fn presentation(code: &'static str, message: String) -> ToolFailure {
    ToolFailure::coded("ToolPresentationError", code, message)
}

/// A failed outcome, without a value and with the content that every failure has.
pub(super) fn outcome(failure: ToolFailure, contexts: Vec<Context>) -> ToolOutcome {
    ToolOutcome::failed(failure, contexts)
}
