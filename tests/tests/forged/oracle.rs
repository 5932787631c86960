//! What must hold of every session, whatever was forged.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use dayfly::{Failure, FailureKind, Fault, Outcome, RunError, RunResult, StartMethod};
use dayfly_tests::forged::Ending;
use dayfly_wire::ProgramFailureKind;

use crate::compile::{Cancel, Compiled, Starts};
use crate::host::{Does, MOST_OUTPUT, MOST_RECEIPTS, Told, most_memory};
use crate::model::End;
use crate::session::{Observed, Played};

/// Every promise that was broken by sessions that were played at the same time, in words.
pub(crate) fn complaints(sessions: &[Compiled], played: &Played) -> Vec<String> {
    let mut book = Complaints(Vec::new());
    book.unless(played.panics == 0, || format!("{} panics", played.panics));
    // Each may take its own bound, and the honest run among them next to nothing.
    let most = sessions.len() * most_memory();
    book.unless(played.peak <= most, || format!("{} bytes were taken, more than {most}", played.peak));
    for (number, (session, observed)) in (1..).zip(sessions.iter().zip(&played.observed)) {
        let broken = complaints_of_one(session, observed);
        book.0.extend(broken.into_iter().map(|complaint| format!("session {number}: {complaint}")));
    }
    book.0
}

fn complaints_of_one(session: &Compiled, observed: &Observed) -> Vec<String> {
    let mut book = Complaints(Vec::new());
    let seen = &observed.seen;
    let late = seen.late.load(Ordering::SeqCst);
    book.unless(late == 0, || format!("{late} functions were started after the run had settled"));
    match &observed.outcome {
        None => book.add("the run did not end".to_owned()),
        Some(Ok(result)) => {
            judge_start(&mut book, session, result);
            judge_ending(&mut book, session, result);
            judge_receipts(&mut book, session, observed, result);
            let heard = seen.logs.load(Ordering::SeqCst);
            let logs = result.logs.len();
            book.unless(heard == logs, || format!("the observer heard {heard} of {logs} logs"));
        }
        Some(Err(error)) => {
            let refused = matches!(error, RunError::NotReady { .. }) && session.starts != Starts::Surely;
            book.unless(refused, || format!("no program was started: {error}"));
            let told = seen.told.lock().unwrap().len() + seen.ran.lock().unwrap().len();
            book.unless(told == 0, || format!("{told} calls, and no program was started"));
        }
    }
    book.0
}

struct Complaints(Vec<String>);

impl Complaints {
    fn add(&mut self, complaint: String) {
        self.0.push(complaint);
    }

    fn unless(&mut self, holds: bool, complaint: impl FnOnce() -> String) {
        if !holds {
            self.0.push(complaint());
        }
    }
}

/// Whether nothing can come between the worker and the end that the protocol foresees.
fn undisturbed(session: &Compiled) -> bool {
    session.cancel == Cancel::Never && session.starts == Starts::Surely && session.prediction.output.1 <= room(session)
}

fn most_output() -> u64 {
    u64::try_from(MOST_OUTPUT).unwrap()
}

/// What the ledger surely has left for frames.
fn room(session: &Compiled) -> u64 {
    most_output() - 100 * u64::try_from(session.native).unwrap()
}

fn judge_start(book: &mut Complaints, session: &Compiled, result: &RunResult) {
    if result.start == StartMethod::None {
        let aborted = result.failure.as_ref().map(Failure::kind) == Some(FailureKind::Abort);
        book.unless(aborted && session.cancel != Cancel::Never, || format!("not started, and {:?}", result.failure));
    } else {
        book.unless(session.starts != Starts::Never, || "a program was started".to_owned());
    }
}

fn judge_ending(book: &mut Complaints, session: &Compiled, result: &RunResult) {
    let kind = result.failure.as_ref().map(Failure::kind);
    let foreseen = match session.prediction.end {
        End::Completed => None,
        End::InvalidOutput | End::Failed(ProgramFailureKind::InvalidOutput) => Some(FailureKind::InvalidOutput),
        End::Failed(ProgramFailureKind::Exception) => Some(FailureKind::Exception),
        End::Failed(ProgramFailureKind::OutputLimit) => Some(FailureKind::OutputLimit),
        // Without a cancel, the socket or the process has ended.
        End::Violation(_) | End::Stream => Some(FailureKind::WorkerExit),
    };
    let (least, most) = session.prediction.output;
    let fits = kind == foreseen && least <= most_output()
        || kind == Some(FailureKind::OutputLimit) && most > room(session)
        || kind == Some(FailureKind::Abort) && session.cancel != Cancel::Never;
    book.unless(fits, || format!("{:?} instead of {foreseen:?} ({:?})", result.failure, session.prediction.end));
    book.unless(result.value.is_none() || kind.is_none(), || "a value and a failure".to_owned());
    if let Some(Fault::WorkerExit { code, signal, .. }) = result.failure.as_ref().map(|failure| &failure.fault) {
        let (own_code, own_signal) = match session.ending {
            Ending::Exit(code) => (Some(i32::from(code)), None),
            Ending::Kill(signal) => (None, Some(i32::from(signal))),
            Ending::Linger | Ending::CloseAndSpin => (None, None),
        };
        // The host may see the end of the socket long before that of the process.
        let known = (*code, *signal) == (own_code, own_signal) || (*code, *signal) == (None, None);
        book.unless(known, || format!("code {code:?} and signal {signal:?} of a worker that did {:?}", session.ending));
    }
}

fn judge_receipts(book: &mut Complaints, session: &Compiled, observed: &Observed, result: &RunResult) {
    let expected: HashMap<u32, Option<Does>> =
        session.prediction.calls.iter().map(|call| (call.id, call.does)).collect();
    let (ran, told) = (observed.seen.ran.lock().unwrap(), observed.seen.told.lock().unwrap());
    for (id, times) in ran.iter() {
        let declared = expected.get(id).is_some_and(Option::is_some);
        book.unless(*times == 1 && declared, || format!("call {id} ran {times} times; expected: {declared}"));
        book.unless(told.contains_key(id), || format!("nobody was told of call {id}"));
    }
    for (id, told) in told.iter() {
        let once = told.started == 1 && told.ended == 1 && ran.contains_key(id);
        book.unless(once, || format!("the observer was told of call {id}: {told:?}"));
        let outcome = told.outcome.unwrap_or(Outcome::NotStarted);
        let does = expected.get(id).copied().flatten().unwrap_or(Does::Stays);
        book.unless(may_end(does, outcome), || format!("call {id}, which {does:?}, ended as {outcome:?}"));
    }
    let receipts = &result.receipts;
    let increasing = receipts.calls.is_sorted_by(|one, next| one.id < next.id);
    book.unless(increasing, || "the receipts are not in order of their ids".to_owned());
    let whole =
        receipts.calls.len() == MOST_RECEIPTS || receipts.calls.len() < MOST_RECEIPTS && receipts.rest.is_empty();
    book.unless(whole, || format!("{} receipts in full, {} counts", receipts.calls.len(), receipts.rest.len()));
    for receipt in &receipts.calls {
        let id = receipt.id;
        book.unless(expected.contains_key(&id), || format!("a receipt of a call that was not made: {receipt:?}"));
        let known = told.get(&id).and_then(|told| told.outcome);
        let unstarted = matches!(receipt.outcome, Outcome::Failed | Outcome::NotStarted) && !ran.contains_key(&id);
        book.unless(known == Some(receipt.outcome) || known.is_none() && unstarted, || {
            format!("{receipt:?}, and the observer was told {known:?}")
        });
    }
    let tally = Tally::of_receipts(result);
    book.unless(tally.all() == result.usage.calls, || format!("{tally:?}, and usage says {}", result.usage.calls));
    let heard = Tally::of_told(told.values());
    let agree = (tally.succeeded, tally.cancelled, tally.abandoned)
        == (heard.succeeded, heard.cancelled, heard.abandoned)
        && tally.failed >= heard.failed;
    book.unless(agree, || format!("{tally:?} in receipts, {heard:?} told"));
    let calls = u64::try_from(expected.len()).unwrap();
    book.unless(tally.all() <= calls, || format!("{} receipts of {calls} calls", tally.all()));
    if !undisturbed(session) {
        return;
    }
    book.unless(tally.all() == calls, || format!("{} receipts of {calls} calls", tally.all()));
    let first = session.prediction.calls.iter().map(|call| call.id).take(MOST_RECEIPTS);
    book.unless(first.eq(receipts.calls.iter().map(|receipt| receipt.id)), || {
        "the receipts in full are not those of the first calls".to_owned()
    });
    let declared = expected.values().flatten().count();
    if session.ending == Ending::Linger && !session.half_closed {
        book.unless(ran.len() == declared, || format!("{} functions ran for {declared} calls", ran.len()));
        book.unless(tally.not_started == 0, || format!("{} calls were not started", tally.not_started));
    }
    if session.settled {
        let does =
            |wanted: Does| u64::try_from(expected.values().filter(|does| **does == Some(wanted)).count()).unwrap();
        let refused = calls - u64::try_from(declared).unwrap();
        let settled = (tally.succeeded, tally.failed) == (does(Does::Succeeds), does(Does::Fails) + refused);
        book.unless(settled, || format!("{tally:?}, and every call had been answered"));
    }
    let (logs, most) = (session.prediction.logs, session.prediction.logs + session.native + 1);
    book.unless((logs..=most).contains(&result.logs.len()), || format!("{} logs of {logs}", result.logs.len()));
}

/// Whether a function that does this may have this outcome: the run may settle before it ends.
fn may_end(does: Does, outcome: Outcome) -> bool {
    match outcome {
        Outcome::Succeeded => does == Does::Succeeds,
        Outcome::Failed => does == Does::Fails,
        Outcome::Cancelled => does != Does::Stays,
        Outcome::Abandoned => true,
        Outcome::NotStarted => false,
    }
}

/// Counts of outcomes.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    succeeded: u64,
    failed: u64,
    cancelled: u64,
    abandoned: u64,
    not_started: u64,
}

impl Tally {
    fn add(&mut self, outcome: Outcome, times: u64) {
        *match outcome {
            Outcome::Succeeded => &mut self.succeeded,
            Outcome::Failed => &mut self.failed,
            Outcome::Cancelled => &mut self.cancelled,
            Outcome::Abandoned => &mut self.abandoned,
            Outcome::NotStarted => &mut self.not_started,
        } += times;
    }

    fn of_receipts(result: &RunResult) -> Self {
        let mut tally = Self::default();
        result.receipts.calls.iter().for_each(|receipt| tally.add(receipt.outcome, 1));
        for counts in &result.receipts.rest {
            tally.add(Outcome::Succeeded, counts.succeeded);
            tally.add(Outcome::Failed, counts.failed);
            tally.add(Outcome::Cancelled, counts.cancelled);
            tally.add(Outcome::Abandoned, counts.abandoned);
            tally.add(Outcome::NotStarted, counts.not_started);
        }
        tally
    }

    fn of_told<'a>(told: impl Iterator<Item = &'a Told>) -> Self {
        let mut tally = Self::default();
        told.filter_map(|told| told.outcome).for_each(|outcome| tally.add(outcome, 1));
        tally
    }

    fn all(&self) -> u64 {
        self.succeeded + self.failed + self.cancelled + self.abandoned + self.not_started
    }
}
