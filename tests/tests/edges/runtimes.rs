//! Runtimes that end before their runs, and supervisors that outlive runtimes.

use std::time::Duration;

use dayfly::{CodeRuntime as _, Json, Language, RunError, RunRequest};
use dayfly_tests::alone::alone;
use dayfly_tests::leftovers::{Possessions, eventually, names_in, settles_to};
use dayfly_tests::turns::{Turns, every_turn};
use dayfly_tests::{Gate, Host, tools};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::{HELD, in_both, pid, polled_once, whole};

fn multi_thread() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn a_runtime_may_end_at_any_turn_of_a_run_and_its_worker_is_reaped() {
    alone("runtimes::a_runtime_may_end_at_any_turn_of_a_run_and_its_worker_is_reaped", || {
        let root = tempfile::tempdir().unwrap();
        let host = Host::with(|config| config.work_root(root.path()));
        Turns::new().to_the_end(in_both(async |language| host.still_serves(language).await));
        let before = Possessions::at_rest(|| ());
        for language in Language::ALL {
            every_turn(5, |limit| {
                // Another runtime each time: the supervisor is the same.
                let turns = Turns::new();
                let completed = turns.within(limit, async {
                    // The run belongs to the runtime, and not to what is dropped when the turns are over.
                    let (runtime, request) = (host.runtime(language).clone(), whole(language));
                    tokio::spawn(async move { runtime.run(request).await }).await.unwrap().unwrap()
                });
                drop(turns);
                settles_to(&before, || ());
                eventually("the end of the directories", || names_in(root.path()).is_empty());
                completed.is_some()
            });
        }
        let last = Turns::new();
        last.to_the_end(in_both(async |language| host.still_serves(language).await));
        last.to_the_end(host.supervisor.shutdown());
    });
}

#[test]
fn shutdown_waits_for_workers_whose_runtime_has_ended() {
    alone("runtimes::shutdown_waits_for_workers_whose_runtime_has_ended", || {
        for language in Language::ALL {
            for _ in 0..5 {
                let (host, first) = (Host::new(), multi_thread());
                let (told, mut news) = mpsc::unbounded_channel();
                for _ in 0..2 {
                    let told = told.clone();
                    let bindings = tools().async_fn("hold", move |call| {
                        told.send(pid(&call)).unwrap();
                        std::future::pending()
                    });
                    let runtime = host.runtime(language).clone();
                    let request = RunRequest::new(*HELD.of(language)).bind(bindings);
                    first.spawn(async move { runtime.run(request).await });
                }
                first.block_on(async { (news.recv().await.unwrap(), news.recv().await.unwrap()) });
                first.shutdown_background();
                Turns::new().to_the_end(host.supervisor.shutdown());
                assert_eq!(Possessions::now().children, Vec::<i32>::new(), "{language}");
            }
        }
    });
}

#[test]
fn a_runtime_that_is_shut_down_with_runs_in_flight_leaves_nothing_and_another_one_goes_on() {
    alone("runtimes::a_runtime_that_is_shut_down_with_runs_in_flight_leaves_nothing_and_another_one_goes_on", || {
        type End = fn(Runtime);
        let ends: [(&str, End); 3] = [
            ("drop", drop),
            ("shutdown_background", Runtime::shutdown_background),
            ("shutdown_timeout", |runtime| runtime.shutdown_timeout(Duration::from_millis(50))),
        ];
        let root = tempfile::tempdir().unwrap();
        // The first runtime of a process leaves it a socket for signals, once and for all.
        drop(multi_thread());
        let before = Possessions::at_rest(|| ());
        for (end, ended) in ends {
            let host = Host::with(|config| config.work_root(root.path()).max_concurrent_runs(4));
            let runtime = multi_thread();
            let (told, mut news) = mpsc::unbounded_channel();
            let begin = || {
                for language in Language::ALL {
                    for _ in 0..3 {
                        let told = told.clone();
                        let bindings = tools().async_fn("hold", move |call| {
                            told.send(()).unwrap();
                            async move {
                                call.cancel.cancelled().await;
                                std::future::pending().await
                            }
                        });
                        let request = RunRequest::new(*HELD.of(language)).bind(bindings);
                        let runner = host.runtime(language).clone();
                        runtime.spawn(async move { runner.run(request).await });
                    }
                }
            };
            // Four of them in mid-call, two in the queue.
            begin();
            runtime.block_on(async {
                for _ in 0..4 {
                    news.recv().await.unwrap();
                }
            });
            ended(runtime);
            // The same supervisor serves from another runtime, with all its places back.
            let next = multi_thread();
            next.block_on(in_both(async |language| host.still_serves(language).await));
            next.block_on(host.supervisor.shutdown());
            // And so does another supervisor.
            let other = Host::with(|config| config.work_root(root.path()));
            next.block_on(in_both(async |language| other.still_serves(language).await));
            next.block_on(other.supervisor.shutdown());
            drop((host, other, next));
            settles_to(&before, || ());
            eventually(&format!("the end of the directories after {end}"), || names_in(root.path()).is_empty());
        }
    });
}

#[test]
fn two_runtimes_share_a_supervisor_and_the_end_of_one_is_not_the_others() {
    let (one, other) = (multi_thread(), multi_thread());
    for language in Language::ALL {
        let (host, gate) = (Host::new(), Gate::new());
        let runtime = host.runtime(language).clone();
        let request = RunRequest::new(*HELD.of(language)).bind(gate.guard(tools(), "hold"));
        let run = other.spawn(async move { runtime.run(request).await });
        one.block_on(gate.arrival());
        let third = multi_thread();
        let bindings = tools().async_fn("hold", |_| std::future::pending());
        let (runtime, request) = (host.runtime(language).clone(), RunRequest::new(*HELD.of(language)).bind(bindings));
        third.spawn(async move { runtime.run(request).await });
        drop(third);
        gate.open();
        assert_eq!(one.block_on(run).unwrap().unwrap().failure, None, "{language}");
        one.block_on(host.still_serves(language));
        one.block_on(host.supervisor.shutdown());
    }
}

#[test]
fn what_one_runtime_began_for_all_is_taken_over_when_it_ends() {
    // Stopped at different turns of the search, the trial and the canary, which the first run of a supervisor does for
    // all that come after it.
    let other = multi_thread();
    for language in Language::ALL {
        for limit in [1, 2, 3, 4, 6, 8, 10, 13, 16] {
            let (host, first) = (Host::new(), Turns::new());
            let runtime = host.runtime(language).clone();
            let begun = runtime.clone();
            let mut waiting = None;
            let early = first.within(limit, async {
                let run = tokio::spawn(async move { begun.run(RunRequest::new("return 1")).await });
                // It comes second, and waits for what the first one does.
                tokio::task::yield_now().await;
                waiting = Some(other.spawn(async move { runtime.run(RunRequest::new("return 2")).await }));
                run.await
            });
            drop((early, first));
            let result = other.block_on(waiting.unwrap()).unwrap().unwrap();
            assert_eq!((result.failure, result.value), (None, Some(Json::from(2))), "{language}, turn {limit}");
            other.block_on(host.supervisor.shutdown());
        }
    }
}

#[test]
fn a_run_may_be_awaited_on_another_runtime_than_the_one_that_drives_it() {
    let (driving, awaiting) = (multi_thread(), multi_thread());
    for language in Language::ALL {
        let host = Host::new();
        let runtime = host.runtime(language).clone();
        let mut run = Box::pin(async move { runtime.run(RunRequest::new("return 1")).await });
        assert!(driving.block_on(polled_once(run.as_mut())).is_pending(), "{language}");
        assert_eq!(awaiting.block_on(run).unwrap().value, Some(Json::from(1)), "{language}");
        awaiting.block_on(host.supervisor.shutdown());
    }
}

#[test]
fn a_run_whose_runtime_has_ended_is_an_error_that_says_so() {
    let last = multi_thread();
    for language in Language::ALL {
        let host = Host::new();
        // While its types are taken off, while interpreters are tried, while the worker starts, in mid-call.
        for pause in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256] {
            let first = multi_thread();
            let runtime = host.runtime(language).clone();
            let bindings = tools().async_fn("hold", |_| std::future::pending());
            let request = RunRequest::new(*HELD.of(language)).bind(bindings);
            let mut run = Box::pin(async move { runtime.run(request).await });
            assert!(first.block_on(polled_once(run.as_mut())).is_pending(), "{language}");
            std::thread::sleep(Duration::from_millis(pause));
            drop(first);
            match last.block_on(run) {
                Err(error) => {
                    assert!(error.to_string().contains("its tokio runtime has ended"), "{language}, {pause}: {error}");
                }
                Ok(result) => panic!("{language}: after {pause} ms {result:?}"),
            }
        }
        last.block_on(host.still_serves(language));
        last.block_on(host.supervisor.shutdown());
    }
}

#[test]
fn a_runtime_without_drivers_is_refused_by_name_and_nothing_is_left() {
    alone("runtimes::a_runtime_without_drivers_is_refused_by_name_and_nothing_is_left", || {
        let (root, good) = (tempfile::tempdir().unwrap(), Turns::new());
        let host = Host::with(|config| config.work_root(root.path()));
        good.to_the_end(in_both(async |language| host.still_serves(language).await));
        let before = Possessions::at_rest(|| good.a_moment());
        for language in Language::ALL {
            for bare in [
                Builder::new_current_thread().build().unwrap(),
                Builder::new_current_thread().enable_io().build().unwrap(),
                Builder::new_current_thread().enable_time().build().unwrap(),
            ] {
                let outcome = bare.block_on(host.runtime(language).run(RunRequest::new("return 1")));
                let error = outcome.unwrap_err();
                assert!(error.to_string().contains("enable_all()"), "{language}: {error}");
            }
            settles_to(&before, || good.a_moment());
            eventually("the end of the directories", || names_in(root.path()).is_empty());
        }
        good.to_the_end(in_both(async |language| host.still_serves(language).await));
        good.to_the_end(host.supervisor.shutdown());
    });
}

#[test]
fn without_any_runtime_a_run_is_refused_by_name() {
    for language in Language::ALL {
        let host = Host::new();
        let runtime = host.runtime(language).clone();
        let mut run = Box::pin(async move { runtime.run(RunRequest::new("return 1")).await });
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let std::task::Poll::Ready(Err(error)) = run.as_mut().poll(&mut context) else {
            panic!("{language}: it should be refused at once")
        };
        assert!(matches!(error, RunError::Host { .. }) && error.to_string().contains("tokio runtime"), "{error}");
    }
}
