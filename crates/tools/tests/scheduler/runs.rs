//! Runs: calls that are submitted while others run, and an end that leaves nothing.

use std::sync::{Arc, Mutex};

use dayfly_tools::{
    Abandoned, CancellationToken, Json, Registry, RegistryConfig, RunContext, Scheduler, Tool, ToolCall, ToolFailure,
    pipeline::code,
};

use crate::hall::{Hall, Kind, Moment, call, idle};
use crate::model::check;

#[tokio::test(start_paused = true)]
async fn submissions_are_numbered_from_one_and_go_on_unpolled() {
    let hall = Hall::new(10);
    let scheduler = Scheduler::new(hall.registry.global());
    let first = scheduler.submit_numbered(|number| call(usize::try_from(number).unwrap(), Kind::Safe));
    let second = scheduler.submit_numbered(|number| call(usize::try_from(number).unwrap(), Kind::Safe));
    assert_eq!((first.number(), second.number()), (1, 2));
    idle().await;
    assert_eq!(hall.running(), [1, 2]);
    hall.settle(1);
    hall.settle(2);
    scheduler.drain().await;
    assert_eq!(hall.committed(), [1, 2]);
    assert_eq!(second.await.unwrap().result, Ok(Json::from(2)));
    assert_eq!(first.await.unwrap().result, Ok(Json::from(1)));
}

#[tokio::test(start_paused = true)]
async fn the_end_abandons_what_is_queued_cancels_what_runs_and_waits_for_it() {
    let hall = Hall::new(2);
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&events);
    let _record = hall.registry.record(move |event: dayfly_tools::SessionEvent| {
        kept.lock().unwrap().push(format!("{} {}", event.kind(), event.call().call_id));
    });
    let scheduler = Scheduler::new(hall.registry.global());
    let submissions: Vec<_> = (0..4).map(|number| scheduler.submit(call(number, Kind::Safe))).collect();
    idle().await;
    scheduler.close();
    let late = scheduler.submit(call(4, Kind::Safe));
    assert_eq!(late.await.unwrap_err().number, 5);
    scheduler.drain().await;
    assert!(hall.running().is_empty());
    let mut ends = Vec::new();
    for submission in submissions {
        ends.push(submission.await.map(|outcome| outcome.failure().unwrap().code().unwrap().to_owned()));
    }
    let aborted = || Ok(code::ABORTED.to_owned());
    assert_eq!(ends[..2], [aborted(), aborted()]);
    let abandoned: Vec<u64> = ends.into_iter().filter_map(|end| end.err().map(|end: Abandoned| end.number)).collect();
    assert_eq!(abandoned, [3, 4]);
    let told = ["tool/call 0", "tool/call 1", "tool/result 0", "tool/result 1"];
    assert_eq!(*events.lock().unwrap(), told, "what is abandoned is in no log");
    assert_eq!(hall.committed(), [0, 1], "no observer hears of what is abandoned");
}

#[tokio::test(start_paused = true)]
async fn dropping_a_scheduler_ends_it() {
    let hall = Hall::new(1);
    let scheduler = Scheduler::new(hall.registry.global());
    let (running, queued) = (scheduler.submit(call(0, Kind::Safe)), scheduler.submit(call(1, Kind::Safe)));
    idle().await;
    drop(scheduler);
    assert_eq!(running.await.unwrap().failure().unwrap().code(), Some(code::ABORTED));
    assert!(queued.await.is_err());
    hall.registry.quiesce().await;
}

#[tokio::test(start_paused = true)]
async fn dropping_a_submission_cancels_that_call_alone_in_its_place() {
    let hall = Hall::new(1);
    let scheduler = Scheduler::new(hall.registry.global());
    let first = scheduler.submit(call(0, Kind::Safe));
    drop(scheduler.submit(call(1, Kind::Exclusive)));
    let third = scheduler.submit(call(2, Kind::Safe));
    idle().await;
    hall.settle(0);
    idle().await;
    assert_eq!(hall.running(), [2]);
    hall.settle(2);
    assert!(first.await.unwrap().result.is_ok() && third.await.unwrap().result.is_ok());
    assert_eq!(hall.committed(), [0, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn draining_waits_for_a_body_that_does_not_stop_until_it_is_dropped() {
    struct Held(Arc<Mutex<bool>>);
    impl Drop for Held {
        fn drop(&mut self) {
            *self.0.lock().unwrap() = true;
        }
    }
    let registry = Registry::new();
    let gone = Arc::new(Mutex::new(false));
    let held = Arc::clone(&gone);
    let stubborn = tool("stubborn", move |_, _| {
        let held = Held(Arc::clone(&held));
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(Json::null())
        }
    });
    registry.register(stubborn).unwrap().keep();
    let scheduler = Scheduler::new(registry.global());
    let submission = scheduler.submit(ToolCall::new("1", "stubborn", Json::parse("{}").unwrap()));
    idle().await;
    let start = tokio::time::Instant::now();
    scheduler.close();
    scheduler.drain().await;
    assert!(*gone.lock().unwrap());
    assert!(start.elapsed() >= RegistryConfig::default().cancel_grace);
    assert_eq!(submission.await.unwrap().failure().unwrap().code(), Some(code::ABORTED));
}

fn tool<F, Fut>(name: &str, body: F) -> Tool
where
    F: Fn(Json, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Json, ToolFailure>> + Send + 'static,
{
    let any = || Json::parse("{}").unwrap();
    Tool::raw(name, any()).output(any(), |_, _| "shown").concurrency_safe(|_| true).execute(body).unwrap()
}

#[tokio::test]
async fn a_body_may_make_a_batch_of_its_own_in_any_place() {
    let registry = Registry::builder().config(RegistryConfig::default().max_parallel(1)).build().unwrap();
    registry.register(tool("leaf", async |arguments, _| Ok(arguments))).unwrap().keep();
    let branch = tool("branch", async |arguments: Json, context: RunContext| {
        let calls = ["a", "b"].map(|id| context.nested(id, "leaf", arguments.clone()));
        let outcomes = context.scope().execute_batch(calls).await;
        Ok(Json::from(outcomes.iter().filter(|outcome| !outcome.is_error()).count() as u64))
    });
    registry.register(branch).unwrap().keep();
    let calls = ["1", "2"].map(|id| ToolCall::new(id, "branch", Json::parse("{}").unwrap()));
    let outcomes = registry.execute_batch(calls).await;
    assert!(outcomes.iter().all(|outcome| outcome.result == Ok(Json::from(2))), "{outcomes:?}");
}

#[test]
fn a_submission_outside_a_runtime_is_a_failed_result() {
    let hall = Hall::new(1);
    let scheduler = Scheduler::new(hall.registry.global());
    let submission = scheduler.submit(call(0, Kind::Safe));
    let outcome = futures_util::FutureExt::now_or_never(submission).unwrap().unwrap();
    assert_eq!(outcome.failure().unwrap().code(), Some(code::PIPELINE_FAILED));
}

#[test]
fn a_runtime_that_goes_away_settles_what_was_submitted() {
    let hall = Hall::new(1);
    let scheduler = Scheduler::new(hall.registry.global());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let submissions = runtime.block_on(async {
        let submissions = [scheduler.submit(call(0, Kind::Safe)), scheduler.submit(call(1, Kind::Safe))];
        tokio::task::yield_now().await;
        submissions
    });
    drop(runtime);
    for submission in submissions {
        let outcome = futures_util::FutureExt::now_or_never(submission).unwrap().unwrap();
        assert_eq!(outcome.failure().unwrap().code(), Some(code::PIPELINE_FAILED));
    }
    assert!(futures_util::FutureExt::now_or_never(scheduler.drain()).is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_rules_hold_on_many_threads() {
    for round in 0..20 {
        let max_parallel = if round % 5 == 0 { 1 } else { 4 };
        let hall = Hall::new(max_parallel);
        let scheduler = Scheduler::new(hall.registry.global());
        let kinds: Vec<Kind> = (0..60)
            .map(|number| match (number * 7 + round) % 9 {
                0 => Kind::Exclusive,
                1 => Kind::Denied,
                2 => Kind::Unknown,
                _ => Kind::Safe,
            })
            .collect();
        let done = CancellationToken::new();
        let settling = tokio::spawn({
            let (hall, done) = (hall.clone(), done.clone());
            async move {
                while !done.is_cancelled() {
                    hall.settle_any();
                    tokio::task::yield_now().await;
                }
            }
        });
        let submissions: Vec<_> =
            kinds.iter().enumerate().map(|(number, kind)| scheduler.submit(call(number, *kind))).collect();
        let mut outcomes = Vec::new();
        for (number, submission) in submissions.into_iter().enumerate() {
            if round % 2 == 1 && number == 30 {
                scheduler.close();
            }
            outcomes.push(submission.await.is_ok());
        }
        scheduler.drain().await;
        done.cancel();
        settling.await.unwrap();
        check(&hall.moments(), &kinds, max_parallel);
        let started = outcomes.iter().filter(|started| **started).count();
        assert_eq!(hall.committed(), (0..started).collect::<Vec<_>>());
        assert!(outcomes[..started].iter().all(|started| *started), "what is abandoned is the end of the queue");
        assert!(started >= 30 && (round % 2 == 1 || started == 60));
        assert!(hall.moments().iter().any(|moment| matches!(moment, Moment::BodyBegins(_))));
    }
}
