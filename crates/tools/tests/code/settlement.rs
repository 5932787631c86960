//! The end of a run: what is in flight is cancelled and awaited, what is queued never was, and all of it is kept.

use std::sync::Arc;
use std::time::Duration;

use dayfly_runtime::testing::{Script, ScriptedCall};
use dayfly_runtime::{BoxFuture, Budget, Call, Failure, Fault, RunRequest, RunResult};
use dayfly_tools::{CancellationToken, Json, Registry, RunContext, TimeoutLayer, ToolFailure};
use tokio::sync::Notify;

use crate::bridging::By;
use crate::support::{Gate, House, arguments, assert_failed, assert_serves, call, config, json, run_code, scripted};

fn wall() -> Failure {
    let second = Duration::from_secs(1);
    Failure::new(
        Fault::Timeout { budget: Budget::Wall, limit: second, used: second },
        "the program ran into its wall ceiling of 1.000 s",
    )
}

/// Plays the calls and settles with a failure when told to, as a runtime whose budget is spent does: it cancels the calls,
/// awaits them, and only then returns.
pub(crate) fn settles(
    calls: &[(&str, i64)],
    when: &Arc<Notify>,
) -> By<impl Fn(RunRequest) -> BoxFuture<'static, Result<RunResult, dayfly_runtime::RunError>> + Send + Sync + use<>> {
    let calls: Vec<(String, i64)> = calls.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    let when = Arc::clone(when);
    By(move |request: RunRequest| {
        let (calls, when) = (calls.clone(), Arc::clone(&when));
        Box::pin(async move {
            let settled = CancellationToken::new();
            let tools = &request.bindings[0].functions;
            let mut result = RunResult::default();
            result.failure = Some(wall());
            if calls.iter().any(|(name, _)| tools.iter().all(|(known, _)| known != name)) {
                return Ok(result);
            }
            let answers: Vec<_> = (1..)
                .zip(&calls)
                .map(|(id, (name, n))| {
                    let function = &tools.iter().find(|(known, _)| known == name).unwrap().1;
                    tokio::spawn(function.call(Call::new(id, name, arguments(*n), settled.clone())))
                })
                .collect();
            when.notified().await;
            settled.cancel();
            for answer in answers {
                let _ = answer.await.unwrap();
            }
            Ok(result)
        }) as BoxFuture<'static, _>
    })
}

#[tokio::test]
async fn a_spent_budget_stops_the_tool_that_runs_and_what_is_queued_never_starts() {
    let spent = Arc::new(Notify::new());
    let (house, begun) = House::with(settles(&[("slow", 1), ("slow", 2), ("slow", 3)], &spent), config()).waits("slow");
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    begun.cancelled().await;
    spent.notify_one();
    let outcome = running.await.unwrap();
    assert_failed(&outcome, "CODE_RUN_FAILED");
    assert_eq!(house.log.take(), ["begins slow", "stops slow"]);
    assert_eq!(house.events.told(), ["call run_code", "start 1 slow", "end 1 slow failed", "result run_code failed"]);
    assert_serves(&house.registry).await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_does_not_stop_is_awaited_for_the_grace_and_kept_before_run_code_returns() {
    let spent = Arc::new(Notify::new());
    let begun = CancellationToken::new();
    let begins = begun.clone();
    let house = House::with(settles(&[("stubborn", 1)], &spent), config()).tool("stubborn", move |_, _| {
        begins.cancel();
        std::future::pending()
    });
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    begun.cancelled().await;
    let before = tokio::time::Instant::now();
    spent.notify_one();
    let outcome = running.await.unwrap();
    assert!(before.elapsed() >= crate::support::GRACE);
    assert_failed(&outcome, "CODE_RUN_FAILED");
    let events = house.events.all();
    assert_eq!(
        house.events.told(),
        ["call run_code", "start 1 stubborn", "end 1 stubborn failed", "result run_code failed"]
    );
    let shown = events[2].result().unwrap().content[0].as_text().unwrap().to_owned();
    assert!(shown.contains("was dropped where it stood"), "{shown}");
    assert_serves(&house.registry).await;
}

#[tokio::test(start_paused = true)]
async fn cancelling_run_code_reaches_its_calls_and_all_of_them_are_kept_before_it_returns() {
    // Both tools take the whole grace: that of `run_code` itself is not spent before theirs.
    let script = Script::new().parallel([call("stubborn", 1), call("stubborn", 2), call("stubborn", 3)]);
    let gate = Gate::default();
    let reached = gate.clone();
    let stubborn = crate::support::declared("stubborn").concurrency_safe(|_| true).execute(move |_, _| {
        let gate = reached.clone();
        async move {
            gate.pass().await;
            Ok(Json::null())
        }
    });
    let house = House::with(scripted(script), config().max_parallel_sub_calls(2)).add(stubborn.unwrap());
    let cancel = CancellationToken::new();
    let (agent, given) = (house.agent.clone(), cancel.clone());
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program").cancel_with(given)).await });
    gate.reached.cancelled().await;
    tokio::time::sleep(Duration::from_nanos(1)).await;
    cancel.cancel();
    let outcome = running.await.unwrap();
    assert_failed(&outcome, "CODE_RUN_FAILED");
    assert!(outcome.text().starts_with("Error: code run failed (abort): "), "{}", outcome.text());
    assert!(
        outcome.text().contains("2 dropped while running (stubborn ×2); 1 never started (stubborn)"),
        "{}",
        outcome.text()
    );
    assert_eq!(
        house.events.told(),
        [
            "call run_code",
            "start 1 stubborn",
            "start 2 stubborn",
            "end 1 stubborn failed",
            "end 2 stubborn failed",
            "result run_code failed",
        ]
    );
    assert_serves(&house.registry).await;
}

#[tokio::test]
async fn dropping_the_call_stops_its_tools_and_everything_is_kept() {
    let (house, begun) = House::of(Script::new().parallel([call("slow", 1), call("slow", 2)])).waits("slow");
    {
        let running = std::pin::pin!(house.run());
        tokio::select! {
            outcome = running => panic!("{outcome:?}"),
            () = begun.cancelled() => {}
        }
    }
    house.registry.quiesce().await;
    assert_eq!(house.log.take(), ["begins slow", "stops slow"]);
    assert_eq!(house.events.told(), ["call run_code", "start 1 slow", "end 1 slow failed", "result run_code failed"]);
}

#[tokio::test]
async fn a_program_that_does_not_await_its_call_loses_it_and_the_model_reads_which() {
    let house = House::of(Script::new().start("tools", "echo", arguments(1)).returns("early")).echo("echo");
    let outcome = house.run().await;
    assert_eq!(
        outcome.text(),
        "the program ended before these calls did, and they were cancelled: tools.echo; await them\nearly"
    );
    assert_eq!(house.events.told(), ["call run_code", "result run_code ok"]);
}

#[tokio::test]
async fn what_the_runtime_starts_after_it_has_settled_is_not_dispatched() {
    let runtime = By(|request: RunRequest| {
        Box::pin(async move {
            let settled = CancellationToken::new();
            settled.cancel();
            let late = request.bindings[0].functions[0].1.call(Call::new(1, "echo", arguments(1), settled));
            let mut result = RunResult::default();
            result.value = Some(Json::from(late.await.unwrap_err().message));
            Ok(result)
        }) as BoxFuture<'static, _>
    });
    let house = House::with(runtime, config()).echo("echo");
    let outcome = house.run().await;
    assert!(outcome.text().contains("was never started"), "{}", outcome.text());
    assert_eq!(house.events.told(), ["call run_code", "result run_code ok"]);
}

#[tokio::test]
async fn a_runtime_that_drops_its_calls_starts_none_of_the_queued_ones() {
    let gone = Arc::new(Notify::new());
    let drops = Arc::clone(&gone);
    let runtime = By(move |request: RunRequest| {
        let drops = Arc::clone(&drops);
        Box::pin(async move {
            let cancel = CancellationToken::new();
            let slow = request.bindings[0].functions[0].1.clone();
            let mut answers: Vec<_> =
                (1..=3).map(|id| slow.call(Call::new(id, "slow", arguments(1), cancel.clone()))).collect();
            drops.notified().await;
            // The last one first: whichever goes, the run is over.
            while answers.pop().is_some() {}
            Ok(RunResult::default())
        }) as BoxFuture<'static, _>
    });
    let (house, begun) = House::with(runtime, config()).waits("slow");
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    begun.cancelled().await;
    gone.notify_one();
    assert!(!running.await.unwrap().is_error());
    assert_eq!(house.events.told(), ["call run_code", "start 1 slow", "end 1 slow failed", "result run_code ok"]);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_run_code_itself_reaches_the_tools_of_its_program() {
    let registry = Registry::builder()
        .config(config())
        .code_runtime(scripted(Script::new().log("begun").call("tools", "slow", arguments(1))))
        .around(async |dispatch: dayfly_tools::Dispatch, next: dayfly_tools::Next| next.run(dispatch).await)
        .layer(TimeoutLayer::new().fallback(Duration::from_secs(30)))
        .build()
        .unwrap();
    let (house, _begun) = House::built(registry).waits("slow");
    let outcome = house.run().await;
    assert_failed(&outcome, "TOOL_TIMEOUT");
    assert_eq!(
        outcome.text(),
        "Error: `run_code` took longer than its deadline of 30s and was stopped\ncode run failed (abort): the run was cancelled by its \
         caller\nCalls: 1 stopped while running (slow). What they have done is not undone.\nCaptured output:\nbegun"
    );
    assert_eq!(house.log.take(), ["begins slow", "stops slow"]);
    let told = house.events.told();
    assert_eq!(told, ["call run_code", "start 1 slow", "end 1 slow failed", "result run_code failed"]);
}

#[tokio::test]
async fn a_failed_tool_that_nothing_catches_ends_the_program_while_another_runs() {
    let begun = CancellationToken::new();
    let begins = begun.clone();
    let house =
        House::of(Script::new().parallel([
            ScriptedCall::new("tools", "fails", json("{}")),
            ScriptedCall::new("tools", "slow", json("{}")),
        ]));
    let fails = crate::support::declared("fails").concurrency_safe(|_| true).execute(move |_, _| {
        let begun = begun.clone();
        async move {
            begun.cancelled().await;
            Err(ToolFailure::new("no"))
        }
    });
    let slow = crate::support::declared("slow").concurrency_safe(|_| true).execute(move |_, run: RunContext| {
        let begun = begins.clone();
        async move {
            begun.cancel();
            run.cancel().cancelled().await;
            Err(ToolFailure::new("was asked to stop"))
        }
    });
    let house = house.add(fails.unwrap()).add(slow.unwrap());
    let outcome = house.run().await;
    assert_eq!(
        outcome.text(),
        "Error: code run failed (exception): ToolCallError: no\nCalls: 1 failed (fails); 1 stopped while running (slow). What \
         they have done is not undone."
    );
    assert_eq!(
        house.events.told(),
        [
            "call run_code",
            "start 1 fails",
            "start 2 slow",
            "end 1 fails failed",
            "end 2 slow failed",
            "result run_code failed",
        ]
    );
}
