//! Runs one case through `run_code` and holds what a model is shown against what should come of it.

use dayfly::tools::ToolOutcome;
use dayfly::{Json, Language, Outcome};

use super::check::alone;
use super::differences::{Differences, excerpt};
use super::{Case, Ends, Prints, Side};
use crate::CodeMode;
use crate::code_mode::Kept;

/// What a model is shown of a program that neither printed nor returned anything.
const NO_OUTPUT: &str = "(run_code completed with no output)";

/// Runs `case` in `language` as a call of `run_code`, with the host functions of the table as tools, and compares what the model is
/// shown, the canonical value, and what is kept of the calls with what should come of it.
///
/// # Errors
///
/// Every difference, under the row's id, the language and the case's name.
pub async fn check_shown(case: &Case, language: Language) -> Result<(), String> {
    case.patiently(async |times| check_once(case, language, times).await).await
}

async fn check_once(case: &Case, language: Language, times: u32) -> Result<(), String> {
    let side = case.sides.of(language);
    let Ok(program) = &side.program else { return Ok(()) };
    let scratch = tempfile::tempdir().map_err(|error| format!("{}: no scratch directory: {error}", case.row))?;
    let host = case.host(scratch.path(), times);
    let mode = CodeMode::new(&host, language).with_tools();
    let outcome = mode.run(program).await;
    host.supervisor.shutdown().await;
    let mut seen = Differences::default();
    let shown = outcome.text();
    seen.nothing_of_the_host(&shown);
    let whole = Shown { case, side, language, outcome: &outcome, text: &shown };
    match &case.ends {
        Ends::Value(_) | Ends::Nothing if program.trim().is_empty() => {
            let blank =
                format!("Error: `code` is blank, so nothing was run; give it the text of a {language:?} program");
            seen.equal("what is shown of a blank program", &shown, &blank);
        }
        Ends::Value(text) => {
            let value = Json::parse(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", case.row));
            completed(&mut seen, &whole, Some(value));
        }
        Ends::Text(length) => completed(&mut seen, &whole, Some(Json::from("x".repeat(*length)))),
        Ends::Nothing => completed(&mut seen, &whole, None),
        Ends::Exception | Ends::ExceptionBeforeStart => failed(&mut seen, &whole, "exception"),
        Ends::Wall | Ends::Compute => failed(&mut seen, &whole, "timeout"),
        Ends::Exit(_) | Ends::Signal(_) => failed(&mut seen, &whole, "worker-exit"),
        Ends::Invalid(_) => failed(&mut seen, &whole, "invalid-output"),
        Ends::OutputLimit => failed(&mut seen, &whole, "output-limit"),
        Ends::NoInterpreter => {
            let code = outcome.failure().and_then(|failure| failure.code());
            seen.equal("the code", &code, &Some("CODE_RUNTIME_UNAVAILABLE"));
            // What is wrong with which interpreter is for whoever runs the host, and in the log.
            let lacks = format!("this host has no usable interpreter for {language:?}.");
            let around = ["Error: the program was not started: ", &lacks, "whoever runs this host"];
            seen.contains_all("what is shown", &shown, &around);
        }
    }
    if let Some(spent) = case.spent(times) {
        seen.contains_all("what is shown", &shown, &[&spent]);
    }
    dispatches(&mut seen, case, &mode.kept, outcome.is_error());
    seen.of(&case.title(language), program)
}

/// One case in one language, and what the model is shown of it.
struct Shown<'a> {
    case: &'a Case,
    side: &'a Side,
    language: Language,
    outcome: &'a ToolOutcome,
    text: &'a str,
}

/// What was printed, then the value; and the canonical value says the same.
fn completed(seen: &mut Differences, shown: &Shown<'_>, wanted: Option<Json>) {
    let value = match &shown.outcome.result {
        Ok(value) => value,
        Err(failure) => return seen.add(format!("the program failed: {}", excerpt(&failure.message))),
    };
    let result = value.get("result").map(|result| result.to_owned());
    if result != wanted {
        let got = result.map_or_else(|| "absent".to_owned(), |result| excerpt(&result.to_string()));
        seen.add(format!("the result is {got} and should be {:?}", shown.case.ends));
    }
    let rendered = wanted.as_ref().map_or_else(String::new, rendered);
    let Some(before) = shown.text.strip_suffix(rendered.as_str()) else {
        return seen.add(format!("{:?} does not end with {:?}", excerpt(shown.text), excerpt(&rendered)));
    };
    if shown.text.is_empty() {
        seen.add("nothing is shown at all".to_owned());
    }
    let printed = if !rendered.is_empty() {
        before.strip_suffix('\n').unwrap_or(before)
    } else if before == NO_OUTPUT {
        ""
    } else {
        before
    };
    let logs: Vec<_> =
        value.get("logs").into_iter().flat_map(|logs| logs.items()).filter_map(|log| log.as_str()).collect();
    seen.equal("what is shown of the logs", &printed, &logs.join("\n").as_str());
    compare_printed(seen, shown, printed);
    let dispatched = shown.outcome.meta.as_ref().and_then(|meta| meta.get("dispatches")?.as_u64());
    seen.equal("the number of dispatches", &dispatched, &u64::try_from(shown.case.calls.len()).ok());
}

/// The kind, the reason, what became of the calls, and what was printed.
fn failed(seen: &mut Differences, shown: &Shown<'_>, kind: &str) {
    let code = shown.outcome.failure().and_then(|failure| failure.code());
    seen.equal("the code", &code, &Some("CODE_RUN_FAILED"));
    let Some(text) = shown.text.strip_prefix(&format!("Error: code run failed ({kind}): ")) else {
        return seen.add(format!("it should have failed as {kind}: {:?}", excerpt(shown.text)));
    };
    let (told, printed) = text.split_once("\nCaptured output:\n").unwrap_or((text, ""));
    let (reason, calls) = told.split_once("\nCalls: ").unwrap_or((told, ""));
    seen.contains_all("the reason", reason, &shown.side.says);
    if reason.trim().is_empty() || reason.trim() == "undefined" {
        seen.add(format!("the reason is {reason:?}, which tells nobody anything"));
    }
    if let Ends::Exit(code) = &shown.case.ends {
        seen.contains_all("the reason", reason, &[&format!("code {code}")]);
    }
    if let Ends::Signal(signal) = &shown.case.ends {
        seen.contains_all("the reason", reason, &[if *signal == 6 { "SIGABRT" } else { "SIGKILL" }]);
    }
    if let Ends::Invalid(path) = &shown.case.ends {
        seen.contains_all("the reason", reason, &[path]);
    }
    exception(seen, shown.side, shown.language, reason);
    seen.equal("what became of the calls", &calls.to_owned(), &became(shown.case, kind));
    compare_printed(seen, shown, printed);
}

fn exception(seen: &mut Differences, side: &Side, language: Language, reason: &str) {
    if let Some(class) = side.class
        && !reason.starts_with(&format!("{class}: "))
    {
        seen.add(format!("it should begin with the class {class}: {:?}", excerpt(reason)));
    }
    let file = if language == Language::Python { "program.py" } else { "program.ts" };
    if let Some(line) = side.line
        && !says(reason, &format!("{file}:{line}"))
        && !says(reason, &format!("line {line}"))
    {
        seen.add(format!("it does not say line {line}: {:?}", excerpt(reason)));
    }
    if let (Some(line), Some(column)) = (side.line, side.column)
        && !says(reason, &format!("{file}:{line}:{column}"))
        && !says(reason, &format!("line {line}, column {column}"))
    {
        seen.add(format!("it does not say column {column}: {:?}", excerpt(reason)));
    }
    let mut rest = reason;
    for frame in &side.stack {
        match rest.find(frame) {
            Some(at) => rest = &rest[at + frame.len()..],
            None => seen.add(format!("{frame:?} is missing (in this place) from {:?}", excerpt(reason))),
        }
    }
}

/// Whether a text has these words, and no digit behind them.
fn says(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| !text[at + words.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

/// What a model is told of the calls: nothing when the program ended by itself and nothing was cut short.
fn became(case: &Case, kind: &str) -> String {
    const CUT_SHORT: [Outcome; 2] = [Outcome::Cancelled, Outcome::Abandoned];
    let by_itself = matches!(kind, "exception" | "invalid-output");
    if case.calls.is_empty() || (by_itself && !case.calls.iter().any(|(_, outcome)| CUT_SHORT.contains(outcome))) {
        return String::new();
    }
    let groups = [
        ("completed", Outcome::Succeeded),
        ("failed", Outcome::Failed),
        ("stopped while running", Outcome::Cancelled),
        ("dropped while running", Outcome::Abandoned),
    ];
    let told = groups.into_iter().filter_map(|(what, wanted)| {
        let mut names: Vec<&str> =
            case.calls.iter().filter(|(_, outcome)| *outcome == wanted).map(|(name, _)| *name).collect();
        names.sort_unstable();
        let listed: Vec<String> = names
            .chunk_by(|left, right| left == right)
            .map(|same| if same.len() == 1 { same[0].to_owned() } else { format!("{} ×{}", same[0], same.len()) })
            .collect();
        (!names.is_empty()).then(|| format!("{} {what} ({})", names.len(), listed.join(", ")))
    });
    format!("{}. What they have done is not undone.", told.collect::<Vec<_>>().join("; "))
}

fn compare_printed(seen: &mut Differences, shown: &Shown<'_>, printed: &str) {
    let side = shown.side;
    match &shown.case.prints {
        Prints::Nothing => seen.equal("what was printed", &printed, &""),
        Prints::Exactly(wanted) => seen.equal("what was printed", &printed, wanted),
        Prints::AsTheInterpreterDoes => {
            let wanted = alone(shown.language, side);
            seen.equal("what was printed", &printed, &wanted.strip_suffix('\n').unwrap_or(&wanted));
        }
        Prints::Note | Prints::Warning => seen.contains_all("what was printed", printed, &side.says),
        Prints::Numbered(count) => {
            let Some((head, left_out, tail)) = cut(printed) else {
                return seen.add(format!("so many lines should have been cut: {:?}", excerpt(printed)));
            };
            let wanted = lines(*count);
            if !wanted.starts_with(head) || !tail.contains(&format!("line {}", count - 1)) {
                seen.add(format!("the first and the last of {count} lines should be shown: {:?}", excerpt(printed)));
            }
            if head.len() + left_out + tail.len() < wanted.len() {
                seen.add(format!("{count} lines were printed, and {left_out} bytes of them are left out"));
            }
        }
        Prints::NumberedUntilFull(count) => {
            let (head, left_out, tail) = cut(printed).unwrap_or((printed, 0, printed));
            let last = tail.lines().last().and_then(|line| line.strip_prefix("line ")?.parse::<usize>().ok());
            let Some(last) = last.filter(|last| last + 1 < *count) else {
                return seen.add(format!("the last line that fits should be shown: {:?}", excerpt(tail)));
            };
            let wanted = lines(last + 1);
            let bytes = if left_out == 0 { printed.len() } else { head.len() + left_out + tail.len() };
            let whole = (wanted.starts_with(head), wanted.ends_with(tail), bytes);
            seen.equal("that nothing is missing or between the lines", &whole, &(true, true, wanted.len()));
        }
    }
}

/// The lines `line 0`, `line 1`, … up to this many.
fn lines(count: usize) -> String {
    (0..count).map(|number| format!("line {number}")).collect::<Vec<_>>().join("\n")
}

/// A text that is shown in part: its beginning, the bytes that are left out, and its end.
fn cut(printed: &str) -> Option<(&str, usize, &str)> {
    let (head, rest) = printed.split_once("\n[")?;
    let (left_out, tail) = rest.split_once(" bytes left out]\n")?;
    Some((head, left_out.parse().ok()?, tail))
}

/// Each call has one start and one end, in the order of the calls, between the start and the end of `run_code`.
fn dispatches(seen: &mut Differences, case: &Case, kept: &Kept, is_error: bool) {
    let told = kept.told();
    let result = format!("result run_code {}", if is_error { "failed" } else { "ok" });
    let around = (told.first().map(String::as_str), told.last().map(String::as_str));
    seen.equal("the first and the last event", &around, &(Some("call run_code"), Some(result.as_str())));
    let ended = match kept.dispatches() {
        Ok(ended) => ended,
        Err(problem) => return seen.add(problem),
    };
    let names: Vec<&str> = ended.iter().map(|(name, _)| name.as_str()).collect();
    let wanted: Vec<&str> = case.calls.iter().map(|(name, _)| *name).collect();
    seen.equal("the calls that are kept", &names, &wanted);
    for ((name, failure), (_, outcome)) in ended.iter().zip(&case.calls) {
        let fits = match (outcome, failure.as_deref()) {
            (Outcome::Succeeded, None) => true,
            (Outcome::Failed, Some(text)) => text.starts_with("Error: ") && text != "Error: cancelled",
            (Outcome::Cancelled, Some(text)) => text == "Error: cancelled",
            (Outcome::Abandoned, Some(text)) => text.contains("was dropped where it stood"),
            _ => false,
        };
        if !fits {
            seen.add(format!("{name} should have ended as {outcome:?}, and what is kept of it says {failure:?}"));
        }
    }
}

/// A value as a model is shown it: a text as it is, anything else as indented JSON.
fn rendered(value: &Json) -> String {
    value.as_str().map_or_else(|| indented(&value.to_string()), str::to_owned)
}

/// Compact JSON, two spaces to a level. What is nested deeper than five levels is another test's.
fn indented(compact: &str) -> String {
    let (mut text, mut depth, mut quoted, mut escaped) = (String::new(), 0_usize, false, false);
    let mut characters = compact.chars().peekable();
    while let Some(character) = characters.next() {
        if quoted {
            (quoted, escaped) = (escaped || character != '"', !escaped && character == '\\');
            text.push(character);
            continue;
        }
        match character {
            '[' | '{' if characters.peek().is_some_and(|next| matches!(next, ']' | '}')) => {
                text.push(character);
                text.extend(characters.next());
            }
            '[' | '{' | ',' => {
                depth += usize::from(character != ',');
                assert!(depth <= 5, "{compact} is nested too deeply for this");
                text.push(character);
                text.push('\n');
                text.push_str(&"  ".repeat(depth));
            }
            ']' | '}' => {
                depth -= 1;
                text.push('\n');
                text.push_str(&"  ".repeat(depth));
                text.push(character);
            }
            ':' => text.push_str(": "),
            _ => {
                quoted = character == '"';
                text.push(character);
            }
        }
    }
    text
}
