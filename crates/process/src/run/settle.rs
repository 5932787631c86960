//! The words for how a run ended.

use std::time::Duration;

use dayfly_runtime::json::Refusal;
use dayfly_runtime::{Budget, ExceptionDetail, Failure, Fault};
use dayfly_sandbox::Exit;
use dayfly_wire::{ProgramFailure, ProgramFailureKind, Violation};

use crate::config::Limits;
use crate::dialect::Dialect;

/// A message or a stack that is longer is cut: the worker cuts its own, so only a forgery meets this.
const LONGEST_TEXT: usize = 64 << 10;

pub(super) fn aborted() -> Failure {
    Failure::new(Fault::Abort, "the run was cancelled")
}

pub(super) fn timed_out(budget: Budget, limit: Duration, used: Duration) -> Failure {
    let message = if budget == Budget::Compute {
        format!(
            "the program used its compute budget of {}: {} of busy CPU time; waiting on calls costs nothing, so do less \
             work in the program, or look for a loop that does not end",
            seconds(limit),
            seconds(used)
        )
    } else {
        format!(
            "the program ran into its wall ceiling of {}; it was still running or waiting for a call or a timer",
            seconds(limit)
        )
    };
    Failure::new(Fault::Timeout { budget, limit, used }, message)
}

pub(super) fn output_limit(limit: u64) -> Failure {
    let message = format!(
        "the program's output is more than the limit of {limit} bytes (logs and completion value together); \
         print and return less: extract what is needed"
    );
    Failure::new(Fault::OutputLimit { limit }, message)
}

pub(super) fn invalid_output(refusal: &Refusal) -> Failure {
    let message = format!("the completion value is not lossless JSON: {refusal}");
    Failure::new(Fault::InvalidOutput { path: refusal.path.clone() }, message)
}

pub(super) fn violation(violation: &Violation, stderr_tail: String) -> Failure {
    let message = format!("the worker broke the protocol and was ended: {violation}");
    Failure::new(Fault::WorkerExit { code: None, signal: None, stderr_tail }, message)
}

pub(super) fn socket_closed(stderr_tail: String) -> Failure {
    let message = "the program closed descriptor 3, its socket to the host, and was ended; leave it alone";
    Failure::new(Fault::WorkerExit { code: None, signal: None, stderr_tail }, message)
}

/// The failure that the worker reported.
pub(super) fn reported(failure: ProgramFailure, limit: u64) -> Failure {
    let message = cut(failure.message);
    match failure.kind {
        ProgramFailureKind::Exception => {
            let mut detail = ExceptionDetail::default();
            detail.name = cut(failure.name.unwrap_or_default());
            detail.line = failure.line;
            detail.column = failure.column;
            detail.stack = cut(failure.stack.unwrap_or_default());
            Failure::new(Fault::Exception(detail), message)
        }
        ProgramFailureKind::InvalidOutput => {
            let path = cut(failure.path.unwrap_or_else(|| "result".to_owned()));
            Failure::new(Fault::InvalidOutput { path }, message)
        }
        ProgramFailureKind::OutputLimit => Failure::new(Fault::OutputLimit { limit }, message),
    }
}

/// What a process said before it ended.
#[derive(Debug)]
pub(super) struct LastWords {
    /// Why the interpreter gave up, when it did.
    pub(super) reason: Option<String>,
    /// The end of what was written to standard error.
    pub(super) stderr_tail: String,
}

/// The process ended by itself before the program did.
pub(super) fn exited(dialect: &Dialect, exit: &Exit, last_words: LastWords, limits: &Limits) -> Failure {
    let LastWords { reason, stderr_tail } = last_words;
    let mut message = match (exit.code, exit.signal) {
        (Some(code), _) => {
            format!(
                "the process exited with code {code} before the program completed; \
                 end a program with `return`, not with {}",
                dialect.exit_calls
            )
        }
        (None, Some(signal)) => {
            format!("the process was killed by {} before the program completed", signal_name(signal))
        }
        (None, None) => "the process ended before the program completed".to_owned(),
    };
    // A long dump's reason may no longer be in the tail.
    let memory =
        reason.as_deref().map_or_else(|| out_of_memory(exit, &stderr_tail), |reason| out_of_memory(exit, reason));
    if memory {
        message = format!(
            "the program ran out of memory and its process was ended ({}); process data in smaller pieces \
             (limits: heap {}, memory {})",
            exit.signal.map_or_else(|| format!("code {}", exit.code.unwrap_or(-1)), signal_name),
            limits.old_space,
            limits.memory
        );
    } else if let Some(reason) = reason {
        message = format!("{message}; {} gave up: {reason}", dialect.product);
    }
    Failure::new(Fault::WorkerExit { code: exit.code, signal: exit.signal, stderr_tail }, message)
}

/// What interpreters and allocators say when memory is gone.
fn out_of_memory(exit: &Exit, stderr_tail: &str) -> bool {
    const WORDS: [&str; 5] =
        ["heap out of memory", "std::bad_alloc", "Allocation failed", "out of memory", "Cannot allocate memory"];
    // Whoever says so and then exits has its own reasons: memory that is gone ends a process by a signal.
    exit.signal.is_some() && WORDS.iter().any(|words| stderr_tail.contains(words))
}

pub(super) fn signal_name(signal: i32) -> String {
    nix::sys::signal::Signal::try_from(signal).map_or_else(|_| format!("signal {signal}"), |signal| signal.to_string())
}

/// Cuts a text to the cap, at a character.
fn cut(mut text: String) -> String {
    if text.len() > LONGEST_TEXT {
        text.truncate(text.floor_char_boundary(LONGEST_TEXT));
        text.push('…');
    }
    text
}

/// Cuts a failure's message to what the output ledger has left, but never below what says what happened.
pub(super) fn fit(failure: &mut Failure, left: u64) {
    const LEAST: usize = 1 << 10;
    let room = usize::try_from(left).unwrap_or(usize::MAX).max(LEAST);
    if super::output::string_cost(&failure.message) > room {
        let end = failure.message.floor_char_boundary(room / 6);
        failure.message.truncate(end);
        failure.message.push('…');
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}
