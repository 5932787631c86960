//! `dayfly run`.

use std::sync::Arc;

use dayfly::{CodeRuntime as _, RunRequest, RunResult, Supervisor};

use crate::args::RunArguments;
use crate::exit::{CliError, Exit};
use crate::hint;
use crate::interrupt::Interrupts;
use crate::output;
use crate::program::Program;
use crate::settings;
use crate::tools::Toolbox;

/// Runs one program.
pub(crate) fn run(arguments: &RunArguments) -> Result<Exit, CliError> {
    // Standard input comes last: nobody types a program for a command that cannot take it.
    let (supervisor, config) = settings::supervisor(&arguments.host, &arguments.limits)?;
    let tools = Toolbox::load(&arguments.tools)?;
    let language = arguments.lang.map(Into::into);
    let program = Program::read(arguments.file.as_deref(), language, config.max_program_bytes)?;
    crate::event_loop(run_program(supervisor, tools, program, arguments.json))?
}

async fn run_program(supervisor: Supervisor, tools: Toolbox, program: Program, json: bool) -> Result<Exit, CliError> {
    let commands = Arc::clone(tools.commands());
    let has_tools = tools.any();
    let interrupts = Interrupts::listen(&commands).map_err(|source| CliError::EventLoop { source })?;
    let runtime = supervisor.runtime(program.language);
    let request = tools.offer(RunRequest::new(program.text.clone())).cancel_with(interrupts.cancel.clone());
    let outcome = runtime.run(request).await;
    supervisor.shutdown().await;
    commands.close();
    interrupts.run_is_over();
    let exit = outcome.map_err(CliError::from).and_then(|result| {
        let exit = report(&result, json)?;
        if let Some(hint) = hint::hint(&program, has_tools, &result) {
            output::note(hint);
        }
        Ok(exit)
    });
    match interrupts.exit() {
        Some(interrupted) => Ok(interrupted),
        None => exit,
    }
}

fn report(result: &RunResult, json: bool) -> Result<Exit, CliError> {
    if json {
        output::print(&format!("{}\n", result.to_json()))?;
    } else {
        output::print(&output::for_model(result))?;
        if let Some(diagnosis) = output::diagnosis(result) {
            output::note(&diagnosis);
        }
    }
    Ok(if result.failure.is_some() { Exit::ProgramFailed } else { Exit::Completed })
}
