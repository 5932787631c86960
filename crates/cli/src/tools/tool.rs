//! One call of one tool.

use std::sync::Arc;

use dayfly::tools::{CancellationToken, Json, ToolFailure};

use super::command::CommandSpec;
use super::excerpt;
use super::running::Commands;

/// How much of a result that is not JSON is shown.
const SHOWN: usize = 200;

/// What is behind a tool.
#[derive(Debug)]
pub(super) struct CommandTool {
    pub(super) command: CommandSpec,
    pub(super) commands: Arc<Commands>,
}

impl CommandTool {
    /// Runs the command with these arguments, and reads what it wrote.
    pub(super) async fn call(&self, arguments: &Json, cancel: &CancellationToken) -> Result<Json, ToolFailure> {
        let written = self.command.run(&self.commands, format!("{arguments}\n"), cancel).await;
        parse(&written.map_err(|error| ToolFailure::new(error.to_string()))?)
    }
}

/// Nothing but white space is null.
fn parse(written: &[u8]) -> Result<Json, ToolFailure> {
    let not_json = |problem: String| {
        let shown = excerpt::head(written, SHOWN);
        ToolFailure::new(format!(
            "the tool's command did not write JSON to standard output ({problem}); let it print one JSON value, for \
             example with json.dumps(text) or jq -Rs . It wrote: {shown}"
        ))
    };
    let text = std::str::from_utf8(written).map_err(|error| not_json(error.to_string()))?;
    if text.trim_ascii().is_empty() {
        return Ok(Json::null());
    }
    Json::parse(text).map_err(|error| not_json(error.to_string()))
}
