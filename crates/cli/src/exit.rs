//! Every way in which the command ends.

use std::process::ExitCode;

use dayfly::RunError;

use crate::output::OutputError;
use crate::program::ProgramError;
use crate::settings::SettingsError;
use crate::tools::ToolsError;

/// What the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The program completed; or the doctor found nothing wrong.
    Completed,
    /// The program failed.
    ProgramFailed,
    /// Bad usage, program file, tools file or configuration.
    Usage,
    /// This host cannot run it.
    Host,
    /// Ended by this signal.
    Signal(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl Exit {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Completed => 0,
            Self::ProgramFailed => 1,
            Self::Usage => 2,
            Self::Host => 3,
            // The convention of shells.
            Self::Signal(signal) => 128 + signal,
        }
    }
}

/// Why the command did what it was asked for not at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error(transparent)]
    Tools(#[from] ToolsError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("the tools cannot be offered: {problem}")]
    Registry { problem: String },
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("failed to start the host's event loop: {source}")]
    EventLoop {
        #[source]
        source: std::io::Error,
    },
}

impl CliError {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Program(_) | Self::Tools(_) | Self::Settings(_) | Self::Registry { .. } => Exit::Usage,
            Self::Output(_) | Self::EventLoop { .. } => Exit::Host,
        }
    }
}

/// How the command ends when no program was started.
pub(crate) fn exit_of(error: &RunError) -> Exit {
    let misuse = matches!(
        error,
        RunError::DuplicateNamespace { .. }
            | RunError::DuplicateFunction { .. }
            | RunError::InvalidGlobal { .. }
            | RunError::ProgramTooLarge { .. }
    );
    // Whatever else there is or comes: this host has started no program.
    if misuse { Exit::Usage } else { Exit::Host }
}
