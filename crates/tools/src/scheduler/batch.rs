//! Several calls at once, as a model asks for them.

use super::{Abandoned, Scheduler, Submission};
use crate::{Registry, Scope, ToolCall, ToolOutcome};

impl Scope {
    /// Makes the calls of one batch, each as [`execute`](Self::execute) does, and gives back their outcomes in the order
    /// of the calls.
    ///
    /// Consecutive safe calls overlap; see [`scheduler`](crate::scheduler).
    ///
    /// # Cancellation
    ///
    /// Cancelling one call's token ends that call, in its place. Dropping the future ends the batch: calls that have not
    /// started never will, and those that have are cancelled and awaited by [`Registry::quiesce`].
    pub async fn execute_batch(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolOutcome> {
        let scheduler = Scheduler::new(self);
        let submissions: Vec<Submission> = calls.into_iter().map(|call| scheduler.submit(call)).collect();
        let mut outcomes = Vec::with_capacity(submissions.len());
        for submission in submissions {
            outcomes.push(submission.await.unwrap_or_else(Abandoned::into_outcome));
        }
        outcomes
    }
}

impl Registry {
    /// [`Scope::execute_batch`] in the global scope.
    ///
    /// # Cancellation
    ///
    /// As there.
    pub async fn execute_batch(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolOutcome> {
        self.global().execute_batch(calls).await
    }
}
