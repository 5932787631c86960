//! What a body gets beside its arguments.

use std::sync::{Arc, Mutex, PoisonError};

use dayfly_runtime::CancellationToken;

use crate::{Context, Execution};

/// The frozen execution, the live cancel token, and a place for contexts that follow the result.
#[derive(Debug, Clone)]
pub struct RunContext {
    execution: Execution,
    cancel: CancellationToken,
    deferred: Arc<Mutex<Vec<Context>>>,
}

impl RunContext {
    pub(crate) fn new(execution: Execution, cancel: CancellationToken) -> Self {
        Self { execution, cancel, deferred: Arc::default() }
    }

    /// The call, as every stage sees it.
    #[must_use]
    pub const fn execution(&self) -> &Execution {
        &self.execution
    }

    /// Asks the body to stop.
    #[must_use]
    pub const fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Keeps a message until the call's result has reached the caller, also when the body then fails or is cancelled.
    pub fn defer_context(&self, context: Context) {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner).push(context);
    }
}
