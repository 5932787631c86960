//! The events.

use std::time::{SystemTime, UNIX_EPOCH};

use dayfly_runtime::Json;

use crate::{DurableResult, Execution, ToolOutcome};

/// One thing that a session keeps.
///
/// In JSON an object whose `type` is [`kind`](Self::kind). [`to_json`](Self::to_json) and
/// [`from_json`](Self::from_json) take values of any depth; serde takes the same objects, up to the depth that
/// conversions have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// `tool/call`: a call entered the pipeline.
    Call(CallEvent),
    /// `tool/result`: a call has its outcome, which every observer has heard.
    Result(ResultEvent),
    /// `tool/code-dispatch-start`: a call that a program makes entered the pipeline. For logs and user interfaces: the
    /// model is not shown it.
    CodeDispatchStart(CodeDispatchStartEvent),
    /// `tool/code-dispatch`: a call that a program made has its outcome. For logs and user interfaces: the model is not
    /// shown it.
    CodeDispatch(CodeDispatchEvent),
}

/// A call that entered the pipeline.
///
/// In JSON `{"type":"tool/call","time":…,"callId":…,"name":…,"scope":…,"arguments":…}`, without `scope` in the global one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CallEvent {
    /// When, in milliseconds since 1970.
    pub time: u64,
    /// The caller's own id of the call.
    pub call_id: String,
    /// The tool's exact name, as it was asked for.
    pub name: String,
    /// The name of the scope that calls; empty for the global one.
    pub scope: String,
    /// The arguments.
    pub arguments: Json,
}

/// What a call came to: all that its card needs, and never the canonical value.
///
/// In JSON as a [`CallEvent`] of `"type":"tool/result"` with `"result":{"isError":…,"content":[…],"meta":…}`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResultEvent {
    /// The call, at the time of its outcome.
    pub call: CallEvent,
    /// The durable part of the outcome.
    pub result: DurableResult,
}

/// A call that a program makes, as it entered the pipeline.
///
/// In JSON `{"type":"tool/code-dispatch-start","time":…,"parentCallId":…,"subCallId":…,"name":…,"scope":…,"arguments":…}`, without
/// `scope` in the global one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CodeDispatchStartEvent {
    /// The id of the `run_code` call whose program makes it.
    pub parent_call_id: String,
    /// The call; its id is `<parent>:code:<n>`, numbered from 1 in the order in which the program makes its calls.
    pub call: CallEvent,
}

/// What a call that a program made came to.
///
/// In JSON as a [`CodeDispatchStartEvent`] of `"type":"tool/code-dispatch"` with `"result"` as in a [`ResultEvent`]. The
/// result is what a model would be shown of a call of its own, or what a
/// [listener](crate::Scope::on_code_dispatch_log) put in its place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CodeDispatchEvent {
    /// The id of the `run_code` call whose program made it.
    pub parent_call_id: String,
    /// The call, at the time of its outcome.
    pub call: CallEvent,
    /// The durable part of the outcome.
    pub result: DurableResult,
}

pub(super) const CALL: &str = "tool/call";
pub(super) const RESULT: &str = "tool/result";
pub(super) const CODE_DISPATCH_START: &str = "tool/code-dispatch-start";
pub(super) const CODE_DISPATCH: &str = "tool/code-dispatch";

impl SessionEvent {
    pub(super) fn of_call(execution: &Execution) -> Self {
        Self::Call(CallEvent::now(execution))
    }

    pub(super) fn of_result(execution: &Execution, outcome: &ToolOutcome) -> Self {
        Self::Result(ResultEvent { call: CallEvent::now(execution), result: outcome.into() })
    }

    pub(super) fn of_dispatch_start(parent_call_id: &str, execution: &Execution) -> Self {
        let parent_call_id = parent_call_id.to_owned();
        Self::CodeDispatchStart(CodeDispatchStartEvent { parent_call_id, call: CallEvent::now(execution) })
    }

    /// Its type: `tool/call`, `tool/result`, `tool/code-dispatch-start` or `tool/code-dispatch`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Call(_) => CALL,
            Self::Result(_) => RESULT,
            Self::CodeDispatchStart(_) => CODE_DISPATCH_START,
            Self::CodeDispatch(_) => CODE_DISPATCH,
        }
    }

    /// The call that it is about.
    #[must_use]
    pub const fn call(&self) -> &CallEvent {
        match self {
            Self::Call(call) => call,
            Self::Result(result) => &result.call,
            Self::CodeDispatchStart(start) => &start.call,
            Self::CodeDispatch(dispatch) => &dispatch.call,
        }
    }

    /// The durable part of the outcome, of an event that says one.
    #[must_use]
    pub const fn result(&self) -> Option<&DurableResult> {
        match self {
            Self::Call(_) | Self::CodeDispatchStart(_) => None,
            Self::Result(result) => Some(&result.result),
            Self::CodeDispatch(dispatch) => Some(&dispatch.result),
        }
    }

    /// The id of the `run_code` call whose program makes the call; absent of calls that no program makes.
    #[must_use]
    pub fn parent_call_id(&self) -> Option<&str> {
        match self {
            Self::Call(_) | Self::Result(_) => None,
            Self::CodeDispatchStart(start) => Some(&start.parent_call_id),
            Self::CodeDispatch(dispatch) => Some(&dispatch.parent_call_id),
        }
    }
}

impl CodeDispatchEvent {
    /// What a call came to, just now.
    pub(crate) fn now(parent_call_id: &str, execution: &Execution, result: DurableResult) -> Self {
        Self { parent_call_id: parent_call_id.to_owned(), call: CallEvent::now(execution), result }
    }
}

impl CallEvent {
    fn now(execution: &Execution) -> Self {
        // A clock before 1970 reads as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            call_id: execution.call_id().to_owned(),
            name: execution.name().to_owned(),
            scope: execution.scope().to_owned(),
            arguments: execution.arguments().clone(),
        }
    }
}
