//! The front door: the seam and the runtime of processes under one name.
//!
#![doc = include_str!("../README.md")]
//!
//! # In this crate
//!
//! Everything of the seam ([`CodeRuntime`], [`RunRequest`], [`RunResult`], [`Json`], …) and of the
//! runtime of processes ([`Supervisor`], [`ProcessConfig`], [`ProcessRuntime`], …) under one name, and a [`prelude`].
//! The features `typescript` and `python` (both on) choose the languages; without `typescript` no TypeScript parser
//! is compiled. The registry of declared, policy-checked tools is in [`tools`].

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("dayfly runs on Linux on x86-64 and aarch64: its workers are contained by that kernel's means");

pub use dayfly_process::*;
pub use dayfly_runtime::*;
/// The registry: tools that are declared, typed, scoped to agents and checked by policy.
#[doc(inline)]
pub use dayfly_tools as tools;

/// What an embedding needs nearly always.
///
/// ```
/// use dayfly::prelude::*;
///
/// let supervisor = Supervisor::new(ProcessConfig::default())?;
/// let python = supervisor.runtime(Language::Python);
/// assert_eq!(python.language(), Language::Python);
/// # Ok::<(), dayfly::ConfigError>(())
/// ```
pub mod prelude {
    pub use dayfly_process::{ByteSize, ProcessConfig, Supervisor};
    pub use dayfly_runtime::{
        Budget, Call, CallEnd, CallError, CallStart, CancellationToken, CodeRuntime, Failure, FailureKind, Fault, Json,
        Language, LogEntry, Namespace, Observer, Outcome, RunError, RunRequest, RunResult,
    };
}
