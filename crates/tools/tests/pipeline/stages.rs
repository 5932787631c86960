//! The stages of one call: what each may decide and change, and in which order they come.

use std::sync::Arc;

use dayfly_tools::pipeline::code;
use dayfly_tools::{Json, PostDecision, PreDecision, Registry, Token, Tool, ToolCall};

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
        if so_far == PreDecision::deny("not on Sundays") { PreDecision::Allow } else { so_far }
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
