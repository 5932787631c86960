//! The modes, and agents that choose for themselves.

use dayfly_runtime::Language;
use dayfly_runtime::testing::ScriptedRuntime;
use dayfly_tools::{AssemblyError, Filter, PresentError, Presentation, RUN_CODE, Registry, RegistryConfig};

use crate::support::{assembled, fill, in_mode, sections_of, tool, tools_of};

#[tokio::test]
async fn native_is_what_a_registry_without_code_mode_shows_to_the_byte() {
    let plain = Registry::new();
    fill(&plain);
    let native = in_mode(Presentation::Native);
    for registry in [&plain, &native] {
        registry.global().section("persona", 10, |_| "Be brief.".to_owned()).unwrap().keep();
    }
    let assembly = assembled(native.global()).await;
    assert_eq!(assembly, assembled(plain.global()).await);
    assert_eq!(tools_of(&assembly), ["alpha", "zeta"]);
    assert_eq!(assembly.text(), "Be brief.");
    assert_eq!(assembly.tools, plain.schemas());
}

#[tokio::test]
async fn code_shows_run_code_alone_the_rule_before_the_guidance_and_the_declarations() {
    let registry = in_mode(Presentation::Code);
    registry.global().section("guidance", 100, |_| "Prefer alpha.".to_owned()).unwrap().keep();
    let assembly = assembled(registry.global()).await;
    assert_eq!(tools_of(&assembly), [RUN_CODE]);
    assert_eq!(sections_of(&assembly), [(99, "tools:code-only"), (100, "guidance"), (150, "tools:sdk")]);
    let rule = &assembly.section("tools:code-only").unwrap().text;
    assert!(rule.contains("`run_code` is the only tool that you may call directly"), "{rule}");
    let sdk = &assembly.section("tools:sdk").unwrap().text;
    assert!(sdk.contains("alpha") && sdk.contains("zeta"), "{sdk}");
    assert!(sdk.contains("```typescript\n"), "{sdk}");
    let text = assembly.text();
    assert!(text.find("only tool").unwrap() < text.find("Prefer alpha.").unwrap(), "{text}");
}

#[tokio::test]
async fn both_shows_everything_and_no_rule() {
    let registry = in_mode(Presentation::Both);
    let assembly = assembled(registry.global()).await;
    assert_eq!(tools_of(&assembly), ["alpha", RUN_CODE, "zeta"]);
    assert_eq!(sections_of(&assembly), [(150, "tools:sdk")]);
}

#[tokio::test]
async fn declarations_are_the_same_to_the_byte_while_the_tools_are() {
    let registry = in_mode(Presentation::Code);
    let first = assembled(registry.global()).await;
    assert_eq!(first, assembled(registry.global()).await);
    // Another registry with the same tools, registered in another order, says the same.
    let other = Registry::builder()
        .config(RegistryConfig::default().mode(Presentation::Code))
        .code_runtime(ScriptedRuntime::new(Language::TypeScript))
        .build()
        .unwrap();
    let _alpha = other.register(tool("alpha")).unwrap();
    let _zeta = other.register(tool("zeta")).unwrap();
    assert_eq!(first, assembled(other.global()).await);
    let beta = registry.register(tool("beta")).unwrap();
    assert_ne!(first, assembled(registry.global()).await);
    drop(beta);
    assert_eq!(first, assembled(registry.global()).await);
}

#[tokio::test]
async fn declarations_are_those_of_the_scope_that_is_assembled_and_never_name_the_transport() {
    let registry = in_mode(Presentation::Code);
    let agent = registry.scope("agent");
    let _own = agent.register(tool("own")).unwrap();
    let _mask = agent.restrict(Filter::deny(["zeta"])).unwrap();
    let sdk = assembled(&agent).await.section("tools:sdk").unwrap().text.clone();
    let declarations = sdk.split_once("```typescript").unwrap().1;
    assert!(declarations.contains("own") && declarations.contains("alpha"), "{declarations}");
    assert!(!declarations.contains("zeta") && !declarations.contains(RUN_CODE), "{declarations}");
    let global = assembled(registry.global()).await.section("tools:sdk").unwrap().text.clone();
    assert!(global.contains("zeta") && !global.contains("own:"), "{global}");
}

#[tokio::test]
async fn the_language_of_the_runtime_is_the_language_of_the_declarations() {
    let registry = Registry::builder()
        .config(RegistryConfig::default().mode(Presentation::Code))
        .code_runtime(ScriptedRuntime::new(Language::Python))
        .build()
        .unwrap();
    fill(&registry);
    let assembly = assembled(registry.global()).await;
    assert!(assembly.section("tools:sdk").unwrap().text.contains("```python\n"));
}

#[tokio::test]
async fn one_agent_shadows_the_mode_for_itself_and_for_those_within_it() {
    let registry = in_mode(Presentation::Native);
    let (coder, other) = (registry.scope("coder"), registry.scope("other"));
    let inner = coder.nest("inner");
    let chosen = coder.present_as(Presentation::Code).unwrap();
    assert_eq!(tools_of(&assembled(&coder).await), [RUN_CODE]);
    assert_eq!(tools_of(&assembled(&inner).await), [RUN_CODE]);
    assert_eq!(tools_of(&assembled(&other).await), ["alpha", "zeta"]);
    let _inner = inner.present_as(Presentation::Both).unwrap();
    assert_eq!(tools_of(&assembled(&inner).await), ["alpha", RUN_CODE, "zeta"]);
    // What it can do is the same whatever the form.
    assert_eq!(coder.schemas(), other.schemas());
    let mut changes = coder.changes();
    changes.mark_unchanged();
    drop(chosen);
    assert!(changes.has_changed().unwrap());
    assert_eq!(tools_of(&assembled(&coder).await), ["alpha", "zeta"]);
}

#[tokio::test]
async fn the_global_scope_and_a_scope_that_has_chosen_cannot_choose() {
    let registry = in_mode(Presentation::Native);
    assert_eq!(registry.global().present_as(Presentation::Code).unwrap_err(), PresentError::Global);
    let agent = registry.scope("agent");
    let chosen = agent.present_as(Presentation::Both).unwrap();
    let error = agent.present_as(Presentation::Code).unwrap_err();
    assert_eq!(error, PresentError::Chosen { chosen: Presentation::Both });
    assert!(error.to_string().contains("`both`"), "{error}");
    chosen.dispose();
    agent.present_as(Presentation::Code).unwrap().keep();
    assert_eq!(agent.presentation(), Presentation::Code);
}

#[tokio::test]
async fn without_a_runtime_the_assembly_is_refused_and_says_how_to_mend_it() {
    for presentation in [Presentation::Code, Presentation::Both] {
        let registry = Registry::new();
        fill(&registry);
        let agent = registry.scope("agent");
        let _chosen = agent.present_as(presentation).unwrap();
        let error = agent.assemble().await.unwrap_err();
        assert_eq!(error, AssemblyError::NoRuntime { scope: "agent".to_owned(), presentation });
        let text = error.to_string();
        let mend = "give the registry a runtime with `Registry::builder().code_runtime(…)`, or use the mode `native`";
        let why =
            format!("presents its tools as `{}`, and nothing is there to run programs: {mend}", presentation.name());
        assert_eq!(text, format!("the scope `agent` {why}"));
        // As configured, with no scope that chose it.
        let registry = Registry::builder().config(RegistryConfig::default().mode(presentation)).build().unwrap();
        fill(&registry);
        assert_eq!(registry.assemble().await.unwrap_err().to_string(), format!("the registry {why}"));
    }
}

#[test]
fn the_mode_is_written_in_configuration_by_its_name() {
    for (name, mode) in [("native", Presentation::Native), ("code", Presentation::Code), ("both", Presentation::Both)] {
        let config: RegistryConfig = serde_json::from_str(&format!(r#"{{"mode":"{name}"}}"#)).unwrap();
        assert_eq!(config.mode, mode);
        assert_eq!(mode.name(), name);
    }
    assert_eq!(RegistryConfig::default().mode, Presentation::Native);
    let error = serde_json::from_str::<RegistryConfig>(r#"{"mode":"Code"}"#).unwrap_err().to_string();
    assert!(error.contains("`native`") && error.contains("`both`"), "{error}");
}
