//! What a model reads of a program that failed, word for word.

use std::time::Duration;

use dayfly_runtime::testing::Script;
use dayfly_runtime::{
    BoxFuture, Budget, ExceptionDetail, Failure, Fault, LogEntry, LogLevel, LogSource, NameCounts, Outcome, Receipt,
    RunRequest, RunResult,
};
use dayfly_tools::ToolFailure;

use crate::bridging::By;
use crate::support::{House, arguments, assert_failed, call, config, json};

/// What the model reads of a script that ends like this, by an agent with a tool that works and one that fails.
async fn text_of(script: Script) -> String {
    let house = House::of(script)
        .echo("echo")
        .tool("fails", async |_, _| Err(ToolFailure::new("no such file `a`; list them first")));
    let outcome = house.run().await;
    assert_failed(&outcome, "CODE_RUN_FAILED");
    assert_eq!(outcome.failure().unwrap().info.as_ref().unwrap().name, "CodeRunFailedError");
    assert_eq!(outcome.meta, None);
    outcome.text()
}

fn exception(name: &str, message: &str, line: Option<u32>, stack: &str) -> Failure {
    let mut detail = ExceptionDetail::default();
    (detail.name, detail.stack) = (name.to_owned(), stack.to_owned());
    (detail.line, detail.column) = (line, line.map(|_| 7));
    Failure::new(Fault::Exception(detail), message)
}

#[tokio::test]
async fn an_exception_has_its_class_its_message_and_its_place() {
    let failed =
        exception("TypeError", "x.map is not a function", Some(3), "at load (program.ts:3:7)\nat program.ts:9:1");
    assert_eq!(
        text_of(Script::new().fails(failed)).await,
        "Error: code run failed (exception): TypeError: x.map is not a function\n    at load (program.ts:3:7)\n    at program.ts:9:1"
    );
    let refused = exception("SyntaxError", "`enum` needs code at run time; use a union of literals", Some(12), "");
    assert_eq!(
        text_of(Script::new().fails(refused)).await,
        "Error: code run failed (exception): SyntaxError: `enum` needs code at run time; use a union of literals (line 12, column 7)"
    );
    let says_so = exception("SyntaxError", "unexpected token (line 12, column 7)", Some(12), "");
    assert_eq!(
        text_of(Script::new().fails(says_so)).await,
        "Error: code run failed (exception): SyntaxError: unexpected token (line 12, column 7)"
    );
    assert_eq!(
        text_of(Script::new().fails(exception("", "the program threw 7 instead of an Error", None, ""))).await,
        "Error: code run failed (exception): the program threw 7 instead of an Error"
    );
}

#[tokio::test]
async fn what_was_printed_follows_the_reason() {
    let script = Script::new()
        .log("reading 3 files")
        .print(LogEntry::new(LogSource::Stderr, LogLevel::Error, "a: 1\nb: 2"))
        .try_call("tools", "echo", arguments(1))
        .throws("RangeError", "out of range");
    // Every call came to its end, and the program knows to which: nothing is said of them.
    assert_eq!(
        text_of(script).await,
        "Error: code run failed (exception): RangeError: out of range\nCaptured output:\nreading 3 files\na: 1\nb: 2"
    );
}

#[tokio::test]
async fn a_failed_call_that_nothing_catches_is_the_reason() {
    let script = Script::new().call("tools", "fails", arguments(1));
    assert_eq!(
        text_of(script).await,
        "Error: code run failed (exception): ToolCallError: no such file `a`; list them first"
    );
}

#[tokio::test]
async fn wrong_arguments_that_nothing_catches_are_said_by_path() {
    let schema = json(
        r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}"#,
    );
    let read =
        dayfly_tools::Tool::raw("read", schema).output_plain(json("true")).execute(async |_, _| Ok(json("1"))).unwrap();
    let script = Script::new().call("tools", "read", json(r#"{"limit":0,"file":"a"}"#));
    let outcome = House::of(script).add(read).run().await;
    let text = outcome.text();
    let start = "Error: code run failed (exception): ToolCallError: the arguments of `read` do not match its schema; correct them and \
                 call again: ";
    assert!(text.starts_with(start), "{text}");
    for part in ["path", "limit", "file"] {
        assert!(text[start.len()..].contains(part), "{part}: {text}");
    }
}

#[tokio::test]
async fn a_spent_budget_says_which_and_how_much_and_what_became_of_the_calls() {
    let second = Duration::from_secs(1);
    let message =
        "the program ran into its wall ceiling of 1.000 s; it was still running or waiting for a call or a timer";
    let script = Script::new()
        .log("half way")
        .try_parallel([call("echo", 1), call("echo", 2), call("fails", 3)])
        .fails(Failure::new(Fault::Timeout { budget: Budget::Wall, limit: second, used: second }, message));
    assert_eq!(
        text_of(script).await,
        "Error: code run failed (timeout): the program ran into its wall ceiling of 1.000 s; it was still running or waiting for a \
         call or a timer\nCalls: 2 completed (echo ×2); 1 failed (fails). What they have done is not undone.\nCaptured \
         output:\nhalf way"
    );
    let message = "the program used its compute budget of 60.000 s: 60.020 s of busy CPU time; waiting on calls costs nothing, so do \
                   less work in the program, or look for a loop that does not end";
    let budget = Duration::from_secs(60);
    let script = Script::new()
        .fails(Failure::new(Fault::Timeout { budget: Budget::Compute, limit: budget, used: budget }, message));
    // It made no calls, so there is nothing to say of them.
    assert_eq!(text_of(script).await, format!("Error: code run failed (timeout): {message}"));
}

#[tokio::test]
async fn calls_that_the_runtime_received_too_late_are_counted_from_its_receipts() {
    let runtime = By(|_: RunRequest| {
        Box::pin(async {
            let mut result = RunResult::default();
            let zero = Duration::ZERO;
            let receipts =
                [(1, "echo", Outcome::NotStarted), (2, "write", Outcome::NotStarted), (3, "echo", Outcome::Failed)];
            result.receipts.calls =
                receipts.map(|(id, name, outcome)| Receipt::new(id, "tools", name, outcome, zero, zero)).to_vec();
            let mut rest = NameCounts::new("tools", "write");
            (0..4).for_each(|_| rest.count(Outcome::NotStarted));
            result.receipts.rest.push(rest);
            let fault = Fault::WorkerExit { code: Some(0), signal: None, stderr_tail: String::new() };
            result.failure = Some(Failure::new(
                fault,
                "the process exited with code 0 before the program completed; end a program with `return`, not with `process.exit`",
            ));
            Ok(result)
        }) as BoxFuture<'static, _>
    });
    let outcome = House::with(runtime, config()).run().await;
    assert_eq!(
        outcome.text(),
        "Error: code run failed (worker-exit): the process exited with code 0 before the program completed; end a program with \
         `return`, not with `process.exit`\nCalls: 6 never started (echo, write ×5)."
    );
}

#[tokio::test]
async fn a_result_that_is_no_json_says_where_and_one_that_is_too_large_what_to_do() {
    let failed = Failure::new(
        Fault::InvalidOutput { path: "result.when".to_owned() },
        "the program's result cannot be returned: at result.when: it is a Date; return when.toISOString()",
    );
    assert_eq!(
        text_of(Script::new().try_call("tools", "echo", arguments(1)).fails(failed)).await,
        "Error: code run failed (invalid-output): the program's result cannot be returned: at result.when: it is a Date; return \
         when.toISOString()"
    );
    let failed = Failure::new(Fault::OutputLimit { limit: 100 }, "the result is larger than the configured limit");
    assert_eq!(
        text_of(Script::new().try_call("tools", "echo", arguments(1)).fails(failed)).await,
        "Error: code run failed (output-limit): the result is larger than the configured limit. What is large can go from one tool to \
         the next inside the program, or be written where a tool can read it later\nCalls: 1 completed (echo). What they have done is not undone."
    );
}

#[tokio::test]
async fn the_whole_text_is_bounded_and_keeps_both_ends() {
    let long = |first: &str, last: &str| format!("{first}{}{last}", "é".repeat(100_000));
    let script = (0..100).fold(Script::new().log("first line"), |script, _| script.log("x".repeat(10_000)));
    let failed = exception("Error", &long("begins", "ends"), Some(1), &"at f (program.ts:1:1)\n".repeat(1_000));
    let text = text_of(script.log("last words").fails(failed)).await;
    assert!(text.len() < 25_000, "{}", text.len());
    assert!(text.starts_with("Error: code run failed (exception): Error: begins"), "{}", &text[..100]);
    assert!(text.contains("\nCaptured output:\nfirst line\nxxx") && text.ends_with("xxx\nlast words"));
    assert_eq!(text.matches(" bytes left out]\n").count(), 2);
}
