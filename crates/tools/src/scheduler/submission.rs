//! What a submitted call will have come to.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::task::JoinHandle;
use tokio_util::sync::DropGuard;

use crate::pipeline::code;
use crate::{ToolFailure, ToolOutcome};

/// A call in its scheduler: resolves to the call's outcome, or says that the call was never started.
///
/// # Cancellation
///
/// Dropping it cancels the call.
#[must_use = "dropping the submission cancels the call"]
pub struct Submission {
    number: u64,
    state: State,
}

enum State {
    Abandoned,
    /// There was no runtime to run it on.
    Homeless(Option<Box<ToolOutcome>>),
    Running {
        name: String,
        task: JoinHandle<Result<ToolOutcome, Abandoned>>,
        gone: Option<DropGuard>,
    },
}

/// The call was never started: its batch or run had ended first. No policy saw it and no observer heard of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("call {number} was never started, because what it belongs to had ended; nothing has been done")]
#[non_exhaustive]
pub struct Abandoned {
    /// The number of its submission.
    pub number: u64,
}

impl Abandoned {
    /// The outcome of a call that never started, for those who owe one: a failure with the code `ABORTED_BEFORE_DISPATCH`.
    #[must_use]
    pub fn into_outcome(self) -> ToolOutcome {
        let failure = ToolFailure::coded("ToolAbortedError", code::ABORTED_BEFORE_DISPATCH, self.to_string());
        ToolOutcome::failed(failure, Vec::new())
    }
}

impl Submission {
    pub(super) const fn abandoned(number: u64) -> Self {
        Self { number, state: State::Abandoned }
    }

    pub(super) fn homeless(number: u64, name: &str) -> Self {
        let outcome = lost(name, "it was made outside a tokio runtime, which is a defect of the harness");
        Self { number, state: State::Homeless(Some(Box::new(outcome))) }
    }

    pub(super) const fn running(
        number: u64,
        name: String,
        task: JoinHandle<Result<ToolOutcome, Abandoned>>,
        gone: DropGuard,
    ) -> Self {
        Self { number, state: State::Running { name, task, gone: Some(gone) } }
    }

    /// Its place in the order of submission, from 1.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }
}

impl Future for Submission {
    type Output = Result<ToolOutcome, Abandoned>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let number = self.number;
        match &mut self.state {
            State::Abandoned => Poll::Ready(Err(Abandoned { number })),
            State::Homeless(outcome) => match outcome.take() {
                Some(outcome) => Poll::Ready(Ok(*outcome)),
                None => Poll::Pending,
            },
            State::Running { name, task, gone } => {
                let joined = ready!(Pin::new(task).poll(cx));
                if let Some(gone) = gone.take() {
                    gone.disarm();
                }
                Poll::Ready(joined.unwrap_or_else(|error| Ok(lost(name, &error.to_string()))))
            }
        }
    }
}

/// The outcome of a call whose task is gone without one.
fn lost(tool: &str, why: &str) -> ToolOutcome {
    let message = format!("the call of `{tool}` was lost: {why}");
    ToolOutcome::failed(ToolFailure::coded("ToolLayerError", code::PIPELINE_FAILED, message), Vec::new())
}

impl fmt::Debug for Submission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Submission").field("number", &self.number).finish_non_exhaustive()
    }
}
