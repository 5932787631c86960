//! Shutdown, called again, at once, half way and from where nobody expects it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dayfly::{CodeRuntime as _, FailureKind, Json, Language, RunError, RunRequest, RunResult, Supervisor};
use dayfly_tests::leftovers::{exists, names_in};
use dayfly_tests::silent::{mute_interpreter, processes_of, silent_interpreter, silent_processes};
use dayfly_tests::{Gate, Host, tools};
use tokio::sync::{Notify, mpsc};

use crate::{HELD, in_both, kind, pid, polled_once};

/// A run of `language` whose one call stands, ignoring its cancel, until `gate` opens; with its process.
async fn stubborn(
    host: &Host,
    language: Language,
    gate: &Gate,
) -> (tokio::task::JoinHandle<Result<RunResult, RunError>>, i32) {
    let (told, mut news) = mpsc::unbounded_channel();
    let gate = gate.clone();
    let bindings = tools().async_fn("hold", move |call| {
        told.send(pid(&call)).unwrap();
        let gate = gate.clone();
        async move {
            gate.pass().await;
            Ok(Json::null())
        }
    });
    let runtime = host.runtime(language).clone();
    let request = RunRequest::new(*HELD.of(language)).bind(bindings);
    let run = tokio::spawn(async move { runtime.run(request).await });
    (run, news.recv().await.unwrap())
}

fn patient() -> Host {
    Host::with(|config| config.drain_grace(Duration::from_secs(60)))
}

#[tokio::test]
async fn shutdowns_at_the_same_time_all_wait_for_the_last_run() {
    in_both(async |language| {
        let (host, gate) = (patient(), Gate::new());
        let (run, pid) = stubborn(&host, language, &gate).await;
        let shutdowns: Vec<_> = (0..3)
            .map(|_| {
                let supervisor = host.supervisor.clone();
                tokio::spawn(async move {
                    supervisor.shutdown().await;
                    exists(pid)
                })
            })
            .collect();
        // The worker goes at once, and the run stays for its function.
        while exists(pid) {
            tokio::task::yield_now().await;
        }
        assert!(shutdowns.iter().all(|shutdown| !shutdown.is_finished()), "{language}: a shutdown left a run behind");
        gate.open();
        for shutdown in shutdowns {
            assert!(!shutdown.await.unwrap(), "{language}: the worker outlived a shutdown");
        }
        assert_eq!(kind(&run.await.unwrap().unwrap()), Some(FailureKind::Abort), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_that_is_dropped_half_way_goes_on_and_the_next_one_waits_for_the_rest() {
    in_both(async |language| {
        let (host, gate) = (patient(), Gate::new());
        let (run, pid) = stubborn(&host, language, &gate).await;
        {
            let mut shutdown = Box::pin(host.supervisor.shutdown());
            assert!(polled_once(shutdown.as_mut()).await.is_pending(), "{language}");
        }
        while exists(pid) {
            tokio::task::yield_now().await;
        }
        let refused = host.runtime(language).run(RunRequest::new("return 1")).await;
        assert!(matches!(refused, Err(RunError::ShutDown)), "{language}: {refused:?}");
        let mut again = Box::pin(host.supervisor.shutdown());
        assert!(polled_once(again.as_mut()).await.is_pending(), "{language}: a run is still being drained");
        gate.open();
        again.await;
        assert!(run.is_finished(), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_that_was_never_polled_shuts_nothing_down() {
    let host = Host::new();
    drop(host.supervisor.shutdown());
    in_both(async |language| host.still_serves(language).await).await;
}

#[tokio::test]
async fn a_shutdown_while_workers_start_and_while_interpreters_are_tried_ends_them() {
    let scratch = tempfile::tempdir().unwrap();
    in_both(async |language| {
        for interpreter in [silent_interpreter(), mute_interpreter(scratch.path())] {
            let root = tempfile::tempdir().unwrap();
            let host = Host::with(|config| {
                let config = config.work_root(root.path()).ready_deadline(Duration::from_secs(3_600));
                config.node(interpreter.clone()).python(interpreter.clone())
            });
            let runtime = host.runtime(language);
            let (outcome, ()) = tokio::join!(runtime.run(RunRequest::new("return 1")), async {
                silent_processes(root.path(), 1).await;
                host.supervisor.shutdown().await;
                assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
            });
            match outcome {
                Ok(result) => assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}"),
                Err(error) => assert!(matches!(error, RunError::ShutDown), "{language}: {error}"),
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_waits_for_an_interpreter_that_a_doctor_is_trying() {
    let (root, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mute = mute_interpreter(scratch.path());
    let host = Host::with(|config| {
        let config = config.work_root(root.path()).ready_deadline(Duration::from_secs(3_600));
        config.node(mute.clone()).python(mute.clone())
    });
    {
        let mut doctor = Box::pin(host.supervisor.doctor());
        tokio::select! {
            report = doctor.as_mut() => panic!("{report:?}"),
            () = silent_processes(root.path(), 1) => {}
        }
        // Dropped here, in the middle of its trial.
    }
    host.supervisor.shutdown().await;
    assert_eq!(processes_of(&mute), Vec::<i32>::new());
}

#[tokio::test]
async fn a_host_function_that_shuts_its_own_supervisor_down_does_not_wait_for_itself_for_ever() {
    in_both(async |language| {
        let host = Host::with(|config| config.drain_grace(Duration::from_millis(200)));
        let own: Arc<OnceLock<Supervisor>> = Arc::default();
        own.set(host.supervisor.clone()).unwrap();
        let shut = Arc::clone(&own);
        let bindings = tools().async_fn("hold", move |_| {
            let supervisor = shut.get().unwrap().clone();
            async move {
                supervisor.shutdown().await;
                Ok(Json::null())
            }
        });
        let result = host.run(language, RunRequest::new(*HELD.of(language)).bind(bindings)).await;
        assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}");
        host.supervisor.shutdown().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_that_arrive_while_shutdown_is_called_are_refused_or_ended_and_none_is_left() {
    in_both(async |language| {
        let root = tempfile::tempdir().unwrap();
        let host = Host::with(|config| config.work_root(root.path()));
        host.still_serves(language).await;
        let (go, runtime) = (Arc::new(Notify::new()), host.runtime(language).clone());
        let runs: Vec<_> = (0..12)
            .map(|_| {
                let (go, runtime) = (Arc::clone(&go), runtime.clone());
                tokio::spawn(async move {
                    go.notified().await;
                    runtime.run(RunRequest::new("return 1")).await
                })
            })
            .collect();
        tokio::task::yield_now().await;
        go.notify_waiters();
        host.supervisor.shutdown().await;
        assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
        // One that had not listened yet hears of it now, and is too late.
        go.notify_waiters();
        for run in runs {
            while !run.is_finished() {
                go.notify_waiters();
                tokio::task::yield_now().await;
            }
            match run.await.unwrap() {
                Ok(result) => assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}"),
                Err(error) => assert!(matches!(error, RunError::ShutDown), "{language}: {error}"),
            }
        }
        assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
    })
    .await;
}
