//! Asking somebody whether a call may run.

use std::time::Duration;

use dayfly_runtime::BoxFuture;

use super::contain::{Contained, Panicked};
use super::failure::{code, denied};
use crate::{Execution, Token, ToolFailure};

/// Whoever is asked: a person behind an interface, most often.
pub trait Approval: Send + Sync {
    /// Asks, and answers by the request's own [`allow_once`](ApprovalRequest::allow_once),
    /// [`reject`](ApprovalRequest::reject) or [`cancel`](ApprovalRequest::cancel).
    ///
    /// # Cancellation
    ///
    /// The future is dropped when the call is cancelled, and when the registry's deadline has passed: take the question
    /// away then.
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'static, ApprovalAnswer>;
}

impl<F, Fut> Approval for F
where
    F: Fn(ApprovalRequest) -> Fut + Send + Sync,
    Fut: Future<Output = ApprovalAnswer> + Send + 'static,
{
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'static, ApprovalAnswer> {
        Box::pin(self(request))
    }
}

/// One question about one call.
///
/// Answering consumes it, so there is no second answer, and an answer is of this question alone: given to another one it is
/// a denial.
#[derive(Debug)]
pub struct ApprovalRequest {
    execution: Execution,
    reason: String,
}

impl ApprovalRequest {
    /// The call.
    #[must_use]
    pub const fn execution(&self) -> &Execution {
        &self.execution
    }

    /// Why it is asked, in the listener's words.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// This call may run, this once; nothing is remembered.
    #[must_use]
    pub fn allow_once(self) -> ApprovalAnswer {
        self.answer(Verdict::AllowedOnce)
    }

    /// This call may not run. The model reads the reason.
    #[must_use]
    pub fn reject(self, reason: impl Into<String>) -> ApprovalAnswer {
        self.answer(Verdict::Rejected(reason.into()))
    }

    /// The question was dismissed without an answer.
    #[must_use]
    pub fn cancel(self) -> ApprovalAnswer {
        self.answer(Verdict::Cancelled)
    }

    fn answer(self, verdict: Verdict) -> ApprovalAnswer {
        ApprovalAnswer { token: self.execution.token(), verdict }
    }
}

/// The answer to one question.
#[derive(Debug)]
pub struct ApprovalAnswer {
    token: Token,
    verdict: Verdict,
}

#[derive(Debug)]
enum Verdict {
    AllowedOnce,
    Rejected(String),
    Cancelled,
}

/// Asks and takes the answer; everything but a yes to this very question is a denial.
pub(super) async fn ask(
    approval: Option<&dyn Approval>,
    execution: &Execution,
    reason: String,
    deadline: Duration,
) -> Result<(), ToolFailure> {
    let tool = execution.name();
    let Some(approval) = approval else {
        let message = format!("`{tool}` needs an approval, and nobody can be asked here: {reason}");
        return Err(denied(code::APPROVAL_UNAVAILABLE, message));
    };
    let request = ApprovalRequest { execution: execution.clone(), reason };
    let asking = Contained::new(|| approval.ask(request));
    let answer = match tokio::time::timeout(deadline, asking).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(Panicked(text))) => {
            let message = format!("`{tool}` needs an approval, and asking for it failed: {text}");
            return Err(denied(code::APPROVAL_FAILED, message));
        }
        Err(_elapsed) => {
            let message = format!("`{tool}` needs an approval, and nobody answered within {deadline:?}");
            return Err(denied(code::APPROVAL_EXPIRED, message));
        }
    };
    if answer.token != execution.token() {
        let message = format!("`{tool}` needs an approval, and the answer was to another question");
        return Err(denied(code::APPROVAL_FAILED, message));
    }
    match answer.verdict {
        Verdict::AllowedOnce => Ok(()),
        Verdict::Rejected(reason) => {
            Err(denied(code::APPROVAL_REJECTED, format!("the call of `{tool}` was rejected: {reason}")))
        }
        Verdict::Cancelled => {
            let message = format!("the question whether `{tool}` may run was dismissed, so it did not run");
            Err(denied(code::APPROVAL_CANCELLED, message))
        }
    }
}
