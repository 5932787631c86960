//! The same edges on every flavour of tokio's runtime.

use std::sync::Arc;
use std::time::Duration;

use dayfly::{
    CallError, CancellationToken, CodeRuntime as _, FailureKind, Json, Language, Namespace, Outcome, RunError,
    RunRequest,
};
use dayfly_tests::leftovers::{exists, names_in};
use dayfly_tests::{Gate, Host, tools};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::{HELD, in_both, kind, outcomes, pid, whole};

/// A runtime on the calling thread whose one thread for what blocks is everybody's.
fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap()
}

fn multi_thread(threads: usize) -> Runtime {
    Builder::new_multi_thread().worker_threads(threads).enable_all().build().unwrap()
}

/// Every edge that a run of `language` has, on the runtime of the caller.
async fn every_edge(language: Language) {
    let root = tempfile::tempdir().unwrap();
    // Functions that listen to their cancel have the time for it; those that do not are awaited for a moment.
    let patient = Host::with(|config| config.work_root(root.path()).max_concurrent_runs(2));
    let hasty = Arc::new(Host::with(|config| {
        config.work_root(root.path()).max_concurrent_runs(2).drain_grace(Duration::from_millis(100))
    }));
    let result = patient.run(language, whole(language)).await;
    assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}");

    cancelled_in_mid_call(&patient, language).await;
    dropped_in_mid_call(&hasty, language).await;
    panicking_and_stuck(&hasty, language).await;
    nested(&patient, language).await;
    queued_and_shut_down(hasty, language).await;
    patient.supervisor.shutdown().await;
    assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
}

async fn cancelled_in_mid_call(host: &Host, language: Language) {
    let (gate, cancel) = (Gate::new(), CancellationToken::new());
    let request = RunRequest::new(*HELD.of(language)).bind(gate.guard(tools(), "hold")).cancel_with(cancel.clone());
    let (result, ()) = tokio::join!(host.run(language, request), async {
        gate.arrival().await;
        cancel.cancel();
    });
    assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}");
    assert_eq!(outcomes(&result), [("hold", Outcome::Cancelled)], "{language}");
}

/// A tool `hold` that tells of the process and never answers.
fn holding() -> (Namespace, mpsc::UnboundedReceiver<i32>) {
    let (told, news) = mpsc::unbounded_channel();
    let bindings = tools().async_fn("hold", move |call| {
        told.send(pid(&call)).unwrap();
        std::future::pending()
    });
    (bindings, news)
}

async fn dropped_in_mid_call(host: &Host, language: Language) {
    let (bindings, mut news) = holding();
    let pid = tokio::select! {
        outcome = host.runtime(language).run(RunRequest::new(*HELD.of(language)).bind(bindings)) => {
            panic!("{language}: {outcome:?}")
        }
        pid = news.recv() => pid.unwrap(),
    };
    while exists(pid) {
        tokio::task::yield_now().await;
    }
    host.still_serves(language).await;
}

async fn panicking_and_stuck(host: &Host, language: Language) {
    let program = *dayfly_tests::Both::new(
        "void tools.stuck();\ntry { await tools.crash() } catch {}\nreturn 1",
        "import asyncio\nleft = asyncio.ensure_future(tools.stuck())\nawait asyncio.sleep(0)\ntry: await tools.crash()\nexcept ToolCallError: pass\nreturn 1",
    )
    .of(language);
    let result = host.run(language, RunRequest::new(program).bind(tools())).await;
    assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}");
    assert_eq!(outcomes(&result), [("stuck", Outcome::Abandoned), ("crash", Outcome::Failed)], "{language}");
}

async fn nested(host: &Host, language: Language) {
    let runtime = host.runtime(language).clone();
    let bindings = tools().async_fn("inner", move |call| {
        let runtime = runtime.clone();
        async move {
            let result = runtime.run(RunRequest::new("return 2").cancel_with(call.cancel)).await;
            result.map(|result| result.value.unwrap()).map_err(|error| CallError::new(error.to_string()))
        }
    });
    let result = host.run(language, RunRequest::new("return 1 + await tools.inner()").bind(bindings)).await;
    assert_eq!((result.failure, result.value), (None, Some(Json::from(3))), "{language}");
}

async fn queued_and_shut_down(host: Arc<Host>, language: Language) {
    let (bindings, mut news) = holding();
    let runs: Vec<_> = (0..4)
        .map(|_| {
            let (runtime, bindings) = (host.runtime(language).clone(), bindings.clone());
            let request = RunRequest::new(*HELD.of(language)).bind(bindings);
            tokio::spawn(async move { runtime.run(request).await })
        })
        .collect();
    let pids = [news.recv().await.unwrap(), news.recv().await.unwrap()];
    host.supervisor.shutdown().await;
    assert!(pids.iter().all(|pid| !exists(*pid)), "{language}");
    for run in runs {
        assert_eq!(kind(&run.await.unwrap().unwrap()), Some(FailureKind::Abort), "{language}");
    }
    let late = host.runtime(language).run(RunRequest::new("return 1")).await;
    assert!(matches!(late, Err(RunError::ShutDown)), "{language}: {late:?}");
}

#[test]
fn every_edge_holds_on_one_thread() {
    current_thread().block_on(in_both(every_edge));
}

#[test]
fn every_edge_holds_on_one_thread_of_a_pool() {
    let runtime = multi_thread(1);
    runtime.block_on(async { tokio::spawn(in_both(every_edge)).await.unwrap() });
}

#[test]
fn every_edge_holds_on_many_threads() {
    let runtime = multi_thread(4);
    runtime.block_on(async { tokio::spawn(in_both(every_edge)).await.unwrap() });
}
