//! Tools that are declared and never called.

use dayfly_tools::{Json, Tool};

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub(crate) fn tool(name: &str, description: &str, input: Json, output: Json) -> Tool {
    Tool::raw(name, input)
        .description(description)
        .output_plain(output)
        .execute(|arguments, _| async move { Ok(arguments) })
        .unwrap_or_else(|error| panic!("{name:?}: {error}"))
}
