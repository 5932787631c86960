//! Spills of several scopes: a call meets one of them.

use std::sync::{Arc, Mutex};

use dayfly_runtime::Language;
use dayfly_runtime::testing::{Script, ScriptedRuntime};
use dayfly_tools::spill::{DirectoryStore, Installed, READ_SPILLED, Spill};
use dayfly_tools::{Json, Presentation, RUN_CODE, Registry, RegistryConfig, Scope, SessionEvent, ToolCall};

use crate::support::{Directory, call, says};

const LONG: usize = 5_000;

fn spill(directory: &Directory, scope: &Scope) -> Installed {
    Spill::new(DirectoryStore::open(directory.path()).unwrap()).limit(1_000).install(scope).unwrap()
}

fn registry() -> Registry {
    let registry = Registry::new();
    registry.register(says("long", &"x".repeat(LONG))).unwrap().keep();
    registry
}

/// Makes the long call from a scope, and reads all of it back with that scope's own tool.
async fn assert_spills_once(scope: &Scope, kept_in: &Directory, others: &[&Directory]) {
    let before: Vec<_> = others.iter().map(|other| other.names()).collect();
    let kept = kept_in.names().len();
    let shown = scope.execute(call("long", "{}")).await.text();
    assert_eq!(shown.matches("bytes are left out here, of 5000 in 1 lines").count(), 1, "{shown}");
    assert!(shown.len() < 1_400, "{shown}");
    let locator = format!("spill-{}", kept + 1);
    assert!(shown.contains(&format!("kept as `{locator}`")), "{shown}");
    assert_eq!(kept_in.names().len(), kept + 1);
    assert_eq!(others.iter().map(|other| other.names()).collect::<Vec<_>>(), before);
    let slice = format!(r#"{{"locator":"{locator}","length":100000}}"#);
    let read = scope.execute(call(READ_SPILLED, &slice)).await;
    assert_eq!(read.result.unwrap().get("text").unwrap().as_str(), Some("x".repeat(LONG).as_str()));
}

#[tokio::test]
async fn the_innermost_spill_alone_meets_a_call_whichever_was_installed_first() {
    for global_first in [true, false] {
        let (outer, inner) = (Directory::new(), Directory::new());
        let registry = registry();
        let (agent, other) = (registry.scope("agent"), registry.scope("other"));
        let (_global, own) = if global_first {
            let global = spill(&outer, registry.global());
            (global, spill(&inner, &agent))
        } else {
            let own = spill(&inner, &agent);
            (spill(&outer, registry.global()), own)
        };
        // The global store has one text more, so that one locator does not stand for both.
        assert_spills_once(&other, &outer, &[&inner]).await;
        assert_spills_once(&agent, &inner, &[&outer]).await;
        assert_spills_once(&agent.nest("helper"), &inner, &[&outer]).await;
        assert_spills_once(registry.global(), &outer, &[&inner]).await;
        drop(own);
        assert_spills_once(&agent, &outer, &[&inner]).await;
    }
}

#[tokio::test]
async fn of_three_spills_on_the_way_to_a_scope_the_nearest_counts() {
    let directories = [Directory::new(), Directory::new(), Directory::new()];
    let registry = registry();
    let agent = registry.scope("agent");
    let (between, helper) = (agent.nest("between"), agent.nest("between").nest("helper"));
    let _spills =
        [spill(&directories[0], registry.global()), spill(&directories[1], &agent), spill(&directories[2], &helper)];
    assert_spills_once(&between, &directories[1], &[&directories[0], &directories[2]]).await;
    assert_spills_once(&helper, &directories[2], &[&directories[0], &directories[1]]).await;
}

#[tokio::test]
async fn the_result_of_a_program_and_the_copies_of_its_calls_meet_the_innermost_spill_alone() {
    let (outer, inner) = (Directory::new(), Directory::new());
    let script = Script::new()
        .call("tools", "long", Json::object::<&str, Json>([]))
        .returns_with(|answers| Json::from(format!("{}y", answers.value(1).unwrap().as_str().unwrap())));
    let registry = Registry::builder()
        .config(RegistryConfig::default().mode(Presentation::Code))
        .code_runtime(ScriptedRuntime::new(Language::Python).then(script))
        .build()
        .unwrap();
    registry.register(says("long", &"x".repeat(LONG))).unwrap().keep();
    let agent = registry.scope("agent");
    let _spills = [spill(&outer, registry.global()), spill(&inner, &agent)];
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeper = Arc::clone(&kept);
    let _recording = agent.record(move |event: SessionEvent| keeper.lock().unwrap().push(event));
    let arguments = Json::object([("code", "…"), ("description", "reads the log")]);
    let shown = agent.execute(ToolCall::new("1", RUN_CODE, arguments)).await.text();
    assert_eq!(shown.matches("bytes are left out here").count(), 1, "{shown}");
    let copies: Vec<String> = {
        let kept = kept.lock().unwrap();
        let dispatches = kept.iter().filter(|event| event.kind() == "tool/code-dispatch");
        dispatches.map(|event| event.to_json().to_string()).collect()
    };
    assert_eq!(copies.len(), 1);
    assert_eq!(copies[0].matches("bytes are left out here").count(), 1, "{}", copies[0]);
    assert_eq!(inner.names(), ["spill-1", "spill-2"]);
    assert!(outer.names().is_empty());
}
