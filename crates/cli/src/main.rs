//! The `dayfly` command.

mod args;
mod doctor;
mod document;
mod exit;
mod flags;
mod hint;
mod interrupt;
mod kept;
mod keys;
mod output;
mod program;
mod run;
mod sdk;
mod settings;
mod tools;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use args::{Arguments, Command};
use exit::CliError;

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| flags::advise(error).exit());
    // DAYFLY_LOG=debug shows the spans of runs and calls on standard error.
    let filter = EnvFilter::try_from_env("DAYFLY_LOG").unwrap_or_else(|_| EnvFilter::new("off"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
    let done = match &arguments.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Sdk(arguments) => sdk::sdk(arguments),
        Command::Doctor(arguments) => doctor::doctor(arguments),
    };
    let exit = done.unwrap_or_else(|error| {
        output::note(&error.to_string());
        error.exit()
    });
    exit.into()
}

/// Runs a future to its end on an event loop of its own.
fn event_loop<F: Future>(future: F) -> Result<F::Output, CliError> {
    let event_loop = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|source| CliError::EventLoop { source })?;
    let output = event_loop.block_on(future);
    // Commands of tools have been killed by now; this is for their reapers to have reaped them.
    event_loop.shutdown_timeout(Duration::from_secs(2));
    Ok(output)
}
