//! A call that is open to dispatches, until it is closed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dayfly_runtime::CancellationToken;
use tokio::runtime::Handle;

use super::attempt::Attempt;
use super::contain::{Panicked, contain};
use super::dispatch::Dispatched;
use super::failure::{self, code};
use crate::{Context, Execution, Scope, Tool, ToolFailure};

/// What all handles of one call share. Bodies of one call never overlap.
pub(super) struct OpenCall {
    pub(super) scope: Scope,
    pub(super) execution: Execution,
    pub(super) tool: Tool,
    runtime: Handle,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    closed: bool,
    /// The body that was started last.
    current: Option<Arc<Attempt>>,
}

impl OpenCall {
    pub(super) fn new(scope: Scope, execution: Execution, tool: Tool, runtime: Handle) -> Arc<Self> {
        Arc::new(Self { scope, execution, tool, runtime, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the body, waits for it, and checks its value. `signal` is what a layer put in the place of the caller's.
    pub(super) async fn dispatch(&self, signal: Option<CancellationToken>) -> Result<Dispatched, ToolFailure> {
        let attempt = loop {
            let previous = match self.start(signal.as_ref())? {
                Start::Started(attempt) => break attempt,
                Start::After(previous) => previous,
            };
            tokio::select! {
                biased;
                () = previous.settled() => {}
                () = self.execution.cancel().cancelled() => {}
                () = cancelled(signal.as_ref()) => {}
            }
        };
        // A layer that drops its inner future has given the body up: it is asked to stop, and closing the call awaits it.
        let given_up = attempt.cancel.clone().drop_guard();
        tokio::select! {
            biased;
            () = attempt.settled() => {}
            () = cancelled(signal.as_ref()) => attempt.stop().await,
        }
        given_up.disarm();
        let value = attempt.take_result()?;
        match contain(|| self.tool.check_output(&value)) {
            Ok(checked) => checked?,
            Err(Panicked(text)) => {
                let message = format!("the output of `{}` could not be checked: {text}", self.execution.name());
                return Err(failure::presentation("INVALID_OUTPUT", message));
            }
        }
        Ok(Dispatched::checked(value, attempt))
    }

    fn start(&self, signal: Option<&CancellationToken>) -> Result<Start, ToolFailure> {
        let mut state = self.state();
        let tool = self.execution.name();
        if state.closed {
            let message =
                format!("a layer dispatched `{tool}` after its call had ended, which is a defect of the layer");
            return Err(failure::layer(code::CALL_CLOSED, message));
        }
        let first = state.current.is_none();
        if !first && !self.tool.is_retryable() {
            let message = format!(
                "a layer dispatched `{tool}` a second time, and the tool is not declared retryable: declare it, or mend \
                 the layer"
            );
            return Err(failure::layer(code::ALREADY_DISPATCHED, message));
        }
        if self.execution.cancel().is_cancelled() || signal.is_some_and(CancellationToken::is_cancelled) {
            return Err(if first {
                failure::aborted_before_dispatch(&self.execution)
            } else {
                failure::aborted(&self.execution)
            });
        }
        if let Some(previous) = state.current.as_ref().filter(|attempt| !attempt.is_over()) {
            return Ok(Start::After(Arc::clone(previous)));
        }
        let attempt = Attempt::start(&self.scope, &self.tool, &self.execution, &self.runtime);
        state.current = Some(Arc::clone(&attempt));
        Ok(Start::Started(attempt))
    }

    /// Closes the call if its body has never been started, and says whether it did.
    pub(super) fn close_unless_started(&self) -> bool {
        let mut state = self.state();
        let unstarted = state.current.is_none();
        state.closed |= unstarted;
        unstarted
    }

    /// Waits until the body that was started last is over.
    pub(super) async fn idle(&self) {
        let current = self.state().current.clone();
        if let Some(attempt) = current {
            attempt.settled().await;
        }
    }

    /// Closes the call: no dispatch from here on, and a body that still runs is stopped and awaited.
    pub(super) async fn close(&self) {
        let current = {
            let mut state = self.state();
            state.closed = true;
            state.current.clone()
        };
        if let Some(attempt) = current.filter(|attempt| !attempt.is_over()) {
            attempt.stop().await;
        }
    }

    /// The contexts of the body whose outcome is the call's: the one that `value` came from, else the one started last.
    pub(super) fn contexts(&self, value: Option<&Dispatched>) -> Vec<Context> {
        let from = value.and_then(|value| value.attempt(self.execution.token()).cloned());
        let current = self.state().current.clone();
        from.or(current).map(|attempt| attempt.deferral.collect()).unwrap_or_default()
    }
}

enum Start {
    Started(Arc<Attempt>),
    /// Another body of this call is still running.
    After(Arc<Attempt>),
}

async fn cancelled(signal: Option<&CancellationToken>) {
    match signal {
        Some(signal) => signal.cancelled().await,
        None => std::future::pending().await,
    }
}
