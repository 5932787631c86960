//! The future of a run, dropped at every moment.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dayfly::{CodeRuntime as _, Json, Language, RunRequest};
use dayfly_tests::alone::alone;
use dayfly_tests::leftovers::{Possessions, eventually, exists, names_in, settles_to};
use dayfly_tests::silent::{mute_interpreter, silent_interpreter, silent_processes};
use dayfly_tests::turns::{Turns, every_turn, some_turns};
use dayfly_tests::{Gate, Host, tools};
use tokio::sync::mpsc;

use crate::{Alive, HELD, in_both, pid, whole};

/// The fewest turns in which a run can start, be called, settle and be drained.
const LEAST: usize = 5;

fn nothing_in(root: &Path) {
    assert_eq!(names_in(root), Vec::<String>::new());
}

#[test]
fn a_run_may_be_dropped_at_any_turn_and_its_worker_is_reaped() {
    alone("dropped::a_run_may_be_dropped_at_any_turn_and_its_worker_is_reaped", || {
        let (turns, root) = (Turns::new(), tempfile::tempdir().unwrap());
        let host = Host::with(|config| config.work_root(root.path()));
        turns.to_the_end(in_both(async |language| host.still_serves(language).await));
        let before = Possessions::at_rest(|| turns.a_moment());
        assert_eq!(before.children, Vec::<i32>::new());
        for language in Language::ALL {
            every_turn(LEAST, |limit| {
                let completed = turns.within(limit, host.run(language, whole(language)));
                settles_to(&before, || turns.a_moment());
                nothing_in(root.path());
                completed.is_some()
            });
            turns.to_the_end(host.still_serves(language));
        }
        turns.to_the_end(host.supervisor.shutdown());
        nothing_in(root.path());
    });
}

#[test]
fn shutdown_waits_for_a_run_that_was_dropped_at_any_turn_of_its_start() {
    alone("dropped::shutdown_waits_for_a_run_that_was_dropped_at_any_turn_of_its_start", || {
        // The search for an interpreter, its trial, the canary: all that only a first run waits for.
        const COLD: usize = 12;
        let (turns, root) = (Turns::new(), tempfile::tempdir().unwrap());
        let before = Possessions::at_rest(|| turns.a_moment());
        for language in Language::ALL {
            some_turns((0..COLD).chain((COLD..).step_by(3)), COLD, |limit| {
                let host = Host::with(|config| config.work_root(root.path()));
                let completed = turns.within(limit, host.run(language, whole(language)));
                turns.to_the_end(host.supervisor.shutdown());
                assert_eq!(Possessions::now().children, before.children, "{language}, turn {limit}");
                nothing_in(root.path());
                completed.is_some()
            });
        }
        settles_to(&before, || turns.a_moment());
    });
}

#[tokio::test]
async fn a_run_that_was_never_polled_is_nothing() {
    let host = Host::new();
    in_both(async |language| {
        let alive = Alive::default();
        let life = alive.begin();
        let bindings = tools().async_fn("never", move |_| {
            let _ = &life;
            async { Ok(Json::null()) }
        });
        drop(host.runtime(language).run(RunRequest::new("return 1").bind(bindings)));
        assert_eq!(alive.count(), 0, "{language}: the request outlived its run");
    })
    .await;
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn a_run_that_is_dropped_in_the_queue_leaves_it_and_never_starts() {
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_length(1));
    in_both(async |language| {
        let (gate, calls, alive) = (Gate::new(), Arc::new(AtomicUsize::new(0)), Alive::default());
        let hold = RunRequest::new(*HELD.of(language)).bind(gate.guard(tools(), "hold"));
        let runtime = host.runtime(language).clone();
        let first = tokio::spawn(async move { runtime.run(hold).await });
        gate.arrival().await;
        // The queue has one place: that the second can take it says that the first has left.
        for _ in 0..3 {
            let (counted, life) = (Arc::clone(&calls), alive.begin());
            let bindings = tools().async_fn("hold", move |call| {
                let _ = &life;
                counted.fetch_add(1, Ordering::SeqCst);
                async { Ok(call.arguments) }
            });
            let queued = host.runtime(language).run(RunRequest::new(*HELD.of(language)).bind(bindings));
            let waited = tokio::time::timeout(Duration::from_millis(20), queued).await;
            assert!(waited.is_err(), "{language}: {waited:?}");
            while alive.count() > 0 {
                tokio::task::yield_now().await;
            }
        }
        gate.open();
        assert_eq!(first.await.unwrap().unwrap().failure, None, "{language}");
        host.still_serves(language).await;
        assert_eq!(calls.load(Ordering::SeqCst), 0, "{language}: a dropped run was started");
    })
    .await;
}

#[tokio::test]
async fn a_run_that_is_dropped_while_its_worker_starts_is_reaped_before_shutdown_returns() {
    in_both(async |language| {
        let root = tempfile::tempdir().unwrap();
        let host =
            Host::with(|config| config.work_root(root.path()).node(silent_interpreter()).python(silent_interpreter()));
        tokio::select! {
            outcome = host.runtime(language).run(RunRequest::new("return 1")) => panic!("{language}: {outcome:?}"),
            () = silent_processes(root.path(), 1) => {}
        }
        host.supervisor.shutdown().await;
        nothing_in(root.path());
    })
    .await;
}

#[tokio::test]
async fn a_run_that_is_dropped_while_interpreters_are_tried_leaves_no_interpreter_after_shutdown() {
    in_both(async |language| {
        let (root, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mute = mute_interpreter(scratch.path());
        let host = Host::with(|config| config.work_root(root.path()).node(mute.clone()).python(mute.clone()));
        tokio::select! {
            outcome = host.runtime(language).run(RunRequest::new("return 1")) => panic!("{language}: {outcome:?}"),
            () = silent_processes(root.path(), 1) => {}
        }
        host.supervisor.shutdown().await;
        nothing_in(root.path());
    })
    .await;
}

#[tokio::test]
async fn a_run_that_is_dropped_during_its_drain_is_drained_all_the_same() {
    let host = Host::with(|config| config.drain_grace(Duration::from_secs(60)));
    in_both(async |language| {
        let (gate, alive) = (Gate::new(), Alive::default());
        let (told, mut news) = mpsc::unbounded_channel();
        let (draining, lives) = (gate.clone(), alive.clone());
        let bindings = tools().async_fn("linger", move |call| {
            let (gate, told, life) = (draining.clone(), told.clone(), lives.begin());
            async move {
                call.cancel.cancelled().await;
                told.send(()).unwrap();
                gate.pass().await;
                drop(life);
                Ok(Json::null())
            }
        });
        let runtime = host.runtime(language);
        tokio::select! {
            outcome = runtime.run(RunRequest::new(*crate::WHOLE.of(language)).bind(bindings)) => {
                panic!("{language}: {outcome:?}")
            }
            told = news.recv() => told.unwrap(),
        }
        // Nobody waits for the run any more, and its function goes on where it stands, within its grace.
        host.still_serves(language).await;
        assert_eq!(alive.count(), 1, "{language}: the drain was cut short");
        gate.open();
        while alive.count() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn many_runs_that_are_dropped_at_once_give_their_places_back() {
    const RUNS: usize = 6;
    let host = Host::with(|config| config.max_concurrent_runs(RUNS).drain_grace(Duration::from_millis(50)));
    in_both(async |language| {
        let (told, mut news) = mpsc::unbounded_channel();
        let runs = (0..RUNS).map(|_| {
            let told = told.clone();
            let bindings = tools().async_fn("hold", move |call| {
                told.send(pid(&call)).unwrap();
                std::future::pending()
            });
            host.run(language, RunRequest::new(*HELD.of(language)).bind(bindings))
        });
        let mut pids = Vec::new();
        tokio::select! {
            ended = futures_util::future::join_all(runs) => panic!("{language}: {ended:?}"),
            () = async { while pids.len() < RUNS { pids.push(news.recv().await.unwrap()) } } => {}
        }
        // With all places back, as many can meet again.
        let barrier = Arc::new(tokio::sync::Barrier::new(RUNS));
        let again = (0..RUNS).map(|_| {
            let barrier = Arc::clone(&barrier);
            let bindings = tools().async_fn("hold", move |call| {
                let barrier = Arc::clone(&barrier);
                async move {
                    barrier.wait().await;
                    Ok(call.arguments)
                }
            });
            host.run(language, RunRequest::new(*HELD.of(language)).bind(bindings))
        });
        for result in futures_util::future::join_all(again).await {
            assert_eq!(result.failure, None, "{language}");
        }
        for pid in pids {
            tokio::task::spawn_blocking(move || eventually("the end of a worker", || !exists(pid))).await.unwrap();
        }
    })
    .await;
}
