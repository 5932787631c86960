//! Declarations in this language.

use dayfly_runtime::Json;

use super::SdkText;
use crate::Tool;

pub(super) const INSTRUCTIONS: &str = "";

pub(super) fn declare(tools: &[Tool]) -> SdkText {
    let _ = tools;
    SdkText { text: "".into(), widened: Vec::new(), bytes: Vec::new() }
}

pub(super) fn type_of(schema: &Json) -> String {
    let _ = schema;
    String::new()
}
