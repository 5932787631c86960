//! Programs in fresh operating-system processes.
//!
//! A [`Supervisor`] owns what runs share: admission, the thread that spawns workers, the interpreters it has found,
//! shutdown. A [`ProcessRuntime`] speaks one language through it and implements
//! [`CodeRuntime`](dayfly_runtime::CodeRuntime): for each run it starts one worker, hands it the program, answers its
//! calls, meters it, and returns when nothing of it is left.

mod admission;
mod config;
mod dialect;
mod doctor;
mod interpreter;
mod run;
mod runtime;
mod supervisor;
mod worker;

pub use config::{ByteSize, ConfigError, ConfigProblem, LimitKey, ParseByteSizeError, ProcessConfig};
pub use dayfly_sandbox::Profile;
pub use doctor::{CandidateReport, DoctorReport, InterpreterReport};
pub use runtime::ProcessRuntime;
pub use supervisor::Supervisor;

/// Reads a duration as people write it: `500ms`, `2s`, `1m 30s`.
///
/// # Errors
///
/// Says what was expected.
pub fn parse_duration(text: &str) -> Result<std::time::Duration, ParseDurationError> {
    humantime::parse_duration(text).map_err(|_| ParseDurationError { text: text.chars().take(40).collect() })
}

/// The text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a duration; write a number with its unit, such as \"500ms\", \"2s\" or \"1m 30s\"")]
pub struct ParseDurationError {
    text: String,
}
