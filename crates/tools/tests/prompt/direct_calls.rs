//! Which calls a model may make itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayfly_runtime::Language;
use dayfly_runtime::testing::ScriptedRuntime;
use dayfly_tools::{
    Filter, NoArguments, PreDecision, Presentation, RUN_CODE, RegisterError, Registry, RegistryConfig, RestrictError,
    RunContext, Tool,
};

use crate::support::{call, in_mode, tool};

#[tokio::test]
async fn under_code_a_direct_call_of_another_tool_is_unknown_before_any_policy_and_names_the_way_back() {
    let registry = in_mode(Presentation::Code);
    let seen = Arc::new(AtomicUsize::new(0));
    let (by_listener, by_guard) = (Arc::clone(&seen), Arc::clone(&seen));
    let _listener = registry.on_pre_execute(move |_, so_far: PreDecision| {
        by_listener.fetch_add(1, Ordering::Relaxed);
        std::future::ready(so_far)
    });
    let _guard = registry.guard(move |_| {
        by_guard.fetch_add(1, Ordering::Relaxed);
        None
    });
    registry.register(tool("get-stock")).unwrap().keep();
    for (name, access) in [("alpha", "tools.alpha(…)"), ("get-stock", r#"tools["get-stock"](…)"#)] {
        let outcome = registry.execute(call(name)).await;
        assert_eq!(outcome.failure().unwrap().code(), Some("UNKNOWN_TOOL"));
        let text = outcome.text();
        assert!(text.contains("only `run_code` is") && text.contains(access), "{text}");
    }
    let outcome = registry.execute(call("alhpa")).await;
    assert_eq!(outcome.failure().unwrap().code(), Some("UNKNOWN_TOOL"));
    assert!(
        outcome.text().contains("`alpha`") && outcome.text().contains("inside a `run_code` program"),
        "{}",
        outcome.text()
    );
    assert_eq!(seen.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn the_way_back_is_written_as_the_programs_language_has_it() {
    for (language, access) in [(Language::TypeScript, "`tools.class(…)`"), (Language::Python, r#"`tools["class"](…)`"#)]
    {
        let registry = Registry::builder()
            .config(RegistryConfig::default().mode(Presentation::Code))
            .code_runtime(ScriptedRuntime::new(language))
            .build()
            .unwrap();
        registry.register(tool("class")).unwrap().keep();
        let text = registry.execute(call("class")).await.text();
        assert!(text.contains(access), "{text}");
    }
}

#[tokio::test]
async fn under_code_a_call_from_within_another_one_reaches_every_tool() {
    let registry = in_mode(Presentation::Both);
    let outer = Tool::typed::<NoArguments, String>("outer")
        .render_plain()
        .execute(async |_: NoArguments, run: RunContext| {
            let inner = run.nested("inner", "alpha", dayfly_tools::Json::object::<&str, dayfly_tools::Json>([]));
            // The scope is under `code` by now, and the call has a parent.
            let _chosen = run.scope().present_as(Presentation::Code);
            Ok(run.scope().execute(inner).await.text())
        })
        .unwrap();
    registry.register(outer).unwrap().keep();
    let agent = registry.scope("agent");
    assert_eq!(agent.execute(call("outer")).await.text(), "alpha");
}

#[tokio::test]
async fn under_both_native_calls_execute() {
    let registry = in_mode(Presentation::Both);
    assert_eq!(registry.execute(call("alpha")).await.text(), "alpha");
}

#[tokio::test]
async fn run_code_is_reserved_whatever_the_mode() {
    for mode in [Presentation::Native, Presentation::Code, Presentation::Both] {
        let registry = in_mode(mode);
        let agent = registry.scope("agent");
        let reserved = RUN_CODE.to_owned();
        for scope in [registry.global(), &agent] {
            let error = scope.register(tool(RUN_CODE)).unwrap_err();
            assert_eq!(error, RegisterError::Reserved { name: reserved.clone() });
        }
        let error = agent.restrict(Filter::deny([RUN_CODE])).unwrap_err();
        assert_eq!(error, RestrictError::Reserved { name: reserved });
        // It is there to be called and to have cards, and is no capability.
        assert_eq!(agent.get(RUN_CODE).is_some(), mode.has_code());
        assert!(agent.tools().iter().all(|tool| tool.name() != RUN_CODE));
    }
}

#[tokio::test]
async fn an_allow_mask_does_not_take_the_transport_away() {
    let registry = in_mode(Presentation::Code);
    let agent = registry.scope("agent");
    let _mask = agent.restrict(Filter::allow(["alpha"])).unwrap();
    assert!(agent.get(RUN_CODE).is_some());
    let assembly = agent.assemble().await.unwrap();
    assert_eq!(assembly.tools[0].name, RUN_CODE);
}

#[tokio::test]
async fn under_native_run_code_is_unknown() {
    for registry in [in_mode(Presentation::Native), Registry::new()] {
        let outcome = registry.execute(call(RUN_CODE)).await;
        assert_eq!(outcome.failure().unwrap().code(), Some("UNKNOWN_TOOL"));
    }
}
