//! Why a program failed.

use std::fmt;
use std::time::Duration;

/// A failed program: a sentence for the model, and what kind of end it was.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// What happened and what to do, in words.
    pub message: String,
    /// The kind of failure with its particulars.
    pub fault: Fault,
}

impl Failure {
    /// A failure of this kind with this text.
    #[must_use]
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { message: message.into(), fault }
    }

    /// The kind alone.
    #[must_use]
    pub const fn kind(&self) -> FailureKind {
        match self.fault {
            Fault::Exception(_) => FailureKind::Exception,
            Fault::Timeout { .. } => FailureKind::Timeout,
            Fault::Abort => FailureKind::Abort,
            Fault::WorkerExit { .. } => FailureKind::WorkerExit,
            Fault::InvalidOutput { .. } => FailureKind::InvalidOutput,
            Fault::OutputLimit { .. } => FailureKind::OutputLimit,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind().name(), self.message)
    }
}

/// The kinds of failure: orthogonal and closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the set is closed: a consumer may match every kind")]
pub enum FailureKind {
    /// The program threw, or could not be parsed or stripped.
    Exception,
    /// A budget was spent.
    Timeout,
    /// The caller cancelled, or the runtime was shut down.
    Abort,
    /// The process ended or broke the protocol.
    WorkerExit,
    /// The completion value is not lossless JSON.
    InvalidOutput,
    /// Logs, value and diagnostic together exceed the output cap.
    OutputLimit,
}

impl FailureKind {
    /// The name in reports: `exception`, `timeout`, `abort`, `worker-exit`, `invalid-output`, `output-limit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Timeout => "timeout",
            Self::Abort => "abort",
            Self::WorkerExit => "worker-exit",
            Self::InvalidOutput => "invalid-output",
            Self::OutputLimit => "output-limit",
        }
    }
}

/// The particulars of a failure.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the set is closed: a consumer may match every kind")]
pub enum Fault {
    /// The program threw, or could not be parsed or stripped.
    Exception(ExceptionDetail),
    /// A budget was spent.
    Timeout {
        /// Which one.
        budget: Budget,
        /// Its size.
        limit: Duration,
        /// What was used of it when the run was ended.
        used: Duration,
    },
    /// The caller cancelled, or the runtime was shut down.
    Abort,
    /// The process ended or broke the protocol.
    WorkerExit {
        /// The exit code, when it exited.
        code: Option<i32>,
        /// The signal's number, when one killed it.
        signal: Option<i32>,
        /// The last words on standard error, when there were any.
        stderr_tail: String,
    },
    /// The completion value is not lossless JSON.
    InvalidOutput {
        /// Where in the value, such as `result.items[3]`.
        path: String,
    },
    /// Logs, value and diagnostic together exceed the output cap.
    OutputLimit {
        /// The cap in bytes.
        limit: u64,
    },
}

/// A budget of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Budget {
    /// Busy CPU time of the worker's whole tree.
    Compute,
    /// Time since `start`; it never pauses.
    Wall,
}

impl Budget {
    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Wall => "wall",
        }
    }
}

/// What is known of an exception.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExceptionDetail {
    /// The class of what was thrown (`TypeError`, `ZeroDivisionError`); empty when it has none.
    pub name: String,
    /// The line in the program as given, from 1.
    pub line: Option<u32>,
    /// The column in that line, from 1.
    pub column: Option<u32>,
    /// Frames of the program only, innermost first, one a line, such as `at load (program.ts:3:7)`.
    pub stack: String,
}
