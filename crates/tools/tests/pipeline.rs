//! The stages of one call, in their order.

use dayfly_tools::{Json, Registry, Tool, ToolCall};

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

#[tokio::test]
async fn a_registered_tool_is_reached_and_its_value_is_rendered() {
    let registry = Registry::new();
    let echo = Tool::raw("echo", json(r#"{"type":"object","required":["text"]}"#))
        .output(json(r#"{"type":"string"}"#), |_, value| value.as_str().unwrap_or_default().to_owned())
        .execute(|arguments, _| async move { Ok(arguments.get("text").unwrap().to_owned()) })
        .unwrap();
    let _echo = registry.register(echo).unwrap();
    let outcome = registry.execute(ToolCall::new("1", "echo", json(r#"{"text":"hi"}"#))).await;
    assert_eq!(outcome.result, Ok(json(r#""hi""#)));
    assert_eq!(outcome.text(), "hi");
}
