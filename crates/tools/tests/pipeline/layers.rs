//! What stands around the body: how layers nest, what they may do, and those that come with the registry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayfly_tools::pipeline::code;
use dayfly_tools::{Dispatch, Dispatched, Json, Next, Tool, ToolCall, ToolFailure};

use crate::support::*;

#[tokio::test]
async fn the_first_layer_added_is_the_outermost() {
    let log = Log::default();
    let says = |name: &'static str| {
        let log = log.clone();
        move |dispatch: Dispatch, next: Next| {
            let log = log.clone();
            async move {
                log.say(format!("{name} in"));
                let settled = next.run(dispatch).await;
                log.say(format!("{name} out"));
                settled
            }
        }
    };
    let registry = builder().around(says("outer")).around(says("inner")).build().unwrap();
    registry.register(plain("act")).unwrap().keep();
    assert!(!registry.execute(call("act")).await.is_error());
    assert_eq!(log.take(), ["outer in", "inner in", "inner out", "outer out"]);
}

#[tokio::test]
async fn one_stack_serves_all_calls_so_a_concurrency_limit_limits() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let registry = builder().layer(tower::limit::ConcurrencyLimitLayer::new(2)).build().unwrap();
    let (counts, peak) = (Arc::clone(&running), Arc::clone(&most));
    registry
        .register(tool("act", move |_, _| {
            let (running, most) = (Arc::clone(&counts), Arc::clone(&peak));
            async move {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                for _ in 0..10 {
                    tokio::task::yield_now().await;
                }
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(Json::from("done"))
            }
        }))
        .unwrap()
        .keep();
    let calls = (0..20).map(|_| registry.execute(call("act")));
    for outcome in futures_util::future::join_all(calls).await {
        assert!(!outcome.is_error());
    }
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_towers_own_error_becomes_a_failed_result_and_a_tools_failure_stays_itself() {
    let registry = builder()
        .layer(tower::load_shed::LoadShedLayer::new())
        .layer(tower::limit::ConcurrencyLimitLayer::new(1))
        .build()
        .unwrap();
    let gate = Gate::default();
    let inside = gate.clone();
    registry
        .register(tool("act", move |_, _| {
            let gate = inside.clone();
            async move {
                gate.pass().await;
                Err(ToolFailure::coded("E", "OWN", "own words"))
            }
        }))
        .unwrap()
        .keep();
    let (first, ()) = tokio::join!(registry.execute(call("act")), async {
        gate.reached.cancelled().await;
        assert_failed(&registry.execute(call("act")).await, code::LAYER_FAILED);
        gate.open.cancel();
    });
    assert_failed(&first, "OWN");
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_layers_own_value_is_held_against_the_tools_declaration_and_rendered() {
    let registry = builder()
        .around(|dispatch, _| async move {
            let own = dispatch.execution().arguments().get("cached").unwrap().to_owned();
            Ok(Dispatched::from(own))
        })
        .build()
        .unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    let cached = |value: &str| ToolCall::new("1", "act", json(&format!(r#"{{"cached":{value}}}"#)));
    let outcome = registry.execute(cached(r#""from the cache""#)).await;
    assert_eq!(outcome.result, Ok(Json::from("from the cache")));
    assert_eq!(outcome.text(), "shown: from the cache");
    assert_failed(&registry.execute(cached("5")).await, "INVALID_OUTPUT");
}

#[tokio::test]
async fn the_value_of_another_call_is_a_layers_own_and_is_checked() {
    let kept: Arc<std::sync::Mutex<Option<Dispatched>>> = Arc::default();
    let registry = builder()
        .around(move |dispatch, next| {
            let kept = Arc::clone(&kept);
            async move {
                if dispatch.execution().name() == "act" {
                    return Ok(kept.lock().unwrap().take().unwrap());
                }
                let settled = next.run(dispatch).await?;
                *kept.lock().unwrap() = Some(settled.clone());
                Ok(settled)
            }
        })
        .build()
        .unwrap();
    let counts = Tool::raw("count", json(r#"{"type":"object"}"#))
        .output(json(r#"{"type":"integer"}"#), |_, _| "a number")
        .execute(|_, run| async move {
            run.defer_context(context("of the other call"));
            Ok(Json::from(5_u64))
        })
        .unwrap();
    registry.register(counts).unwrap().keep();
    registry.register(plain("act")).unwrap().keep();
    assert!(!registry.execute(call("count")).await.is_error());
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, "INVALID_OUTPUT");
    assert!(outcome.contexts.is_empty());
}

#[tokio::test]
async fn a_tool_that_is_not_retryable_starts_once_whatever_layers_do() {
    let starts = Arc::new(AtomicUsize::new(0));
    let registry = builder()
        .around(|dispatch, next| async move {
            let _first = next.clone().run(dispatch.clone()).await;
            next.run(dispatch).await
        })
        .build()
        .unwrap();
    let count = Arc::clone(&starts);
    registry
        .register(tool("act", move |_, _| {
            count.fetch_add(1, Ordering::SeqCst);
            async { Ok(Json::from("done")) }
        }))
        .unwrap()
        .keep();
    assert_failed(&registry.execute(call("act")).await, code::ALREADY_DISPATCHED);
    assert_eq!(starts.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_handle_refuses_to_dispatch_once_its_call_has_closed() {
    let kept: Arc<std::sync::Mutex<Option<(Dispatch, Next)>>> = Arc::default();
    let keeps = Arc::clone(&kept);
    let registry = builder()
        .around(move |dispatch, next| {
            *keeps.lock().unwrap() = Some((dispatch, next));
            async { Ok(Dispatched::from(Json::from("without the body"))) }
        })
        .build()
        .unwrap();
    registry.register(tool("act", |_, _| async { panic!("run") })).unwrap().keep();
    assert!(!registry.execute(call("act")).await.is_error());
    let (dispatch, next) = kept.lock().unwrap().take().unwrap();
    let refused = next.run(dispatch).await.unwrap_err();
    assert_eq!(refused.code(), Some(code::CALL_CLOSED));
}

#[tokio::test]
async fn a_layer_that_drops_its_inner_future_does_not_abandon_the_body() {
    let gate = Gate::default();
    let log = Log::default();
    let (reached, says) = (gate.reached.clone(), log.clone());
    let registry = builder()
        .around(move |dispatch, next| {
            let reached = reached.clone();
            async move {
                tokio::select! {
                    settled = next.run(dispatch) => settled,
                    () = reached.cancelled() => Ok(Dispatched::from(Json::from("without waiting"))),
                }
            }
        })
        .build()
        .unwrap();
    registry
        .register(tool("act", move |_, run| {
            let (gate, log) = (gate.clone(), says.clone());
            async move {
                run.defer_context(context("kept"));
                gate.reached.cancel();
                run.cancel().cancelled().await;
                tokio::task::yield_now().await;
                log.say("the body ended");
                Ok(Json::from("unused"))
            }
        }))
        .unwrap()
        .keep();
    let result = log.clone();
    registry.on_result(move |_, _| result.say("the call ended")).keep();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Ok(Json::from("without waiting")));
    assert_eq!(contexts(&outcome), ["kept"]);
    assert_eq!(log.take(), ["the body ended", "the call ended"]);
}

#[tokio::test]
async fn bodies_of_one_call_never_overlap() {
    let running = Arc::new(AtomicUsize::new(0));
    let registry = builder()
        .around(|dispatch, next| async move {
            // A layer that hedges: two at once, the first value wins.
            let (first, second) = (next.clone().run(dispatch.clone()), next.run(dispatch));
            let (first, second) = tokio::join!(first, second);
            first.and(second)
        })
        .build()
        .unwrap();
    let count = Arc::clone(&running);
    registry
        .register(retryable("act", move |_, _| {
            let running = Arc::clone(&count);
            async move {
                assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                tokio::task::yield_now().await;
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(Json::from("done"))
            }
        }))
        .unwrap()
        .keep();
    assert_eq!(registry.execute(call("act")).await.result, Ok(Json::from("done")));
}
