//! Runs one case in one language and says what differs.

use std::process::Command;
use std::time::Duration;

use dayfly::{
    Budget, CodeRuntime as _, ExceptionDetail, Failure, Fault, Json, Language, LogLevel, RunError, RunRequest,
    RunResult, StartMethod,
};

use super::differences::{Differences, excerpt};
use super::{Case, Ends, Prints, Side};
use crate::tools;

/// How much more CPU time than its budget a run may have used when it is ended. A host that stands still does not look; what
/// ends a run without it, the kernel's own limit, stands ten seconds behind the budget.
pub const LATE: Duration = Duration::from_secs(9);

/// Runs `case` in `language` and compares all that came of it with what should.
///
/// Whatever the ending, the host must serve the next run.
///
/// # Errors
///
/// Every difference, under the row's id, the language and the case's name.
pub async fn check(case: &Case, language: Language) -> Result<(), String> {
    case.patiently(async |times| check_once(case, language, times).await).await
}

async fn check_once(case: &Case, language: Language, times: u32) -> Result<(), String> {
    let side = case.sides.of(language);
    let Ok(program) = &side.program else { return Ok(()) };
    let scratch = tempfile::tempdir().map_err(|error| format!("{}: no scratch directory: {error}", case.row))?;
    let host = case.host(scratch.path(), times);
    let outcome = host.runtime(language).run(RunRequest::new(program.clone()).bind(tools())).await;
    let mut seen = Differences::default();
    match outcome {
        Err(RunError::Interpreter { language: named, problem }) if case.ends == Ends::NoInterpreter => {
            seen.equal("the language of the error", &named, &language);
            seen.contains_all("the problem", &problem, &side.says);
        }
        Err(error) => seen.add(format!("no program was started: {error}")),
        Ok(result) => {
            compare(&mut seen, case, side, language, &result);
            if let (Some(spent), Some(failure)) = (case.spent(times), &result.failure) {
                seen.contains_all("the message", &failure.message, &[&spent]);
            }
            host.still_serves(language).await;
        }
    }
    host.supervisor.shutdown().await;
    seen.of(&case.title(language), program)
}

fn compare(seen: &mut Differences, case: &Case, side: &Side, language: Language, result: &RunResult) {
    compare_end(seen, case, side, result);
    compare_logs(seen, case, side, language, result);
    let calls: Vec<_> = result.receipts.calls.iter().map(|call| (call.name.as_str(), call.outcome)).collect();
    seen.equal("the receipts", &calls, &case.calls);
    // What cannot be parsed needs a worker in one language and none in the other.
    if case.ends != Ends::Exception {
        let start = if case.ends == Ends::ExceptionBeforeStart { StartMethod::None } else { StartMethod::Spawn };
        seen.equal("how a worker was started", &result.start, &start);
    }
    for text in result.logs.iter().map(|entry| &entry.text).chain(result.failure.iter().map(|f| &f.message)) {
        seen.nothing_of_the_host(text);
    }
}

fn compare_end(seen: &mut Differences, case: &Case, side: &Side, result: &RunResult) {
    let value = result.value.as_ref();
    match (&case.ends, &result.failure) {
        (Ends::Value(text), None) => {
            let wanted = Json::parse(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", case.row));
            if value != Some(&wanted) {
                let got = value.map_or_else(|| "no value".to_owned(), |value| excerpt(&value.to_string()));
                seen.add(format!("the value is {got} and should be {text}"));
            }
        }
        (Ends::Text(length), None) => {
            let exact = value
                .and_then(|value| value.as_str())
                .is_some_and(|text| text.len() == *length && text.bytes().all(|byte| byte == b'x'));
            if !exact {
                seen.add(format!("the value is not a text of {length} times x"));
            }
        }
        (Ends::Nothing, None) => seen.equal("the value", &value, &None),
        (
            Ends::Exception | Ends::ExceptionBeforeStart,
            Some(Failure { message, fault: Fault::Exception(detail), .. }),
        ) => {
            compare_exception(seen, side, message, detail);
        }
        (Ends::Wall, Some(Failure { fault: Fault::Timeout { budget: Budget::Wall, limit, used }, message, .. })) => {
            compare_budget(seen, *limit, Duration::from_secs(30), [*used, result.usage.wall]);
            seen.contains_all("the message", message, &side.says);
        }
        (
            Ends::Compute,
            Some(Failure { fault: Fault::Timeout { budget: Budget::Compute, limit, used }, message, .. }),
        ) => {
            compare_budget(seen, *limit, LATE, [*used, result.usage.cpu]);
            seen.contains_all("the message", message, &side.says);
        }
        (Ends::Exit(code), Some(Failure { message, fault: Fault::WorkerExit { code: got, signal, .. }, .. })) => {
            seen.equal("the exit code and signal", &(*got, *signal), &(Some(*code), None));
            seen.contains_all("the message", message, &side.says);
        }
        (Ends::Signal(wanted), Some(Failure { message, fault: Fault::WorkerExit { code, signal, .. }, .. })) => {
            seen.equal("the exit code and signal", &(*code, *signal), &(None, Some(*wanted)));
            seen.contains_all("the message", message, &side.says);
        }
        (Ends::Invalid(wanted), Some(Failure { message, fault: Fault::InvalidOutput { path }, .. })) => {
            seen.equal("the path", path, &(*wanted).to_owned());
            seen.contains_all("the message", message, &side.says);
            seen.contains_all("the message", message, &[wanted]);
        }
        (Ends::OutputLimit, Some(Failure { message, fault: Fault::OutputLimit { .. }, .. })) => {
            seen.contains_all("the message", message, &side.says);
        }
        (wanted, got) => {
            let value = value.map(|value| excerpt(&value.to_string()));
            seen.add(format!("the run should have ended as {wanted:?}; its value is {value:?}, its failure {got:?}"));
        }
    }
    if result.failure.is_some() {
        seen.equal("the value of a failed run", &value, &None);
    }
}

/// A run is ended when its budget is spent, not before, and not later than it may be on a machine that has other things
/// to do; the usage says so too. A busy machine lets the wall pass, and gives nobody CPU time.
fn compare_budget(seen: &mut Differences, limit: Duration, late: Duration, spent: [Duration; 2]) {
    let ended = limit..limit + late;
    if spent.iter().any(|spent| !ended.contains(spent)) {
        seen.add(format!("{spent:?} were used of {limit:?} when the run was ended"));
    }
}

fn compare_exception(seen: &mut Differences, side: &Side, message: &str, detail: &ExceptionDetail) {
    seen.contains_all("the message", message, &side.says);
    if message.trim().is_empty() || message.trim() == "undefined" {
        seen.add(format!("the message is {message:?}, which tells nobody anything"));
    }
    if let Some(class) = side.class {
        seen.equal("the exception's class", &detail.name.as_str(), &class);
    }
    if side.line.is_some() {
        seen.equal("the exception's line", &detail.line, &side.line);
    }
    if side.column.is_some() {
        seen.equal("the exception's column", &detail.column, &side.column);
    }
    let mut rest = detail.stack.as_str();
    for frame in &side.stack {
        match rest.find(frame) {
            Some(at) => rest = &rest[at + frame.len()..],
            None => seen.add(format!("{frame:?} is missing (in this place) from the stack {:?}", detail.stack)),
        }
    }
}

fn compare_logs(seen: &mut Differences, case: &Case, side: &Side, language: Language, result: &RunResult) {
    let printed: Vec<&str> = result.logs.iter().map(|entry| entry.text.as_str()).collect();
    let printed = printed.join("\n");
    match &case.prints {
        Prints::Nothing => seen.equal("what was printed", &printed.as_str(), &""),
        Prints::Exactly(wanted) => seen.equal("what was printed", &printed.as_str(), wanted),
        Prints::AsTheInterpreterDoes => {
            let wanted = alone(language, side);
            seen.equal("what was printed", &printed.as_str(), &wanted.strip_suffix('\n').unwrap_or(&wanted));
        }
        Prints::Numbered(count) => {
            let kept = numbered(&printed);
            seen.equal("the lines from the first without a gap", &kept, count);
        }
        Prints::NumberedUntilFull(count) => {
            let kept = numbered(&printed);
            seen.equal("that nothing else is among the lines", &kept, &printed.lines().count());
            if kept == 0 || kept >= *count {
                seen.add(format!("{kept} lines were kept, and more than 0 and fewer than {count} fit"));
            }
        }
        Prints::Warning => seen.contains_all("what was printed", &printed, &side.says),
        Prints::Note => {
            let notes: Vec<&str> = result
                .logs
                .iter()
                .filter(|entry| entry.level == LogLevel::Warn)
                .map(|entry| entry.text.as_str())
                .collect();
            seen.equal("the number of log entries", &result.logs.len(), &1);
            seen.contains_all("the note", &notes.join("\n"), &side.says);
        }
    }
}

/// How many of the lines `line 0`, `line 1`, … there are before another.
fn numbered(printed: &str) -> usize {
    (0usize..).zip(printed.lines()).take_while(|(number, line)| *line == format!("line {number}")).count()
}

/// What the interpreter prints when it runs the program's text by itself.
pub(super) fn alone(language: Language, side: &Side) -> String {
    let program = side.program.as_deref().unwrap_or_default();
    let (variable, name, arguments): (_, _, &[&str]) = match language {
        Language::TypeScript => ("DAYFLY_NODE", "node", &["--input-type=module", "-e"]),
        Language::Python => ("DAYFLY_PYTHON", "python3", &["-I", "-c"]),
        other => panic!("nobody has said how {other} is run"),
    };
    let interpreter = std::env::var_os(variable).unwrap_or_else(|| name.into());
    let output = Command::new(interpreter).args(arguments).arg(program).output();
    let output = output.unwrap_or_else(|error| panic!("{name} runs by itself: {error}"));
    assert!(output.status.success(), "{name} fails by itself: {}", String::from_utf8_lossy(&output.stderr));
    // The program writes to one of the two only, or their order could not be known.
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
