//! The hard edges of the API: runs that are dropped, cancelled or shut down at every moment, host functions that
//! misbehave, runtimes that go away.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod cancelled;
mod dropped;
mod flavours;
mod functions;
mod nested;
mod observers;
mod queue;
mod results;
mod runtimes;
mod sequences;
mod shutdown;

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use dayfly::{FailureKind, Json, Language, Namespace, Outcome, RunRequest, RunResult};
use dayfly_tests::{Both, tools};

/// Runs `test` in each language.
async fn in_both(test: impl AsyncFn(Language)) {
    for language in Language::ALL {
        test(language).await;
    }
}

/// Names and outcomes of the receipts, in the order of the calls.
fn outcomes(result: &RunResult) -> Vec<(&str, Outcome)> {
    result.receipts.calls.iter().map(|call| (call.name.as_str(), call.outcome)).collect()
}

fn kind(result: &RunResult) -> Option<FailureKind> {
    result.failure.as_ref().map(|failure| failure.kind())
}

/// A program that passes through every state of a run: it prints, its one call is answered, the other is in flight when
/// it returns and takes its time to be drained.
const WHOLE: Both<&str> = Both::new(
    "void tools.linger({});\nconsole.log('said');\nawait tools.ping();\nreturn 1",
    "import asyncio\nleft = asyncio.ensure_future(tools.linger())\nawait asyncio.sleep(0)\nprint('said')\nawait tools.ping()\nreturn 1",
);

/// The tools, and `linger`, which stays for a turn after its cancel.
fn lingering() -> Namespace {
    tools().async_fn("linger", |call| async move {
        call.cancel.cancelled().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        Ok(Json::null())
    })
}

fn whole(language: Language) -> RunRequest {
    RunRequest::new(*WHOLE.of(language)).bind(lingering())
}

/// A program that tells its process and waits at `tools.hold`.
const HELD: Both<&str> =
    Both::new("return await tools.hold({ pid: process.pid })", "import os\nreturn await tools.hold(pid=os.getpid())");

/// The process that a call of [`HELD`] told of.
fn pid(call: &dayfly::Call) -> i32 {
    i32::try_from(call.arguments.get("pid").unwrap().as_i64().unwrap()).unwrap()
}

/// Polls a future once, whatever it says.
async fn polled_once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

/// Counts what is alive of something.
#[derive(Debug, Clone, Default)]
struct Alive(Arc<AtomicUsize>);

/// One of them.
#[derive(Debug)]
struct Life(Alive);

impl Alive {
    fn begin(&self) -> Life {
        self.0.fetch_add(1, Ordering::SeqCst);
        Life(self.clone())
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}
