//! What is known when a run has settled.

use std::time::Duration;

use crate::{Failure, Isolation, Json, Receipts};

/// The outcome of one run.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct RunResult {
    /// The program's completion value; absent when it returned nothing (`undefined`, no `return`). An explicit
    /// `null` or `None` is present.
    pub value: Option<Json>,
    /// What the program printed.
    pub logs: Vec<LogEntry>,
    /// Why the program failed; absent when it completed.
    pub failure: Option<Failure>,
    /// What the run consumed.
    pub usage: Usage,
    /// What is known of its calls.
    pub receipts: Receipts,
    /// What was applied to its worker.
    pub isolation: Isolation,
    /// How its worker was started.
    pub start: StartMethod,
}

/// One thing that the program printed, without its final line break.
///
/// Entries are in emission order for all that goes through the language's own output objects, and in order within
/// each descriptor for native writes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEntry {
    /// Where it was printed.
    pub source: LogSource,
    /// How it was printed.
    pub level: LogLevel,
    /// The text.
    pub text: String,
}

impl LogEntry {
    /// An entry.
    #[must_use]
    pub fn new(source: LogSource, level: LogLevel, text: impl Into<String>) -> Self {
        Self { source, level, text: text.into() }
    }
}

/// Where a program printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LogSource {
    /// The console API of JavaScript, or a note that Dayfly itself adds for the reader.
    Console,
    /// Standard output, by the language's object or natively.
    Stdout,
    /// Standard error, by the language's object or natively.
    Stderr,
}

impl LogSource {
    /// The name on the wire and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Console => "console",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

/// The level of a log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// `console.debug`.
    Debug,
    /// `console.log` and standard output.
    Log,
    /// `console.info`.
    Info,
    /// `console.warn`, and notes that Dayfly itself adds.
    Warn,
    /// `console.error` and standard error.
    Error,
}

impl LogLevel {
    /// The name on the wire and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Log => "log",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// What a run consumed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// From `start` to the last drained call.
    pub wall: Duration,
    /// CPU time of the worker and its descendants since `start`.
    pub cpu: Duration,
    /// From admission to `start`: what it took to have a worker.
    pub startup: Duration,
    /// Peak resident memory of the worker, in bytes; 0 when it could not be read.
    pub peak_memory: u64,
    /// Calls that the program made.
    pub calls: u64,
    /// Bytes of frames from the worker.
    pub bytes_in: u64,
    /// Bytes of frames to the worker.
    pub bytes_out: u64,
}

/// How a worker came to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StartMethod {
    /// No worker was needed: the program failed before one was started.
    #[default]
    None,
    /// A new process, started when it was asked for.
    Spawn,
}

impl StartMethod {
    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Spawn => "spawn",
        }
    }
}
