//! A full house.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dayfly::{CallError, CodeRuntime as _, FailureKind, Json, Language, RunError, RunRequest, RunResult};
use dayfly_tests::{Gate, Host, tools};
use futures_util::future::select_all;
use tokio::task::JoinHandle;

use crate::{HELD, in_both, kind};

#[tokio::test]
async fn without_a_queue_a_run_has_a_place_or_is_refused() {
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_length(0));
    in_both(async |language| {
        let gate = Gate::new();
        let request = RunRequest::new(*HELD.of(language)).bind(gate.guard(tools(), "hold"));
        let (first, ()) = tokio::join!(host.run(language, request), async {
            gate.arrival().await;
            let refused = host.runtime(language).run(RunRequest::new("return 1")).await;
            assert!(matches!(refused, Err(RunError::QueueFull { limit: 0 })), "{language}: {refused:?}");
            gate.open();
        });
        assert_eq!(first.failure, None, "{language}");
        host.still_serves(language).await;
    })
    .await;
}

type Running = JoinHandle<Result<RunResult, RunError>>;

/// Waits until one of `runs` is refused because the others fill the queue; gives the others.
async fn one_is_refused(language: Language, runs: Vec<Running>) -> Vec<Running> {
    let (refused, _, queued) = select_all(runs).await;
    let refused = refused.unwrap();
    assert!(matches!(refused, Err(RunError::QueueFull { .. })), "{language}: {refused:?}");
    queued
}

#[tokio::test]
async fn a_full_queue_does_not_keep_a_nested_run_from_a_free_place_of_its_own_level() {
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_length(1));
    in_both(async |language| {
        let (gate, runtime) = (Gate::new(), host.runtime(language).clone());
        let inner = runtime.clone();
        let bindings = gate.guard(tools(), "hold").async_fn("inner", move |_| {
            let runtime = inner.clone();
            async move {
                let result = runtime.run(RunRequest::new("return 2")).await;
                result.map(|result| result.value.unwrap()).map_err(|error| CallError::new(error.to_string()))
            }
        });
        let request = RunRequest::new("await tools.hold()\nreturn await tools.inner()").bind(bindings);
        let (outer, queued) = tokio::join!(host.run(language, request), async {
            gate.arrival().await;
            let begin = || {
                let runtime = runtime.clone();
                tokio::spawn(async move { runtime.run(RunRequest::new("return 3")).await })
            };
            let mut queued = one_is_refused(language, vec![begin(), begin()]).await;
            gate.open();
            queued.remove(0).await.unwrap().unwrap()
        });
        assert_eq!((outer.failure, outer.value), (None, Some(Json::from(2))), "{language}");
        assert_eq!((queued.failure, queued.value), (None, Some(Json::from(3))), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_full_queue_that_is_shut_down_starts_none_of_its_runs() {
    const QUEUE: usize = 8;
    in_both(async |language| {
        let host = Host::with(|config| config.max_concurrent_runs(1).queue_length(QUEUE));
        let (gate, started) = (Gate::new(), Arc::new(AtomicUsize::new(0)));
        let runtime = host.runtime(language);
        let holding = RunRequest::new(*HELD.of(language)).bind(gate.guard(tools(), "hold"));
        let (holder, ()) = tokio::join!(runtime.run(holding), async {
            gate.arrival().await;
            let begin = || {
                let (counted, runtime) = (Arc::clone(&started), runtime.clone());
                let bindings = tools().async_fn("hold", move |call| {
                    counted.fetch_add(1, Ordering::SeqCst);
                    async { Ok(call.arguments) }
                });
                let request = RunRequest::new(*HELD.of(language)).bind(bindings);
                tokio::spawn(async move { runtime.run(request).await })
            };
            let queued = one_is_refused(language, (0..=QUEUE).map(|_| begin()).collect()).await;
            host.supervisor.shutdown().await;
            for run in queued {
                assert_eq!(kind(&run.await.unwrap().unwrap()), Some(FailureKind::Abort), "{language}");
            }
        });
        assert_eq!(kind(&holder.unwrap()), Some(FailureKind::Abort), "{language}");
        assert_eq!(started.load(Ordering::SeqCst), 0, "{language}: a queued run was started by a shutdown");
    })
    .await;
}

#[tokio::test]
async fn a_host_that_is_asked_for_more_than_it_has_serves_what_it_accepts_and_refuses_the_rest() {
    const PLACES: usize = 2;
    const QUEUE: usize = 4;
    const ASKED: usize = 24;
    let host = Host::with(|config| config.max_concurrent_runs(PLACES).queue_length(QUEUE));
    in_both(async |language| {
        let (gate, working) = (Gate::new(), Arc::new(AtomicUsize::new(0)));
        let runs: Vec<_> = (0..ASKED)
            .map(|_| {
                let (gate, working) = (gate.clone(), Arc::clone(&working));
                let bindings = tools().async_fn("hold", move |call| {
                    let (gate, working) = (gate.clone(), Arc::clone(&working));
                    async move {
                        let before = working.fetch_add(1, Ordering::SeqCst);
                        assert!(before < PLACES, "{before} runs have a worker already");
                        gate.pass().await;
                        working.fetch_sub(1, Ordering::SeqCst);
                        Ok(call.arguments)
                    }
                });
                let (runtime, request) = (host.runtime(language).clone(), RunRequest::new(*HELD.of(language)));
                tokio::spawn(async move { runtime.run(request.bind(bindings)).await })
            })
            .collect();
        let opener = tokio::spawn(async move {
            loop {
                gate.open();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        let (mut served, mut refused) = (0, 0);
        for run in runs {
            match run.await.unwrap() {
                Ok(result) => {
                    assert_eq!(result.failure, None, "{language}");
                    served += 1;
                }
                Err(RunError::QueueFull { limit: QUEUE }) => refused += 1,
                Err(error) => panic!("{language}: {error}"),
            }
        }
        opener.abort();
        assert!(served >= PLACES + QUEUE, "{language}: {served} served, {refused} refused");
        assert_eq!(served + refused, ASKED, "{language}");
        host.still_serves(language).await;
    })
    .await;
}
