//! What is asked of a tool, and what the pipeline knows of it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dayfly_runtime::{CancellationToken, Json, Standing};

use crate::Token;
use crate::code::Journal;

/// A call as a caller describes it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolCall {
    /// The caller's own id of the call.
    pub call_id: String,
    /// The tool's exact name.
    pub name: String,
    /// The arguments.
    pub arguments: Json,
    /// Cancels the call.
    pub cancel: CancellationToken,
    /// The execution that this call is made from within, when there is one.
    pub parent: Option<Token>,
    /// What is kept of the run whose program makes this call, when one does.
    pub(crate) journal: Option<Arc<Journal>>,
    /// Its number among the calls of that program.
    pub(crate) number: u64,
    /// Where that program's run stands, or the one that this call is made within.
    pub(crate) standing: Standing,
}

impl ToolCall {
    /// A call that nothing cancels.
    #[must_use]
    pub fn new(call_id: impl Into<String>, name: impl Into<String>, arguments: Json) -> Self {
        Self {
            call_id: call_id.into(),
            name: name.into(),
            arguments,
            cancel: CancellationToken::new(),
            parent: None,
            journal: None,
            number: 0,
            standing: Standing::default(),
        }
    }

    /// Ends the call when `cancel` is cancelled.
    #[must_use]
    pub fn cancel_with(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Says which execution the call is made from within.
    #[must_use]
    pub const fn within(mut self, parent: Token) -> Self {
        self.parent = Some(parent);
        self
    }

    /// Says which run the call is made within.
    pub(crate) fn standing(mut self, standing: Standing) -> Self {
        self.standing = standing;
        self
    }

    /// Says that a program makes the call, as the which of its calls, and where what comes of it is kept.
    pub(crate) fn kept_in(mut self, journal: Arc<Journal>, number: u64) -> Self {
        (self.journal, self.number) = (Some(journal), number);
        self
    }
}

/// How far the body of a call has come. Of one that was started again, the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Progress {
    #[default]
    NotStarted,
    /// It runs, or was dropped before it ended.
    Started,
    /// It returned a value, or failed; `late` when the caller had cancelled the call by then.
    Ended { succeeded: bool, late: bool },
}

/// One execution as every stage of the pipeline sees it: frozen.
///
/// Cloning shares it.
#[derive(Debug, Clone)]
pub struct Execution {
    frozen: Arc<Frozen>,
}

#[derive(Debug)]
struct Frozen {
    token: Token,
    call: ToolCall,
    scope: Arc<str>,
    progress: Mutex<Progress>,
    /// How many calls its program made, once that is known; its card says so.
    dispatches: OnceLock<u64>,
}

impl Execution {
    pub(crate) fn freeze(call: ToolCall, scope: Arc<str>) -> Self {
        let (progress, dispatches) = (Mutex::default(), OnceLock::new());
        Self { frozen: Arc::new(Frozen { token: Token::mint(), call, scope, progress, dispatches }) }
    }

    /// Its identity.
    #[must_use]
    pub fn token(&self) -> Token {
        self.frozen.token
    }

    /// The caller's own id of the call.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.frozen.call.call_id
    }

    /// The tool's exact name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.frozen.call.name
    }

    /// The arguments as the caller gave them; nothing changes them.
    #[must_use]
    pub fn arguments(&self) -> &Json {
        &self.frozen.call.arguments
    }

    /// The caller's own cancel token.
    #[must_use]
    pub fn cancel(&self) -> &CancellationToken {
        &self.frozen.call.cancel
    }

    /// The name of the scope (the agent) that calls; empty for the global one.
    #[must_use]
    pub fn scope(&self) -> &str {
        &self.frozen.scope
    }

    /// The execution that this one is made from within.
    #[must_use]
    pub fn parent(&self) -> Option<Token> {
        self.frozen.call.parent
    }

    /// What is kept of the run whose program makes this call, when one does.
    pub(crate) fn journal(&self) -> Option<&Arc<Journal>> {
        self.frozen.call.journal.as_ref()
    }

    /// Its number among the calls of that program.
    pub(crate) fn number(&self) -> u64 {
        self.frozen.call.number
    }

    pub(crate) fn progress(&self) -> Progress {
        *self.frozen.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_progress(&self, progress: Progress) {
        *self.frozen.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// Where the run stands that the call is made within.
    pub(crate) fn standing(&self) -> &Standing {
        &self.frozen.call.standing
    }

    pub(crate) fn dispatches(&self) -> Option<u64> {
        self.frozen.dispatches.get().copied()
    }

    pub(crate) fn set_dispatches(&self, count: u64) {
        // A second body of one execution would be another run; `run_code` is not retryable, so there is none.
        let _first = self.frozen.dispatches.set(count);
    }
}
