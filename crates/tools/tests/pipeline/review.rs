//! From the body's value to the outcome: review, contexts, the last look, and those who only listen.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayfly_tools::pipeline::code;
use dayfly_tools::{Content, Json, PostDecision, Registry, Replacement, ToolCall, ToolFailure};

use crate::support::*;

#[tokio::test]
async fn post_execute_may_replace_content_and_the_value_stays() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    registry.on_post_execute(|_, _| async { PostDecision::replace_content(vec!["redacted".into()]) }).keep();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Ok(Json::from("act")));
    assert_eq!(outcome.text(), "redacted");
}

#[tokio::test]
async fn post_execute_may_replace_the_value_which_is_checked_and_rendered_again() {
    let registry = Registry::new();
    let tool = shown("act")
        .presentation_meta(|_, value| Json::from(value.as_str().unwrap().len() as u64))
        .execute(|_, _| async { Ok(Json::from("secret")) })
        .unwrap();
    registry.register(tool).unwrap().keep();
    let replaces = registry.on_post_execute(|_, outcome| async move {
        assert_eq!(outcome.meta, Some(Json::from(6_u64)));
        PostDecision::replace_value(Json::from("***")).with_context(context("replaced"))
    });
    let sees = registry.on_post_execute(|_, outcome| async move {
        assert_eq!(outcome.text(), "shown: ***");
        PostDecision::accept()
    });
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Ok(Json::from("***")));
    assert_eq!(outcome.text(), "shown: ***");
    assert_eq!(outcome.meta, Some(Json::from(3_u64)));
    assert_eq!(contexts(&outcome), ["replaced"]);
    drop((replaces, sees));
    let invalid = registry.on_post_execute(|_, _| async { PostDecision::replace_value(Json::from(5_u64)) });
    assert_failed(&registry.execute(call("act")).await, "INVALID_OUTPUT");
    drop(invalid);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn a_failure_has_no_value_to_replace() {
    let registry = Registry::new();
    registry.register(tool("act", |_, _| async { Err(ToolFailure::new("broken")) })).unwrap().keep();
    let value = registry.on_post_execute(|_, _| async { PostDecision::replace_value(Json::from("fine")) });
    assert_failed(&registry.execute(call("act")).await, code::POST_EXECUTE_FAILED);
    drop(value);
    registry
        .on_post_execute(|_, _| async {
            PostDecision::Accept {
                replace: Some(Replacement::Content(vec!["kinder words".into()])),
                contexts: Vec::new(),
            }
        })
        .keep();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Err(ToolFailure::new("broken")));
    assert_eq!(outcome.text(), "kinder words");
}

#[tokio::test]
async fn a_block_is_a_valueless_failure_that_keeps_only_its_own_contexts() {
    let registry = Registry::new();
    registry
        .register(tool("act", |_, run| async move {
            run.defer_context(context("deferred"));
            Ok(Json::from("secret"))
        }))
        .unwrap()
        .keep();
    registry.on_post_execute(|_, _| async { PostDecision::accept().with_context(context("accepted")) }).keep();
    let accepted = registry.execute(call("act")).await;
    assert_eq!(contexts(&accepted), ["deferred", "accepted"]);
    registry.on_post_execute(|_, _| async { PostDecision::block("a secret").with_context(context("why")) }).keep();
    registry.on_post_execute(|_, _| async { panic!("a block is the last word") }).keep();
    let blocked = registry.execute(call("act")).await;
    assert_failed(&blocked, code::POST_EXECUTE_BLOCKED);
    assert_eq!(blocked.text(), "Error: the result of `act` was withheld: a secret");
    assert_eq!(contexts(&blocked), ["why"]);
}

#[tokio::test]
async fn deferred_contexts_are_kept_when_the_body_then_fails_or_panics() {
    let registry = Registry::new();
    let fails = tool("fails", |_, run| async move {
        run.defer_context(context("first"));
        run.defer_context(context("second"));
        Err(ToolFailure::coded("DiskError", "DISK_FULL", "the disk is full"))
    });
    let panics = tool("panics", |_, run| async move {
        run.defer_context(context("last words"));
        panic!("out of luck")
    });
    registry.register(fails).unwrap().keep();
    registry.register(panics).unwrap().keep();
    let outcome = registry.execute(call("fails")).await;
    assert_failed(&outcome, "DISK_FULL");
    assert_eq!(outcome.text(), "Error: the disk is full");
    assert_eq!(contexts(&outcome), ["first", "second"]);
    let outcome = registry.execute(call("panics")).await;
    assert_failed(&outcome, code::TOOL_FAILED);
    assert_eq!(contexts(&outcome), ["last words"]);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn post_execute_sees_failures_of_the_dispatch_and_no_denial() {
    let registry = Registry::new();
    registry.register(tool("fails", |_, _| async { Err(ToolFailure::new("broken")) })).unwrap().keep();
    let seen = Log::default();
    let post = seen.clone();
    registry
        .on_post_execute(move |_, outcome| {
            post.say(outcome.text());
            async { PostDecision::accept() }
        })
        .keep();
    assert!(registry.execute(call("fails")).await.is_error());
    assert_eq!(seen.take(), ["Error: broken"]);
    registry.guard(|_| Some("no".to_owned())).keep();
    assert!(registry.execute(call("fails")).await.is_error());
    assert!(seen.take().is_empty());
}

#[tokio::test]
async fn finalize_content_runs_exactly_once_on_every_outcome_and_changes_content_alone() {
    let registry = Registry::new();
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let tool = shown("act")
        .finalize_content(move |execution, outcome| {
            count.fetch_add(1, Ordering::SeqCst);
            Some(vec![Content::text(format!("{}: {}", execution.call_id(), outcome.is_error()))])
        })
        .execute(|arguments, _| async move {
            match arguments.get("how").and_then(|how| how.as_str().map(str::to_owned)).as_deref() {
                Some("fail") => Err(ToolFailure::new("broken")),
                Some("panic") => panic!("out of luck"),
                Some("invalid") => Ok(Json::from(5_u64)),
                _ => Ok(Json::from("fine")),
            }
        })
        .unwrap();
    registry.register(tool).unwrap().keep();
    let with = |how: &str| ToolCall::new("id", "act", json(&format!(r#"{{"how":"{how}"}}"#)));
    for (how, error) in [("", false), ("fail", true), ("panic", true), ("invalid", true)] {
        let outcome = registry.execute(with(how)).await;
        assert_eq!(outcome.text(), format!("id: {error}"), "{how}");
        assert_eq!(outcome.is_error(), error);
        assert_eq!(runs.swap(0, Ordering::SeqCst), 1, "{how}");
    }
    let denied = registry.guard(|_| Some("no".to_owned()));
    let outcome = registry.execute(with("")).await;
    assert_eq!((outcome.text().as_str(), runs.swap(0, Ordering::SeqCst)), ("id: true", 1));
    assert_eq!(outcome.failure().unwrap().code(), Some(code::GUARD_DENIED));
    drop(denied);
    let cancelled = with("");
    cancelled.cancel.cancel();
    let outcome = registry.execute(cancelled).await;
    assert_eq!((outcome.text().as_str(), runs.swap(0, Ordering::SeqCst)), ("id: true", 1));
    assert_eq!(outcome.failure().unwrap().code(), Some(code::ABORTED_BEFORE_DISPATCH));
}

#[tokio::test]
async fn tool_and_finalizer_are_snapshotted_when_the_call_starts() {
    let registry = Registry::new();
    let gate = Gate::default();
    let inside = gate.clone();
    let first = shown("act")
        .finalize_content(|_, _| Some(vec!["the first".into()]))
        .execute(move |_, _| {
            let gate = inside.clone();
            async move {
                gate.pass().await;
                Ok(Json::from("done"))
            }
        })
        .unwrap();
    let registration = registry.register(first).unwrap();
    let running = tokio::spawn({
        let registry = registry.clone();
        async move { registry.execute(call("act")).await }
    });
    gate.reached.cancelled().await;
    registration.dispose();
    registry.register(plain("act")).unwrap().keep();
    gate.open.cancel();
    assert_eq!(running.await.unwrap().text(), "the first");
    assert_eq!(registry.execute(call("act")).await.text(), "shown: act");
}

#[tokio::test]
async fn metadata_is_derived_for_direct_calls_and_not_for_nested_ones() {
    let registry = Registry::new();
    let inner = shown("inner")
        .presentation_meta(|_, value| Json::from(format!("meta of {}", value.as_str().unwrap())))
        .execute(|_, run| async move {
            assert!(run.execution().parent().is_none() || run.execution().call_id() == "outer:1");
            Ok(Json::from("value"))
        })
        .unwrap();
    registry.register(inner).unwrap().keep();
    let nested = tool("outer", |_, run| async move {
        let sub = run.nested("outer:1", "inner", json("{}"));
        assert_eq!(sub.parent, Some(run.execution().token()));
        let outcome = run.scope().execute(sub).await;
        assert_eq!((outcome.meta.clone(), outcome.text()), (None, "shown: value".to_owned()));
        outcome.result
    });
    registry.register(nested).unwrap().keep();
    assert_eq!(registry.execute(call("inner")).await.meta, Some(Json::from("meta of value")));
    let outcome = registry.execute(call("outer")).await;
    assert_eq!(outcome.result, Ok(Json::from("value")));
}

#[tokio::test]
async fn observers_hear_of_every_outcome_and_change_or_break_nothing() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let log = Log::default();
    let (first, second) = (log.clone(), log.clone());
    registry
        .on_result(move |_, outcome| {
            first.say(outcome.text());
            panic!("broken observer")
        })
        .keep();
    registry
        .on_result(move |execution, outcome| {
            second.say(format!("{} {}", execution.name(), outcome.is_error()));
        })
        .keep();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Ok(Json::from("act")));
    assert_eq!(outcome.text(), "shown: act");
    assert_eq!(log.take(), ["shown: act", "act false"]);
    assert!(registry.execute(call("nobody")).await.is_error());
    assert_eq!(log.take().last().unwrap(), "nobody true");
}
