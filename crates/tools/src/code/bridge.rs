//! The bridge of one run: a program's calls become calls of the scope that runs it.

use std::sync::Arc;

use dayfly_runtime::{Call, CallError, CancellationToken, HostFunction, Json, Namespace};
use tokio::runtime::Handle;

use super::journal::Journal;
use super::tally::Tally;
use crate::registry::RUN_CODE;
use crate::scheduler::{Scheduler, Submission};
use crate::{RunContext, Scope, Token, ToolCall};

/// What all bindings of one run share.
pub(super) struct Bridge {
    scheduler: Scheduler,
    journal: Arc<Journal>,
    token: Token,
    /// Cancelled when the run settles, whatever settles it.
    settled: CancellationToken,
    /// Host functions may be called from anywhere.
    runtime: Handle,
}

impl Bridge {
    pub(super) fn new(context: &RunContext, max_parallel: usize, runtime: Handle) -> Arc<Self> {
        Arc::new(Self {
            scheduler: Scheduler::of(context.scope(), max_parallel),
            journal: Journal::new(context),
            token: context.execution().token(),
            settled: CancellationToken::new(),
            runtime,
        })
    }

    /// The global object of the program: what the scope sees at this moment. What a name means is decided again when a call
    /// of it starts.
    pub(super) fn namespace(self: &Arc<Self>, scope: &Scope) -> Namespace {
        let tools = scope.tools();
        let names = tools.iter().map(|tool| tool.name()).filter(|name| *name != RUN_CODE);
        names.fold(Namespace::tools(), |namespace, name| {
            let bridge = Arc::clone(self);
            namespace.function(name, HostFunction::new(move |call| bridge.call(call)))
        })
    }

    /// Cancelled when the run settles.
    pub(super) fn settlement(&self) -> CancellationToken {
        self.settled.clone()
    }

    /// The run has settled, or is to: what is queued never starts, and what has started is cancelled.
    pub(super) fn settle(&self) {
        // In this order: what is cancelled in the queue would start, only to end.
        self.scheduler.close();
        self.settled.cancel();
    }

    /// Waits until every call that started has its outcome, and all of them are kept.
    pub(super) async fn drain(&self) {
        self.scheduler.drain().await;
        self.journal.drain().await;
    }

    pub(super) fn tally(&self) -> Tally {
        self.journal.tally()
    }

    /// Takes a place for the call at once, so that the order is the program's; the rest is in the future.
    fn call(self: &Arc<Self>, call: Call) -> impl Future<Output = Result<Json, CallError>> + Send + use<> {
        let Call { name, arguments, cancel, standing, .. } = call;
        if cancel.is_cancelled() {
            // What the runtime hands over when it is all over has no place any more.
            self.settle();
        }
        let called = name.clone();
        let submission = {
            let _runtime = self.runtime.enter();
            self.journal.submitted(&name);
            self.scheduler.submit_numbered(|number| {
                ToolCall::new(format!("{}:code:{number}", self.journal.parent_call_id()), name, arguments)
                    .within(self.token)
                    .cancel_with(self.settled.child_token())
                    .kept_in(Arc::clone(&self.journal), number)
                    .standing(standing)
            })
        };
        Answering { unanswered: Settling(Some(Arc::clone(self))), name: called, submission }.answer(cancel)
    }
}

/// Settles the run when it is dropped: a call's future is only ever dropped because its run has ended.
pub(super) struct Settling(Option<Arc<Bridge>>);

impl Settling {
    pub(super) const fn of(bridge: Arc<Bridge>) -> Self {
        Self(Some(bridge))
    }
}

impl Drop for Settling {
    fn drop(&mut self) {
        if let Some(bridge) = &self.0 {
            bridge.settle();
        }
    }
}

/// A call that the program has no answer to yet.
struct Answering {
    /// Dropped before the submission, which would be cancelled in the queue and start, only to end.
    unanswered: Settling,
    name: String,
    submission: Submission,
}

impl Answering {
    async fn answer(mut self, cancel: CancellationToken) -> Result<Json, CallError> {
        let Some(bridge) = self.unanswered.0.clone() else { return Err(CallError::new("the call has ended")) };
        let outcome = tokio::select! {
            biased;
            outcome = &mut self.submission => outcome,
            () = cancel.cancelled() => {
                // The runtime tells every call in flight that its run has settled, before it tells whoever runs it.
                bridge.settle();
                (&mut self.submission).await
            }
        };
        self.unanswered.0 = None;
        // A program whose results are kept more slowly than it makes them is held up here, and nowhere else.
        let _settled = cancel.run_until_cancelled(bridge.journal.room()).await;
        if !cancel.is_cancelled() && !bridge.settled.is_cancelled() {
            bridge.journal.answered(self.submission.number(), &self.name);
        }
        match outcome {
            Ok(outcome) => outcome.result.map_err(|failure| CallError::new(failure.message)),
            Err(abandoned) => Err(CallError::new(abandoned.to_string())),
        }
    }
}
