//! What a body gets beside its arguments.

use std::fmt;

use dayfly_runtime::{CancellationToken, Json};

use crate::pipeline::Deferral;
use crate::{Context, Execution, Scope, ToolCall};

/// The frozen execution, the live cancel token, the calling scope, and a place for contexts that follow the result.
#[derive(Clone)]
pub struct RunContext {
    scope: Scope,
    execution: Execution,
    cancel: CancellationToken,
    deferral: Deferral,
}

impl RunContext {
    pub(crate) const fn new(scope: Scope, execution: Execution, cancel: CancellationToken, deferral: Deferral) -> Self {
        Self { scope, execution, cancel, deferral }
    }

    /// The call, as every stage sees it.
    #[must_use]
    pub const fn execution(&self) -> &Execution {
        &self.execution
    }

    /// Asks the body to stop: the caller cancelled, a deadline passed, or nobody waits for the result any more.
    #[must_use]
    pub const fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The scope that calls, for tools that call others: through it they see what their caller sees. Tools that hold a
    /// scope of their own instead keep the registry alive for ever.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// A call from within this one: it carries this execution's token as its parent, and ends when this one is asked to
    /// stop. A program that it runs knows that it is an inner one, and does not wait for what an outer one holds.
    #[must_use]
    pub fn nested(&self, call_id: impl Into<String>, name: impl Into<String>, arguments: Json) -> ToolCall {
        ToolCall::new(call_id, name, arguments)
            .within(self.execution.token())
            .cancel_with(self.cancel.child_token())
            .standing(self.execution.standing().clone())
    }

    /// Keeps a message until the call's result has reached the caller, also when the body then fails or is cancelled.
    ///
    /// It is never injected before. `post-execute` discards it when it blocks the result; of a call that is made again by a
    /// layer, only what the last attempt deferred is kept.
    pub fn defer_context(&self, context: Context) {
        self.deferral.push(context);
    }

    pub(crate) const fn deferral(&self) -> &Deferral {
        &self.deferral
    }
}

impl fmt::Debug for RunContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext").field("execution", &self.execution).finish_non_exhaustive()
    }
}
