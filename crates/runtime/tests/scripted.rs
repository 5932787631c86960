//! The scripted runtime behaves as a real one does around the program.

#![expect(clippy::unwrap_used, reason = "a test ends where an assumption of its own fails")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly_runtime::testing::{Script, ScriptedCall, ScriptedRuntime};
use dayfly_runtime::{
    Budget, CallEnd, CallError, CallStart, CancellationToken, CodeRuntime as _, Failure, FailureKind, Fault, Json,
    Language, LogEntry, LogLevel, LogSource, Namespace, Observer, Outcome, RunError, RunRequest, RunResult,
};
use tokio::sync::{Barrier, Notify};

async fn play(script: Script, tools: Namespace) -> RunResult {
    let runtime = ScriptedRuntime::new(Language::Python).then(script);
    runtime.run(RunRequest::new("program").bind(tools)).await.unwrap()
}

fn outcomes(result: &RunResult) -> Vec<(u32, &str, Outcome)> {
    result.receipts.calls.iter().map(|receipt| (receipt.id, receipt.name.as_str(), receipt.outcome)).collect()
}

fn echo() -> Namespace {
    Namespace::tools().async_fn("echo", |call| async move { Ok(call.arguments) })
}

#[tokio::test]
async fn calls_reach_the_requests_functions_and_their_values_come_back() {
    let script = Script::new()
        .log("first")
        .call("tools", "echo", 1)
        .call("tools", "echo", "two")
        .returns_with(|answers| answers.values().cloned().collect());
    let result = play(script, echo()).await;
    assert_eq!(result.value, Some(Json::parse(r#"[1,"two"]"#).unwrap()));
    assert_eq!(result.logs, [LogEntry::new(LogSource::Console, LogLevel::Log, "first")]);
    assert_eq!(result.failure, None);
    assert_eq!(outcomes(&result), [(1, "echo", Outcome::Succeeded), (2, "echo", Outcome::Succeeded)]);
    assert_eq!((result.usage.calls, result.usage.bytes_in, result.usage.bytes_out), (2, 6, 6));
    assert_eq!(result.isolation.profile, "scripted");
}

#[tokio::test]
async fn a_script_that_ends_returns_nothing_and_null_is_something() {
    assert_eq!(play(Script::new(), echo()).await.value, None);
    assert_eq!(play(Script::new().returns(Json::null()), echo()).await.value, Some(Json::null()));
}

#[tokio::test]
async fn parallel_calls_overlap() {
    let meeting = Arc::new(Barrier::new(3));
    let tools = Namespace::tools().async_fn("meet", move |call| {
        let meeting = Arc::clone(&meeting);
        async move {
            meeting.wait().await;
            Ok(call.arguments)
        }
    });
    let calls = (0..3).map(|n| ScriptedCall::new("tools", "meet", n));
    let script = Script::new().parallel(calls).returns_with(|answers| answers.values().cloned().collect());
    assert_eq!(play(script, tools).await.value, Some(Json::array([0, 1, 2])));
}

#[tokio::test]
async fn a_failed_call_that_nothing_catches_is_an_exception_of_the_namespaces_class() {
    let tools =
        || Namespace::tools().async_fn("fail", |_| async { Err(CallError::new("no such file; list them first")) });
    let result = play(Script::new().call("tools", "fail", 1).log("never"), tools()).await;
    let failure = result.failure.as_ref().unwrap();
    assert_eq!((failure.kind(), failure.message.as_str()), (FailureKind::Exception, "no such file; list them first"));
    assert!(matches!(&failure.fault, Fault::Exception(detail) if detail.name == "ToolCallError"));
    assert!(result.logs.is_empty());
    assert_eq!(outcomes(&result), [(1, "fail", Outcome::Failed)]);

    let script = Script::new()
        .try_call("tools", "fail", 1)
        .returns_with(|answers| Json::from(answers.error(1).map(|error| error.message.as_str())));
    assert_eq!(play(script, tools()).await.value, Some(Json::from("no such file; list them first")));
}

#[tokio::test]
async fn the_first_failure_of_parallel_calls_ends_the_program_while_the_others_are_in_flight() {
    let tools = Namespace::tools().async_fn("fail", |_| async { Err(CallError::new("no")) }).async_fn(
        "wait",
        |call| async move {
            call.cancel.cancelled().await;
            Ok(Json::null())
        },
    );
    let calls = ["wait", "fail"].map(|name| ScriptedCall::new("tools", name, Json::null()));
    let result = play(Script::new().parallel(calls), tools).await;
    assert_eq!(result.failure.map(|failure| failure.message), Some("no".to_owned()));
    let ends: Vec<_> = result.receipts.calls.iter().map(|receipt| receipt.outcome).collect();
    assert_eq!(ends, [Outcome::Cancelled, Outcome::Failed]);
}

#[tokio::test]
async fn a_panic_in_a_host_function_fails_that_call_only() {
    let tools = echo()
        .async_fn("early", |_| {
            if true {
                panic!("before the future");
            }
            async { Ok(Json::null()) }
        })
        .async_fn("late", |_| async {
            tokio::task::yield_now().await;
            panic!("inside the future");
        });
    let script = Script::new()
        .try_call("tools", "early", 1)
        .try_call("tools", "late", 2)
        .call("tools", "echo", 3)
        .returns("done");
    let result = play(script, tools).await;
    assert_eq!(result.value, Some(Json::from("done")));
    assert_eq!(
        outcomes(&result),
        [(1, "early", Outcome::Failed), (2, "late", Outcome::Failed), (3, "echo", Outcome::Succeeded)]
    );
}

#[tokio::test]
async fn a_name_that_was_not_declared_fails_that_call_and_names_its_neighbours() {
    let script = Script::new().try_call("tools", "Echo", 1).try_call("nothing", "x", 1).returns_with(|answers| {
        Json::array([1, 2].map(|number| answers.error(number).map(|error| error.message.clone())))
    });
    let result = play(script, echo()).await;
    assert_eq!(
        result.value.unwrap().to_string(),
        r#"["tools has no function \"Echo\"; the nearest names are echo","there is no global object \"nothing\""]"#
    );
    assert_eq!(result.receipts.calls.len(), 2);
}

#[tokio::test]
async fn cancelling_ends_the_run_as_abort_with_its_logs_and_receipts() {
    let (entered, cancel) = (Arc::new(Notify::new()), CancellationToken::new());
    let tools = Namespace::tools().async_fn("wait", {
        let entered = Arc::clone(&entered);
        move |call| {
            let entered = Arc::clone(&entered);
            async move {
                entered.notify_one();
                call.cancel.cancelled().await;
                Err(CallError::new("cancelled"))
            }
        }
    });
    let runtime = ScriptedRuntime::new(Language::TypeScript).then(Script::new().log("kept").call("tools", "wait", 1));
    let request = RunRequest::new("program").bind(tools).cancel_with(cancel.clone());
    let (result, ()) = tokio::join!(runtime.run(request), async {
        entered.notified().await;
        cancel.cancel();
    });
    let result = result.unwrap();
    assert_eq!(result.failure.as_ref().map(Failure::kind), Some(FailureKind::Abort));
    assert_eq!(result.logs.len(), 1);
    assert_eq!(outcomes(&result), [(1, "wait", Outcome::Cancelled)]);
}

#[tokio::test]
async fn a_run_that_is_cancelled_before_it_starts_does_nothing() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let runtime = ScriptedRuntime::new(Language::TypeScript).then(Script::new().log("never").returns(1));
    let result = runtime.run(RunRequest::new("program").cancel_with(cancel)).await.unwrap();
    assert_eq!(result.failure.map(|failure| failure.kind()), Some(FailureKind::Abort));
    assert_eq!((result.value, result.logs.len()), (None, 0));
}

#[tokio::test]
async fn a_script_can_wait_for_its_cancel() {
    let cancel = CancellationToken::new();
    let runtime =
        ScriptedRuntime::new(Language::TypeScript).then(Script::new().start("tools", "echo", 1).wait_for_cancel());
    let request = RunRequest::new("program").bind(echo()).cancel_with(cancel.clone());
    let (result, ()) = tokio::join!(runtime.run(request), async { cancel.cancel() });
    assert_eq!(result.unwrap().failure.map(|failure| failure.kind()), Some(FailureKind::Abort));
}

#[tokio::test]
async fn a_function_that_ignores_its_cancel_is_abandoned_after_the_grace() {
    struct Dropped(Arc<AtomicUsize>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let tools = Namespace::tools().async_fn("stuck", {
        let drops = Arc::clone(&drops);
        move |_| {
            let held = Dropped(Arc::clone(&drops));
            async move {
                std::future::pending::<()>().await;
                drop(held);
                Ok(Json::null())
            }
        }
    });
    let runtime = ScriptedRuntime::new(Language::Python)
        .then(Script::new().start("tools", "stuck", 1).returns("done"))
        .drain_grace(Duration::from_millis(1));
    let result = runtime.run(RunRequest::new("program").bind(tools)).await.unwrap();
    assert_eq!(result.value, Some(Json::from("done")));
    assert_eq!(outcomes(&result), [(1, "stuck", Outcome::Abandoned)]);
    assert_eq!(result.logs.len(), 1);
    assert!(result.logs[0].text.contains("tools.stuck"), "{}", result.logs[0].text);
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn dropping_the_run_cancels_its_calls() {
    let (entered, seen) = (Arc::new(Notify::new()), Arc::new(Mutex::new(None)));
    let tools = Namespace::tools().async_fn("wait", {
        let (entered, seen) = (Arc::clone(&entered), Arc::clone(&seen));
        move |call| {
            *seen.lock().unwrap() = Some(call.cancel);
            entered.notify_one();
            std::future::pending()
        }
    });
    let runtime = ScriptedRuntime::new(Language::Python).then(Script::new().call("tools", "wait", 1));
    tokio::select! {
        _ = runtime.run(RunRequest::new("program").bind(tools)) => panic!("the call never ends"),
        () = entered.notified() => {}
    }
    assert!(seen.lock().unwrap().as_ref().unwrap().is_cancelled());
}

#[tokio::test]
async fn failures_are_given_back_as_scripted() {
    let timeout = Failure::new(
        Fault::Timeout { budget: Budget::Wall, limit: Duration::from_secs(1), used: Duration::from_secs(1) },
        "the wall budget is spent",
    );
    assert_eq!(play(Script::new().fails(timeout.clone()), echo()).await.failure, Some(timeout));
    let thrown = play(Script::new().throws("ValueError", "bad"), echo()).await.failure.unwrap();
    assert!(matches!(&thrown.fault, Fault::Exception(detail) if detail.name == "ValueError"));
    assert_eq!(thrown.to_string(), "exception: bad");
}

#[tokio::test]
async fn scripts_are_chosen_by_program_and_then_from_the_queue() {
    let runtime = ScriptedRuntime::new(Language::Python)
        .on("a", Script::new().returns("for a"))
        .then(Script::new().returns("first"))
        .then_refuse(RunError::QueueFull { limit: 1 });
    let mut values = Vec::new();
    for program in ["a", "b", "a"] {
        values.push(runtime.run(RunRequest::new(program)).await.unwrap().value.unwrap());
    }
    assert_eq!(Json::array(values).to_string(), r#"["for a","first","for a"]"#);
    assert!(matches!(runtime.run(RunRequest::new("c")).await, Err(RunError::QueueFull { limit: 1 })));
    let unscripted = runtime.run(RunRequest::new("d")).await.unwrap();
    assert!(unscripted.failure.unwrap().message.contains("no script"));
    assert_eq!(runtime.programs(), ["a", "b", "a", "d"]);
    runtime.shut_down();
    assert!(matches!(runtime.run(RunRequest::new("a")).await, Err(RunError::ShutDown)));
}

#[tokio::test]
async fn a_malformed_request_is_refused_before_anything_is_played() {
    let runtime = ScriptedRuntime::new(Language::Python).then(Script::new().returns(1));
    let request = RunRequest::new("program").bind(echo()).bind(echo());
    assert!(matches!(runtime.run(request).await, Err(RunError::DuplicateNamespace { global }) if global == "tools"));
    assert_eq!(runtime.run(RunRequest::new("program")).await.unwrap().value, Some(Json::from(1)));
}

#[derive(Default)]
struct Recorder {
    events: Mutex<Vec<String>>,
    panic_on_call: bool,
}

impl Observer for Recorder {
    fn log(&self, entry: &LogEntry) {
        self.events.lock().unwrap().push(format!("log {}", entry.text));
    }

    fn call_started(&self, call: &CallStart<'_>) {
        assert!(!self.panic_on_call, "an observer's own bug");
        self.events
            .lock()
            .unwrap()
            .push(format!("start {} {}.{}({})", call.id, call.global, call.name, call.arguments));
    }

    fn call_ended(&self, call: &CallEnd<'_>) {
        self.events.lock().unwrap().push(format!("end {} {}", call.id, call.outcome.name()));
    }
}

struct Shared(Arc<Recorder>);

impl Observer for Shared {
    fn log(&self, entry: &LogEntry) {
        self.0.log(entry);
    }

    fn call_started(&self, call: &CallStart<'_>) {
        self.0.call_started(call);
    }

    fn call_ended(&self, call: &CallEnd<'_>) {
        self.0.call_ended(call);
    }
}

async fn observed(recorder: Recorder) -> (RunResult, Vec<String>) {
    let recorder = Arc::new(recorder);
    let script = Script::new().log("a").call("tools", "echo", 1).log("b").returns(2);
    let runtime = ScriptedRuntime::new(Language::Python).then(script);
    let request = RunRequest::new("program").bind(echo()).observe(Shared(Arc::clone(&recorder)));
    let result = runtime.run(request).await.unwrap();
    let events = recorder.events.lock().unwrap().clone();
    (result, events)
}

#[tokio::test]
async fn an_observer_hears_everything_in_order() {
    let (_, events) = observed(Recorder::default()).await;
    assert_eq!(events, ["log a", "start 1 tools.echo(1)", "end 1 succeeded", "log b"]);
}

#[tokio::test]
async fn an_observer_that_panics_is_told_nothing_more_and_changes_nothing() {
    let (result, events) = observed(Recorder { panic_on_call: true, ..Recorder::default() }).await;
    assert_eq!(events, ["log a"]);
    assert_eq!((result.value, result.logs.len()), (Some(Json::from(2)), 2));
}
