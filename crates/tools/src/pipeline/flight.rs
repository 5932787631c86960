//! One call on its way through the stages.

use std::sync::Arc;

use dayfly_runtime::CancellationToken;
use futures_util::FutureExt as _;
use tokio::runtime::Handle;
use tracing::Instrument as _;

use super::approval;
use super::contain::{Contained, Panicked, contain};
use super::decision::PreDecision;
use super::dispatch::{Dispatch, Dispatched};
use super::failure::{self, code};
use super::open_call::OpenCall;
use crate::events;
use crate::registry::{Hooks, Resolved};
use crate::tool::Finalizer;
use crate::{Context, Execution, Scope, Tool, ToolCall, ToolFailure, ToolMode, ToolOutcome};

/// A call with all that was true when it started: later registrations and disposals do not reach it.
pub(crate) struct Flight {
    pub(super) scope: Scope,
    pub(super) execution: Execution,
    pub(super) tool: Resolved,
    pub(super) hooks: Arc<Hooks>,
    pub(super) finalizer: Option<Finalizer>,
}

/// What became of the execute stage.
pub(crate) struct Settled {
    pub(super) result: Result<Dispatched, ToolFailure>,
    /// What the body deferred.
    pub(super) contexts: Vec<Context>,
    /// Whether there is an outcome for `post-execute` to look at.
    pub(super) dispatched: bool,
    /// Whether the body was started.
    pub(super) started: bool,
}

impl Settled {
    /// A call that did not reach its layers.
    const fn refused(failure: ToolFailure) -> Self {
        Self { result: Err(failure), contexts: Vec::new(), dispatched: false, started: false }
    }
}

impl Flight {
    /// Freezes a call, mints its token, and takes the snapshot that it runs with.
    pub(crate) fn begin(scope: &Scope, mut call: ToolCall) -> Self {
        // The call's own token: dropping the call's future cancels the call and nothing else of the caller's.
        call.cancel = call.cancel.child_token();
        let (tool, hooks) = scope.snapshot(&call.name, call.parent);
        let finalizer = tool.tool().and_then(Tool::finalizer);
        let execution = Execution::freeze(call, scope.shared_name());
        Self { scope: scope.clone(), execution, tool, hooks, finalizer }
    }

    /// Runs all stages on a task of their own, so that a caller that goes away leaves nothing half done.
    pub(crate) async fn launch(self) -> ToolOutcome {
        let Ok(runtime) = Handle::try_current() else {
            events::call(&self.hooks.keepers, &self.execution);
            let message = "the call was made outside a tokio runtime, which is a defect of the harness".to_owned();
            return self.finish(failure::outcome(failure::layer(code::PIPELINE_FAILED, message), Vec::new()));
        };
        let gone = self.execution.cancel().clone().drop_guard();
        let name = self.execution.clone();
        let tracker = self.scope.core().in_flight.clone();
        let stages = tracker.track_future(self.run()).in_current_span();
        let outcome = runtime.spawn(stages).await;
        gone.disarm();
        outcome.unwrap_or_else(|error| {
            let message = format!("the call of `{}` was lost: {error}", name.name());
            failure::outcome(failure::layer(code::PIPELINE_FAILED, message), Vec::new())
        })
    }

    async fn run(self) -> ToolOutcome {
        let permitted = self.permit().await;
        let settled = self.execute(permitted).await;
        self.commit(settled).await
    }

    /// Takes the snapshot again, of a call that has waited since it was begun and that no stage has seen.
    pub(crate) fn look_again(&mut self) {
        let (tool, hooks) = self.scope.snapshot(self.execution.name(), self.execution.parent());
        self.finalizer = tool.tool().and_then(Tool::finalizer);
        (self.tool, self.hooks) = (tool, hooks);
    }

    /// Whether the call may overlap others.
    pub(crate) fn mode(&self) -> ToolMode {
        self.tool.tool().map_or(ToolMode::Exclusive, |tool| tool.classify(self.execution.arguments()))
    }

    /// The call's own token.
    pub(crate) fn cancel(&self) -> &CancellationToken {
        self.execution.cancel()
    }

    /// Everything before the execute stage: cancelled already, resolution, arguments, `pre-execute`, approval, guards.
    pub(crate) async fn permit(&self) -> Result<(), ToolFailure> {
        events::call(&self.hooks.keepers, &self.execution);
        if self.cancel().is_cancelled() {
            return Err(failure::aborted_before_dispatch(&self.execution));
        }
        let tool = match &self.tool {
            Resolved::Tool(tool) => tool,
            Resolved::CodeOnly => return Err(failure::code_only(&self.execution, self.scope.core().language)),
            Resolved::Unknown { code_only } => {
                let nearest = self.scope.nearest(self.execution.name());
                return Err(failure::unknown(&self.execution, &nearest, *code_only));
            }
        };
        match contain(|| tool.check_arguments(self.execution.arguments())) {
            Ok(checked) => checked?,
            Err(Panicked(text)) => {
                let message = format!("the arguments of `{}` could not be checked: {text}", tool.name());
                return Err(ToolFailure::coded("ToolArgsError", "INVALID_ARGS", message));
            }
        }
        self.pre_execute().await?;
        self.guards()?;
        if self.cancel().is_cancelled() {
            return Err(failure::aborted_before_dispatch(&self.execution));
        }
        Ok(())
    }

    async fn pre_execute(&self) -> Result<(), ToolFailure> {
        let aborted = || failure::aborted_before_dispatch(&self.execution);
        let mut decision = PreDecision::Allow;
        for listener in &self.hooks.pre {
            let (execution, so_far) = (self.execution.clone(), decision);
            let deciding = Contained::new(|| listener(execution, so_far));
            let decided = self.cancel().run_until_cancelled(deciding).await.ok_or_else(aborted)?;
            decision = decided.map_err(|Panicked(text)| {
                let tool = self.execution.name();
                let message = format!("`{tool}` did not run, because the policy that decides about it failed: {text}");
                failure::policy(code::PRE_EXECUTE_FAILED, message)
            })?;
        }
        match decision {
            PreDecision::Allow => Ok(()),
            PreDecision::Deny { reason } => {
                let message = format!("`{}` may not run: {reason}", self.execution.name());
                Err(failure::denied(code::PERMISSION_DENIED, message))
            }
            PreDecision::Ask { reason } => {
                let core = self.scope.core();
                let deadline = core.config.approval_deadline;
                let asking = approval::ask(core.approval.as_deref(), &self.execution, reason, deadline);
                self.cancel().run_until_cancelled(asking).await.ok_or_else(aborted)?
            }
        }
    }

    fn guards(&self) -> Result<(), ToolFailure> {
        let tool = self.execution.name();
        for guard in &self.hooks.guards {
            match contain(|| guard(&self.execution)) {
                Ok(None) => {}
                Ok(Some(reason)) => {
                    return Err(failure::denied(code::GUARD_DENIED, format!("`{tool}` may not run: {reason}")));
                }
                Err(Panicked(text)) => {
                    let message = format!("`{tool}` did not run, because a guard failed: {text}");
                    return Err(failure::policy(code::GUARD_FAILED, message));
                }
            }
        }
        Ok(())
    }

    /// The execute stage of a permitted call: the layers, the body, and the end of both.
    pub(crate) async fn execute(&self, permitted: Result<(), ToolFailure>) -> Settled {
        match permitted {
            Ok(()) => self.dispatch().await,
            Err(failure) => Settled::refused(failure),
        }
    }

    async fn dispatch(&self) -> Settled {
        let (Some(tool), Ok(runtime)) = (self.tool.tool(), Handle::try_current()) else {
            return Settled::refused(failure::unknown(&self.execution, &[], false));
        };
        let call = OpenCall::new(self.scope.clone(), self.execution.clone(), tool.clone(), runtime);
        let stack = &self.scope.core().stack;
        let mut layers = Contained::new(|| stack.clone().run(Dispatch::new(Arc::clone(&call))).boxed());
        let result = tokio::select! {
            biased;
            result = &mut layers => Some(result),
            () = self.cancel().cancelled() => {
                if call.close_unless_started() {
                    // Waiting layers hold nothing of the tool's: there is nothing to wait for.
                    drop(layers);
                    return Settled::refused(failure::aborted_before_dispatch(&self.execution));
                }
                tokio::select! {
                    biased;
                    result = &mut layers => Some(result),
                    () = overdue(&call) => None,
                }
            }
        };
        drop(layers);
        call.close().await;
        let result = match result {
            Some(Ok(result)) => result,
            Some(Err(Panicked(text))) => {
                let message = format!("a layer around `{}` panicked: {text}", tool.name());
                Err(failure::layer(code::LAYER_FAILED, message))
            }
            None => Err(failure::aborted(&self.execution)),
        };
        let started = !call.close_unless_started();
        let contexts = call.contexts(result.as_ref().ok());
        match result {
            Err(failure) if !started && failure.code() == Some(code::ABORTED_BEFORE_DISPATCH) => {
                Settled::refused(failure)
            }
            result => Settled { result, contexts, dispatched: true, started },
        }
    }
}

/// Resolves when layers that were cancelled have had the grace to themselves, after the body's.
async fn overdue(call: &OpenCall) {
    call.idle().await;
    tokio::time::sleep(call.scope.core().config.cancel_grace).await;
}
