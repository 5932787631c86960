//! The scripted runtime.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;

use super::play::Play;
use super::script::Script;
use crate::{
    BoxFuture, CodeRuntime, ExceptionDetail, Failure, Fault, Isolation, Language, RunError, RunRequest, RunResult,
};

/// How long a cancelled host function may take to return unless configured.
const DRAIN_GRACE: Duration = Duration::from_secs(1);

/// A [`CodeRuntime`] that plays scripts and starts no process.
///
/// A run is answered by the script that belongs to its program's text, else by the next one in the queue; with neither,
/// it fails with an exception that says so.
#[derive(Debug)]
pub struct ScriptedRuntime {
    language: Language,
    isolation: Isolation,
    grace: Duration,
    by_program: HashMap<String, Script>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Result<Script, RunError>>,
    programs: Vec<String>,
    shut_down: bool,
}

impl ScriptedRuntime {
    /// A runtime that has no scripts yet.
    #[must_use]
    pub fn new(language: Language) -> Self {
        let isolation = Isolation { profile: "scripted".to_owned(), ..Isolation::default() };
        Self { language, isolation, grace: DRAIN_GRACE, by_program: HashMap::new(), state: Mutex::default() }
    }

    /// Answers every run of exactly this program with `script`.
    #[must_use]
    pub fn on(mut self, program: impl Into<String>, script: Script) -> Self {
        self.by_program.insert(program.into(), script);
        self
    }

    /// Answers the next run that no script belongs to with `script`.
    #[must_use]
    pub fn then(self, script: Script) -> Self {
        self.push(script);
        self
    }

    /// Refuses the next run that no script belongs to, as a host that cannot run it does.
    #[must_use]
    pub fn then_refuse(self, error: RunError) -> Self {
        self.state().queue.push_back(Err(error));
        self
    }

    /// Reports this isolation instead of one without layers.
    #[must_use]
    pub fn with_isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Gives cancelled host functions this long to return, instead of one second.
    #[must_use]
    pub fn drain_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Adds a script to the queue while the runtime is in use.
    pub fn push(&self, script: Script) {
        self.state().queue.push_back(Ok(script));
    }

    /// The programs that were accepted, in order.
    #[must_use]
    pub fn programs(&self) -> Vec<String> {
        self.state().programs.clone()
    }

    /// Refuses every later run with [`RunError::ShutDown`].
    pub fn shut_down(&self) {
        self.state().shut_down = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done by a panic while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Validates a request and chooses its script.
    fn accept(&self, request: &RunRequest) -> Result<Script, RunError> {
        request.validate()?;
        let mut state = self.state();
        if state.shut_down {
            return Err(RunError::ShutDown);
        }
        let script = match self.by_program.get(&request.program) {
            Some(script) => script.clone(),
            None => state.queue.pop_front().unwrap_or_else(|| Ok(unscripted()))?,
        };
        state.programs.push(request.program.clone());
        Ok(script)
    }
}

/// What is played where the test has nothing to say.
fn unscripted() -> Script {
    let message = "no script belongs to this program and the queue is empty; add one with `on` or `then`";
    Script::new().fails(Failure::new(Fault::Exception(ExceptionDetail::default()), message))
}

impl CodeRuntime for ScriptedRuntime {
    fn run(&self, request: RunRequest) -> BoxFuture<'_, Result<RunResult, RunError>> {
        async move {
            let script = self.accept(&request)?;
            Ok(Play::new(&request).run(&script, self.grace, self.isolation.clone()).await)
        }
        .boxed()
    }

    fn language(&self) -> Language {
        self.language
    }

    fn isolation(&self) -> Isolation {
        self.isolation.clone()
    }
}
