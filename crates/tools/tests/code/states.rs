//! What a model reads of every state that a call can be in when its run ends from outside.

use std::sync::Arc;

use dayfly_tools::tool::{Complete, Declaration};
use dayfly_tools::{CancellationToken, Json, PostDecision, RunContext, ToolFailure};
use tokio::sync::Notify;

use crate::settlement::settles;
use crate::support::{GRACE, Gate, House, assert_failed, assert_serves, config, declared, run_code};

/// A tool that overlaps others.
fn safe(name: &str) -> Declaration<Json, Json, Complete> {
    declared(name).concurrency_safe(|_| true)
}

/// An agent with a tool for each way of ending, and a program that makes these calls and then runs into its wall, once `ready` tools
/// have said that they are where they are to be.
async fn told(calls: &[&str], ready: usize) -> (House, String) {
    let spent = Arc::new(Notify::new());
    let calls: Vec<(&str, i64)> = calls.iter().map(|name| (*name, 1)).collect();
    let house = House::with(settles(&calls, &spent), config());
    let (says, mut said) = tokio::sync::mpsc::unbounded_channel::<()>();
    let say = || {
        let says = says.clone();
        move || says.send(()).unwrap()
    };
    let (quick, bad, slow, stubborn, busy) = (say(), say(), say(), say(), say());
    let house = house
        .add(
            safe("quick")
                .execute(move |arguments, _| {
                    quick();
                    std::future::ready(Ok(arguments))
                })
                .unwrap(),
        )
        .add(
            safe("bad")
                .execute(move |_, _| {
                    bad();
                    std::future::ready(Err(ToolFailure::new("no such file")))
                })
                .unwrap(),
        )
        .add(
            safe("slow")
                .execute(move |_, run: RunContext| {
                    slow();
                    async move {
                        run.cancel().cancelled().await;
                        Err(ToolFailure::new("was asked to stop"))
                    }
                })
                .unwrap(),
        )
        .add(
            safe("busy")
                .execute(move |_, run: RunContext| {
                    busy();
                    async move {
                        run.cancel().cancelled().await;
                        Ok(Json::from("done all the same"))
                    }
                })
                .unwrap(),
        )
        .add(
            safe("stubborn")
                .execute(move |_, _| {
                    stubborn();
                    std::future::pending()
                })
                .unwrap(),
        )
        .echo("secret")
        .echo("forbidden")
        .tool("queued", async |_, _| Ok(Json::null()));
    house.agent.guard(|execution| (execution.name() == "forbidden").then(|| "it is not allowed".to_owned())).keep();
    let reviewed = say();
    house
        .agent
        .on_post_execute(move |execution, _| {
            let decision = if execution.name() == "secret" {
                reviewed();
                PostDecision::block("it is a secret")
            } else {
                PostDecision::accept()
            };
            async move { decision }
        })
        .keep();
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    for _ in 0..ready {
        said.recv().await.unwrap();
    }
    // Whoever has said so gets to its end, or to its turn.
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    spent.notify_one();
    let outcome = running.await.unwrap();
    assert_failed(&outcome, "CODE_RUN_FAILED");
    assert_serves(&house.registry).await;
    let start = "Error: code run failed (timeout): the program ran into its wall ceiling of 1.000 s\n";
    let text = outcome.text();
    let (_, calls) = text.split_once(start).unwrap_or_else(|| panic!("{text}"));
    (house, calls.to_owned())
}

const DONE: &str = " What they have done is not undone.";

#[tokio::test(start_paused = true)]
async fn a_call_that_had_ended_and_waited_for_those_before_it_is_not_said_to_have_been_stopped() {
    // They are over, and answers come in the order of the calls: the first one still runs.
    let (house, calls) = told(&["slow", "quick", "bad", "quick"], 4).await;
    assert_eq!(
        calls,
        format!(
            "Calls: 2 completed with the answer not delivered (quick ×2); 1 failed with the message not delivered (bad); 1 stopped \
             while running (slow).{DONE}"
        )
    );
    // The session's copy says the same of it.
    let copies: Vec<String> = house
        .events
        .all()
        .iter()
        .filter_map(|event| event.result().map(|result| format!("{:?}", result.content)))
        .collect();
    assert!(copies[1].contains("the call was cancelled when `quick` had completed"), "{copies:?}");
    assert!(copies[2].contains("no such file"), "{copies:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_answer_was_delivered_is_completed_or_failed() {
    let (_, calls) = told(&["quick", "bad", "slow"], 3).await;
    assert_eq!(calls, format!("Calls: 1 completed (quick); 1 failed (bad); 1 stopped while running (slow).{DONE}"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_completes_although_it_was_asked_to_stop_has_completed() {
    let (house, calls) = told(&["busy"], 1).await;
    assert_eq!(calls, format!("Calls: 1 completed after being asked to stop (busy).{DONE}"));
    let copy = format!("{:?}", house.events.all()[2].result().unwrap().content);
    assert!(copy.contains("`busy` completed after the call was cancelled"), "{copy}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_does_not_stop_was_dropped() {
    let before = tokio::time::Instant::now();
    let (_, calls) = told(&["stubborn"], 1).await;
    assert!(before.elapsed() >= GRACE);
    assert_eq!(calls, format!("Calls: 1 dropped while running (stubborn).{DONE}"));
}

#[tokio::test(start_paused = true)]
async fn what_a_policy_refused_or_withheld_is_said_as_that() {
    let (_, calls) = told(&["secret", "forbidden", "slow"], 2).await;
    assert_eq!(
        calls,
        format!(
            "Calls: 1 completed with the result withheld (secret); 1 refused (forbidden); 1 stopped while running (slow).{DONE}"
        )
    );
}

#[tokio::test(start_paused = true)]
async fn of_a_program_whose_calls_were_all_refused_nothing_is_said_to_be_done() {
    let (_, calls) = told(&["forbidden", "forbidden"], 0).await;
    assert_eq!(calls, "Calls: 2 refused (forbidden ×2).");
}

#[tokio::test(start_paused = true)]
async fn what_is_queued_never_started() {
    let (_, calls) = told(&["slow", "queued", "quick"], 1).await;
    assert_eq!(calls, format!("Calls: 1 stopped while running (slow); 2 never started (queued, quick).{DONE}"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_held_up_by_a_slow_listener_when_the_run_ends_was_not_delivered() {
    let spent = Arc::new(Notify::new());
    // More than wait for listeners before the program does.
    let calls = vec![("echo", 1); 300];
    let house = House::with(settles(&calls, &spent), config()).echo("echo");
    let gate = Gate::default();
    let (listens, release) = (gate.clone(), CancellationToken::new());
    let released = release.clone();
    house
        .agent
        .on_code_dispatch_log(move |_, copy| {
            let (gate, released) = (listens.clone(), released.clone());
            async move {
                gate.reached.cancel();
                released.cancelled().await;
                copy
            }
        })
        .keep();
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    gate.reached.cancelled().await;
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    spent.notify_one();
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    release.cancel();
    let text = running.await.unwrap().text();
    let (delivered, rest) =
        text.rsplit_once(" completed (echo ×").map(|(_, rest)| rest.split_once(')').unwrap()).unwrap();
    let delivered: u64 = delivered.parse().unwrap();
    let kept_back = 300 - delivered;
    assert!(delivered > 0 && kept_back > 0, "{text}");
    assert_eq!(rest, format!("; {kept_back} completed with the answer not delivered (echo ×{kept_back}).{DONE}"));
}
