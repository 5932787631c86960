//! The layers that come with the registry, and its configuration.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dayfly_tools::pipeline::code;
use dayfly_tools::{Json, Metrics, Registry, RetryLayer, TimeoutLayer, Tool, ToolFailure};

use crate::support::*;

/// A tool that fails until its `fine`th start; every start defers its number.
fn flaky(name: &str, fine: usize, starts: &Arc<AtomicUsize>) -> Tool {
    let starts = Arc::clone(starts);
    retryable(name, move |_, run| {
        let nth = starts.fetch_add(1, Ordering::SeqCst) + 1;
        run.defer_context(context(&format!("start {nth}")));
        std::future::ready(if nth < fine { Err(ToolFailure::new("busy")) } else { Ok(Json::from("done")) })
    })
}

fn hangs(name: &str, deadline: Option<Duration>, obeys: bool) -> Tool {
    let declared = shown(name);
    let declared = match deadline {
        Some(deadline) => declared.timeout(deadline),
        None => declared,
    };
    declared
        .execute(move |_, run| async move {
            run.defer_context(context("deferred"));
            if obeys {
                run.cancel().cancelled().await;
                return Ok(Json::from("late"));
            }
            std::future::pending().await
        })
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_timeout_cancels_then_awaits_and_is_what_the_call_failed_of() {
    let registry = builder().layer(TimeoutLayer::new()).build().unwrap();
    registry.register(hangs("act", Some(Duration::from_secs(2)), true)).unwrap().keep();
    let before = tokio::time::Instant::now();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(before.elapsed().as_secs(), 2);
    assert_failed(&outcome, code::TOOL_TIMEOUT);
    assert_eq!(outcome.text(), "Error: `act` took longer than its deadline of 2s and was stopped");
    assert_eq!(contexts(&outcome), ["deferred"]);
    assert_serves(&registry).await;
}

#[tokio::test(start_paused = true)]
async fn a_body_that_ignores_its_timeout_is_dropped_after_the_grace_and_said_to_be() {
    let registry = builder().layer(TimeoutLayer::new().fallback(Duration::from_secs(3))).build().unwrap();
    registry.register(hangs("act", None, false)).unwrap().keep();
    let before = tokio::time::Instant::now();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(before.elapsed().as_secs(), 3 + GRACE.as_secs());
    assert_failed(&outcome, code::TOOL_TIMEOUT);
    assert!(outcome.text().contains("deadline of 3s did not stop"), "{}", outcome.text());
    assert_serves(&registry).await;
}

#[tokio::test(start_paused = true)]
async fn without_the_layer_a_declared_timeout_is_metadata_alone() {
    let registry = builder().build().unwrap();
    let slow = shown("act")
        .timeout(Duration::from_secs(1))
        .execute(|_, _| async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(Json::from("slow"))
        })
        .unwrap();
    registry.register(slow).unwrap().keep();
    assert!(!registry.execute(call("act")).await.is_error());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_first_does_not_time_out() {
    let registry = builder().layer(TimeoutLayer::new()).build().unwrap();
    registry.register(hangs("act", Some(Duration::from_secs(4)), false)).unwrap().keep();
    let calling = call("act");
    let cancel = calling.cancel.clone();
    let (outcome, ()) = tokio::join!(registry.execute(calling), async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        cancel.cancel();
    });
    assert_failed(&outcome, code::ABORTED);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_that_is_not_ours_leaves_no_body_half_way_either() {
    let log = Log::default();
    let says = log.clone();
    let registry = builder().layer(tower::timeout::TimeoutLayer::new(Duration::from_secs(1))).build().unwrap();
    registry
        .register(tool("act", move |_, run| {
            let log = says.clone();
            async move {
                run.cancel().cancelled().await;
                tokio::time::sleep(Duration::from_secs(1)).await;
                log.say("cleaned up");
                Ok(Json::from("late"))
            }
        }))
        .unwrap()
        .keep();
    assert_failed(&registry.execute(call("act")).await, code::LAYER_FAILED);
    assert_eq!(log.take(), ["cleaned up"]);
    assert_serves(&registry).await;
}

#[tokio::test(start_paused = true)]
async fn a_retry_runs_the_body_again_and_keeps_the_contexts_of_the_last_attempt() {
    let starts = Arc::new(AtomicUsize::new(0));
    let wait = Duration::from_secs(1);
    let registry = builder().layer(RetryLayer::new(5).wait(wait, Duration::from_secs(3))).build().unwrap();
    registry.register(flaky("act", 4, &starts)).unwrap().keep();
    let log = Log::default();
    let pre = log.clone();
    registry
        .on_pre_execute(move |_, so_far| {
            pre.say("asked");
            async { so_far }
        })
        .keep();
    let before = tokio::time::Instant::now();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Ok(Json::from("done")));
    assert_eq!(starts.load(Ordering::SeqCst), 4);
    // 1 s, 2 s, and the longest, 3 s instead of 4.
    assert_eq!(before.elapsed().as_secs(), 6);
    assert_eq!(contexts(&outcome), ["start 4"]);
    assert_eq!(log.take(), ["asked"]);
}

#[tokio::test]
async fn a_retry_gives_up_with_the_last_failure() {
    let starts = Arc::new(AtomicUsize::new(0));
    let registry = builder().layer(RetryLayer::new(2)).build().unwrap();
    registry.register(flaky("act", 9, &starts)).unwrap().keep();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Err(ToolFailure::new("busy")));
    assert_eq!((starts.load(Ordering::SeqCst), contexts(&outcome)), (2, vec!["start 2"]));
}

#[tokio::test]
async fn a_retry_leaves_tools_alone_that_are_not_declared_retryable_and_failures_that_are_for_good() {
    let starts = Arc::new(AtomicUsize::new(0));
    let registry = builder().layer(RetryLayer::new(3).when(|failure| failure.message != "hopeless")).build().unwrap();
    let counted = |answer: Result<Json, ToolFailure>| {
        let starts = Arc::clone(&starts);
        move |_: Json, _: dayfly_tools::RunContext| {
            starts.fetch_add(1, Ordering::SeqCst);
            std::future::ready(answer.clone())
        }
    };
    registry.register(tool("once", counted(Err(ToolFailure::new("busy"))))).unwrap().keep();
    registry.register(retryable("hopeless", counted(Err(ToolFailure::new("hopeless"))))).unwrap().keep();
    registry.register(retryable("wrong", counted(Ok(Json::from(5_u64))))).unwrap().keep();
    for name in ["once", "hopeless", "wrong"] {
        assert!(registry.execute(call(name)).await.is_error());
        assert_eq!(starts.swap(0, Ordering::SeqCst), 1, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_between_attempts_keeps_the_failure_that_was_to_be_retried() {
    let starts = Arc::new(AtomicUsize::new(0));
    let hour = Duration::from_secs(3_600);
    let registry = builder().layer(RetryLayer::new(3).wait(hour, hour)).build().unwrap();
    registry.register(flaky("act", 9, &starts)).unwrap().keep();
    let calling = call("act");
    let cancel = calling.cancel.clone();
    let (outcome, ()) = tokio::join!(registry.execute(calling), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    });
    assert_eq!(outcome.result, Err(ToolFailure::new("busy")));
    assert_eq!(starts.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_inside_a_retry_is_of_each_attempt_and_outside_of_all() {
    let deadline = Duration::from_secs(2);
    let slow = || {
        shown("act")
            .timeout(deadline)
            .retryable()
            .execute(|_, run| async move {
                run.cancel().cancelled().await;
                Err(ToolFailure::new("stopped"))
            })
            .unwrap()
    };
    let inside = builder().layer(RetryLayer::new(3)).layer(TimeoutLayer::new()).build().unwrap();
    let outside = builder().layer(TimeoutLayer::new()).layer(RetryLayer::new(3)).build().unwrap();
    for (registry, seconds) in [(inside, 6), (outside, 2)] {
        registry.register(slow()).unwrap().keep();
        let before = tokio::time::Instant::now();
        assert_failed(&registry.execute(call("act")).await, code::TOOL_TIMEOUT);
        assert_eq!(before.elapsed().as_secs(), seconds);
        assert_serves(&registry).await;
    }
}

#[tokio::test]
async fn metrics_count_calls_outside_a_retry_and_attempts_inside() {
    let (calls, attempts) = (Metrics::new(), Metrics::new());
    let starts = Arc::new(AtomicUsize::new(0));
    let registry = builder().layer(calls.layer()).layer(RetryLayer::new(5)).layer(attempts.layer()).build().unwrap();
    registry.register(flaky("act", 3, &starts)).unwrap().keep();
    registry.register(plain("fine")).unwrap().keep();
    assert!(!registry.execute(call("act")).await.is_error());
    assert!(!registry.execute(call("fine")).await.is_error());
    let (calls, attempts) = (calls.snapshot(), attempts.snapshot());
    assert_eq!(calls.keys().collect::<Vec<_>>(), ["act", "fine"]);
    assert_eq!((calls["act"].succeeded, calls["act"].failed.len()), (1, 0));
    assert_eq!((attempts["act"].succeeded, attempts["act"].failed[""], attempts["act"].in_flight), (1, 2, 0));
    assert!(attempts["act"].time >= attempts["act"].longest);
}

#[tokio::test(start_paused = true)]
async fn metrics_count_what_was_given_up() {
    let metrics = Metrics::new();
    let registry = builder()
        .layer(tower::timeout::TimeoutLayer::new(Duration::from_secs(1)))
        .layer(metrics.layer())
        .build()
        .unwrap();
    registry.register(hangs("act", None, true)).unwrap().keep();
    assert!(registry.execute(call("act")).await.is_error());
    let counts = &metrics.snapshot()["act"];
    assert_eq!((counts.abandoned, counts.in_flight), (1, 0));
}

#[test]
fn a_configuration_says_every_problem_at_once() {
    let year = Duration::from_secs(400 * 24 * 3_600);
    let config = dayfly_tools::RegistryConfig::default().cancel_grace(year).approval_deadline(Duration::ZERO);
    let error = Registry::builder().config(config).build().unwrap_err();
    assert_eq!(error.problems.len(), 2, "{error}");
    assert!(error.to_string().contains("`cancel_grace`") && error.to_string().contains("`approval_deadline`"));
}

#[test]
fn a_configuration_is_read_with_its_units_and_refuses_what_it_does_not_know() {
    let read = |text: &str| serde_json::from_str::<dayfly_tools::RegistryConfig>(text);
    let config = read(r#"{"cancel_grace":"1m 30s"}"#).unwrap();
    assert_eq!(config.cancel_grace, Duration::from_secs(90));
    assert_eq!(config.approval_deadline, Duration::from_secs(300));
    let written = serde_json::to_string(&config).unwrap();
    assert!(written.starts_with(r#"{"cancel_grace":"1m 30s","approval_deadline":"5m""#), "{written}");
    assert_eq!(read(&written).unwrap(), config);
    assert!(read(r#"{"cancel_grace":5}"#).is_err());
    // As in every configuration of this project: nobody means months.
    let said = read(r#"{"approval_deadline":"5M"}"#).unwrap_err().to_string();
    assert!(said.contains(r#""5M" is not a duration; did you mean "5m"?"#), "{said}");
    assert!(read(r#"{"grace":"5s"}"#).unwrap_err().to_string().contains("unknown field"));
}
