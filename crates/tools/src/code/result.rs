//! What a run gives: the canonical value, and what the model is shown of it.

use dayfly_runtime::json::{JsonBuilder, JsonKind};
use dayfly_runtime::{Json, RunResult};

use super::failure;
use super::tally::Tally;
use crate::ToolFailure;

/// What the model is shown of a program that neither printed nor returned anything.
const NO_OUTPUT: &str = "(run_code completed with no output)";

/// The schema of the canonical value.
pub(super) fn schema() -> Json {
    let logs = Json::object([
        ("type", Json::from("array")),
        ("items", Json::object([("type", "string")])),
        ("description", Json::from("What the program printed, entry by entry.")),
    ]);
    let result = Json::object([("description", "What the program returned; absent when it returned nothing.")]);
    Json::object([
        ("type", Json::from("object")),
        ("properties", Json::object([("logs", logs), ("result", result)])),
        ("required", Json::array(["logs"])),
        ("additionalProperties", Json::from(false)),
    ])
}

/// Holds a value against the schema, whatever its depth: what a program returns may be deeper than what is validated.
pub(crate) fn check(value: &Json) -> Result<(), String> {
    if value.kind() != JsonKind::Object {
        return Err(format!("the value is {}, not an object", value.kind().name()));
    }
    if let Some((key, _)) = value.entries().find(|(key, _)| !matches!(*key, "logs" | "result")) {
        return Err(format!("{} is neither `logs` nor `result`", Json::from(key)));
    }
    let Some(logs) = value.get("logs").filter(|logs| logs.kind() == JsonKind::Array) else {
        return Err("logs is missing or is not an array".to_owned());
    };
    match logs.items().position(|entry| entry.kind() != JsonKind::String) {
        Some(nth) => Err(format!("logs[{nth}] is not a string")),
        None => Ok(()),
    }
}

/// The canonical value of a run, or the failure that it is.
pub(super) fn of(run: RunResult, tally: Tally) -> Result<Json, ToolFailure> {
    if let Some(failed) = &run.failure {
        return Err(failure::failed(failed, &run, tally));
    }
    let mut json = JsonBuilder::new();
    json.begin_object().key("logs").begin_array();
    for entry in &run.logs {
        json.string(&entry.text);
    }
    json.end();
    if let Some(value) = &run.value {
        json.key("result").value(value);
    }
    json.end();
    // The events are balanced, and no double is among them.
    Ok(json.finish().unwrap_or_default())
}

/// The printed lines, then the value: a string as it is, anything else as indented JSON.
pub(super) fn render(value: &Json) -> String {
    let logs = value.get("logs").into_iter().flat_map(|logs| logs.items());
    let mut parts: Vec<String> = logs.filter_map(|entry| entry.as_str().map(str::to_owned)).collect();
    if let Some(result) = value.get("result") {
        parts.push(result.as_str().map_or_else(|| result.to_pretty(), str::to_owned));
    }
    let text = parts.join("\n");
    if text.is_empty() { NO_OUTPUT.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_and_a_result_are_a_value() {
        for good in [r#"{"logs":[]}"#, r#"{"logs":["a",""],"result":null}"#, r#"{"result":{"logs":1},"logs":[]}"#] {
            assert_eq!(check(&Json::parse(good).unwrap()), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("[]", "the value is array, not an object"),
            ("{}", "logs is missing or is not an array"),
            (r#"{"logs":"a"}"#, "logs is missing or is not an array"),
            (r#"{"logs":["a",1]}"#, "logs[1] is not a string"),
            (r#"{"logs":[],"value":1}"#, r#""value" is neither `logs` nor `result`"#),
        ] {
            assert_eq!(check(&Json::parse(bad).unwrap()), Err(why.to_owned()), "{bad}");
        }
    }
}
