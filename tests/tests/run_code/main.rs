//! Code Mode with real processes: what a model writes, what it is shown, and what is kept of it, in both languages.
//!
//! `DAYFLY_NODE` and `DAYFLY_PYTHON` run it on other interpreters than those that Dayfly finds.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod agents;
mod declared;
mod large;
mod names;
mod order;
mod schemas;
mod settled;
mod table;
mod texts;
mod typescript;

use dayfly::Json;
use dayfly::tools::ToolOutcome;

/// What the program returned.
#[track_caller]
fn result(outcome: &ToolOutcome) -> Json {
    let value = outcome.result.as_ref().unwrap_or_else(|failure| panic!("{}", failure.message));
    value.get("result").unwrap_or_else(|| panic!("the program returned nothing: {value}")).to_owned()
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
