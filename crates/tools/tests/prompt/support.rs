//! Registries that the tests share.

use dayfly_runtime::Language;
use dayfly_runtime::testing::ScriptedRuntime;
use dayfly_tools::{Assembly, Json, NoArguments, Presentation, Registry, RegistryConfig, Scope, Tool, ToolCall};

/// A tool that answers with its own name.
pub(crate) fn tool(name: &str) -> Tool {
    let answer = name.to_owned();
    Tool::typed::<NoArguments, String>(name)
        .description(format!("Says {name}."))
        .render_plain()
        .execute(move |_: NoArguments, _| std::future::ready(Ok(answer.clone())))
        .unwrap()
}

/// A registry that can run programs, with the tools `alpha` and `zeta`.
pub(crate) fn registry(config: RegistryConfig) -> Registry {
    let runtime = ScriptedRuntime::new(Language::TypeScript);
    let registry = Registry::builder().config(config).code_runtime(runtime).build().unwrap();
    fill(&registry);
    registry
}

pub(crate) fn fill(registry: &Registry) {
    registry.register(tool("zeta")).unwrap().keep();
    registry.register(tool("alpha")).unwrap().keep();
}

pub(crate) fn in_mode(mode: Presentation) -> Registry {
    registry(RegistryConfig::default().mode(mode))
}

pub(crate) fn call(name: &str) -> ToolCall {
    ToolCall::new("call", name, Json::object::<&str, Json>([]))
}

pub(crate) async fn assembled(scope: &Scope) -> Assembly {
    scope.assemble().await.unwrap()
}

pub(crate) fn tools_of(assembly: &Assembly) -> Vec<&str> {
    assembly.tools.iter().map(|tool| tool.name.as_str()).collect()
}

pub(crate) fn sections_of(assembly: &Assembly) -> Vec<(i32, &str)> {
    assembly.sections.iter().map(|section| (section.order, section.id.as_str())).collect()
}
