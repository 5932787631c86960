//! How a user interface shows programs.

use dayfly_runtime::Language;
use dayfly_runtime::testing::{Script, ScriptedRuntime};
use dayfly_tools::{CallView, DurableResult, Json, ResultView};

use crate::support::{House, arguments, config, json};

#[tokio::test]
async fn the_card_has_the_description_as_title_and_the_program_as_input() {
    let house = House::of(Script::new());
    let tool = house.agent.get("run_code").unwrap();
    let view = tool.present_call(&json(r#"{"code":"return 1","description":"  Count it\nand more"}"#)).unwrap();
    assert_eq!(
        view,
        CallView::Generic {
            title: "Count it".to_owned(),
            kind: Some("execute".to_owned()),
            raw_input: Some(Json::from("return 1")),
            content: None,
            locations: None,
        }
    );
    let view = tool.present_call(&json(r#"{"code":"return 1","description":" "}"#));
    assert!(matches!(view, Some(CallView::Generic { title, .. }) if title == "Run a program"));
    assert_eq!(tool.present_call(&json(r#"{"code":"return 1"}"#)), None);
}

#[tokio::test]
async fn the_result_shows_what_was_printed_and_counts_the_dispatches() {
    let script = Script::new()
        .log("one")
        .call("tools", "echo", arguments(1))
        .try_call("tools", "nothing", arguments(2))
        .call("tools", "echo", arguments(3))
        .log("two")
        .returns(7);
    let house = House::of(script).echo("echo");
    let outcome = house.run().await;
    assert_eq!(outcome.meta.as_ref().unwrap().to_string(), r#"{"logs":["one","two"],"dispatches":2}"#);
    let (call, durable) = (json(r#"{"code":"c","description":"d"}"#), DurableResult::from(&outcome));
    let tool = house.agent.get("run_code").unwrap();
    assert_eq!(
        tool.present_result(&call, &durable),
        Some(ResultView::Generic { title: None, content: Some(vec!["one\ntwo".into()]) })
    );
    // It is durable: what is read back shows the same.
    let event = house.events.all().last().unwrap().to_json();
    let read = dayfly_tools::SessionEvent::from_json(&event).unwrap();
    assert_eq!(tool.present_result(&call, read.result().unwrap()), tool.present_result(&call, &durable));
}

#[tokio::test]
async fn where_nothing_was_printed_the_card_shows_what_the_model_was_shown() {
    let house = House::of(Script::new().returns(7));
    let (outcome, tool) = (house.run().await, house.agent.get("run_code").unwrap());
    let call = json(r#"{"code":"c","description":"d"}"#);
    assert_eq!(outcome.meta.as_ref().unwrap().to_string(), r#"{"logs":[],"dispatches":0}"#);
    let view = tool.present_result(&call, &DurableResult::from(&outcome));
    assert_eq!(view, Some(ResultView::Generic { title: None, content: None }));
    let failed = House::of(Script::new().throws("Error", "oh")).run().await;
    assert_eq!(tool.present_result(&call, &DurableResult::from(&failed)), None);
}

#[tokio::test]
async fn the_durable_logs_are_capped_and_say_so() {
    let line = "é".repeat(1_000);
    let script = (0..20).fold(Script::new(), |script, _| script.log(line.as_str()));
    let outcome = House::of(script).run().await;
    let meta = outcome.meta.unwrap();
    let logs: Vec<String> = meta.get("logs").unwrap().deserialize().unwrap();
    assert!(meta.serialized_len() < 17_000, "{}", meta.serialized_len());
    let shown: usize = logs[..logs.len() - 1].iter().map(String::len).sum();
    assert_eq!(logs.last().unwrap(), &format!("[{} bytes left out]", 20 * line.len() - shown));
    assert!(logs[0] == line && logs[8].len() < line.len() && !logs[8].is_empty());

    let many = (0..100_000).fold(Script::new(), |script, _| script.log(""));
    let meta = House::of(many).run().await.meta.unwrap();
    assert!(meta.get("logs").unwrap().len() < 17_000);
    // The text itself is not the card's affair.
    assert_eq!(outcome.content[0].as_text().unwrap().len(), 20 * line.len() + 19);
}

#[test]
fn the_model_is_told_in_the_language_of_the_runtime() {
    for (language, own, foreign) in [
        (Language::TypeScript, "async TypeScript function", "Python"),
        (Language::Python, "async Python function", "TypeScript"),
    ] {
        let house = House::with(ScriptedRuntime::new(language), config());
        let schema = house.agent.get("run_code").unwrap().schema().clone();
        let told = format!("{} {}", schema.description, schema.input);
        assert!(told.contains(own) && !told.contains(foreign), "{told}");
        assert_eq!(schema.input.get("required").unwrap().to_string(), r#"["code","description"]"#);
        assert_eq!(schema.input.get("additionalProperties").unwrap().as_bool(), Some(false));
        assert!(told.len() < 1_500, "{}", told.len());
    }
}
