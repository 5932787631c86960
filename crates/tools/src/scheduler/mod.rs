//! Which calls of a batch or of a run may overlap, and in which order everything else happens.
//!
//! Consecutive calls of which the tools say that they may overlap do so, up to
//! [`max_parallel`](crate::RegistryConfig::max_parallel) bodies at a time. Any other call is exclusive: it waits until
//! all calls before it are over, runs alone, and bars those behind it.
//!
//! ```text
//! submitted   A safe    B safe    C exclusive    D safe
//!
//! policy      A B                     C              D        pre-execute, approval, guards: one at a time
//! bodies      [A........]
//!               [B..]                 [C..]          [D...]
//! commits               A B                C              D   post-execute, finalize_content, result: one at a time
//! ```
//!
//! Only bodies, with the layers around them, overlap. Policy and commits are in the order of submission, and of one
//! scheduler no two of them run at a time; a call that is over waits with its commit for those before it. What waits for
//! its commit holds no place: another body runs meanwhile.
//!
//! There is one [`Scheduler`] for each batch and each run. A call from within another one's body is not in the order of
//! the outer one.
//!
//! ```
//! use dayfly_tools::{Json, NoArguments, Registry, RunContext, Scheduler, Tool, ToolCall};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::new();
//! let wait = Tool::typed::<NoArguments, String>("wait").render_plain().execute(async |_, run: RunContext| {
//!     run.cancel().cancelled().await;
//!     Ok("was asked to stop".to_owned())
//! })?;
//! let _wait = registry.register(wait)?;
//!
//! let run = Scheduler::new(registry.global());
//! let call = |number| ToolCall::new(format!("run:{number}"), "wait", Json::object::<&str, Json>([]));
//! let (first, second) = (run.submit_numbered(call), run.submit_numbered(call));
//! tokio::task::yield_now().await;
//!
//! // The first has started; the second, exclusive as it is, waits behind it, and now never will.
//! run.close();
//! run.drain().await;
//! assert!(first.await?.is_error());
//! assert_eq!(second.await.unwrap_err().number, 2);
//! # Ok(())
//! # }
//! ```

mod batch;
mod course;
mod submission;
mod turn;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dayfly_runtime::CancellationToken;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::registry::check_max_parallel;
use crate::{ConfigError, Scope, ToolCall};

pub use submission::{Abandoned, Submission};

pub(crate) use turn::{Queue, Turn};

/// Starts the calls of one batch or run in the order of their submission, and lets safe ones overlap.
///
/// Dropping it closes it.
pub struct Scheduler {
    shared: Arc<Shared>,
}

struct Shared {
    scope: Scope,
    /// A place for each body that may run at a time.
    places: Semaphore,
    /// Held by policy and by commits: only bodies overlap.
    policy: tokio::sync::Mutex<()>,
    /// Calls that have been submitted and are not over. Closed from the start, so that waiting means waiting for none.
    tasks: TaskTracker,
    /// Wakes what waits in the queues.
    closing: CancellationToken,
    line: Mutex<Line>,
}

/// What is decided at one moment: the order, and what has started when everything ends.
struct Line {
    closed: bool,
    submitted: u64,
    starts: Queue,
    commits: Queue,
    /// The calls that have started, by number, each with its own cancel token.
    started: HashMap<u64, CancellationToken>,
}

/// One call's place in the order.
struct Place {
    number: u64,
    start: Turn,
    commit: Turn,
}

impl Scheduler {
    /// A scheduler for calls from this scope, with the registry's `max_parallel`.
    #[must_use]
    pub fn new(scope: &Scope) -> Self {
        Self::of(scope, scope.core().config.max_parallel)
    }

    /// A scheduler with a limit of its own: so many bodies at a time, 1 for one call after the other.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] when the limit is out of range.
    pub fn with_max_parallel(scope: &Scope, max_parallel: usize) -> Result<Self, ConfigError> {
        match check_max_parallel("max_parallel", max_parallel) {
            None => Ok(Self::of(scope, max_parallel)),
            Some(problem) => Err(ConfigError { problems: vec![problem] }),
        }
    }

    /// With a limit that has been checked.
    pub(crate) fn of(scope: &Scope, max_parallel: usize) -> Self {
        let tasks = TaskTracker::new();
        tasks.close();
        Self {
            shared: Arc::new(Shared {
                scope: scope.clone(),
                places: Semaphore::new(max_parallel),
                policy: tokio::sync::Mutex::new(()),
                tasks,
                closing: CancellationToken::new(),
                line: Mutex::new(Line {
                    closed: false,
                    submitted: 0,
                    starts: Queue::new(),
                    commits: Queue::new(),
                    started: HashMap::new(),
                }),
            }),
        }
    }

    /// Puts a call into the order, behind all that were submitted before, and gives back its future outcome.
    ///
    /// The call goes on whether or not its future is polled. Must be called on a tokio runtime. What a call is when it
    /// starts is decided when it starts: which tool its name means, and whether that one is safe with these arguments.
    ///
    /// # Cancellation
    ///
    /// Dropping the future cancels the call, which keeps its place in the order and ends there.
    #[must_use = "dropping the submission cancels the call"]
    pub fn submit(&self, call: ToolCall) -> Submission {
        self.submit_numbered(|_number| call)
    }

    /// [`submit`](Self::submit) of a call that is made once its number is known: the first one submitted is number 1.
    #[must_use = "dropping the submission cancels the call"]
    pub fn submit_numbered(&self, call: impl FnOnce(u64) -> ToolCall) -> Submission {
        let (number, place) = self.shared.join();
        let mut call = call(number);
        let Some(place) = place else { return Submission::abandoned(number) };
        let Ok(runtime) = Handle::try_current() else { return Submission::homeless(number, &call.name) };
        call.cancel = call.cancel.child_token();
        let (name, gone) = (call.name.clone(), call.cancel.clone().drop_guard());
        let course = course::run(Arc::clone(&self.shared), place, call).in_current_span();
        let course = self.shared.tasks.track_future(course);
        let task = runtime.spawn(self.shared.scope.core().in_flight.track_future(course));
        Submission::running(number, name, task, gone)
    }

    /// Ends it: what has not started never will, and what has is cancelled. What is submitted later is abandoned.
    pub fn close(&self) {
        let started: Vec<CancellationToken> = {
            let mut line = self.shared.line();
            line.closed = true;
            line.started.values().cloned().collect()
        };
        self.shared.closing.cancel();
        for cancel in started {
            cancel.cancel();
        }
    }

    /// Waits until nothing that was submitted is running or queued; after [`close`](Self::close), until all that had
    /// started is over. A body that does not stop is over when the registry's grace has passed and it has been dropped.
    ///
    /// # Cancellation
    ///
    /// Dropping the future only stops waiting.
    pub async fn drain(&self) {
        self.shared.tasks.wait().await;
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.shared.line();
        f.debug_struct("Scheduler")
            .field("closed", &line.closed)
            .field("submitted", &line.submitted)
            .field("started", &line.started.len())
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number, and a place behind it unless everything has ended.
    fn join(&self) -> (u64, Option<Place>) {
        let mut line = self.line();
        line.submitted += 1;
        let number = line.submitted;
        let place = (!line.closed).then(|| Place { number, start: line.starts.join(), commit: line.commits.join() });
        (number, place)
    }

    /// Counts a call among the started ones, unless everything has ended: after that nothing starts.
    fn start(&self, number: u64, cancel: &CancellationToken) -> Option<Started<'_>> {
        let mut line = self.line();
        if line.closed {
            return None;
        }
        line.started.insert(number, cancel.clone());
        Some(Started { shared: self, number })
    }

    async fn place(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.places.acquire().await.ok()
    }
}

/// A call that has started and is not over.
struct Started<'a> {
    shared: &'a Shared,
    number: u64,
}

impl Drop for Started<'_> {
    fn drop(&mut self) {
        self.shared.line().started.remove(&self.number);
    }
}
