//! What a program would do, step by step.

use std::fmt;
use std::sync::Arc;

use crate::{CallError, ExceptionDetail, Failure, Fault, Json, LogEntry, LogLevel, LogSource};

/// The steps of a program, played in order.
///
/// Calls are numbered from 1 in the order in which the script makes them; [`Answers`] has what came of each. A script
/// that ends without a completion returns nothing.
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub(super) steps: Vec<Step>,
}

/// One step of a script.
#[derive(Clone)]
pub(super) enum Step {
    Log(LogEntry),
    /// Waits for these calls. The first failure among them ends the program unless `caught`.
    Call {
        calls: Vec<ScriptedCall>,
        caught: bool,
    },
    /// Begins a call that nothing waits for.
    Start(ScriptedCall),
    WaitForCancel,
    Return(Compute),
    Fail(Failure),
}

/// A value computed from what the calls gave.
type Compute = Arc<dyn Fn(&Answers) -> Json + Send + Sync>;

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(entry) => f.debug_tuple("Log").field(entry).finish(),
            Self::Call { calls, caught } => {
                f.debug_struct("Call").field("calls", calls).field("caught", caught).finish()
            }
            Self::Start(call) => f.debug_tuple("Start").field(call).finish(),
            Self::WaitForCancel => f.write_str("WaitForCancel"),
            Self::Return(_) => f.debug_tuple("Return").finish_non_exhaustive(),
            Self::Fail(failure) => f.debug_tuple("Fail").field(failure).finish(),
        }
    }
}

impl Script {
    /// A program that does nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Prints a line as `console.log` and `print` do.
    #[must_use]
    pub fn log(self, text: impl Into<String>) -> Self {
        self.print(LogEntry::new(LogSource::Console, LogLevel::Log, text))
    }

    /// Prints an entry of any source and level.
    #[must_use]
    pub fn print(self, entry: LogEntry) -> Self {
        self.then(Step::Log(entry))
    }

    /// Calls a host function and waits for it; a failed call ends the program, as one that nothing catches does.
    #[must_use]
    pub fn call(self, global: impl Into<String>, name: impl Into<String>, arguments: impl Into<Json>) -> Self {
        let calls = vec![ScriptedCall::new(global, name, arguments)];
        self.then(Step::Call { calls, caught: false })
    }

    /// Calls a host function and waits for it; a failed call is caught, and [`Answers::error`] has it.
    #[must_use]
    pub fn try_call(self, global: impl Into<String>, name: impl Into<String>, arguments: impl Into<Json>) -> Self {
        self.try_parallel([ScriptedCall::new(global, name, arguments)])
    }

    /// Makes calls that overlap and waits for them as `Promise.all` does: the first failure ends the program while the
    /// others are still in flight.
    #[must_use]
    pub fn parallel(self, calls: impl IntoIterator<Item = ScriptedCall>) -> Self {
        self.then(Step::Call { calls: calls.into_iter().collect(), caught: false })
    }

    /// Makes calls that overlap and waits for all of them, as `Promise.allSettled` does.
    #[must_use]
    pub fn try_parallel(self, calls: impl IntoIterator<Item = ScriptedCall>) -> Self {
        self.then(Step::Call { calls: calls.into_iter().collect(), caught: true })
    }

    /// Makes a call that the program never waits for: if it is still in flight at the end, it is cancelled.
    #[must_use]
    pub fn start(self, global: impl Into<String>, name: impl Into<String>, arguments: impl Into<Json>) -> Self {
        self.then(Step::Start(ScriptedCall::new(global, name, arguments)))
    }

    /// Waits until the run is cancelled, which ends it as `abort`.
    #[must_use]
    pub fn wait_for_cancel(self) -> Self {
        self.then(Step::WaitForCancel)
    }

    /// Completes with this value.
    #[must_use]
    pub fn returns(self, value: impl Into<Json>) -> Self {
        let value = value.into();
        self.returns_with(move |_| value.clone())
    }

    /// Completes with a value computed from what the calls gave.
    #[must_use]
    pub fn returns_with(self, compute: impl Fn(&Answers) -> Json + Send + Sync + 'static) -> Self {
        self.then(Step::Return(Arc::new(compute)))
    }

    /// Throws an exception of this class.
    #[must_use]
    pub fn throws(self, name: impl Into<String>, message: impl Into<String>) -> Self {
        let detail = ExceptionDetail { name: name.into(), ..ExceptionDetail::default() };
        self.fails(Failure::new(Fault::Exception(detail), message))
    }

    /// Ends with any failure, such as a timeout.
    #[must_use]
    pub fn fails(self, failure: Failure) -> Self {
        self.then(Step::Fail(failure))
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

/// A call that a script makes.
#[derive(Debug, Clone)]
pub struct ScriptedCall {
    pub(super) global: String,
    pub(super) name: String,
    pub(super) arguments: Json,
}

impl ScriptedCall {
    /// A call of the function `name` of the global object `global`.
    #[must_use]
    pub fn new(global: impl Into<String>, name: impl Into<String>, arguments: impl Into<Json>) -> Self {
        Self { global: global.into(), name: name.into(), arguments: arguments.into() }
    }
}

/// What came of the calls of a script, by number from 1.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    pub(super) results: Vec<Option<Result<Json, CallError>>>,
}

impl Answers {
    /// The value that call `number` gave; absent when it failed or has not ended.
    #[must_use]
    pub fn value(&self, number: usize) -> Option<&Json> {
        self.result(number)?.as_ref().ok()
    }

    /// The error with which call `number` failed.
    #[must_use]
    pub fn error(&self, number: usize) -> Option<&CallError> {
        self.result(number)?.as_ref().err()
    }

    /// What came of call `number`; absent while it is in flight and when there was none.
    #[must_use]
    pub fn result(&self, number: usize) -> Option<&Result<Json, CallError>> {
        self.results.get(number.checked_sub(1)?)?.as_ref()
    }

    /// The values of all calls that succeeded, in the order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = &Json> {
        self.results.iter().flatten().filter_map(|result| result.as_ref().ok())
    }
}
