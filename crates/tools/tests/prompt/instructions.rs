//! What a model is told, before the declarations, of writing a program.

use dayfly_runtime::Language;
use dayfly_runtime::testing::ScriptedRuntime;
use dayfly_tools::{Presentation, Registry, RegistryConfig};

use crate::support::{assembled, fill};

/// What stands in the prompt before the declarations.
async fn instructions(language: Language) -> String {
    let config = RegistryConfig::default().mode(Presentation::Code);
    let registry = Registry::builder().config(config).code_runtime(ScriptedRuntime::new(language)).build().unwrap();
    fill(&registry);
    let assembly = assembled(registry.global()).await;
    let text = &assembly.section("tools:sdk").unwrap().text;
    text.split_once("```").unwrap().0.to_owned()
}

/// The facts that decide whether a first program works, each by a phrase that cannot stand there without it.
#[tokio::test]
async fn the_model_is_told_how_to_write_call_catch_overlap_and_return_in_its_language() {
    let both =
        ["`code`", "`description`", "await tools.name(", r#"tools["my-tool"]("#, "`ToolCallError`", "lossless JSON"];
    let typescript = [
        "body of an async TypeScript function",
        "stripped before the program runs",
        "no `enum`",
        "`toolName` is the tool",
        "`message` says why",
        "`Promise.all`",
        "`console.log`",
        "BigInt",
        "`-0`",
        "await import(\"node:path\")",
    ];
    let python = [
        "body of an async Python function",
        "`e.tool_name` is the tool",
        "`str(e)`",
        "`asyncio.gather`",
        "`print(...)`",
        "`-0.0`",
        "annotations may name them",
    ];
    for (language, own) in [(Language::TypeScript, &typescript[..]), (Language::Python, &python[..])] {
        let text = instructions(language).await;
        let always = [
            "all others run alone, in the order they were made",
            "Answers come in the order of the calls. A call runs on when you stop waiting for it",
            "ONLY what you `return` or",
            "never enter the conversation",
            "starts fresh",
            "Calls still running when the program returns are cancelled",
            "Time spent waiting on tools is not computing time",
        ];
        let missing: Vec<&str> =
            both.iter().chain(own).chain(&always).copied().filter(|phrase| !text.contains(phrase)).collect();
        assert!(missing.is_empty(), "{language}: {missing:?} in\n{text}");
        assert!(text.len() < 3_000, "{language}: {} bytes", text.len());
    }
}

#[tokio::test]
async fn the_model_is_told_nothing_of_the_other_language() {
    let (typescript, python) = (instructions(Language::TypeScript).await, instructions(Language::Python).await);
    for word in ["Python", "asyncio", "print(", "tool_name"] {
        assert!(!typescript.contains(word), "{word} in\n{typescript}");
    }
    for word in ["TypeScript", "Promise", "console.log", "toolName", "Node", "undefined"] {
        assert!(!python.contains(word), "{word} in\n{python}");
    }
}
