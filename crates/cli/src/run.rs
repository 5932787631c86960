//! `dayfly run`: the program goes through `run_code`, and what is printed is what a model would be shown.

use std::sync::Arc;

use dayfly::tools::{ConfigError, Presentation, RUN_CODE, Registry, RegistryConfig, ToolCall, ToolOutcome};
use dayfly::{CodeRuntime, Json, ProcessConfig, RunResult, Supervisor};

use crate::args::RunArguments;
use crate::exit::{CliError, Exit};
use crate::hint;
use crate::interrupt::Interrupts;
use crate::kept::{Ended, Keeper, KeptRuntime};
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
    crate::event_loop(run_program(supervisor, &config, tools, program, arguments.json))?
}

async fn run_program(
    supervisor: Supervisor,
    config: &ProcessConfig,
    tools: Toolbox,
    program: Program,
    json: bool,
) -> Result<Exit, CliError> {
    let commands = Arc::clone(tools.commands());
    let interrupts = Interrupts::listen(&commands).map_err(|source| CliError::EventLoop { source })?;
    let keeper = Keeper::default();
    let runtime = KeptRuntime { runtime: supervisor.runtime(program.language), keeper: keeper.clone() };
    let registry = registry(runtime, &tools)?;
    let arguments = Json::object([("code", program.text.as_str()), ("description", "dayfly run")]);
    let call = ToolCall::new("run", RUN_CODE, arguments).cancel_with(interrupts.cancel.clone());
    let outcome = registry.execute(call).await;
    supervisor.shutdown().await;
    commands.close();
    interrupts.run_is_over();
    let exit = match keeper.take() {
        Some(Ended::Ran(result)) => report(&result, &outcome, json).inspect(|_| {
            if let Some(hint) = hint::hint(&program, !tools.tools().is_empty(), config, &result) {
                output::note(hint);
            }
        }),
        Some(Ended::Refused { exit, reason }) => {
            output::note(&reason);
            Ok(exit)
        }
        // What stands before the run refused it, and says why; with `--json` only a run is printed.
        None if json => {
            output::note(&outcome.text());
            Ok(Exit::ProgramFailed)
        }
        None => output::print(&format!("{}\n", outcome.text())).map(|()| Exit::ProgramFailed).map_err(CliError::from),
    };
    match interrupts.exit() {
        Some(interrupted) => Ok(interrupted),
        None => exit,
    }
}

/// A registry of these tools that presents them to programs.
pub(crate) fn registry(runtime: impl CodeRuntime + 'static, tools: &Toolbox) -> Result<Registry, CliError> {
    let config = RegistryConfig::default().mode(Presentation::Code);
    let built = Registry::builder().config(config).code_runtime(runtime).build();
    let registry = built.map_err(|error: ConfigError| CliError::Registry { problem: error.to_string() })?;
    for tool in tools.tools() {
        let registered = registry.register(tool.clone());
        registered.map_err(|error| CliError::Registry { problem: error.to_string() })?.keep();
    }
    Ok(registry)
}

fn report(result: &RunResult, outcome: &ToolOutcome, json: bool) -> Result<Exit, CliError> {
    if json {
        output::print(&format!("{}\n", result.to_json()))?;
    } else {
        output::print(&format!("{}\n", outcome.text()))?;
        if let Some(diagnosis) = output::diagnosis(result) {
            output::note(&diagnosis);
        }
    }
    Ok(if result.failure.is_some() { Exit::ProgramFailed } else { Exit::Completed })
}
