//! What is kept of one run's calls: their events, the contexts that they defer, and what became of them.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dayfly_runtime::CancellationToken;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::tally::{Became, Tally};
use crate::call::Progress;
use crate::events::{self, CodeDispatchEvent};
use crate::pipeline::{Contained, Deferral, Panicked, code};
use crate::registry::Hooks;
use crate::scheduler::{Queue, Turn};
use crate::{DurableResult, Execution, RunContext, ToolOutcome};

/// So many copies may wait for their listeners before the program waits as well: their contents are memory.
const MOST_WAITING: usize = 256;

/// The journal of one run. It lives as long as an execution of one of the run's calls, so it holds nothing of the registry.
pub(crate) struct Journal {
    /// The execution of `run_code`.
    parent: Execution,
    /// Where its contexts go.
    deferral: Deferral,
    /// Asks `run_code` to stop.
    cancel: CancellationToken,
    /// How long a listener may take from then on.
    grace: Duration,
    state: Mutex<State>,
    /// Copies that are not kept yet. Closed from the start, so that waiting means waiting for none.
    copies: TaskTracker,
    in_flight: TaskTracker,
    room: Arc<Semaphore>,
}

struct State {
    tally: Tally,
    order: Queue,
}

impl Journal {
    pub(super) fn new(context: &RunContext) -> Arc<Self> {
        let copies = TaskTracker::new();
        copies.close();
        let core = context.scope().core();
        Arc::new(Self {
            parent: context.execution().clone(),
            deferral: context.deferral().clone(),
            cancel: context.cancel().clone(),
            grace: core.config.cancel_grace,
            state: Mutex::new(State { tally: Tally::default(), order: Queue::new() }),
            copies,
            in_flight: core.in_flight.clone(),
            room: Arc::new(Semaphore::new(MOST_WAITING)),
        })
    }

    pub(crate) fn parent_call_id(&self) -> &str {
        self.parent.call_id()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program made a call of this name.
    pub(super) fn submitted(&self, name: &str) {
        self.state().tally.submitted(name);
    }

    /// The program is given the answer of a call.
    pub(super) fn answered(&self, number: u64, name: &str) {
        self.state().tally.answered(number, name);
    }

    /// What became of the calls so far.
    pub(super) fn tally(&self) -> Tally {
        self.state().tally.clone()
    }

    /// A call has its outcome. Called in the order of the calls, and by one at a time.
    pub(crate) fn settled(self: &Arc<Self>, hooks: &Arc<Hooks>, execution: &Execution, outcome: &ToolOutcome) {
        for context in &outcome.contexts {
            self.deferral.push(context.clone());
        }
        let turn = {
            let mut state = self.state();
            state.tally.ended(execution.number(), execution.name(), how(execution, outcome));
            state.order.join()
        };
        if hooks.keepers.is_empty() {
            return;
        }
        let result = DurableResult::new(outcome.is_error(), outcome.content.clone(), None);
        let event = CodeDispatchEvent::now(self.parent_call_id(), execution, result);
        let at_once = hooks.dispatch_log.is_empty() && turn.has_come();
        match Handle::try_current() {
            Ok(runtime) if !at_once => {
                let copy = Arc::clone(self).keep(Arc::clone(hooks), execution.clone(), event, turn);
                runtime.spawn(self.in_flight.track_future(self.copies.track_future(copy)));
            }
            Ok(_) | Err(_) => events::dispatch(&hooks.keepers, execution, &event),
        }
    }

    /// Shows the copy to the listeners, and keeps it when those before it are kept.
    fn keep(
        self: Arc<Self>,
        hooks: Arc<Hooks>,
        execution: Execution,
        mut event: CodeDispatchEvent,
        turn: Turn,
    ) -> impl Future<Output = ()> + Send {
        // Without room the copy waits all the same; it is the program that is held up.
        let room = Arc::clone(&self.room).try_acquire_owned().ok();
        async move {
            tokio::select! {
                biased;
                result = listened(&hooks, &execution, event.result.clone()) => event.result = result,
                () = self.late() => {
                    let tool = execution.name();
                    tracing::warn!(tool, "a listener of code dispatches did not end; the whole result is kept");
                }
            }
            turn.come().await;
            events::dispatch(&hooks.keepers, &execution, &event);
            drop((turn, room));
        }
    }

    /// Resolves when whoever listens has had the grace to itself.
    async fn late(&self) {
        self.cancel.cancelled().await;
        tokio::time::sleep(self.grace).await;
    }

    /// Waits until fewer copies wait than may.
    pub(super) async fn room(&self) {
        // The semaphore is never closed.
        drop(self.room.acquire().await.ok());
    }

    /// Waits until all copies are kept.
    pub(super) async fn drain(&self) {
        self.copies.wait().await;
    }
}

/// The copy as the listeners leave it: they may replace what is shown, never whether it is a failure.
async fn listened(hooks: &Hooks, execution: &Execution, mut result: DurableResult) -> DurableResult {
    for listener in &hooks.dispatch_log {
        let listening = Contained::new(|| listener(execution.clone(), result.clone()));
        match listening.await {
            Ok(replaced) => result = DurableResult::new(result.is_error, replaced.content, replaced.meta),
            Err(Panicked(text)) => {
                tracing::warn!(tool = execution.name(), "a listener of code dispatches panicked: {text}");
            }
        }
    }
    result
}

/// What became of a call, told from how far its body came and from what was made of that.
fn how(execution: &Execution, outcome: &ToolOutcome) -> Became {
    let Some(failure) = outcome.failure() else { return Became::Completed };
    let code = failure.code();
    let withheld = matches!(code, Some(code::POST_EXECUTE_BLOCKED | code::POST_EXECUTE_FAILED));
    match execution.progress() {
        Progress::NotStarted if code == Some(code::ABORTED_BEFORE_DISPATCH) => Became::NeverStarted,
        Progress::NotStarted => Became::Refused,
        // A deadline of a layer's also drops what does not stop; that is a failure that the program has been told of.
        Progress::Started if execution.cancel().is_cancelled() => Became::Dropped,
        Progress::Ended { succeeded: true, .. } if withheld => Became::Withheld,
        // The value was there, and was discarded because the run had ended meanwhile.
        Progress::Ended { succeeded: true, late: false } if code == Some(code::ABORTED) => Became::Completed,
        Progress::Ended { succeeded: true, late: true } => Became::CompletedLate,
        Progress::Ended { succeeded: false, late: true } => Became::Stopped,
        Progress::Started | Progress::Ended { .. } => Became::Failed,
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("parent", &self.parent.call_id()).finish_non_exhaustive()
    }
}
