//! Tools and texts to test with.

use std::sync::Arc;

use dayfly_runtime::Language;
use dayfly_tools::sdk::{self, SdkText};
use dayfly_tools::{Json, Tool};

/// What a type needs around it to be a module.
pub(crate) const IMPORTS: &str = "from __future__ import annotations
from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict, Union
";

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A tool of these schemas.
pub(crate) fn tool(name: &str, description: &str, input: &Json, output: &Json) -> Tool {
    try_tool(name, description, input, output).unwrap_or_else(|problem| panic!("{problem}: {input} -> {output}"))
}

pub(crate) fn try_tool(
    name: &str,
    description: &str,
    input: &Json,
    output: &Json,
) -> Result<Tool, dayfly_tools::DeclarationError> {
    Tool::raw(name, input.clone())
        .description(description)
        .output_plain(output.clone())
        .execute(|_, _| async move { Ok(Json::null()) })
}

/// The declarations of tools.
pub(crate) fn declare(tools: &[Tool]) -> SdkText {
    sdk::declare(Language::Python, tools).expect("Python has a renderer")
}

pub(crate) fn text_of(tools: &[Tool]) -> Arc<str> {
    declare(tools).text
}

/// The type of a schema as a module, and the type itself.
pub(crate) fn module_of(schema: &Json) -> (String, String) {
    let text = sdk::python_type(schema);
    let (declarations, ty) = text.rsplit_once('\n').unwrap_or(("", &text));
    (format!("{IMPORTS}\n{declarations}\n"), ty.to_owned())
}
