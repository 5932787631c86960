//! The stages of one call: what each may decide and change, and in which order they come.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayfly_tools::pipeline::code;
use dayfly_tools::{
    Content, Json, PostDecision, PreDecision, Registry, Replacement, Token, Tool, ToolCall, ToolFailure,
};

use crate::support::*;

#[tokio::test]
async fn stages_run_in_the_order_of_the_design() {
    let log = Log::default();
    let (pre, around, guard, post, result, body, last) =
        (log.clone(), log.clone(), log.clone(), log.clone(), log.clone(), log.clone(), log.clone());
    let registry = builder()
        .around(move |dispatch, next| {
            let log = around.clone();
            async move {
                log.say("execute begins");
                let settled = next.run(dispatch).await;
                log.say("execute ends");
                settled
            }
        })
        .build()
        .unwrap();
    registry.on_result(move |_, outcome| result.say(format!("result {}", outcome.text()))).keep();
    registry
        .on_post_execute(move |_, outcome| {
            post.say(format!("post-execute {}", outcome.text()));
            async { PostDecision::accept() }
        })
        .keep();
    registry
        .guard(move |_| {
            guard.say("guard");
            None
        })
        .keep();
    registry
        .on_pre_execute(move |_, so_far| {
            pre.say("pre-execute");
            async { so_far }
        })
        .keep();
    let tool = shown("act")
        .finalize_content(move |_, outcome| {
            last.say(format!("finalize {}", outcome.text()));
            Some(vec!["final".into()])
        })
        .execute(move |_, _| {
            body.say("body");
            async { Ok(Json::from("done")) }
        })
        .unwrap();
    registry.register(tool).unwrap().keep();
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.result, Ok(Json::from("done")));
    assert_eq!(
        log.take(),
        [
            "pre-execute",
            "guard",
            "execute begins",
            "body",
            "execute ends",
            "post-execute shown: done",
            "finalize shown: done",
            "result final",
        ]
    );
}

#[tokio::test]
async fn every_stage_sees_one_frozen_execution_under_one_fresh_token() {
    let registry = Registry::new();
    let seen: Arc<std::sync::Mutex<Vec<(Token, Json)>>> = Arc::default();
    let note = {
        let seen = Arc::clone(&seen);
        move |execution: &dayfly_tools::Execution| {
            seen.lock().unwrap().push((execution.token(), execution.arguments().clone()));
        }
    };
    let (pre, guard, post, result, body) = (note.clone(), note.clone(), note.clone(), note.clone(), note);
    registry
        .on_pre_execute(move |execution, so_far| {
            pre(&execution);
            async { so_far }
        })
        .keep();
    registry
        .guard(move |execution| {
            guard(execution);
            None
        })
        .keep();
    registry
        .on_post_execute(move |execution, _| {
            post(&execution);
            async { PostDecision::accept() }
        })
        .keep();
    registry.on_result(move |execution, _| result(execution)).keep();
    registry
        .register(tool("act", move |arguments, context| {
            body(context.execution());
            assert_eq!(&arguments, context.execution().arguments());
            async { Ok(Json::from("done")) }
        }))
        .unwrap()
        .keep();
    let arguments = json(r#"{"path":"/tmp"}"#);
    for _ in 0..2 {
        assert!(!registry.execute(ToolCall::new("id", "act", arguments.clone())).await.is_error());
    }
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    let (first, second) = seen.split_at(5);
    assert!(first.iter().all(|entry| *entry == (first[0].0, arguments.clone())), "{first:?}");
    assert!(second.iter().all(|entry| *entry == (second[0].0, arguments.clone())), "{second:?}");
    assert_ne!(first[0].0, second[0].0);
}

#[tokio::test]
async fn invalid_arguments_reach_neither_policy_nor_body_and_take_the_same_result_path() {
    let log = Log::default();
    let registry = Registry::new();
    let (pre, guard, result) = (log.clone(), log.clone(), log.clone());
    registry
        .on_pre_execute(move |_, so_far| {
            pre.say("pre");
            async { so_far }
        })
        .keep();
    registry
        .guard(move |_| {
            guard.say("guard");
            None
        })
        .keep();
    registry.on_result(move |_, outcome| result.say(outcome.failure().unwrap().code().unwrap())).keep();
    let last = log.clone();
    let tool = Tool::raw("act", json(r#"{"type":"object","required":["path"]}"#))
        .output(json("{}"), |_, _| "shown")
        .finalize_content(move |_, _| {
            last.say("finalize");
            None
        })
        .execute(|_, _| async { panic!("reached") })
        .unwrap();
    registry.register(tool).unwrap().keep();
    assert_failed(&registry.execute(call("act")).await, "INVALID_ARGS");
    assert_eq!(log.take(), ["finalize", "INVALID_ARGS"]);
}

#[tokio::test]
async fn an_unknown_tool_is_a_failed_result_that_names_the_nearest() {
    let registry = Registry::new();
    registry.register(plain("read_file")).unwrap().keep();
    let log = Log::default();
    let result = log.clone();
    registry.on_result(move |_, _| result.say("result")).keep();
    registry.on_pre_execute(|_, _| async { panic!("policy of an unknown tool") }).keep();
    let outcome = registry.execute(call("readFile")).await;
    assert_failed(&outcome, code::UNKNOWN_TOOL);
    assert_eq!(outcome.text(), "Error: there is no tool named `readFile`; did you mean `read_file`?");
    assert_failed(&registry.execute(call(dayfly_tools::RUN_CODE)).await, code::UNKNOWN_TOOL);
    assert_eq!(log.take(), ["result", "result"]);
}

#[tokio::test]
async fn a_later_listener_may_overrule_an_earlier_one_and_the_last_word_counts() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let denies = registry.on_pre_execute(|_, so_far| async move {
        assert_eq!(so_far, PreDecision::Allow);
        PreDecision::deny("not on Sundays")
    });
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::PERMISSION_DENIED);
    assert_eq!(outcome.text(), "Error: `act` may not run: not on Sundays");
    let allows = registry.on_pre_execute(|_, so_far| async {
        match so_far {
            PreDecision::Deny { reason } if reason == "not on Sundays" => PreDecision::Allow,
            other => other,
        }
    });
    assert!(!registry.execute(call("act")).await.is_error());
    // Reordered, the denial is the last word.
    allows.reorder(-1);
    assert_failed(&registry.execute(call("act")).await, code::PERMISSION_DENIED);
    denies.reorder(-2);
    assert!(!registry.execute(call("act")).await.is_error());
    denies.dispose();
    assert!(!registry.execute(call("act")).await.is_error());
}

#[tokio::test]
async fn a_guard_denial_is_final_and_no_listener_turns_it_back() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    registry.on_pre_execute(|_, _| async { PreDecision::Allow }).keep();
    let quiet = registry.guard(|_| None);
    let denies = registry.guard(|execution| (execution.name() == "act").then(|| "never".to_owned()));
    let allows = registry.guard(|_| None);
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::GUARD_DENIED);
    assert_eq!(outcome.text(), "Error: `act` may not run: never");
    drop((quiet, allows));
    assert_failed(&registry.execute(call("act")).await, code::GUARD_DENIED);
    drop(denies);
    assert!(!registry.execute(call("act")).await.is_error());
}

#[tokio::test]
async fn scoped_policy_meets_its_own_scope_and_those_nested_in_it_alone() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let (outer, other) = (registry.scope("outer"), registry.scope("other"));
    let inner = outer.nest("inner");
    let log = Log::default();
    let (pre, guard, post, result) = (log.clone(), log.clone(), log.clone(), log.clone());
    let _handles = (
        outer.on_pre_execute(move |execution, so_far| {
            pre.say(format!("pre {}", execution.scope()));
            async { so_far }
        }),
        outer.guard(move |execution| {
            guard.say(format!("guard {}", execution.scope()));
            None
        }),
        outer.on_post_execute(move |execution, _| {
            post.say(format!("post {}", execution.scope()));
            async { PostDecision::accept() }
        }),
        outer.on_result(move |execution, _| result.say(format!("result {}", execution.scope()))),
    );
    for scope in [registry.global(), &other, &outer, &inner] {
        assert!(!scope.execute(call("act")).await.is_error());
    }
    let seen = ["outer", "inner"]
        .iter()
        .flat_map(|scope| ["pre", "guard", "post", "result"].iter().map(move |stage| format!("{stage} {scope}")));
    assert_eq!(log.take(), seen.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_hook_that_is_taken_away_is_dropped_at_once() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let scope = registry.scope("agent");
    let held = Arc::new(());
    let inside = Arc::clone(&held);
    let listener = registry.on_result(move |_, _| drop(Arc::clone(&inside)));
    // Its scopes have merged it by now.
    assert!(!scope.execute(call("act")).await.is_error());
    assert_eq!(Arc::strong_count(&held), 2);
    listener.dispose();
    assert_eq!(Arc::strong_count(&held), 1);
}

#[tokio::test]
async fn a_hook_may_hold_the_handle_of_another() {
    let registry = Registry::new();
    registry.register(plain("act")).unwrap().keep();
    let inner = registry.register(plain("other")).unwrap();
    let outer = registry.on_result(move |_, _| assert_eq!(inner.name(), "other"));
    assert!(!registry.execute(call("act")).await.is_error());
    // Its drop comes back to the registry.
    drop(outer);
    assert!(registry.get("other").is_none());
    assert_serves(&registry).await;
}

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
    registry.on_post_execute(|_, _| async { PostDecision::replace_value(Json::from(5_u64)) }).keep();
    assert_failed(&registry.execute(call("act")).await, "INVALID_OUTPUT");
    assert_serves_without_listeners(&registry).await;
}

/// The registry serves others than those of its own listeners.
async fn assert_serves_without_listeners(registry: &Registry) {
    registry.quiesce().await;
    assert_serves(&Registry::new()).await;
    assert!(registry.get("act").is_some());
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
