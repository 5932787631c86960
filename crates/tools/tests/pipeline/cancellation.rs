//! Cancelling calls: cooperative, quiescent, and precise about what it replaces.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dayfly_tools::pipeline::code;
use dayfly_tools::{
    CancellationToken, Dispatched, Json, PostDecision, Registry, RegistryConfig, Tool, ToolCall, ToolFailure,
};

use crate::support::*;

/// A tool that waits to be told to stop, and then settles as `settle` says.
fn stoppable(gate: &Gate, settle: impl Fn() -> Result<Json, ToolFailure> + Clone + Send + Sync + 'static) -> Tool {
    let reached = gate.reached.clone();
    tool("act", move |_, run| {
        let (reached, settle) = (reached.clone(), settle.clone());
        async move {
            run.defer_context(context("deferred"));
            reached.cancel();
            run.cancel().cancelled().await;
            settle()
        }
    })
}

/// Executes `act` and cancels it once its body runs.
async fn cancel_in_the_body(registry: &Registry, gate: &Gate) -> dayfly_tools::ToolOutcome {
    let calling = call("act");
    let cancel = calling.cancel.clone();
    let (outcome, ()) = tokio::join!(registry.execute(calling), async {
        gate.reached.cancelled().await;
        cancel.cancel();
    });
    outcome
}

#[tokio::test]
async fn a_call_cancelled_before_it_is_made_skips_every_policy_and_publishes_one_result() {
    let log = Log::default();
    let result = log.clone();
    let registry = builder().around(|_, _| async { panic!("dispatched") }).build().unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    registry.on_pre_execute(|_, _| async { panic!("asked") }).keep();
    registry.guard(|_| panic!("guarded")).keep();
    registry.on_post_execute(|_, _| async { panic!("reviewed") }).keep();
    registry
        .on_result(move |execution, outcome| {
            result.say(format!("{} {}", execution.arguments(), outcome.failure().unwrap().code().unwrap()));
        })
        .keep();
    let cancelled = call("act");
    cancelled.cancel.cancel();
    let outcome = registry.execute(cancelled).await;
    assert_failed(&outcome, code::ABORTED_BEFORE_DISPATCH);
    assert_eq!(log.take(), ["{} ABORTED_BEFORE_DISPATCH"]);
}

#[tokio::test]
async fn a_cancel_during_policy_ends_the_call_before_its_body() {
    let gate = Gate::default();
    let reached = gate.reached.clone();
    let registry = builder().build().unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    let listener = registry.on_pre_execute(move |_, so_far| {
        let reached = reached.clone();
        async move {
            reached.cancel();
            std::future::pending::<()>().await;
            so_far
        }
    });
    registry.on_post_execute(|_, _| async { panic!("reviewed") }).keep();
    assert_failed(&cancel_in_the_body(&registry, &gate).await, code::ABORTED_BEFORE_DISPATCH);
    drop(listener);
    registry.quiesce().await;
}

#[tokio::test]
async fn a_cancel_while_layers_wait_ends_the_call_before_its_body() {
    let gate = Gate::default();
    let reached = gate.reached.clone();
    let registry = builder()
        .around(move |dispatch, next| {
            let reached = reached.clone();
            async move {
                if dispatch.execution().name() == "act" {
                    reached.cancel();
                    std::future::pending::<()>().await;
                }
                next.run(dispatch).await
            }
        })
        .build()
        .unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    assert_failed(&cancel_in_the_body(&registry, &gate).await, code::ABORTED_BEFORE_DISPATCH);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_cancel_replaces_a_success_and_keeps_what_was_deferred() {
    let gate = Gate::default();
    let registry = builder().build().unwrap();
    registry.register(stoppable(&gate, || Ok(Json::from("done all the same")))).unwrap().keep();
    registry
        .on_post_execute(|_, outcome| async move {
            assert!(!outcome.is_error());
            PostDecision::accept().with_context(context("decided"))
        })
        .keep();
    let outcome = cancel_in_the_body(&registry, &gate).await;
    assert_failed(&outcome, code::ABORTED);
    assert_eq!(contexts(&outcome), ["deferred", "decided"]);
}

#[tokio::test]
async fn a_tool_failure_is_more_specific_than_the_cancel() {
    let gate = Gate::default();
    let registry = builder().build().unwrap();
    registry.register(stoppable(&gate, || Err(ToolFailure::coded("E", "HALF_WRITTEN", "half")))).unwrap().keep();
    let outcome = cancel_in_the_body(&registry, &gate).await;
    assert_failed(&outcome, "HALF_WRITTEN");
    assert_eq!(contexts(&outcome), ["deferred"]);
}

#[tokio::test]
async fn a_layer_failure_is_more_specific_than_the_cancel() {
    let gate = Gate::default();
    let registry = builder()
        .around(|dispatch, next| async move {
            let _value = next.run(dispatch).await?;
            Err(ToolFailure::coded("E", "QUOTA", "spent"))
        })
        .build()
        .unwrap();
    registry.register(stoppable(&gate, || Ok(Json::from("done")))).unwrap().keep();
    assert_failed(&cancel_in_the_body(&registry, &gate).await, "QUOTA");
}

#[tokio::test]
async fn a_post_policy_failure_is_more_specific_than_the_cancel() {
    let gate = Gate::default();
    let registry = builder().build().unwrap();
    registry.register(stoppable(&gate, || Ok(Json::from("done")))).unwrap().keep();
    registry.on_post_execute(|_, _| async { PostDecision::block("secret") }).keep();
    assert_failed(&cancel_in_the_body(&registry, &gate).await, code::POST_EXECUTE_BLOCKED);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_stop_is_awaited_up_to_the_grace_then_dropped_and_said_to_be() {
    struct Dropped(Arc<AtomicBool>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let gate = Gate::default();
    let dropped = Arc::new(AtomicBool::new(false));
    let (reached, says) = (gate.reached.clone(), Arc::clone(&dropped));
    let registry = builder().build().unwrap();
    registry
        .register(tool("act", move |_, run| {
            let (reached, held) = (reached.clone(), Dropped(Arc::clone(&says)));
            async move {
                let _held = &held;
                run.defer_context(context("deferred"));
                reached.cancel();
                std::future::pending().await
            }
        }))
        .unwrap()
        .keep();
    let before = tokio::time::Instant::now();
    let outcome = cancel_in_the_body(&registry, &gate).await;
    assert!(before.elapsed() >= GRACE);
    // It is gone before the call has an outcome.
    assert!(dropped.load(Ordering::SeqCst));
    assert_failed(&outcome, code::ABORTED);
    assert!(outcome.text().contains("did not within 5s, and was dropped"), "{}", outcome.text());
    assert_eq!(contexts(&outcome), ["deferred"]);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_body_that_blocks_its_thread_is_given_up_and_awaited_by_quiesce_alone() {
    // Threads and their channels: whatever a blocking body wakes on its own thread is blocked with it.
    let (starts, started) = std::sync::mpsc::channel::<()>();
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let blocked = Arc::new(std::sync::Mutex::new(blocked));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let config = RegistryConfig::default().cancel_grace(Duration::from_millis(1));
    let registry = Registry::builder().config(config).build().unwrap();
    registry
        .register(tool("act", move |_, _| {
            let (starts, blocked) = (starts.clone(), Arc::clone(&blocked));
            async move {
                starts.send(()).unwrap();
                let _released = blocked.lock().unwrap().recv();
                Ok(Json::from("too late"))
            }
        }))
        .unwrap()
        .keep();
    let calling = call("act");
    let cancel = calling.cancel.clone();
    let remote = registry.clone();
    let running = runtime.spawn(async move { remote.execute(calling).await });
    started.recv().unwrap();
    cancel.cancel();
    assert_failed(&running.await.unwrap(), code::ABORTED);
    let mut quiescent = Box::pin(registry.quiesce());
    assert!(futures_util::poll!(&mut quiescent).is_pending());
    release.send(()).unwrap();
    quiescent.await;
    runtime.shutdown_background();
    assert_serves(&registry).await;
}

#[tokio::test]
async fn dropping_the_future_is_a_cancel_whose_result_only_observers_see() {
    let gate = Gate::default();
    let log = Log::default();
    let (body, result, reached, open) = (log.clone(), log.clone(), gate.reached.clone(), gate.open.clone());
    let registry = builder().build().unwrap();
    registry
        .register(tool("act", move |_, run| {
            let (log, reached, open) = (body.clone(), reached.clone(), open.clone());
            async move {
                reached.cancel();
                run.cancel().cancelled().await;
                open.cancelled().await;
                log.say("stopped");
                Ok(Json::from("unseen"))
            }
        }))
        .unwrap()
        .keep();
    registry.on_result(move |_, outcome| result.say(outcome.failure().unwrap().code().unwrap())).keep();
    let calling = call("act");
    let callers = calling.cancel.clone();
    tokio::select! {
        _ = registry.execute(calling) => panic!("it cannot settle"),
        () = gate.reached.cancelled() => {}
    }
    assert!(!callers.is_cancelled(), "the caller's own token may be shared with other calls");
    let mut quiescent = Box::pin(registry.quiesce());
    assert!(futures_util::poll!(&mut quiescent).is_pending());
    gate.open.cancel();
    quiescent.await;
    assert_eq!(log.take(), ["stopped", "ABORTED"]);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn an_execute_that_is_never_polled_does_nothing() {
    let registry = Registry::new();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    drop(registry.execute(call("act")));
    registry.quiesce().await;
}

#[tokio::test]
async fn the_callers_cancel_reaches_the_body_whatever_signal_a_layer_put_in_its_place() {
    let gate = Gate::default();
    let registry =
        builder().around(|dispatch, next| next.run(dispatch.with_cancel(CancellationToken::new()))).build().unwrap();
    registry.register(stoppable(&gate, || Ok(Json::from("stopped")))).unwrap().keep();
    assert_failed(&cancel_in_the_body(&registry, &gate).await, code::ABORTED);
}

#[tokio::test]
async fn a_replaced_signal_reaches_the_body_too_and_is_the_layers_own_business() {
    let gate = Gate::default();
    let reached = gate.reached.clone();
    let registry = builder()
        .around(move |dispatch, next| {
            let reached = reached.clone();
            async move {
                let signal = CancellationToken::new();
                let running = next.run(dispatch.with_cancel(signal.clone()));
                let (settled, ()) = tokio::join!(running, async {
                    reached.cancelled().await;
                    signal.cancel();
                });
                settled
            }
        })
        .build()
        .unwrap();
    registry.register(stoppable(&gate, || Ok(Json::from("early")))).unwrap().keep();
    // Nobody cancelled the call itself.
    assert_eq!(registry.execute(call("act")).await.result, Ok(Json::from("early")));
}

#[tokio::test]
async fn a_signal_that_is_cancelled_already_keeps_the_body_from_starting() {
    let registry = builder()
        .around(|dispatch, next| {
            let signal = CancellationToken::new();
            signal.cancel();
            next.run(dispatch.with_cancel(signal))
        })
        .build()
        .unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    registry.on_post_execute(|_, _| async { panic!("reviewed") }).keep();
    assert_failed(&registry.execute(call("act")).await, code::ABORTED_BEFORE_DISPATCH);
}

#[tokio::test]
async fn a_value_that_a_layer_gave_without_the_body_is_replaced_as_before_dispatch() {
    let registry = builder()
        .around(|dispatch, _| async move {
            dispatch.execution().cancel().cancel();
            Ok(Dispatched::from(Json::from("from the cache")))
        })
        .build()
        .unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    assert_failed(&registry.execute(call("act")).await, code::ABORTED_BEFORE_DISPATCH);
}

#[tokio::test(start_paused = true)]
async fn a_review_that_does_not_end_withholds_the_result_of_a_cancelled_call() {
    let gate = Gate::default();
    let reached = gate.reached.clone();
    let registry = builder().build().unwrap();
    registry.register(plain("act")).unwrap().keep();
    let listener = registry.on_post_execute(move |_, _| {
        let reached = reached.clone();
        async move {
            reached.cancel();
            std::future::pending().await
        }
    });
    let outcome = cancel_in_the_body(&registry, &gate).await;
    assert_failed(&outcome, code::POST_EXECUTE_FAILED);
    drop(listener);
    assert_serves(&registry).await;
}

#[tokio::test(start_paused = true)]
async fn layers_that_do_not_end_after_the_body_are_dropped_after_a_grace() {
    let gate = Gate::default();
    let registry = builder()
        .around(|dispatch, next| async move {
            let serves = dispatch.execution().name() != "act";
            let settled = next.run(dispatch).await;
            if serves { settled } else { std::future::pending().await }
        })
        .build()
        .unwrap();
    registry.register(stoppable(&gate, || Ok(Json::from("done")))).unwrap().keep();
    let outcome = cancel_in_the_body(&registry, &gate).await;
    assert_failed(&outcome, code::ABORTED);
    assert_eq!(contexts(&outcome), ["deferred"]);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_runtime_that_goes_away_settles_the_call_and_leaves_nothing() {
    let gate = Gate::default();
    let registry = builder().build().unwrap();
    let reached = gate.reached.clone();
    registry
        .register(tool("act", move |_, _| {
            reached.cancel();
            std::future::pending()
        }))
        .unwrap()
        .keep();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let remote = registry.clone();
    let running = runtime.spawn(async move { remote.execute(ToolCall::new("1", "act", json("{}"))).await });
    gate.reached.cancelled().await;
    runtime.shutdown_background();
    assert!(running.await.is_err());
    assert_serves(&registry).await;
}
