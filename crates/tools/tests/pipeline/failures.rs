//! Every stage can break, and every break is a normal failed outcome.

use std::sync::Arc;

use dayfly_tools::pipeline::code;
use dayfly_tools::{Json, PostDecision, Registry, ToolFailure};

use crate::support::*;

#[tokio::test]
async fn a_panicking_listener_denies_finally() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let polled = registry.on_pre_execute(|_, _| async { panic!("in the future") });
    registry.on_pre_execute(|_, _| async { panic!("asked after a failure") }).keep();
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::PRE_EXECUTE_FAILED);
    assert!(outcome.text().ends_with("failed: in the future"), "{}", outcome.text());
    drop(polled);
    let other = Registry::new();
    other.register(plain("act")).unwrap().keep();
    let called = other.on_pre_execute(|_, _| -> std::future::Ready<_> { panic!("in the call") });
    assert_failed(&other.execute(call("act")).await, code::PRE_EXECUTE_FAILED);
    drop(called);
    assert_serves(&other).await;
}

#[tokio::test]
async fn a_panicking_guard_denies() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let guard = registry.guard(|_| panic!("broken guard"));
    assert_failed(&registry.execute(call("act")).await, code::GUARD_FAILED);
    drop(guard);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_panicking_layer_fails_the_call_and_its_body_is_not_abandoned() {
    let gate = Gate::default();
    let stopped = Log::default();
    let reached = gate.reached.clone();
    let registry = builder()
        .around(move |dispatch, next| {
            let reached = reached.clone();
            async move {
                if dispatch.execution().name() == "still serves" {
                    return next.run(dispatch).await;
                }
                tokio::select! {
                    settled = next.run(dispatch) => settled,
                    () = reached.cancelled() => panic!("broken layer"),
                }
            }
        })
        .build()
        .unwrap();
    let (inside, says) = (gate.clone(), stopped.clone());
    registry
        .register(tool("act", move |_, run| {
            let (gate, says) = (inside.clone(), says.clone());
            async move {
                gate.reached.cancel();
                run.cancel().cancelled().await;
                tokio::task::yield_now().await;
                says.say("stopped");
                Ok(Json::from("late"))
            }
        }))
        .unwrap()
        .keep();
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::LAYER_FAILED);
    assert!(outcome.text().ends_with("broken layer"));
    assert_eq!(stopped.take(), ["stopped"]);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_panicking_body_is_a_failed_result_whether_it_is_called_or_polled() {
    let registry = Registry::new();
    registry.register(tool("polled", |_, _| async { panic!("out of luck") })).unwrap().keep();
    registry.register(tool("called", |_, _| -> std::future::Ready<_> { panic!("at once") })).unwrap().keep();
    let outcome = registry.execute(call("polled")).await;
    assert_failed(&outcome, code::TOOL_FAILED);
    assert_eq!(outcome.text(), "Error: `polled` panicked, which is a defect of the tool: out of luck");
    assert_failed(&registry.execute(call("called")).await, code::TOOL_FAILED);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_value_that_its_schema_refuses_is_invalid_output() {
    let registry = Registry::new();
    registry.register(tool("act", |_, _| async { Ok(Json::from(5_u64)) })).unwrap().keep();
    registry
        .on_post_execute(|_, outcome| async move {
            assert!(outcome.is_error());
            PostDecision::accept()
        })
        .keep();
    assert_failed(&registry.execute(call("act")).await, "INVALID_OUTPUT");
}

#[tokio::test]
async fn a_panicking_render_or_metadata_fails_the_call() {
    let registry = Registry::new();
    let renders = dayfly_tools::Tool::raw("renders", json(r#"{"type":"object"}"#))
        .output(json("{}"), |_, _| -> String { panic!("cannot draw") })
        .execute(|_, run| async move {
            run.defer_context(context("kept"));
            Ok(Json::null())
        })
        .unwrap();
    let derives = shown("derives")
        .presentation_meta(|_, _| panic!("cannot derive"))
        .execute(|_, _| async { Ok(Json::from("fine")) })
        .unwrap();
    registry.register(renders).unwrap().keep();
    registry.register(derives).unwrap().keep();
    let outcome = registry.execute(call("renders")).await;
    assert_failed(&outcome, code::RENDER_FAILED);
    assert_eq!(contexts(&outcome), ["kept"]);
    assert_failed(&registry.execute(call("derives")).await, code::RENDER_FAILED);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_panicking_post_execute_listener_withholds_the_result() {
    let registry = Registry::new();
    registry
        .register(tool("act", |_, run| async move {
            run.defer_context(context("kept"));
            Ok(Json::from("secret"))
        }))
        .unwrap()
        .keep();
    let post = registry.on_post_execute(|_, _| async { panic!("broken review") });
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::POST_EXECUTE_FAILED);
    // Only a block discards what the tool deferred.
    assert_eq!(contexts(&outcome), ["kept"]);
    drop(post);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_panicking_finalizer_shows_nothing_it_has_not_seen() {
    let registry = Registry::new();
    let panics = shown("act")
        .finalize_content(|_, _| panic!("broken finalizer"))
        .execute(|arguments, _| async move {
            if arguments.is_empty() {
                Ok(Json::from("secret"))
            } else {
                Err(ToolFailure::coded("E", "OWN", "own words"))
            }
        })
        .unwrap();
    registry.register(panics).unwrap().keep();
    registry
        .on_post_execute(|_, outcome| async move {
            if outcome.is_error() {
                PostDecision::replace_content(vec!["unseen".into()])
            } else {
                PostDecision::accept()
            }
        })
        .keep();
    assert_failed(&registry.execute(call("act")).await, code::FINALIZE_FAILED);
    let failing = dayfly_tools::ToolCall::new("1", "act", json(r#"{"fail":true}"#));
    assert_failed(&registry.execute(failing).await, "OWN");
}

#[tokio::test]
async fn a_future_that_panics_when_it_is_dropped_breaks_nothing() {
    struct PanicsWhenDropped;
    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            panic!("dropped badly");
        }
    }
    let registry = builder().build().unwrap();
    let gate = Gate::default();
    let reached = gate.reached.clone();
    registry.register(plain("act")).unwrap().keep();
    let listener = registry.on_pre_execute(move |_, _| {
        let (reached, held) = (reached.clone(), PanicsWhenDropped);
        async move {
            let _held = &held;
            reached.cancel();
            std::future::pending().await
        }
    });
    let calling = call("act");
    let cancel = calling.cancel.clone();
    let (outcome, ()) = tokio::join!(registry.execute(calling), async {
        gate.reached.cancelled().await;
        cancel.cancel();
    });
    assert_failed(&outcome, code::ABORTED_BEFORE_DISPATCH);
    drop(listener);
    assert_serves(&registry).await;
}

#[test]
fn a_call_outside_a_runtime_is_a_failed_result() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let outcome = futures_util::FutureExt::now_or_never(registry.execute(call("act"))).unwrap();
    assert_failed(&outcome, code::PIPELINE_FAILED);
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a destructor that panics");
    }
}

#[tokio::test]
async fn a_tool_that_panics_when_it_is_dropped_loses_no_outcome() {
    let registry = builder().build().unwrap();
    let bomb = Bomb;
    let (started, go) = (Arc::new(tokio::sync::Notify::new()), Arc::new(tokio::sync::Notify::new()));
    let (starts, goes) = (Arc::clone(&started), Arc::clone(&go));
    let registration = registry
        .register(tool("bomb", move |_, _| {
            let _held = &bomb;
            let (starts, goes) = (Arc::clone(&starts), Arc::clone(&goes));
            async move {
                starts.notify_one();
                goes.notified().await;
                Ok(Json::from("done"))
            }
        }))
        .unwrap();
    let running = tokio::spawn({
        let scope = registry.global().clone();
        async move { scope.execute(call("bomb")).await }
    });
    started.notified().await;
    // The call is now the last to hold the tool.
    drop(registration);
    go.notify_one();
    assert_eq!(running.await.unwrap().result, Ok(Json::from("done")));
    assert_serves(&registry).await;
}
