//! What the host sees of a hostile run: which functions ran, how often, and whether anything came too late.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dayfly::{CallEnd, CallStart, HostFunction, LogEntry, Namespace, Observer, Outcome, RunResult};

use super::Peer;

/// What came of one hostile run.
#[derive(Debug)]
pub struct Seen {
    /// Who played.
    pub peer: Peer,
    /// What `run` gave.
    pub result: RunResult,
    /// The functions that ran, by the call's id: one name for each time that one ran.
    pub ran: BTreeMap<u32, Vec<String>>,
    /// The most functions that were at work at the same time.
    pub most_at_once: usize,
}

impl Seen {
    /// Refuses with what was seen.
    ///
    /// # Errors
    ///
    /// `what`, when it is not true.
    pub fn must(&self, what: &str, truth: bool) -> Result<(), String> {
        if truth { Ok(()) } else { Err(format!("it is not true that {what}; {}", self.outline())) }
    }

    /// The texts of the logs, joined by line breaks.
    #[must_use]
    pub fn printed(&self) -> String {
        self.result.logs.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// What is known, without long texts.
    #[must_use]
    pub fn outline(&self) -> String {
        let Self { result, ran, most_at_once, .. } = self;
        let mut text = format!(
            "value {:?}, failure {:?}, {} log entries, usage {:?}, ran {ran:?} ({most_at_once} at once), receipts {:?}",
            result.value.as_ref().map(ToString::to_string),
            result.failure,
            result.logs.len(),
            result.usage,
            result.receipts,
        );
        let end = text.floor_char_boundary(1_500);
        text.truncate(end);
        text
    }
}

/// Sees one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Witness(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    ran: BTreeMap<u32, Vec<String>>,
    at_work: usize,
    most_at_once: usize,
    started: BTreeMap<u32, usize>,
    ended: BTreeMap<u32, Vec<Outcome>>,
    returned: bool,
    late: Vec<String>,
}

impl Witness {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same functions, seen.
    pub(super) fn of(&self, mut namespace: Namespace) -> Namespace {
        for (_, function) in &mut namespace.functions {
            let (witness, inner) = (self.clone(), function.clone());
            *function = HostFunction::new(move |call| {
                let at_work = witness.began(call.id, &call.name);
                let answer = inner.call(call);
                async move {
                    let _at_work = at_work;
                    answer.await
                }
            });
        }
        namespace
    }

    fn began(&self, id: u32, name: &str) -> AtWork {
        let mut state = self.state();
        state.ran.entry(id).or_default().push(name.to_owned());
        state.at_work += 1;
        state.most_at_once = state.most_at_once.max(state.at_work);
        if state.returned {
            state.late.push(format!("the function {name} of call {id}"));
        }
        AtWork(self.clone())
    }

    /// The run has returned: nothing may come any more.
    pub(super) fn returned(&self) {
        self.state().returned = true;
    }

    pub(super) fn seen(&self, peer: Peer, result: RunResult) -> Seen {
        let state = self.state();
        Seen { peer, result, ran: state.ran.clone(), most_at_once: state.most_at_once }
    }

    /// What was not as it must be for any run.
    pub(super) fn offences(&self) -> Vec<String> {
        let state = self.state();
        let mut offences: Vec<String> =
            state.late.iter().map(|what| format!("{what} came after the run had returned")).collect();
        offences.extend(
            (state.ran.iter().filter(|(_, names)| names.len() > 1))
                .map(|(id, names)| format!("the functions {names:?} ran for call {id}")),
        );
        offences.extend(
            (state.started.iter().filter(|(id, times)| **times != state.ended.get(id).map_or(0, Vec::len)))
                .map(|(id, times)| format!("call {id} began {times} times and ended as {:?}", state.ended.get(id))),
        );
        if state.at_work > 0 {
            offences.push(format!("{} functions are still at work", state.at_work));
        }
        offences
    }
}

struct AtWork(Witness);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.state().at_work -= 1;
    }
}

impl Observer for Witness {
    fn log(&self, entry: &LogEntry) {
        let mut state = self.state();
        if state.returned {
            state.late.push(format!("the log entry {:?}", entry.text));
        }
    }

    fn call_started(&self, call: &CallStart<'_>) {
        let mut state = self.state();
        *state.started.entry(call.id).or_default() += 1;
        if state.returned {
            state.late.push(format!("the start of call {}", call.id));
        }
    }

    fn call_ended(&self, call: &CallEnd<'_>) {
        let mut state = self.state();
        state.ended.entry(call.id).or_default().push(call.outcome);
        if state.returned {
            state.late.push(format!("the end of call {}", call.id));
        }
    }
}
