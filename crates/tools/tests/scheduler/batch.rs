//! Batches: several calls that a model asks for at once.

use std::sync::{Arc, Mutex};

use dayfly_tools::{
    Json, Registry, RegistryConfig, RunContext, Scheduler, Scope, Tool, ToolCall, ToolOutcome, pipeline::code,
};
use tokio::task::JoinHandle;

use crate::hall::{Hall, Kind, Moment, call, idle};

fn start(hall: &Hall, kinds: &[Kind]) -> (Vec<ToolCall>, JoinHandle<Vec<ToolOutcome>>) {
    let calls: Vec<ToolCall> = kinds.iter().enumerate().map(|(number, kind)| call(number, *kind)).collect();
    let (registry, batch) = (hall.registry.clone(), calls.clone());
    (calls, tokio::spawn(async move { registry.execute_batch(batch).await }))
}

fn codes(outcomes: &[ToolOutcome]) -> Vec<Option<&str>> {
    outcomes.iter().map(|outcome| outcome.failure().and_then(|failure| failure.code())).collect()
}

#[tokio::test(start_paused = true)]
async fn consecutive_safe_calls_overlap_up_to_ten_unless_it_is_configured() {
    let hall = Hall::new(RegistryConfig::default().max_parallel);
    let (_, batch) = start(&hall, &[Kind::Safe; 12]);
    idle().await;
    assert_eq!(hall.running(), (0..10).collect::<Vec<_>>());
    hall.settle(7);
    idle().await;
    assert_eq!(hall.running(), [0, 1, 2, 3, 4, 5, 6, 8, 9, 10], "the pool rolls");
    for _ in 0..11 {
        hall.settle(hall.running()[0]);
        idle().await;
    }
    assert_eq!(batch.await.unwrap().len(), 12);
}

#[tokio::test(start_paused = true)]
async fn an_exclusive_call_drains_runs_alone_and_bars_those_behind_it() {
    let hall = Hall::new(10);
    let (_, batch) = start(&hall, &[Kind::Safe, Kind::Safe, Kind::Exclusive, Kind::Safe, Kind::Safe]);
    idle().await;
    assert_eq!(hall.running(), [0, 1]);
    hall.settle(0);
    idle().await;
    assert_eq!(hall.running(), [1]);
    hall.settle(1);
    idle().await;
    assert_eq!(hall.running(), [2]);
    hall.settle(2);
    idle().await;
    assert_eq!(hall.running(), [3, 4]);
    hall.settle(4);
    hall.settle(3);
    assert_eq!(codes(&batch.await.unwrap()), [None; 5]);
}

#[tokio::test(start_paused = true)]
async fn outcomes_and_commits_are_in_the_order_of_the_calls_whatever_order_they_end_in() {
    let hall = Hall::new(10);
    let (_, batch) = start(&hall, &[Kind::Safe, Kind::Unknown, Kind::Safe, Kind::Denied, Kind::Safe]);
    idle().await;
    hall.settle(0);
    idle().await;
    hall.settle(4);
    idle().await;
    assert_eq!(hall.committed(), [0, 1], "what is over waits for those before it");
    hall.settle(2);
    let outcomes = batch.await.unwrap();
    let values: Vec<Option<i64>> =
        outcomes.iter().map(|outcome| outcome.result.as_ref().ok().and_then(|value| value.as_i64())).collect();
    assert_eq!(values, [Some(0), None, Some(2), None, Some(4)]);
    assert_eq!(codes(&outcomes), [None, Some(code::UNKNOWN_TOOL), None, Some(code::GUARD_DENIED), None]);
    assert_eq!(hall.committed(), [0, 1, 2, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_one_is_one_call_after_the_other() {
    let hall = Hall::new(1);
    let (_, batch) = start(&hall, &[Kind::Safe, Kind::Safe, Kind::Exclusive]);
    for number in 0..3 {
        idle().await;
        hall.settle(number);
    }
    batch.await.unwrap();
    let each = |number| {
        [
            Moment::PolicyBegins(number),
            Moment::PolicyEnds(number),
            Moment::BodyBegins(number),
            Moment::BodyEnds(number),
            Moment::CommitBegins(number),
            Moment::Committed(number),
        ]
    };
    assert_eq!(hall.moments(), [each(0), each(1), each(2)].concat());
}

#[test]
fn a_limit_out_of_range_is_refused_by_key() {
    let registry = Registry::new();
    for wrong in [0, 1_025] {
        let problem = format!("`max_parallel` is {wrong}; it must be from 1 to 1024");
        let error = Registry::builder().config(RegistryConfig::default().max_parallel(wrong)).build().unwrap_err();
        assert_eq!(error.problems, std::slice::from_ref(&problem));
        let error = Scheduler::with_max_parallel(registry.global(), wrong).unwrap_err();
        assert_eq!(error.problems, [problem]);
    }
    assert!(Scheduler::with_max_parallel(registry.global(), 1_024).is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_in_its_place_and_the_others_go_on() {
    let hall = Hall::new(2);
    let (calls, batch) = start(&hall, &[Kind::Safe, Kind::Safe, Kind::Safe, Kind::Exclusive]);
    idle().await;
    calls[1].cancel.cancel();
    calls[2].cancel.cancel();
    idle().await;
    assert_eq!((hall.running(), hall.committed()), (vec![0], vec![]));
    hall.settle(0);
    idle().await;
    hall.settle(3);
    let expected = [None, Some(code::ABORTED), Some(code::ABORTED_BEFORE_DISPATCH), None];
    assert_eq!(codes(&batch.await.unwrap()), expected);
    assert_eq!(hall.committed(), [0, 1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn dropping_a_batch_ends_what_has_started_and_starts_nothing_more() {
    let hall = Hall::new(2);
    let (_, batch) = start(&hall, &[Kind::Safe, Kind::Safe, Kind::Safe, Kind::Exclusive]);
    idle().await;
    batch.abort();
    assert!(batch.await.unwrap_err().is_cancelled());
    hall.registry.quiesce().await;
    let bodies = |moment: &&Moment| matches!(moment, Moment::BodyBegins(_));
    assert_eq!(hall.moments().iter().filter(bodies).count(), 2);
    assert!(hall.running().is_empty());
}

#[tokio::test]
async fn what_a_call_is_is_decided_when_it_starts() {
    let registry = Registry::new();
    let registrations = Arc::new(Mutex::new(Vec::new()));
    let load = Tool::raw("load", Json::parse("{}").unwrap())
        .output(Json::parse("{}").unwrap(), |_, _| "loaded")
        .concurrency_safe(|_| true)
        .execute(move |arguments, context: RunContext| {
            let registrations = Arc::clone(&registrations);
            async move {
                let scope: &Scope = context.scope();
                registrations.lock().unwrap().push(scope.register(plain("loaded")).unwrap());
                Ok(arguments)
            }
        });
    registry.register(load.unwrap()).unwrap().keep();
    let calls = ["loaded", "load", "loaded"].map(|name| ToolCall::new(name, name, Json::parse("{}").unwrap()));
    let outcomes = registry.execute_batch(calls).await;
    assert_eq!(codes(&outcomes), [Some(code::UNKNOWN_TOOL), None, None]);
}

fn plain(name: &str) -> Tool {
    Tool::raw(name, Json::parse("{}").unwrap())
        .output(Json::parse("{}").unwrap(), |_, _| "shown")
        .execute(async |arguments, _| Ok(arguments))
        .unwrap()
}

#[tokio::test]
async fn a_batch_of_nothing_has_no_outcomes() {
    assert_eq!(Registry::new().execute_batch([]).await, []);
}
