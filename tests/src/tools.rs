//! Host functions for programs to call.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use dayfly::{Call, CallError, Json, Namespace};
use tokio::sync::{Notify, Semaphore};

/// The text with which `fail` fails.
const DISK_FULL: &str = "the disk is full; delete something and call again";

/// The text with which `check` fails.
const NOT_A_NUMBER: &str = "arguments are not valid: /n must be a number, and is a string";

/// The namespace `tools`:
///
/// - `echo` and `odd-name` give their argument back
/// - `ping` answers `"pong"` to a call without an argument, and fails for any other
/// - `fail` fails, and `check` fails as a validation does
/// - `crash` panics
/// - `slow` answers nothing until it is cancelled, `stuck` not even then
/// - `begun` answers when as many calls of these two have begun as its argument `calls` says
/// - `late` would answer nothing either, and fails at a deadline of its own
#[must_use]
pub fn tools() -> Namespace {
    let slow = Arc::new(Semaphore::new(0));
    let (stuck, begun) = (Arc::clone(&slow), Arc::clone(&slow));
    Namespace::tools()
        .async_fn("echo", echo)
        .async_fn("odd-name", echo)
        .async_fn("ping", ping)
        .async_fn("fail", |_| async { Err(CallError::new(DISK_FULL)) })
        .async_fn("check", |_| async { Err(CallError::new(NOT_A_NUMBER)) })
        .async_fn("crash", crash)
        .async_fn("slow", move |call: Call| {
            slow.add_permits(1);
            async move {
                call.cancel.cancelled().await;
                Err(CallError::new("cancelled"))
            }
        })
        .async_fn("stuck", move |_| {
            stuck.add_permits(1);
            pending()
        })
        .async_fn("begun", move |call| wait_for_beginnings(call, Arc::clone(&begun)))
        .async_fn("late", late)
}

async fn echo(call: Call) -> Result<Json, CallError> {
    Ok(call.arguments)
}

async fn ping(call: Call) -> Result<Json, CallError> {
    let arguments = call.arguments.to_string();
    if arguments == "{}" { Ok(Json::from("pong")) } else { Err(CallError::new(format!("ping got {arguments}"))) }
}

async fn wait_for_beginnings(call: Call, begun: Arc<Semaphore>) -> Result<Json, CallError> {
    let calls = call.arguments.get("calls").and_then(|calls| calls.as_u64()).unwrap_or(1);
    let all = begun.acquire_many(u32::try_from(calls).unwrap_or(u32::MAX));
    match call.cancel.run_until_cancelled(all).await {
        Some(_) => Ok(Json::from("begun")),
        None => Err(CallError::new("cancelled")),
    }
}

async fn late(_: Call) -> Result<Json, CallError> {
    let answer = tokio::time::timeout(Duration::from_millis(50), pending()).await;
    answer.unwrap_or_else(|_| Err(CallError::new("nothing came within 50 ms; ask for less")))
}

async fn crash(_: Call) -> Result<Json, CallError> {
    panic!("this host function is broken");
}

/// Tells a test that a call has arrived, and holds the call until the test lets it go.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    arrived: Arc<Notify>,
    open: Arc<Notify>,
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member that waits at the gate and answers its argument.
    #[must_use]
    pub fn guard(&self, namespace: Namespace, name: &str) -> Namespace {
        let gate = self.clone();
        namespace.async_fn(name, move |call: Call| {
            let gate = gate.clone();
            async move {
                gate.arrived.notify_one();
                tokio::select! {
                    () = gate.pass() => Ok(call.arguments),
                    () = call.cancel.cancelled() => Err(CallError::new("cancelled")),
                }
            }
        })
    }

    /// Waits until a call stands at the gate.
    pub async fn arrival(&self) {
        self.arrived.notified().await;
    }

    /// Waits until the gate is opened for one.
    pub async fn pass(&self) {
        self.open.notified().await;
    }

    /// Lets one call go.
    pub fn open(&self) {
        self.open.notify_one();
    }
}
