//! P17: names of any kind.

use dayfly::tools::Tool;
use dayfly::{Json, Language};
use dayfly_tests::{CodeMode, Host};

use crate::{declared, json, result};

fn names() -> Vec<String> {
    let names = [
        "get-stock",
        "get_stock",
        "getStock",
        "class",
        "def",
        "constructor",
        "__proto__",
        "toString",
        "then",
        "__class__",
        "__getitem__",
        "工具",
        "a \"quoted\"\nname",
        "it's",
        "back\\slash",
        "${x}",
        "0",
        "*/",
        "\"\"\"",
        "é",
        "e\u{301}",
    ];
    names.into_iter().map(str::to_owned).chain(["n".repeat(200)]).collect()
}

#[tokio::test]
async fn p17_every_name_is_declared_and_reached_exactly() {
    let host = Host::new();
    for language in Language::ALL {
        let mut mode = CodeMode::new(&host, language);
        for (nth, name) in names().iter().enumerate() {
            let answer = Json::from(format!("called {name}"));
            let declaration =
                Tool::raw(name, json(r#"{"type":"object"}"#)).description(format!("Tool number {nth:03}."));
            let tool = declaration.output_plain(json(r#"{"type":"string"}"#)).execute(move |_, _| {
                let answer = answer.clone();
                async move { Ok(answer) }
            });
            mode = mode.with_tool(tool.unwrap());
        }
        let text = declared::text(&mode).await;
        // Each is called as its declaration says, and by its exact name.
        let as_declared: Vec<String> = (0..names().len())
            .map(|nth| format!("await {}({{}})", declared::access(language, &text, &format!("Tool number {nth:03}."))))
            .collect();
        let by_name =
            names().iter().map(|name| format!("await tools[{}]()", Json::from(name.as_str()))).collect::<Vec<_>>();
        let program = format!("return [[{}], [{}]]", as_declared.join(", "), by_name.join(", "));
        let outcome = mode.run(&program).await;
        let called = Json::from_iter(names().iter().map(|name| format!("called {name}")));
        assert_eq!(result(&outcome), Json::array([called.clone(), called]), "{language}:\n{program}");
        let dispatched: Vec<String> = mode.kept.dispatches().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(dispatched, [names(), names()].concat(), "{language}");
    }
    host.supervisor.shutdown().await;
}
