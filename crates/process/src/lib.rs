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

pub use config::{
    ByteSize, ConfigError, ConfigProblem, LimitKey, ParseByteSizeError, ParseDurationError, ProcessConfig,
    parse_duration,
};
pub use dayfly_sandbox::Profile;
pub use doctor::{CandidateReport, DoctorReport, InterpreterReport};
pub use runtime::ProcessRuntime;
pub use supervisor::Supervisor;
