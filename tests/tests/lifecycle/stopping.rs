//! Runs that their caller ends: by the token, or by dropping the future.

use std::sync::Arc;

use dayfly::{CancellationToken, CodeRuntime as _, FailureKind, Json, Namespace, Outcome, RunRequest, StartMethod};
use dayfly_tests::leftovers::{eventually, exists};
use dayfly_tests::{Both, Gate, Host, tools};
use tokio::sync::{Notify, mpsc};

use crate::{in_both, outcomes, printed};

#[tokio::test]
async fn a_cancel_while_a_call_is_in_flight_is_an_abort_with_logs_and_receipts() {
    let programs = Both::new(
        "console.log('before');\nawait tools.ping();\nawait tools.gate({});\nconsole.log('after')",
        "print('before')\nawait tools.ping()\nawait tools.gate()\nprint('after')",
    );
    let host = Host::new();
    in_both(async |language| {
        let (gate, cancel) = (Gate::new(), CancellationToken::new());
        let request =
            RunRequest::new(*programs.of(language)).bind(gate.guard(tools(), "gate")).cancel_with(cancel.clone());
        let (result, ()) = tokio::join!(host.run(language, request), async {
            gate.arrival().await;
            cancel.cancel();
        });
        assert_eq!(result.failure.as_ref().map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
        assert_eq!(outcomes(&result), [("ping", Outcome::Succeeded), ("gate", Outcome::Cancelled)], "{language}");
        assert_eq!(printed(&result), "before", "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_cancel_ends_a_program_that_never_yields() {
    let programs = Both::new("await tools.started({});\nwhile (true) {}", "await tools.started()\nwhile True: pass");
    let host = Host::new();
    in_both(async |language| {
        let (started, cancel) = (Arc::new(Notify::new()), CancellationToken::new());
        let tell = Arc::clone(&started);
        let bindings = Namespace::tools().async_fn("started", move |_| {
            tell.notify_one();
            async { Ok(Json::null()) }
        });
        let request = RunRequest::new(*programs.of(language)).bind(bindings).cancel_with(cancel.clone());
        let (result, ()) = tokio::join!(host.run(language, request), async {
            started.notified().await;
            cancel.cancel();
        });
        assert_eq!(result.failure.map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_run_that_was_cancelled_before_it_began_starts_nothing() {
    let host = Host::new();
    in_both(async |language| {
        let cancel = CancellationToken::new();
        cancel.cancel();
        let result = host.run(language, RunRequest::new("return 1").cancel_with(cancel)).await;
        assert_eq!(result.failure.map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
        assert_eq!(result.start, StartMethod::None, "{language}");
    })
    .await;
}

#[tokio::test]
async fn dropping_the_future_of_a_run_kills_the_worker_and_cancels_its_calls() {
    let programs = Both::new(
        "await tools.hold({ pid: process.pid });\nreturn 1",
        "import os\nawait tools.hold(pid=os.getpid())\nreturn 1",
    );
    let host = Host::new();
    in_both(async |language| {
        let (arrived, mut arrivals) = mpsc::unbounded_channel();
        let (cancelled, mut cancellations) = mpsc::unbounded_channel();
        let bindings = Namespace::tools().async_fn("hold", move |call| {
            let cancelled = cancelled.clone();
            arrived.send(call.arguments.get("pid").unwrap().as_i64().unwrap()).unwrap();
            async move {
                call.cancel.cancelled().await;
                cancelled.send(()).unwrap();
                Ok(Json::null())
            }
        });
        let request = RunRequest::new(*programs.of(language)).bind(bindings);
        let run = host.runtime(language).run(request);
        let pid = tokio::select! {
            outcome = run => panic!("{language}: the run ended by itself: {outcome:?}"),
            pid = arrivals.recv() => i32::try_from(pid.unwrap()).unwrap(),
        };
        cancellations.recv().await.expect("the call hears of the cancel");
        tokio::task::spawn_blocking(move || eventually("the worker's end", || !exists(pid))).await.unwrap();
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn shutdown_waits_for_a_run_whose_future_was_dropped() {
    let programs = Both::new(
        "await tools.hold({ pid: process.pid });\nreturn 1",
        "import os\nawait tools.hold(pid=os.getpid())\nreturn 1",
    );
    in_both(async |language| {
        let host = Host::new();
        let (arrived, mut arrivals) = mpsc::unbounded_channel();
        let bindings = Namespace::tools().async_fn("hold", move |call| {
            arrived.send(call.arguments.get("pid").unwrap().as_i64().unwrap()).unwrap();
            std::future::pending()
        });
        let request = RunRequest::new(*programs.of(language)).bind(bindings);
        let run = host.runtime(language).run(request);
        let pid = tokio::select! {
            outcome = run => panic!("{language}: the run ended by itself: {outcome:?}"),
            pid = arrivals.recv() => i32::try_from(pid.unwrap()).unwrap(),
        };
        host.supervisor.shutdown().await;
        assert!(!exists(pid), "{language}: the worker outlived the shutdown");
    })
    .await;
}

#[tokio::test]
async fn the_future_of_a_run_may_move_between_threads() {
    fn is_send<T: Send + 'static>(value: T) -> T {
        value
    }
    let host = Host::new();
    let runtime = host.runtime(dayfly::Language::Python).clone();
    let task = tokio::spawn(is_send(async move { runtime.run(RunRequest::new("return 1")).await }));
    assert_eq!(task.await.unwrap().unwrap().value, Some(Json::from(1)));
}
