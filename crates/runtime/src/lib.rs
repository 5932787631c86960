//! The seam between a harness and whatever runs its programs.
//!
//! A [`CodeRuntime`] is handed one [`RunRequest`] (a program and named asynchronous host functions) and gives back
//! one [`RunResult`]: what the program returned, what it printed, why it failed if it did, and a receipt for every
//! call it made. This crate has no processes and no tools; it is what both sides agree on, down to how a duration and a size are
//! written in a configuration.
//!
//! Values cross as [`Json`], which is exact, flat and never recursive, because the program on the other side is
//! hostile. The [`testing`] module is a scripted runtime for tests that need no process.

mod duration;
mod error;
mod failure;
mod fence;
mod isolation;
pub mod json;
mod language;
mod names;
mod observer;
mod receipt;
mod report;
mod request;
mod result;
mod size;
mod standing;
pub mod testing;

pub use duration::{ParseDurationError, parse_duration};
pub use error::RunError;
pub use failure::{Budget, ExceptionDetail, Failure, FailureKind, Fault};
pub use fence::unfence;
pub use isolation::{CpuAccounting, Isolation, LayerReport, LayerState};
pub use json::{Json, JsonRef};
pub use language::Language;
pub use names::{check_global, nearest_names};
pub use observer::{CallEnd, CallStart, Observer};
pub use receipt::{NameCounts, Outcome, Receipt, Receipts};
pub use request::{Call, CallError, ErrorClass, HostFunction, Namespace, RunRequest};
pub use result::{LogEntry, LogLevel, LogSource, RunResult, StartMethod, Usage};
pub use size::{ByteSize, ParseByteSizeError};
pub use standing::Standing;

pub use futures_util::future::BoxFuture;
pub use tokio_util::sync::CancellationToken;

/// Runs programs of one language.
///
/// A program that fails is data in its [`RunResult`]; `Err` says that the seam was misused or that this host cannot
/// run programs, and that no program has started.
pub trait CodeRuntime: Send + Sync {
    /// Runs one program to its end.
    ///
    /// # Errors
    ///
    /// [`RunError`] when the request is malformed, when the runtime is shut down or its queue is full, and when this
    /// host cannot start a worker.
    ///
    /// # Cancellation
    ///
    /// Cancelling [`RunRequest::cancel`] ends the run as [`Fault::Abort`], with its logs and receipts. Dropping the
    /// future is a cancel whose result nobody reads: the worker is killed and reaped all the same.
    fn run(&self, request: RunRequest) -> BoxFuture<'_, Result<RunResult, RunError>>;

    /// The language that programs must be written in.
    fn language(&self) -> Language;

    /// What is applied to a worker on this host, layer by layer.
    ///
    /// A diagnosis; it never claims more than was applied.
    fn isolation(&self) -> Isolation;
}
