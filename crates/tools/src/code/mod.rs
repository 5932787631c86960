//! Code Mode: `run_code`, and the bridge from its programs to the tools.

use std::sync::Arc;

use dayfly_runtime::CodeRuntime;

use crate::registry::RUN_CODE;
use crate::{DeclarationError, NoArguments, RunContext, Tool, ToolFailure};

/// The tool that runs a model's program on this runtime, with so many bodies of its calls at a time.
pub(crate) fn transport(runtime: Arc<dyn CodeRuntime>, max_parallel: usize) -> Result<Tool, DeclarationError> {
    let _ = max_parallel;
    Tool::typed::<NoArguments, String>(RUN_CODE).render_plain().execute(move |_: NoArguments, _: RunContext| {
        let language = runtime.language();
        async move { Err::<String, _>(ToolFailure::new(format!("{language}"))) }
    })
}
