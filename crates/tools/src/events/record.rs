//! Where events come from.

use std::future::Future;
use std::sync::Arc;

use super::{CodeDispatchEvent, SessionEvent, SessionEvents};
use crate::pipeline::{Panicked, contain};
use crate::registry::Hooks;
use crate::{DurableResult, Execution, ListenerHandle, Registry, Scope, ToolOutcome};

/// Those who keep the events of one scope's calls.
pub(crate) type Keepers = Vec<Arc<dyn SessionEvents>>;

impl Scope {
    /// Keeps the session events of this scope's calls and of those of the scopes nested in it.
    ///
    /// `tool/call` when a call enters the pipeline, before any policy, and `tool/result` when it has its outcome, after all
    /// observers; both for every call that a caller makes, whatever becomes of it. Of the calls that a program makes,
    /// between the two of its `run_code`, `tool/code-dispatch-start` and `tool/code-dispatch` in the same way. Neither for other
    /// calls from within another call.
    pub fn record(&self, events: impl SessionEvents + 'static) -> ListenerHandle {
        self.keep_events(Arc::new(events))
    }
}

impl Registry {
    /// [`Scope::record`], for the calls of all scopes.
    pub fn record(&self, events: impl SessionEvents + 'static) -> ListenerHandle {
        self.global().record(events)
    }

    /// [`Scope::on_code_dispatch_log`], for the programs of all scopes.
    pub fn on_code_dispatch_log<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Execution, DurableResult) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = DurableResult> + Send + 'static,
    {
        self.global().on_code_dispatch_log(listener)
    }
}

/// Says that a call entered the pipeline.
pub(crate) fn call(keepers: &Keepers, execution: &Execution) {
    match (execution.journal(), execution.parent()) {
        (Some(journal), _) => {
            let parent = journal.parent_call_id();
            keep(keepers, execution, || SessionEvent::of_dispatch_start(parent, execution));
        }
        (None, None) => keep(keepers, execution, || SessionEvent::of_call(execution)),
        (None, Some(_)) => {}
    }
}

/// Says what a call came to.
pub(crate) fn result(hooks: &Arc<Hooks>, execution: &Execution, outcome: &ToolOutcome) {
    match (execution.journal(), execution.parent()) {
        (Some(journal), _) => journal.settled(hooks, execution, outcome),
        (None, None) => keep(&hooks.keepers, execution, || SessionEvent::of_result(execution, outcome)),
        (None, Some(_)) => {}
    }
}

/// Says what a call of a program came to.
pub(crate) fn dispatch(keepers: &Keepers, execution: &Execution, event: &CodeDispatchEvent) {
    keep(keepers, execution, || SessionEvent::CodeDispatch(event.clone()));
}

fn keep(keepers: &Keepers, execution: &Execution, event: impl Fn() -> SessionEvent) {
    for keeper in keepers {
        if let Err(Panicked(text)) = contain(|| keeper.record(event())) {
            tracing::warn!(tool = execution.name(), "whoever keeps session events panicked: {text}");
        }
    }
}
