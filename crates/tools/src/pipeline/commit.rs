//! From what the body and its layers made to the outcome: `post-execute`, `finalize_content`, `result`.

use std::sync::Arc;

use dayfly_runtime::Json;

use super::contain::{Contained, Panicked, contain};
use super::decision::{PostDecision, Replacement};
use super::failure::{self, code};
use super::flight::{Flight, Settled};
use crate::events;
use crate::registry::PostListener;
use crate::{Content, Context, Tool, ToolFailure, ToolOutcome};

impl Flight {
    /// Makes the outcome of what the execute stage left, and gives it to everybody who is to know.
    pub(crate) async fn commit(self, settled: Settled) -> ToolOutcome {
        let Settled { result, contexts, dispatched, started } = settled;
        let mut outcome = self.normalise(result, contexts);
        if dispatched {
            outcome = self.post_execute(outcome).await;
            // In the place of a success alone: every failure says more than that the call was cancelled.
            if !outcome.is_error() && self.execution.cancel().is_cancelled() {
                let aborted = if started { failure::aborted } else { failure::aborted_before_dispatch };
                outcome = failure::outcome(aborted(&self.execution), outcome.contexts);
            }
        }
        self.finish(outcome)
    }

    /// The outcome of the execute stage. A layer's own value is held against the tool's declaration here.
    fn normalise(&self, result: Result<super::Dispatched, ToolFailure>, contexts: Vec<Context>) -> ToolOutcome {
        let (Some(tool), Ok(dispatched)) = (self.tool.tool(), &result) else {
            return match result {
                Ok(_) => failure::outcome(failure::unknown(&self.execution, &[], false), contexts),
                Err(failure) => failure::outcome(failure, contexts),
            };
        };
        let checked = dispatched.attempt(self.execution.token()).is_some();
        self.present(tool, dispatched.value().clone(), checked, contexts)
    }

    /// The outcome of a success with this value; a failure when the value, its content or its metadata cannot be had.
    fn present(&self, tool: &Tool, value: Json, checked: bool, contexts: Vec<Context>) -> ToolOutcome {
        match contain(|| self.materialise(tool, &value, checked)) {
            Ok(Ok((content, meta))) => ToolOutcome { result: Ok(value), content, meta, contexts },
            Ok(Err(failure)) => failure::outcome(failure, contexts),
            Err(Panicked(text)) => {
                let message = format!(
                    "`{}` ran, but presenting its result panicked, which is a defect of the tool: {text}",
                    tool.name()
                );
                failure::outcome(failure::presentation(code::RENDER_FAILED, message), contexts)
            }
        }
    }

    fn materialise(
        &self,
        tool: &Tool,
        value: &Json,
        checked: bool,
    ) -> Result<(Vec<Content>, Option<Json>), ToolFailure> {
        if !checked {
            tool.check_output(value)?;
        }
        let arguments = self.execution.arguments();
        let content = tool.render(arguments, value)?;
        // Metadata is for the cards of direct calls; a call from within another one has no card of its own.
        let meta = if self.execution.parent().is_none() { tool.presentation_meta(arguments, value)? } else { None };
        let meta = meta.map(|meta| crate::code::with_dispatches(meta, &self.execution));
        Ok((content, meta))
    }

    async fn post_execute(&self, mut outcome: ToolOutcome) -> ToolOutcome {
        for listener in &self.hooks.post {
            let seen = Arc::new(outcome);
            let decided = self.review(listener, Arc::clone(&seen)).await;
            outcome = Arc::unwrap_or_clone(seen);
            let (replace, contexts) = match decided {
                Ok(PostDecision::Accept { replace, contexts }) => (replace, contexts),
                Ok(PostDecision::Block { reason, contexts }) => {
                    let message = format!("the result of `{}` was withheld: {reason}", self.execution.name());
                    return failure::outcome(failure::policy(code::POST_EXECUTE_BLOCKED, message), contexts);
                }
                Err(failure) => return failure::outcome(failure, outcome.contexts),
            };
            outcome.contexts.extend(contexts);
            match replace {
                None => {}
                Some(Replacement::Content(content)) => outcome.content = content,
                Some(Replacement::Value(value)) => outcome = self.replace_value(outcome, value),
            }
        }
        outcome
    }

    /// One listener's decision. A failure to decide withholds the result, because nobody has accepted it.
    async fn review(&self, listener: &PostListener, outcome: Arc<ToolOutcome>) -> Result<PostDecision, ToolFailure> {
        let tool = self.execution.name();
        let grace = self.scope.core().config.cancel_grace;
        let execution = self.execution.clone();
        let mut deciding = Contained::new(|| listener(execution, outcome));
        let late = async {
            self.execution.cancel().cancelled().await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            biased;
            decided = &mut deciding => decided.map_err(|Panicked(text)| {
                let message = format!("the result of `{tool}` was withheld, because the policy that reviews it failed: {text}");
                failure::policy(code::POST_EXECUTE_FAILED, message)
            }),
            () = late => {
                let message = format!(
                    "the result of `{tool}` was withheld: the call was cancelled, and the policy that reviews it did not \
                     decide within {grace:?}"
                );
                Err(failure::policy(code::POST_EXECUTE_FAILED, message))
            }
        }
    }

    fn replace_value(&self, outcome: ToolOutcome, value: Json) -> ToolOutcome {
        match (self.tool.tool(), &outcome.result) {
            (Some(tool), Ok(_)) => self.present(tool, value, false, outcome.contexts),
            (_, Err(failed)) => {
                let message = format!(
                    "`{}` failed, and a policy gave a value in the place of the failure, which has none to replace: {}",
                    self.execution.name(),
                    failed.message
                );
                failure::outcome(failure::policy(code::POST_EXECUTE_FAILED, message), outcome.contexts)
            }
            (None, Ok(_)) => outcome,
        }
    }

    /// The last word on content, and everybody who listens: once for each call, whatever became of it.
    pub(super) fn finish(self, mut outcome: ToolOutcome) -> ToolOutcome {
        if let Some(finalizer) = &self.finalizer {
            match contain(|| finalizer(&self.execution, &outcome)) {
                Ok(None) => {}
                Ok(Some(content)) => outcome.content = content,
                Err(Panicked(text)) => outcome = self.unfinalized(outcome, &text),
            }
        }
        for observer in &self.hooks.results {
            if let Err(Panicked(text)) = contain(|| observer(&self.execution, &outcome)) {
                tracing::warn!(tool = self.execution.name(), "a result observer panicked: {text}");
            }
        }
        events::result(&self.hooks, &self.execution, &outcome);
        // This may be the last to hold what a handle has taken away: a destructor of a user's must not lose the outcome.
        if let Err(Panicked(text)) = contain(move || drop(self)) {
            tracing::warn!("a tool or a listener panicked when it was dropped: {text}");
        }
        outcome
    }

    /// Content that its owner could not look at is not shown: a success fails, a failure is said in its own words.
    fn unfinalized(&self, outcome: ToolOutcome, text: &str) -> ToolOutcome {
        let failure = outcome.result.err().unwrap_or_else(|| {
            let message = format!(
                "`{}` ran, but the last look at its result panicked, which is a defect of the tool: {text}",
                self.execution.name()
            );
            failure::presentation(code::FINALIZE_FAILED, message)
        });
        failure::outcome(failure, outcome.contexts)
    }
}
