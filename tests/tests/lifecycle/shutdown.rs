//! Shutdown with runs in every state.

use std::time::Duration;

use dayfly::{CodeRuntime as _, FailureKind, Json, Language, Namespace, RunError, RunRequest, RunResult};
use dayfly_tests::leftovers::exists;
use dayfly_tests::{Both, Gate, Host, tools};
use tokio::sync::mpsc;

use crate::in_both;

/// A run that a shutdown ended, or never let begin.
#[track_caller]
fn ended_by_shutdown(language: Language, state: &str, outcome: Result<RunResult, RunError>) {
    match outcome {
        Ok(result) => {
            let kind = result.failure.as_ref().map(|failure| failure.kind());
            assert_eq!(kind, Some(FailureKind::Abort), "{language}, {state}: {result:?}");
        }
        Err(error) => assert!(matches!(error, RunError::ShutDown), "{language}, {state}: {error}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_ends_runs_in_every_state_and_leaves_no_worker() {
    in_both(async |language| {
        let host =
            Host::with(|config| config.max_concurrent_runs(4).drain_grace(Duration::from_millis(200)));
        let (arrived, mut arrivals) = mpsc::unbounded_channel();
        let hold = |stubborn: bool| {
            let arrived = arrived.clone();
            tools().async_fn("hold", move |call| {
                arrived.send(call.arguments.get("pid").unwrap().as_i64().unwrap()).unwrap();
                async move {
                    call.cancel.cancelled().await;
                    if stubborn {
                        std::future::pending::<()>().await;
                    }
                    Ok(Json::null())
                }
            })
        };
        let begin = |program: Both<&str>, bindings: Namespace| {
            let runtime = host.runtime(language).clone();
            let request = RunRequest::new(*program.of(language)).bind(bindings);
            tokio::spawn(async move { runtime.run(request).await })
        };
        let idle = Both::new("await tools.hold({ pid: process.pid })", "import os\nawait tools.hold(pid=os.getpid())");
        let spinning = Both::new(
            "void tools.hold({ pid: process.pid });\nawait tools.ping();\nfor (;;);",
            "import asyncio, os\nleft = asyncio.ensure_future(tools.hold(pid=os.getpid()))\nawait asyncio.sleep(0)\nawait tools.ping()\nwhile True: pass",
        );
        let waiting = begin(idle, hold(false));
        let stubborn = begin(idle, hold(true));
        let busy = begin(spinning, hold(false));
        let mut pids = Vec::new();
        for _ in 0..3 {
            pids.push(i32::try_from(arrivals.recv().await.unwrap()).unwrap());
        }
        // One that is starting, and more than there are places for behind it.
        let starting = begin(idle, hold(false));
        let queued: Vec<_> = (0..3).map(|_| begin(idle, hold(false))).collect();
        tokio::task::yield_now().await;

        host.supervisor.shutdown().await;
        while let Ok(pid) = arrivals.try_recv() {
            pids.push(i32::try_from(pid).unwrap());
        }
        for pid in pids {
            assert!(!exists(pid), "{language}: worker {pid} outlived the shutdown");
        }
        ended_by_shutdown(language, "waiting for a call", waiting.await.unwrap());
        ended_by_shutdown(language, "waiting for a call that ignores its cancel", stubborn.await.unwrap());
        ended_by_shutdown(language, "spinning", busy.await.unwrap());
        ended_by_shutdown(language, "starting", starting.await.unwrap());
        for run in queued {
            ended_by_shutdown(language, "queued", run.await.unwrap());
        }
        let late = host.runtime(language).run(RunRequest::new("return 1")).await;
        assert!(matches!(late, Err(RunError::ShutDown)), "{language}: {late:?}");
        // Again, it has nothing left to do.
        host.supervisor.shutdown().await;
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_during_the_drain_of_a_settled_run_leaves_its_result() {
    in_both(async |language| {
        let host = Host::with(|config| config.drain_grace(Duration::from_secs(60)));
        let gate = Gate::new();
        let (settled, mut settlements) = mpsc::unbounded_channel();
        let draining = gate.clone();
        let bindings = tools().async_fn("linger", move |call| {
            let (gate, settled) = (draining.clone(), settled.clone());
            async move {
                call.cancel.cancelled().await;
                settled.send(()).unwrap();
                gate.pass().await;
                Ok(Json::null())
            }
        });
        let program = Both::new(
            "void tools.linger({});\nawait tools.ping();\nreturn 'done'",
            "import asyncio\nleft = asyncio.ensure_future(tools.linger())\nawait asyncio.sleep(0)\nawait tools.ping()\nreturn 'done'",
        );
        let runtime = host.runtime(language).clone();
        let request = RunRequest::new(*program.of(language)).bind(bindings);
        let run = tokio::spawn(async move { runtime.run(request).await });
        settlements.recv().await.unwrap();
        let ((), outcome) = tokio::join!(host.supervisor.shutdown(), async {
            gate.open();
            run.await.unwrap()
        });
        assert_eq!(outcome.unwrap().value, Some(Json::from("done")), "{language}");
    })
    .await;
}

#[tokio::test]
async fn one_supervisors_shutdown_is_not_anothers() {
    let (one, other) = (Host::new(), Host::new());
    one.supervisor.shutdown().await;
    in_both(async |language| other.still_serves(language).await).await;
}
