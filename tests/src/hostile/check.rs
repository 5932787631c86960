//! Compares what came of a hostile run with what should.

use dayfly::{Budget, Failure, FailureKind, Fault, Json, Outcome, RunResult};

use super::witness::Seen;
use super::{Case, Ends, Peer, Sides, Then};
use crate::table::LATE;

/// Every difference of a run from its case.
pub(super) fn differences(case: &Case, seen: &Seen) -> Vec<String> {
    let ends = match seen.peer {
        Peer::Program(language) => case.ends.of(language),
        Peer::Forged => &case.ends.python,
    };
    let result = &seen.result;
    let mut differences = Vec::new();
    let returns = matches!(&case.sides, Sides::Script(script) if script.then == Then::Return);
    let ends =
        if returns && seen.peer == Peer::Forged && matches!(ends, Ends::Value(_)) { &Ends::Value("[]") } else { ends };
    if !ended_so(ends, result) {
        differences.push(format!("the run should have ended as {ends:?}; {}", seen.outline()));
    }
    if result.failure.is_some() && result.value.is_some() {
        differences.push(format!("a failed run has a value; {}", seen.outline()));
    }
    // What a program throws is its own text; every other message is the host's.
    if let Some(failure) = &result.failure
        && failure.kind() != FailureKind::Exception
        && (failure.message.is_empty() || failure.message.contains(char::is_control))
    {
        differences.push(format!("the message is raw or empty: {:?}", failure.message));
    }
    if let Some(wanted) = &case.calls {
        let calls: Vec<_> = result.receipts.calls.iter().map(|call| (call.name.as_str(), call.outcome)).collect();
        if calls != *wanted {
            differences.push(format!("the receipts are {} and should be {}", counts(&calls), counts(wanted)));
        }
    }
    let counted = result
        .receipts
        .rest
        .iter()
        .map(|counts| counts.succeeded + counts.failed + counts.cancelled + counts.abandoned + counts.not_started);
    let receipts = result.receipts.calls.len() as u64 + counted.sum::<u64>();
    if receipts != result.usage.calls || (seen.ran.len() as u64) > receipts {
        differences.push(format!("a call has no receipt; {}", seen.outline()));
    }
    differences.extend((case.also)(seen).err());
    differences
}

/// Equal neighbours put together: a million receipts are a short text.
fn counts(calls: &[(&str, Outcome)]) -> String {
    let runs = calls.chunk_by(|left, right| left == right).take(20);
    runs.map(|run| format!("{} times {:?}", run.len(), run[0])).collect::<Vec<_>>().join(", ")
}

fn ended_so(ends: &Ends, result: &RunResult) -> bool {
    let Some(Failure { message, fault, .. }) = &result.failure else {
        let is_value = |text| result.value == Some(Json::parse(text).expect("a value of a test"));
        return matches!(ends, Ends::Value(text) if is_value(text)) || matches!(ends, Ends::Completed);
    };
    let kind = result.failure.as_ref().map(Failure::kind);
    match (ends, fault) {
        (Ends::Broken(says), Fault::WorkerExit { .. }) => {
            message.contains("broke the protocol") && says.iter().all(|text| message.contains(text))
        }
        (Ends::Closed(says), Fault::WorkerExit { code: None, signal: None, .. }) => message.contains(says),
        (Ends::Exit(wanted), Fault::WorkerExit { code, .. }) => *code == Some(*wanted),
        (Ends::Killed, Fault::WorkerExit { signal, .. }) => signal.is_some(),
        (Ends::OutOfMemory, Fault::WorkerExit { .. }) => message.contains("out of memory"),
        (Ends::Exception(class), Fault::Exception(detail)) => detail.name == *class,
        (Ends::Wall, Fault::Timeout { budget: Budget::Wall, limit, used }) => used >= limit,
        (Ends::Compute, Fault::Timeout { budget: Budget::Compute, limit, used }) => {
            let ended = *limit..*limit + LATE;
            ended.contains(used) && ended.contains(&result.usage.cpu)
        }
        (Ends::Invalid(wanted, says), Fault::InvalidOutput { path }) => {
            path.starts_with(wanted) && message.contains(says)
        }
        (Ends::OutputLimit, Fault::OutputLimit { .. }) => true,
        (Ends::ExceptionOrExit, _) => matches!(kind, Some(FailureKind::Exception | FailureKind::WorkerExit)),
        _ => false,
    }
}
