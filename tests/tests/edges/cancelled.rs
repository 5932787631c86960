//! A run, cancelled at every moment.

use std::time::Duration;

use dayfly::{CancellationToken, CodeRuntime as _, FailureKind, Json, Language, Outcome, RunRequest, StartMethod};
use dayfly_tests::alone::alone;
use dayfly_tests::leftovers::{Possessions, names_in};
use dayfly_tests::silent::{mute_interpreter, silent_interpreter, silent_processes};
use dayfly_tests::turns::{Turns, every_turn};
use dayfly_tests::{Gate, Host, tools};
use tokio::sync::mpsc;

use crate::{in_both, kind, outcomes, whole};

#[test]
fn a_run_may_be_cancelled_at_any_turn_and_nothing_is_left_when_it_returns() {
    alone("cancelled::a_run_may_be_cancelled_at_any_turn_and_nothing_is_left_when_it_returns", || {
        let (turns, root) = (Turns::new(), tempfile::tempdir().unwrap());
        let host = Host::with(|config| config.work_root(root.path()));
        turns.to_the_end(in_both(async |language| host.still_serves(language).await));
        let before = Possessions::at_rest(|| turns.a_moment());
        for language in Language::ALL {
            every_turn(5, |limit| {
                let cancel = CancellationToken::new();
                let mut run = Box::pin(host.run(language, whole(language).cancel_with(cancel.clone())));
                let early = turns.within(limit, run.as_mut());
                cancel.cancel();
                let completed = early.is_some();
                let result = early.unwrap_or_else(|| turns.to_the_end(run));
                let now = Possessions::now();
                assert_eq!((now.children, now.descriptors), (before.children.clone(), before.descriptors.clone()));
                assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}, turn {limit}");

                let started = result.start != StartMethod::None;
                match kind(&result) {
                    // The cancel came too late: it had settled.
                    None => assert_eq!(result.value, Some(Json::from(1)), "{language}, turn {limit}"),
                    wrong => assert_eq!(wrong, Some(FailureKind::Abort), "{language}, turn {limit}: {result:?}"),
                }
                assert!(started || result.receipts.calls.is_empty(), "{language}, turn {limit}: {result:?}");
                // Every call that arrived is accounted for, and by one receipt.
                for (index, (name, outcome)) in outcomes(&result).into_iter().enumerate() {
                    let possible: &[Outcome] = match index {
                        0 => &[Outcome::Cancelled, Outcome::NotStarted],
                        _ => &[Outcome::Succeeded, Outcome::Cancelled, Outcome::NotStarted],
                    };
                    assert_eq!(name, ["linger", "ping"][index], "{language}, turn {limit}");
                    assert!(possible.contains(&outcome), "{language}, turn {limit}: {name} {outcome:?}");
                }
                completed
            });
            turns.to_the_end(host.still_serves(language));
        }
        turns.to_the_end(host.supervisor.shutdown());
    });
}

#[tokio::test]
async fn a_cancel_while_the_worker_starts_is_an_abort_of_a_run_that_never_started() {
    in_both(async |language| {
        let (root, cancel) = (tempfile::tempdir().unwrap(), CancellationToken::new());
        let host =
            Host::with(|config| config.work_root(root.path()).node(silent_interpreter()).python(silent_interpreter()));
        let request = RunRequest::new("return 1").cancel_with(cancel.clone());
        let (result, ()) = tokio::join!(host.run(language, request), async {
            silent_processes(root.path(), 1).await;
            cancel.cancel();
        });
        assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}");
        assert_eq!(result.start, StartMethod::None, "{language}");
        assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_cancel_while_interpreters_are_tried_does_not_wait_for_them() {
    in_both(async |language| {
        let (root, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (mute, cancel) = (mute_interpreter(scratch.path()), CancellationToken::new());
        // Much longer than anybody would wait for a cancel.
        let host = Host::with(|config| {
            let config = config.work_root(root.path()).ready_deadline(Duration::from_secs(3_600));
            config.node(mute.clone()).python(mute.clone())
        });
        let request = RunRequest::new("return 1").cancel_with(cancel.clone());
        let (result, ()) = tokio::join!(host.run(language, request), async {
            silent_processes(root.path(), 1).await;
            cancel.cancel();
        });
        assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}");
        // The search goes on for whoever comes next, until it is shut down.
        host.supervisor.shutdown().await;
        assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_cancel_during_the_drain_comes_too_late_and_the_result_stands() {
    let host = Host::with(|config| config.drain_grace(Duration::from_secs(60)));
    in_both(async |language| {
        let (gate, cancel) = (Gate::new(), CancellationToken::new());
        let (told, mut news) = mpsc::unbounded_channel();
        let draining = gate.clone();
        let bindings = tools().async_fn("linger", move |call| {
            let (gate, told) = (draining.clone(), told.clone());
            async move {
                call.cancel.cancelled().await;
                told.send(()).unwrap();
                gate.pass().await;
                Ok(Json::from("too late for anybody"))
            }
        });
        let request = RunRequest::new(*crate::WHOLE.of(language)).bind(bindings).cancel_with(cancel.clone());
        let (result, ()) = tokio::join!(host.run(language, request), async {
            news.recv().await.unwrap();
            cancel.cancel();
            gate.open();
        });
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}");
        assert_eq!(outcomes(&result), [("linger", Outcome::Cancelled), ("ping", Outcome::Succeeded)], "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_cancel_after_the_run_returned_and_a_second_cancel_are_nothing() {
    let host = Host::new();
    in_both(async |language| {
        let cancel = CancellationToken::new();
        let result = host.run(language, RunRequest::new("return 1").cancel_with(cancel.clone())).await;
        cancel.cancel();
        cancel.cancel();
        assert_eq!((result.failure, result.value), (None, Some(Json::from(1))), "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn one_token_may_end_many_runs_in_every_state() {
    const PLACES: usize = 3;
    let host = Host::with(|config| config.max_concurrent_runs(PLACES));
    in_both(async |language| {
        let (cancel, gate) = (CancellationToken::new(), Gate::new());
        let (told, mut news) = mpsc::unbounded_channel();
        let runs: Vec<_> = (0..PLACES * 2)
            .map(|_| {
                let told = told.clone();
                let bindings = gate.guard(tools(), "hold").async_fn("here", move |_| {
                    told.send(()).unwrap();
                    async { Ok(Json::null()) }
                });
                let program = "await tools.here()\nawait tools.hold()\nreturn 1";
                let request = RunRequest::new(program).bind(bindings).cancel_with(cancel.clone());
                let runtime = host.runtime(language).clone();
                tokio::spawn(async move { runtime.run(request).await })
            })
            .collect();
        for _ in 0..PLACES {
            news.recv().await.unwrap();
        }
        cancel.cancel();
        for run in runs {
            assert_eq!(kind(&run.await.unwrap().unwrap()), Some(FailureKind::Abort), "{language}");
        }
        host.still_serves(language).await;
    })
    .await;
}
