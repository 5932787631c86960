//! The failures of `run_code`: what the model reads of a program that failed, and of one that was never started.

use std::error::Error;
use std::time::Duration;

use dayfly_runtime::{ExceptionDetail, Failure, FailureKind, Fault, Language, RunError, RunResult};

use super::tally::Tally;
use super::{excerpt, words};
use crate::ToolFailure;
use crate::pipeline::code;
use crate::registry::RUN_CODE;

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
    let language = words::name(language);
    let message = format!("`code` is blank, so nothing was run; give it the text of a {language} program");
    ToolFailure::coded("ToolArgsError", "INVALID_ARGS", message)
}

/// No program was started.
pub(super) fn unavailable(error: &RunError) -> ToolFailure {
    let message = format!("the program was not started: {}", excerpt::ends_of(&refusal(error), MOST_REASON));
    // What the host's own files and interpreters are called is for those who run it, and tells a program's author nothing.
    tracing::error!(tool = RUN_CODE, error = error as &(dyn Error + 'static), "no program was started");
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_UNAVAILABLE, message)
}

/// What a model is told: what it can do itself, or what it can tell those who run the host, without a path of theirs.
fn refusal(error: &RunError) -> String {
    const NOT_YOURS: &str = "Another program will not help: whoever runs this host has to mend it";
    // The error's own words end with what to do.
    let said = || error.to_string().trim_end_matches('.').to_owned();
    match error {
        RunError::ProgramTooLarge { .. }
        | RunError::QueueFull { .. }
        | RunError::QueueTimeout { .. }
        | RunError::NestedTooDeep { .. } => said(),
        RunError::DuplicateNamespace { .. }
        | RunError::DuplicateFunction { .. }
        | RunError::InvalidGlobal { .. }
        | RunError::ShutDown => format!("{}. {NOT_YOURS}", said()),
        RunError::Interpreter { language, .. } => format!(
            "this host has no usable interpreter for {}. {NOT_YOURS}, by installing one or by naming it in the configuration; \
             {LOOK}",
            words::name(*language)
        ),
        RunError::Layer { layer, errno, .. } => format!(
            "this host refuses the layer {layer:?} (errno {errno}), which its profile requires. {NOT_YOURS}, by allowing it or by \
             choosing another profile; {LOOK}"
        ),
        RunError::NotReady { language, deadline, .. } => format!(
            "the process that was to run {} was not ready within {deadline:?}. {NOT_YOURS}; {LOOK}",
            words::name(*language)
        ),
        RunError::Host { action, .. } => format!("this host failed to {action}. {NOT_YOURS}; {LOOK}"),
        _ => format!("this host cannot run programs now. {NOT_YOURS}; {LOOK}"),
    }
}

/// Where those who run the host find what a model is not shown.
const LOOK: &str = "its log says what was found, and `dayfly doctor` looks again";

pub(super) fn homeless() -> ToolFailure {
    let message =
        "the program was not started: `run_code` was called outside a tokio runtime, which is a defect of the harness";
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_UNAVAILABLE, message)
}

pub(super) fn panicked(text: &str) -> ToolFailure {
    tracing::error!(tool = RUN_CODE, "the runtime of programs panicked: {text}");
    let message = "the program may have run in part: the runtime of programs panicked, which is a defect of the runtime; whoever runs \
                   this host finds in its log where";
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_FAILED, message)
}

pub(super) fn endless(waited: Duration) -> ToolFailure {
    let message = format!(
        "the run was cancelled, and the runtime of programs did not end it within {waited:?}, which is a defect of the runtime; \
         the program may have run in part"
    );
    ToolFailure::coded("CodeRuntimeError", code::CODE_RUNTIME_FAILED, message)
}
