//! The order in which calls arrive.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dayfly::{CallEnd, CallStart, Observer};

use super::gate::{Gate, Ticket};

/// Takes a call's ticket when the call arrives. The functions that answer calls run on tasks of their own, which the
/// event loop starts in any order; an observer hears of the calls in theirs.
#[derive(Debug)]
pub(super) struct Arrivals {
    gate: Arc<Gate>,
    /// Whether the tool of this name may run beside others.
    safe: HashMap<String, bool>,
    tickets: Mutex<HashMap<u32, Ticket>>,
}

impl Arrivals {
    pub(super) fn new(safe: HashMap<String, bool>) -> Self {
        Self { gate: Arc::default(), safe, tickets: Mutex::default() }
    }

    /// The ticket of a call; one taken now when the call was not heard of.
    pub(super) fn ticket(&self, id: u32, safe: bool) -> Ticket {
        let taken = self.tickets().remove(&id);
        taken.unwrap_or_else(|| self.gate.ticket(safe))
    }

    fn tickets(&self) -> MutexGuard<'_, HashMap<u32, Ticket>> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Arrivals {
    fn call_started(&self, call: &CallStart<'_>) {
        if let Some(safe) = self.safe.get(call.name) {
            let ticket = self.gate.ticket(*safe);
            self.tickets().insert(call.id, ticket);
        }
    }

    fn call_ended(&self, call: &CallEnd<'_>) {
        // Left when the call ended before its function began; dropped outside the lock, because that lets others in.
        let unused = self.tickets().remove(&call.id);
        drop(unused);
    }
}
