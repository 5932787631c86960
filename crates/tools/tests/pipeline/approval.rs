//! Asking somebody, and everything that can come back.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly_tools::pipeline::code;
use dayfly_tools::{Approval, ApprovalAnswer, ApprovalRequest, Json, PreDecision, Registry, RegistryConfig};

use crate::support::*;

/// A registry whose every call is asked about.
fn asks(approval: impl Approval + 'static) -> Registry {
    ask_about_all(builder().approval(approval).build().unwrap())
}

fn ask_about_all(registry: Registry) -> Registry {
    registry.register(plain("act")).unwrap().keep();
    registry
        .on_pre_execute(|execution, so_far| async move {
            if execution.name() == "act" { PreDecision::ask("it writes") } else { so_far }
        })
        .keep();
    registry
}

#[tokio::test]
async fn without_an_approval_to_ask_is_to_deny() {
    let registry = ask_about_all(Registry::new());
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::APPROVAL_UNAVAILABLE);
    assert_eq!(outcome.text(), "Error: `act` needs an approval, and nobody can be asked here: it writes");
    assert_serves(&registry).await;
}

#[tokio::test]
async fn an_approval_is_asked_after_all_listeners_and_before_the_guards() {
    let log = Log::default();
    let (approval, listener, guard) = (log.clone(), log.clone(), log.clone());
    let registry = asks(move |request: ApprovalRequest| {
        approval.say(format!("asked: {} {}", request.execution().name(), request.reason()));
        async { request.allow_once() }
    });
    registry
        .on_pre_execute(move |_, so_far| {
            listener.say("listener");
            async { so_far }
        })
        .keep();
    registry
        .guard(move |_| {
            guard.say("guard");
            Some("no".to_owned())
        })
        .keep();
    assert_failed(&registry.execute(call("act")).await, code::GUARD_DENIED);
    assert_eq!(log.take(), ["listener", "asked: act it writes", "guard"]);
}

#[tokio::test]
async fn a_later_listener_may_make_the_question_needless() {
    let registry = asks(|_| async { panic!("asked for nothing") });
    registry.on_pre_execute(|_, _| async { PreDecision::Allow }).keep();
    assert!(!registry.execute(call("act")).await.is_error());
}

#[tokio::test]
async fn allowed_once_is_for_this_call_alone() {
    let asked = Log::default();
    let says = asked.clone();
    let registry = asks(move |request: ApprovalRequest| {
        says.say("asked");
        async { request.allow_once() }
    });
    for _ in 0..2 {
        assert_eq!(registry.execute(call("act")).await.result, Ok(Json::from("act")));
    }
    assert_eq!(asked.take(), ["asked", "asked"]);
}

#[tokio::test]
async fn rejected_and_dismissed_are_told_apart() {
    let rejects = asks(|request: ApprovalRequest| async { request.reject("use the other one") });
    let outcome = rejects.execute(call("act")).await;
    assert_failed(&outcome, code::APPROVAL_REJECTED);
    assert_eq!(outcome.text(), "Error: the call of `act` was rejected: use the other one");
    let dismisses = asks(|request: ApprovalRequest| async { request.cancel() });
    assert_failed(&dismisses.execute(call("act")).await, code::APPROVAL_CANCELLED);
    assert_serves(&dismisses).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_answers_within_the_deadline_and_a_later_answer_reaches_nobody() {
    struct Withdrawn(Log);
    impl Drop for Withdrawn {
        fn drop(&mut self) {
            self.0.say("withdrawn");
        }
    }
    let log = Log::default();
    let says = log.clone();
    let slow = move |request: ApprovalRequest| {
        let question = Withdrawn(says.clone());
        async move {
            let _question = &question;
            tokio::time::sleep(Duration::from_secs(61)).await;
            request.allow_once()
        }
    };
    let config = RegistryConfig::default().approval_deadline(Duration::from_secs(60));
    let registry = ask_about_all(Registry::builder().config(config).approval(slow).build().unwrap());
    let outcome = registry.execute(call("act")).await;
    assert_failed(&outcome, code::APPROVAL_EXPIRED);
    assert_eq!(outcome.text(), "Error: `act` needs an approval, and nobody answered within 60s");
    assert_eq!(log.take(), ["withdrawn"]);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn an_approval_that_panics_denies() {
    let polled = asks(|_| async { panic!("no screen") });
    assert_failed(&polled.execute(call("act")).await, code::APPROVAL_FAILED);
    let called = asks(|_| -> std::future::Ready<ApprovalAnswer> { panic!("no screen") });
    assert_failed(&called.execute(call("act")).await, code::APPROVAL_FAILED);
    assert_serves(&called).await;
}

#[tokio::test]
async fn an_answer_to_another_question_allows_nothing() {
    // Two questions are open at once, and the answers are swapped.
    let (first, second) = (Gate::default(), Gate::default());
    let parked: Arc<Mutex<Option<ApprovalAnswer>>> = Arc::default();
    let (opens, waits, swap) = (first.clone(), second.clone(), Arc::clone(&parked));
    let registry = asks(move |request: ApprovalRequest| {
        let (first, second, parked) = (opens.clone(), waits.clone(), Arc::clone(&swap));
        async move {
            if request.execution().call_id() == "first" {
                *parked.lock().unwrap() = Some(request.allow_once());
                first.reached.cancel();
                second.open.cancelled().await;
                return parked.lock().unwrap().take().unwrap();
            }
            first.reached.cancelled().await;
            let stale = parked.lock().unwrap().replace(request.reject("no")).unwrap();
            second.open.cancel();
            stale
        }
    });
    let asked = |id: &str| dayfly_tools::ToolCall::new(id, "act", json("{}"));
    let (allowed, rejected) = tokio::join!(registry.execute(asked("first")), registry.execute(asked("second")));
    assert_failed(&allowed, code::APPROVAL_FAILED);
    assert_failed(&rejected, code::APPROVAL_FAILED);
    assert_serves(&registry).await;
}

#[tokio::test]
async fn cancelling_the_call_takes_the_question_away() {
    let gate = Gate::default();
    let reached = gate.reached.clone();
    let registry = asks(move |request: ApprovalRequest| {
        let reached = reached.clone();
        async move {
            reached.cancel();
            std::future::pending::<()>().await;
            request.allow_once()
        }
    });
    let calling = call("act");
    let cancel = calling.cancel.clone();
    let (outcome, ()) = tokio::join!(registry.execute(calling), async {
        gate.reached.cancelled().await;
        cancel.cancel();
    });
    assert_failed(&outcome, code::ABORTED_BEFORE_DISPATCH);
    assert_serves(&registry).await;
}
