//! Scopes: what is registered, shadowed, masked and taken away.

use std::sync::Arc;

use dayfly_tools::pipeline::code;
use dayfly_tools::{Filter, Json, RUN_CODE, RegisterError, Registry, RestrictError, Scope, Tool, ToolMode};

use crate::support::*;

/// A tool whose value says which one it is.
fn said(name: &str, value: &str) -> Tool {
    let value = Json::from(value);
    tool(name, move |_, _| std::future::ready(Ok(value.clone())))
}

fn names(scope: &Scope) -> Vec<String> {
    scope.schemas().into_iter().map(|schema| schema.name).collect()
}

async fn reached(scope: &Scope, name: &str) -> Option<String> {
    let outcome = scope.execute(call(name)).await;
    match outcome.result {
        Ok(value) => Some(value.as_str().unwrap().to_owned()),
        Err(failure) => {
            assert_eq!(failure.code(), Some(code::UNKNOWN_TOOL));
            None
        }
    }
}

#[tokio::test]
async fn a_scopes_own_tool_shadows_the_global_one_there_alone() {
    let registry = Registry::new();
    registry.register(said("act", "global")).unwrap().keep();
    let (agent, other) = (registry.scope("agent"), registry.scope("other"));
    let shadow = agent.register(said("act", "agent's")).unwrap();
    assert_eq!(reached(&agent, "act").await.unwrap(), "agent's");
    assert_eq!(reached(&agent.nest("sub"), "act").await.unwrap(), "agent's");
    assert_eq!(reached(&other, "act").await.unwrap(), "global");
    assert_eq!(reached(registry.global(), "act").await.unwrap(), "global");
    assert_eq!(names(&agent), ["act"]);
    shadow.dispose();
    assert_eq!(reached(&agent, "act").await.unwrap(), "global");
}

#[tokio::test]
async fn duplicates_in_one_layer_and_the_reserved_name_are_refused() {
    let registry = Registry::new();
    let first = registry.register(plain("act")).unwrap();
    assert_eq!(registry.register(plain("act")).unwrap_err(), RegisterError::Duplicate { name: "act".into() });
    let agent = registry.scope("agent");
    let reserved = RegisterError::Reserved { name: RUN_CODE.into() };
    assert_eq!(registry.register(plain(RUN_CODE)).unwrap_err(), reserved);
    assert_eq!(agent.register(plain(RUN_CODE)).unwrap_err(), reserved);
    // What is refused leaves nothing, and what is disposed of makes room.
    assert_eq!(names(&agent), ["act"]);
    drop(first);
    registry.register(plain("act")).unwrap().keep();
}

#[tokio::test]
async fn a_registration_takes_the_tool_away_when_it_is_dropped() {
    let registry = Registry::new();
    let registration = registry.register(plain("act")).unwrap();
    assert!(registry.get("act").is_some());
    drop(registration);
    assert!(registry.get("act").is_none());
    assert_eq!(reached(registry.global(), "act").await, None);
    assert!(registry.schemas().is_empty());
}

#[test]
fn a_scope_that_is_gone_takes_all_that_was_its_own() {
    let registry = Registry::new();
    let held = Arc::new(());
    let (in_tool, in_hook) = (Arc::clone(&held), Arc::clone(&held));
    let agent = registry.scope("agent");
    let kept = tool("act", move |_, _| {
        let _in_tool = &in_tool;
        std::future::ready(Ok(Json::null()))
    });
    let registration = agent.register(kept).unwrap();
    agent.on_result(move |_, _| drop(Arc::clone(&in_hook))).keep();
    let nested = agent.nest("nested");
    drop(agent);
    // The nested scope still sees through it.
    assert!(nested.get("act").is_some());
    assert_eq!(Arc::strong_count(&held), 3);
    drop(nested);
    assert_eq!(Arc::strong_count(&held), 1);
    drop(registration);
}

#[test]
fn a_deep_nest_of_scopes_is_dropped_without_recursion() {
    let small = std::thread::Builder::new().stack_size(64 * 1_024);
    small
        .spawn(|| {
            let mut scope = Registry::new().scope("0");
            for depth in 1..2_000 {
                scope = scope.nest(depth.to_string());
            }
            assert!(scope.get("nothing").is_none());
        })
        .unwrap()
        .join()
        .unwrap();
}

#[tokio::test]
async fn allow_masks_exclude_later_globals_and_deny_masks_admit_them() {
    let registry = Registry::new();
    for name in ["a", "b"] {
        registry.register(plain(name)).unwrap().keep();
    }
    let (allowing, denying) = (registry.scope("allowing"), registry.scope("denying"));
    let _allow = allowing.restrict(Filter::allow(["a"])).unwrap();
    let _deny = denying.restrict(Filter::deny(["a"])).unwrap();
    assert_eq!((names(&allowing), names(&denying)), (vec!["a".to_owned()], vec!["b".to_owned()]));
    registry.register(plain("c")).unwrap().keep();
    assert_eq!(names(&allowing), ["a"]);
    assert_eq!(names(&denying), ["b", "c"]);
    assert_eq!(reached(&allowing, "c").await, None);
    assert_eq!(reached(&denying, "c").await.unwrap(), "c");
    assert!(allowing.get("b").is_none());
}

#[test]
fn masks_intersect_and_each_is_lifted_alone() {
    let registry = Registry::new();
    for name in ["a", "b", "c"] {
        registry.register(plain(name)).unwrap().keep();
    }
    let agent = registry.scope("agent");
    let first = agent.restrict(Filter::allow(["a", "b"])).unwrap();
    // What another mask hides is known all the same.
    let second = agent.restrict(Filter::allow(["b", "c"])).unwrap();
    assert_eq!(names(&agent), ["b"]);
    let third = agent.restrict(Filter::deny(["b"])).unwrap();
    assert!(names(&agent).is_empty());
    drop(third);
    drop(first);
    assert_eq!(names(&agent), ["b", "c"]);
    drop(second);
    assert_eq!(names(&agent), ["a", "b", "c"]);
}

#[test]
fn a_filter_is_a_snapshot() {
    let registry = Registry::new();
    registry.register(plain("a")).unwrap().keep();
    registry.register(plain("b")).unwrap().keep();
    let mut list = vec!["a".to_owned()];
    let filter = Filter::allow(list.clone());
    let agent = registry.scope("agent");
    let _mask = agent.restrict(filter).unwrap();
    list.push("b".to_owned());
    assert_eq!(names(&agent), ["a"]);
}

#[test]
fn scope_local_tools_merge_after_the_masks() {
    let registry = Registry::new();
    registry.register(plain("a")).unwrap().keep();
    registry.register(plain("b")).unwrap().keep();
    let agent = registry.scope("agent");
    let _mask = agent.restrict(Filter::allow(["b"])).unwrap();
    agent.register(plain("a")).unwrap().keep();
    agent.register(plain("own")).unwrap().keep();
    assert_eq!(names(&agent), ["a", "b", "own"]);
    let nested = agent.nest("nested");
    let _inner = nested.restrict(Filter::deny(["own", "b"])).unwrap();
    assert_eq!(names(&nested), ["a"]);
}

#[test]
fn a_mask_of_an_outer_scope_holds_in_the_scopes_nested_in_it() {
    let registry = Registry::new();
    registry.register(plain("a")).unwrap().keep();
    registry.register(plain("b")).unwrap().keep();
    let outer = registry.scope("outer");
    let inner = outer.nest("inner");
    let _mask = outer.restrict(Filter::deny(["a"])).unwrap();
    assert_eq!(names(&inner), ["b"]);
    // To the inner scope the masked tool is unknown.
    assert_eq!(inner.restrict(Filter::deny(["a"])).unwrap_err(), RestrictError::Unknown { name: "a".into() });
}

#[test]
fn unknown_local_reserved_and_empty_filters_are_refused_and_change_nothing() {
    let registry = Registry::new();
    registry.register(plain("a")).unwrap().keep();
    let agent = registry.scope("agent");
    agent.register(plain("own")).unwrap().keep();
    let refused = |filter| agent.restrict(filter).unwrap_err();
    assert_eq!(refused(Filter::deny(["nobody"])), RestrictError::Unknown { name: "nobody".into() });
    assert_eq!(refused(Filter::allow(["own"])), RestrictError::Local { name: "own".into() });
    assert_eq!(refused(Filter::deny([RUN_CODE])), RestrictError::Reserved { name: RUN_CODE.into() });
    assert_eq!(refused(Filter::allow(Vec::<String>::new())), RestrictError::Empty);
    assert_eq!(registry.global().restrict(Filter::deny(["a"])).unwrap_err(), RestrictError::Global);
    assert_eq!(names(&agent), ["a", "own"]);
}

#[test]
fn schemas_are_in_lexicographic_order_and_the_same_however_they_came_to_be() {
    let (forward, backward) = (Registry::new(), Registry::new());
    let mut all: Vec<String> = (0..100).map(|nth| format!("tool-{nth}")).collect();
    for name in &all {
        forward.register(plain(name)).unwrap().keep();
    }
    for name in all.iter().rev() {
        backward.register(plain(name)).unwrap().keep();
    }
    all.sort();
    assert_eq!(names(forward.global()), all);
    assert_eq!(forward.schemas(), backward.schemas());
}

#[test]
fn execution_mode_is_of_the_tool_that_the_scope_sees() {
    let registry = Registry::new();
    let safe = shown("act").concurrency_safe(|_| true).execute(|_, _| async { Ok(Json::null()) }).unwrap();
    registry.register(safe).unwrap().keep();
    let (masked, shadowing) = (registry.scope("masked"), registry.scope("shadowing"));
    let _mask = masked.restrict(Filter::deny(["act"])).unwrap();
    shadowing.register(plain("act")).unwrap().keep();
    let arguments = json("{}");
    assert_eq!(registry.execution_mode("act", &arguments), ToolMode::Parallel);
    assert_eq!(masked.execution_mode("act", &arguments), ToolMode::Exclusive);
    assert_eq!(shadowing.execution_mode("act", &arguments), ToolMode::Exclusive);
    assert_eq!(registry.execution_mode("nobody", &arguments), ToolMode::Exclusive);
    assert_eq!(registry.execution_mode("act", &json("5")), ToolMode::Exclusive);
}

#[tokio::test]
async fn changes_of_what_is_seen_are_notified_to_everybody_and_nothing_else_is() {
    let registry = Registry::new();
    let agent = registry.scope("agent");
    let mut changes = registry.changes();
    let mut changed = || {
        let changed = changes.has_changed().unwrap();
        changes.mark_unchanged();
        changed
    };
    assert!(!changed());
    let registration = agent.register(plain("own")).unwrap();
    assert!(changed());
    registry.register(plain("a")).unwrap().keep();
    assert!(changed());
    let mask = agent.restrict(Filter::deny(["a"])).unwrap();
    assert!(changed());
    drop(mask);
    assert!(changed());
    drop(registration);
    assert!(changed());
    assert!(registry.register(plain("a")).is_err());
    registry.guard(|_| None).dispose();
    assert!(!registry.execute(call("a")).await.is_error());
    assert!(!changed());
}

#[tokio::test]
async fn a_waiter_learns_of_a_change() {
    let registry = Registry::new();
    let mut changes = registry.changes();
    let registering = registry.clone();
    let (changed, registration) =
        tokio::join!(changes.changed(), async move { registering.register(plain("late")).unwrap() });
    assert!(changed.is_ok());
    assert_eq!(registration.name(), "late");
}

#[test]
fn a_registration_outlives_its_registry_without_harm() {
    let registry = Registry::new();
    let registration = registry.register(plain("act")).unwrap();
    let mask = registry.scope("agent").restrict(Filter::deny(["act"])).unwrap();
    drop(registry);
    drop((registration, mask));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn registering_restricting_and_calling_at_once_neither_deadlock_nor_tear() {
    let registry = Registry::new();
    registry.register(said("act", "global")).unwrap().keep();
    let agent = registry.scope("agent");
    let changing = tokio::spawn({
        let (registry, agent) = (registry.clone(), agent.clone());
        async move {
            for _ in 0..200 {
                let shadow = agent.register(said("act", "agent's")).unwrap();
                let guard = registry.guard(|_| None);
                tokio::task::yield_now().await;
                drop((shadow, guard));
                let mask = agent.restrict(Filter::deny(["act"])).unwrap();
                tokio::task::yield_now().await;
                drop(mask);
            }
        }
    });
    let calling = (0..4).map(|_| {
        let agent = agent.clone();
        tokio::spawn(async move {
            for _ in 0..200 {
                let seen = reached(&agent, "act").await;
                assert!(matches!(seen.as_deref(), None | Some("global" | "agent's")), "{seen:?}");
                let names = names(&agent);
                assert!(names.is_empty() || names == ["act"], "{names:?}");
            }
        })
    });
    for ended in futures_util::future::join_all(calling.chain([changing])).await {
        ended.unwrap();
    }
    assert_eq!(reached(&agent, "act").await.unwrap(), "global");
    assert_serves(&registry).await;
}
