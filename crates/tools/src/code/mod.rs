//! Code Mode: `run_code`, and the bridge from its programs to the tools.
//!
//! ```text
//! run_code { code, description }          a tool like any other, through the whole pipeline
//!  -> bindings                            the tools that the calling scope sees, by their exact names
//!  -> the runtime runs the program
//!       -> each call of a tool            numbered, scheduled, through the whole pipeline, within this execution
//!            -> the program's answer      the canonical value, or the failure's message
//!            -> the session's copy        kept in the order of the calls, after the listeners that may shorten it
//!  -> the run has settled                 what is queued never starts, what runs is cancelled and awaited
//!  -> all copies are kept
//!  -> { logs, result? }                   or a failure that says how far the program came
//! ```

mod bridge;
mod excerpt;
mod failure;
mod journal;
mod meta;
mod result;
mod run;
mod tally;
mod words;

use std::sync::Arc;

use dayfly_runtime::{CodeRuntime, Json};

use crate::registry::RUN_CODE;
use crate::{DeclarationError, RunContext, Tool};

pub(crate) use journal::Journal;
pub(crate) use meta::with_dispatches;
pub(crate) use result::check;

/// The tool that runs a model's program on this runtime, with so many bodies of its calls at a time.
pub(crate) fn transport(runtime: Arc<dyn CodeRuntime>, max_parallel: usize) -> Result<Tool, DeclarationError> {
    let language = runtime.language();
    Tool::raw(RUN_CODE, words::input(language))
        .description(words::description(language))
        .present_call(meta::present_call)
        .present_result(meta::present_result)
        .output(result::schema(), |_, value| result::render(value))
        .presentation_meta(|_, value| meta::of(value))
        .transport()
        .execute(move |arguments: Json, context: RunContext| {
            run::run(Arc::clone(&runtime), max_parallel, arguments, context)
        })
}
