//! One call of one tool.

use std::sync::Arc;

use dayfly::{Call, CallError, Json};

use super::command::{CommandError, CommandSpec};
use super::excerpt;
use super::gate::Ticket;
use super::running::Commands;
use super::schema::Schema;

/// How much of a result that is not JSON is shown.
const SHOWN: usize = 200;

/// A tool that is ready to be called.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) input: Option<Arc<Schema>>,
    pub(super) output: Option<Arc<Schema>>,
    pub(super) command: CommandSpec,
    pub(super) concurrency_safe: bool,
}

impl Tool {
    /// Checks the arguments, waits for the ticket's turn, runs the command, and checks the result.
    pub(super) async fn call(&self, call: Call, ticket: Ticket, commands: &Arc<Commands>) -> Result<Json, CallError> {
        check(self.input.as_ref(), &call.arguments, "arguments")
            .await
            .map_err(|violations| self.refused("the arguments do not match the tool's input schema", &violations))?;
        let written = {
            let cancelled = || CallError::new(CommandError::Cancelled.to_string());
            let pass = tokio::select! {
                biased;
                () = call.cancel.cancelled() => return Err(cancelled()),
                pass = ticket.pass() => pass.ok_or_else(cancelled)?,
            };
            let written = self.command.run(commands, format!("{}\n", call.arguments), &call.cancel).await;
            drop(pass);
            written.map_err(|error| CallError::new(error.to_string()))?
        };
        let result = parse(&written)?;
        check(self.output.as_ref(), &result, "result")
            .await
            .map_err(|violations| self.refused("the tool's result does not match its output schema", &violations))?;
        Ok(result)
    }

    fn refused(&self, what: &str, violations: &str) -> CallError {
        let about = match &self.description {
            Some(description) => format!("\n({}: {description})", self.name),
            None => String::new(),
        };
        CallError::new(format!("{what}:\n{violations}{about}"))
    }
}

/// Validation takes as long as value and schema ask for, so it is kept off the threads that hear signals and timers.
async fn check(schema: Option<&Arc<Schema>>, value: &Json, root: &'static str) -> Result<(), String> {
    let Some(schema) = schema.map(Arc::clone) else { return Ok(()) };
    let value = value.clone();
    let checked = tokio::task::spawn_blocking(move || schema.check(&value, root)).await;
    match checked {
        Ok(checked) => checked.map_err(|violations| violations.to_string()),
        Err(failed) => Err(format!("{root}: the validator failed ({failed})")),
    }
}

/// Nothing but white space is null.
fn parse(written: &[u8]) -> Result<Json, CallError> {
    let not_json = |problem: String| {
        let shown = excerpt::head(written, SHOWN);
        CallError::new(format!(
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
