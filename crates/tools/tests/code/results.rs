//! What comes back of a program that completed.

use dayfly_runtime::testing::Script;
use dayfly_runtime::{LogEntry, LogLevel, LogSource};
use dayfly_tools::{Json, PostDecision};

use crate::support::{House, json};

async fn ran(script: Script) -> (String, String) {
    let outcome = House::of(script).run().await;
    (outcome.result.as_ref().unwrap().to_string(), outcome.text())
}

#[tokio::test]
async fn the_value_is_what_was_printed_and_what_was_returned() {
    let printed = Script::new().log("one").print(LogEntry::new(LogSource::Stderr, LogLevel::Error, "two\nthree"));
    assert_eq!(ran(printed.clone()).await, (r#"{"logs":["one","two\nthree"]}"#.into(), "one\ntwo\nthree".into()));
    assert_eq!(
        ran(printed.returns(json(r#"{"a":[1,{}]}"#))).await,
        (
            r#"{"logs":["one","two\nthree"],"result":{"a":[1,{}]}}"#.into(),
            "one\ntwo\nthree\n{\n  \"a\": [\n    1,\n    {}\n  ]\n}".into()
        )
    );
}

#[tokio::test]
async fn strings_are_shown_as_they_are_and_null_is_explicit() {
    for (value, shown) in [
        (Json::from("plain \"text\"\n"), "plain \"text\"\n"),
        (Json::null(), "null"),
        (Json::from(false), "false"),
        (Json::from(12), "12"),
        (json("1.50"), "1.5"),
        (json("[]"), "[]"),
        (json("18446744073709551617"), "18446744073709551617"),
    ] {
        let (canonical, text) = ran(Script::new().returns(value.clone())).await;
        assert_eq!(text, shown);
        assert_eq!(canonical, format!(r#"{{"logs":[],"result":{value}}}"#));
    }
}

#[tokio::test]
async fn nothing_at_all_is_said_in_words() {
    let nothing = "(run_code completed with no output)";
    assert_eq!(ran(Script::new()).await, (r#"{"logs":[]}"#.into(), nothing.into()));
    assert_eq!(ran(Script::new().returns("")).await, (r#"{"logs":[],"result":""}"#.into(), nothing.into()));
    assert_eq!(ran(Script::new().log("").log("")).await.1, "\n");
}

#[tokio::test]
async fn indentation_is_ten_characters_at_most_and_depth_costs_no_stack() {
    let levels = 10_000;
    let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let (canonical, text) = ran(Script::new().returns(json(&deep))).await;
    assert_eq!(canonical, format!(r#"{{"logs":[],"result":{deep}}}"#));
    let indent = text.lines().map(|line| line.len() - line.trim_start().len()).max();
    assert_eq!(indent, Some(10));
    assert_eq!(text.replace(['\n', ' '], ""), deep);
}

#[tokio::test]
async fn a_policy_may_replace_the_value_by_one_of_the_same_shape_alone() {
    let house = House::of(Script::new().log("secret").returns("secret"));
    let replacing =
        house.agent.on_post_execute(async |_, _| PostDecision::replace_value(json(r#"{"logs":["redacted"]}"#)));
    let outcome = house.run().await;
    assert_eq!(outcome.text(), "redacted");
    assert_eq!(outcome.meta.unwrap().to_string(), r#"{"logs":["redacted"],"dispatches":0}"#);
    replacing.dispose();
    house.agent.on_post_execute(async |_, _| PostDecision::replace_value(json(r#"{"logs":[1]}"#))).keep();
    let outcome = house.run().await;
    crate::support::assert_failed(&outcome, "INVALID_OUTPUT");
    assert!(outcome.text().contains("logs[0] is not a string"), "{}", outcome.text());
}
