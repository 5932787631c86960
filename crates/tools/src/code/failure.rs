//! The failures of `run_code`: what the model reads of a program that failed, and of one that was never started.

use std::time::Duration;

use dayfly_runtime::{ExceptionDetail, Failure, FailureKind, Fault, Language, RunError, RunResult};

use super::excerpt;
use super::tally::Tally;
use crate::ToolFailure;
use crate::pipeline::code;

/// The longest reason in bytes. A stack of the program's own frames is a part of it.
const MOST_REASON: usize = 8 * 1_024;
/// The longest captured output in bytes.
const MOST_CAPTURED: usize = 16 * 1_024;

/// A program failed: the kind, the reason, what became of its calls where that is not plain, and what it had printed.
pub(super) fn failed(failure: &Failure, run: &RunResult, tally: Tally) -> ToolFailure {
    let kind = failure.kind();
    let mut message = format!("code run failed ({}): {}", kind.name(), excerpt::ends_of(&reason(failure), MOST_REASON));
    let tally = tally.with_receipts(&run.receipts, "tools");
    // A program that failed of itself knows what its calls came to; one that was ended from outside left them somewhere.
    if let Some(calls) = tally.line().filter(|_| ended_from_outside(kind) || tally.cut_short()) {
        message.push_str(&format!("\n{calls}."));
        if tally.did_something() {
            message.push_str(" What they have done is not undone.");
        }
    }
    let captured: Vec<&str> = run.logs.iter().map(|entry| entry.text.as_str()).collect();
    if !captured.is_empty() {
        message.push_str("\nCaptured output:\n");
        message.push_str(&excerpt::ends_of(&captured.join("\n"), MOST_CAPTURED));
    }
    ToolFailure::coded("CodeRunFailedError", code::CODE_RUN_FAILED, message)
}

const fn ended_from_outside(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Timeout | FailureKind::Abort | FailureKind::WorkerExit | FailureKind::OutputLimit => true,
        FailureKind::Exception | FailureKind::InvalidOutput => false,
    }
}

/// The message, and what the model needs beside it to find the fault.
fn reason(failure: &Failure) -> String {
    match &failure.fault {
        Fault::Exception(detail) => exception(&failure.message, detail),
        Fault::OutputLimit { .. } => format!(
            "{}. What is large can go from one tool to the next inside the program, or be written where a tool can read it later",
            failure.message.trim_end_matches('.')
        ),
        Fault::Timeout { .. } | Fault::Abort | Fault::WorkerExit { .. } | Fault::InvalidOutput { .. } => {
            failure.message.clone()
        }
    }
}

/// `TypeError: x is not a function`, and where: the program's own frames, or the line where there are none.
fn exception(message: &str, detail: &ExceptionDetail) -> String {
    let mut text = message.to_owned();
    if !detail.name.is_empty() {
        text.insert_str(0, &format!("{}: ", detail.name));
    }
    for frame in detail.stack.lines() {
        text.push_str("\n    ");
        text.push_str(frame);
    }
    if let Some(line) = detail.line.filter(|line| detail.stack.is_empty() && !says_line(message, *line)) {
        match detail.column {
            Some(column) => text.push_str(&format!(" (line {line}, column {column})")),
            None => text.push_str(&format!(" (line {line})")),
        }
    }
    text
}

fn says_line(message: &str, line: u32) -> bool {
    let said = format!("line {line}");
    message
        .match_indices(&said)
        .any(|(at, _)| !message[at + said.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

/// There is nothing to run.
pub(super) fn blank(language: Language) -> ToolFailure {
    let message = format!("`code` is blank, so nothing was run; give it the text of a {language} program");
    ToolFailure::coded("ToolArgsError", "INVALID_ARGS", message)
}

/// No program was started.
pub(super) fn unavailable(error: &RunError) -> ToolFailure {
    // What the model can mend says so itself.
    let mendable = matches!(
        error,
        RunError::ProgramTooLarge { .. }
            | RunError::QueueFull { .. }
            | RunError::QueueTimeout { .. }
            | RunError::NestedTooDeep { .. }
    );
    let advice = if mendable { "" } else { ". Another program will not help: whoever runs this host has to mend it" };
    let text = excerpt::ends_of(&error.to_string(), MOST_REASON);
    let message = format!("the program was not started: {}{advice}", text.trim_end_matches('.'));
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_UNAVAILABLE, message)
}

pub(super) fn homeless() -> ToolFailure {
    let message =
        "the program was not started: `run_code` was called outside a tokio runtime, which is a defect of the harness";
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_UNAVAILABLE, message)
}

pub(super) fn panicked(text: &str) -> ToolFailure {
    let message = format!(
        "the program may have run in part: the runtime of programs panicked, which is a defect of the runtime: {}",
        excerpt::ends_of(text, MOST_REASON)
    );
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_FAILED, message)
}

pub(super) fn endless(waited: Duration) -> ToolFailure {
    let message = format!(
        "the run was cancelled, and the runtime of programs did not end it within {waited:?}, which is a defect of the runtime; \
         the program may have run in part"
    );
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_FAILED, message)
}
