//! Sections, the order of tools, and listeners.

use dayfly_tools::{Assembly, AssemblyError, Presentation, RUN_CODE, Registry, RegistryConfig, Section, SectionError};

use crate::support::{assembled, fill, in_mode, registry, sections_of, tools_of};

#[tokio::test]
async fn sections_are_in_order_and_then_by_id_whenever_they_were_registered() {
    let registry = Registry::new();
    let global = registry.global();
    for (id, order) in [("late", 200), ("b", 10), ("a", 10), ("early", -5)] {
        global.section(id, order, move |_| format!("text of {id}")).unwrap().keep();
    }
    let assembly = assembled(global).await;
    assert_eq!(sections_of(&assembly), [(-5, "early"), (10, "a"), (10, "b"), (200, "late")]);
    assert_eq!(assembly.text(), "text of early\n\ntext of a\n\ntext of b\n\ntext of late");
}

#[tokio::test]
async fn a_section_is_made_for_the_scope_that_is_assembled_each_time() {
    let registry = Registry::new();
    let agent = registry.scope("agent");
    registry
        .global()
        .section("who", 1, |scope| format!("for `{}` with {}", scope.name(), scope.tools().len()))
        .unwrap()
        .keep();
    assert_eq!(assembled(&agent).await.text(), "for `agent` with 0");
    fill(&registry);
    assert_eq!(assembled(&agent).await.text(), "for `agent` with 2");
    assert_eq!(assembled(registry.global()).await.text(), "for `` with 2");
}

#[tokio::test]
async fn an_inner_section_shadows_an_outer_one_and_a_layer_has_each_id_once() {
    let registry = Registry::new();
    let agent = registry.scope("agent");
    registry.global().section("tone", 10, |_| "Be kind.".to_owned()).unwrap().keep();
    let own = agent.section("tone", 20, |_| "Be terse.".to_owned()).unwrap();
    let error = agent.section("tone", 30, |_| String::new()).unwrap_err();
    assert_eq!(error, SectionError::Duplicate { id: "tone".to_owned() });
    assert_eq!(sections_of(&assembled(&agent).await), [(20, "tone")]);
    assert_eq!(assembled(&agent).await.text(), "Be terse.");
    assert_eq!(assembled(registry.global()).await.text(), "Be kind.");
    drop(own);
    assert_eq!(assembled(&agent).await.text(), "Be kind.");
}

#[tokio::test]
async fn a_scoped_section_shadows_the_declarations() {
    let registry = in_mode(Presentation::Code);
    let agent = registry.scope("agent");
    let _own = agent.section("tools:sdk", 150, |_| "Ask for the tools with `help`.".to_owned()).unwrap();
    assert_eq!(assembled(&agent).await.section("tools:sdk").unwrap().text, "Ask for the tools with `help`.");
    assert!(assembled(registry.global()).await.section("tools:sdk").unwrap().text.contains("alpha"));
}

#[tokio::test]
async fn an_empty_section_leaves_nothing_in_the_prompt() {
    let registry = Registry::new();
    registry.global().section("empty", 1, |_| String::new()).unwrap().keep();
    registry.global().section("full", 2, |_| "text".to_owned()).unwrap().keep();
    assert_eq!(assembled(registry.global()).await.text(), "text");
}

#[tokio::test]
async fn tools_that_the_configuration_orders_come_first() {
    let config = RegistryConfig::default().mode(Presentation::Both).tool_order(["zeta", RUN_CODE]);
    assert_eq!(tools_of(&assembled(registry(config).global()).await), ["zeta", RUN_CODE, "alpha"]);
}

#[tokio::test]
async fn an_order_of_tools_that_are_not_contributed_is_refused_before_any_listener() {
    for (mode, order, missing) in [
        (Presentation::Code, "alpha", "`alpha`"),
        (Presentation::Native, RUN_CODE, "`run_code`"),
        (Presentation::Both, "alhpa", "`alhpa`"),
    ] {
        let registry = registry(RegistryConfig::default().mode(mode).tool_order([order]));
        let _listener = registry.global().on_assemble(async |_, _| panic!("the assembly was not refused"));
        let error = registry.assemble().await.unwrap_err();
        let AssemblyError::ToolOrder { missing: named, presentation, .. } = &error else { panic!("{error}") };
        assert_eq!((named.as_str(), *presentation), (missing, mode));
        let text = error.to_string();
        let start = format!(
            "`tool_order` names {missing}, which the registry does not contribute in the mode `{}`: ",
            mode.name()
        );
        assert!(text.starts_with(&start), "{text}");
        let error = registry.scope("agent").assemble().await.unwrap_err().to_string();
        assert!(error.contains(", which the scope `agent` does not contribute in"), "{error}");
    }
}

#[test]
fn an_order_that_names_a_tool_twice_is_refused() {
    let error = RegistryConfig::default().tool_order(["a", "b", "a"]).validate().unwrap_err();
    assert_eq!(error.problems, ["`tool_order` names `a` twice; leave one of them"]);
}

#[tokio::test]
async fn what_the_last_listener_returns_is_what_the_model_is_shown() {
    let registry = in_mode(Presentation::Code);
    let agent = registry.scope("agent");
    let _global = registry.global().on_assemble(async |_, mut assembly: Assembly| {
        assembly.sections.push(Section::new("added", 500, "by the first"));
        assembly
    });
    let _scoped = agent.on_assemble(async |scope, mut assembly: Assembly| {
        assert_eq!(scope.name(), "agent");
        assert!(assembly.section("added").is_some());
        // Takes the protocol away; nobody puts it back.
        assembly.sections.retain(|section| section.id == "added");
        assembly.tools.clear();
        assembly
    });
    let assembly = assembled(&agent).await;
    assert_eq!((sections_of(&assembly), tools_of(&assembly)), (vec![(500, "added")], vec![]));
    let global = assembled(registry.global()).await;
    assert_eq!(tools_of(&global), [RUN_CODE]);
}

#[tokio::test]
async fn a_section_or_a_listener_that_panics_refuses_the_assembly() {
    let registry = in_mode(Presentation::Native);
    let broken = registry.global().section("broken", 1, |_| panic!("no such file")).unwrap();
    let error = registry.assemble().await.unwrap_err();
    assert_eq!(error, AssemblyError::SectionPanicked { id: "broken".to_owned(), panic: "no such file".to_owned() });
    drop(broken);
    let listener = registry.global().on_assemble(async |_, _| panic!("out of luck"));
    let error = registry.assemble().await.unwrap_err();
    assert_eq!(error, AssemblyError::ListenerPanicked { panic: "out of luck".to_owned() });
    drop(listener);
    assert_eq!(tools_of(&assembled(registry.global()).await), ["alpha", "zeta"]);
}
