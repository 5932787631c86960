//! A runtime that keeps what its run came to: a model is shown text, and the person at the terminal gets more.

use std::sync::{Arc, Mutex, PoisonError};

use dayfly::{BoxFuture, CodeRuntime, Isolation, Language, ProcessRuntime, RunError, RunRequest, RunResult};

use crate::exit::{Exit, exit_of};

/// What a run came to.
#[derive(Debug)]
pub(crate) enum Ended {
    /// There was one.
    Ran(Box<RunResult>),
    /// No program was started.
    Refused { exit: Exit, reason: String },
}

/// Where it is kept; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keeper(Arc<Mutex<Option<Ended>>>);

impl Keeper {
    /// What the run came to, if one was asked for.
    pub(crate) fn take(&self) -> Option<Ended> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, ended: Ended) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    }
}

/// A runtime of processes whose result is kept.
pub(crate) struct KeptRuntime {
    pub(crate) runtime: ProcessRuntime,
    pub(crate) keeper: Keeper,
}

impl CodeRuntime for KeptRuntime {
    fn run(&self, request: RunRequest) -> BoxFuture<'_, Result<RunResult, RunError>> {
        Box::pin(async move {
            let outcome = self.runtime.run(request).await;
            self.keeper.keep(match &outcome {
                Ok(result) => Ended::Ran(Box::new(result.clone())),
                Err(error) => Ended::Refused { exit: exit_of(error), reason: error.to_string() },
            });
            outcome
        })
    }

    fn language(&self) -> Language {
        self.runtime.language()
    }

    fn isolation(&self) -> Isolation {
        self.runtime.isolation()
    }
}
