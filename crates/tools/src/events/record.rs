//! Where events come from.

use std::sync::Arc;

use super::{SessionEvent, SessionEvents};
use crate::pipeline::{Panicked, contain};
use crate::{Execution, ListenerHandle, Registry, Scope, ToolOutcome};

/// Those who keep the events of one scope's calls.
pub(crate) type Keepers = Vec<Arc<dyn SessionEvents>>;

impl Scope {
    /// Keeps the session events of this scope's calls and of those of the scopes nested in it.
    ///
    /// `tool/call` when a call enters the pipeline, before any policy, and `tool/result` when it has its outcome, after all
    /// observers; both for every call that a caller makes, whatever becomes of it, and neither for calls from within
    /// another call.
    pub fn record(&self, events: impl SessionEvents + 'static) -> ListenerHandle {
        self.keep_events(Arc::new(events))
    }
}

impl Registry {
    /// [`Scope::record`], for the calls of all scopes.
    pub fn record(&self, events: impl SessionEvents + 'static) -> ListenerHandle {
        self.global().record(events)
    }
}

/// Says that a call entered the pipeline.
pub(crate) fn call(keepers: &Keepers, execution: &Execution) {
    keep(keepers, execution, || SessionEvent::of_call(execution));
}

/// Says what a call came to.
pub(crate) fn result(keepers: &Keepers, execution: &Execution, outcome: &ToolOutcome) {
    keep(keepers, execution, || SessionEvent::of_result(execution, outcome));
}

fn keep(keepers: &Keepers, execution: &Execution, event: impl Fn() -> SessionEvent) {
    if execution.parent().is_some() {
        return;
    }
    for keeper in keepers {
        if let Err(Panicked(text)) = contain(|| keeper.record(event())) {
            tracing::warn!(tool = execution.name(), "whoever keeps session events panicked: {text}");
        }
    }
}
