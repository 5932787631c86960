//! Programs: the result of `run_code`, and the durable copies of its calls.

use std::sync::{Arc, Mutex};

use dayfly_runtime::Language;
use dayfly_runtime::testing::{Script, ScriptedRuntime};
use dayfly_tools::spill::{DirectoryStore, Spill};
use dayfly_tools::{Json, Presentation, RUN_CODE, Registry, RegistryConfig, SessionEvent, ToolCall};

use crate::support::{Directory, says};

#[tokio::test]
async fn the_result_and_the_durable_copies_are_shortened_and_the_program_has_the_whole() {
    let directory = Directory::new();
    let long = "x".repeat(50_000);
    let script = Script::new().call("tools", "long", Json::object::<&str, Json>([])).returns_with(|answers| {
        let whole = answers.value(1).and_then(|value| value.as_str().map(str::len)).unwrap_or_default();
        Json::from(format!("{whole} {}", "y".repeat(40_000)))
    });
    let read = Script::new()
        .call("tools", "read_spilled", Json::parse(r#"{"locator":"spill-1","length":5}"#).unwrap())
        .returns_with(|answers| answers.value(1).cloned().unwrap_or_default());
    let runtime = ScriptedRuntime::new(Language::Python).then(script).then(read);
    let registry = Registry::builder()
        .config(RegistryConfig::default().mode(Presentation::Code))
        .code_runtime(runtime)
        .build()
        .unwrap();
    registry.register(says("long", &long)).unwrap().keep();
    Spill::new(DirectoryStore::open(directory.path()).unwrap()).limit(1_000).install(registry.global()).unwrap().keep();
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeper = Arc::clone(&kept);
    let _recording = registry.record(move |event: SessionEvent| keeper.lock().unwrap().push(event));

    let arguments = || Json::object([("code", "…"), ("description", "reads the log")]);
    let outcome = registry.execute(ToolCall::new("1", RUN_CODE, arguments())).await;
    let shown = outcome.text();
    assert!(shown.starts_with("50000 yyy") && shown.len() < 1_400, "{shown}");
    let copies: Vec<String> = {
        let kept = kept.lock().unwrap();
        let dispatches = kept.iter().filter(|event| event.kind() == "tool/code-dispatch");
        dispatches.map(|event| event.to_json().to_string()).collect()
    };
    assert_eq!(copies.len(), 1);
    assert!(copies[0].len() < 2_000 && copies[0].contains("spill-1"), "{}", copies[0]);
    assert_eq!(directory.names(), ["spill-1", "spill-2"]);

    // The next program reads a part of what the first one's call gave.
    let outcome = registry.execute(ToolCall::new("2", RUN_CODE, arguments())).await;
    assert_eq!(outcome.result.unwrap().get("result").unwrap().get("text").unwrap().as_str(), Some("xxxxx"));
}
