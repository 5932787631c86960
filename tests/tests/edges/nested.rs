//! Runs inside host functions of runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly::{
    Call, CallError, CancellationToken, CodeRuntime as _, FailureKind, Json, Language, Namespace, Outcome,
    ProcessRuntime, RunRequest,
};
use dayfly_tests::leftovers::exists;
use dayfly_tests::{Both, Gate, Host, tools};
use tokio::sync::mpsc;

use crate::{in_both, kind, outcomes, pid};

/// How deep the runs of these tests go below the outermost.
const LEVELS: usize = 3;

/// A program that tells its process and goes one level down; what comes back goes up with one more.
const DOWN: Both<&str> = Both::new(
    "return 1 + await tools.down({ pid: process.pid })",
    "import os\nreturn 1 + await tools.down(pid=os.getpid())",
);

/// Runs that nest: each level is a program of the other language, and the last one stands at a gate.
#[derive(Clone)]
struct Nest {
    runtimes: [ProcessRuntime; 2],
    /// Told of each level's process as it goes down.
    told: mpsc::UnboundedSender<i32>,
    gate: Gate,
    /// Whether a level passes its own cancel on to the one below.
    passes_cancel_on: bool,
    /// Outcomes of the levels below, as they return.
    results: Arc<Mutex<Vec<Option<FailureKind>>>>,
}

impl Nest {
    fn new(host: &Host, first: Language, passes_cancel_on: bool) -> (Self, mpsc::UnboundedReceiver<i32>) {
        let (told, news) = mpsc::unbounded_channel();
        let second = Language::ALL.into_iter().find(|language| *language != first).unwrap();
        let runtimes = [host.runtime(first).clone(), host.runtime(second).clone()];
        (Self { runtimes, told, gate: Gate::new(), passes_cancel_on, results: Arc::default() }, news)
    }

    fn request(&self, level: usize) -> (&ProcessRuntime, RunRequest) {
        let runtime = &self.runtimes[level % 2];
        let (nest, program) = (self.clone(), *DOWN.of(runtime.language()));
        let bindings = Namespace::tools().async_fn("down", move |call| nest.clone().down(level, call));
        (runtime, RunRequest::new(program).bind(bindings))
    }

    /// What the host function of `level` does.
    async fn down(self, level: usize, call: Call) -> Result<Json, CallError> {
        self.told.send(pid(&call)).unwrap();
        if level == LEVELS {
            return tokio::select! {
                () = self.gate.pass() => Ok(Json::from(0)),
                () = call.cancel.cancelled() => Err(CallError::new("cancelled")),
            };
        }
        let (runtime, mut request) = self.request(level + 1);
        if self.passes_cancel_on {
            request = request.cancel_with(call.cancel);
        }
        let result = runtime.run(request).await.map_err(|error| CallError::new(error.to_string()))?;
        self.results.lock().unwrap().push(kind(&result));
        match result.failure {
            Some(failure) => Err(CallError::new(failure.to_string())),
            None => Ok(result.value.unwrap_or_default()),
        }
    }
}

async fn all_down(news: &mut mpsc::UnboundedReceiver<i32>) -> Vec<i32> {
    let mut pids = Vec::new();
    for _ in 0..=LEVELS {
        pids.push(news.recv().await.unwrap());
    }
    pids
}

#[tokio::test]
async fn runs_of_several_levels_and_both_languages_complete_with_one_place_each() {
    let host = Host::with(|config| config.max_concurrent_runs(1).max_nested_runs(LEVELS));
    in_both(async |language| {
        let (nest, mut news) = Nest::new(&host, language, true);
        let (runtime, request) = nest.request(0);
        let (result, pids) = tokio::join!(runtime.run(request), async {
            let pids = all_down(&mut news).await;
            nest.gate.open();
            pids
        });
        let result = result.unwrap();
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(4))), "{language}");
        assert!(pids.iter().all(|pid| !exists(*pid)), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_cancel_of_the_outermost_run_ends_every_level_before_it_returns() {
    let host = Host::with(|config| config.max_concurrent_runs(1).max_nested_runs(LEVELS));
    in_both(async |language| {
        let (nest, mut news) = Nest::new(&host, language, true);
        let cancel = CancellationToken::new();
        let (runtime, request) = nest.request(0);
        let (result, pids) = tokio::join!(runtime.run(request.cancel_with(cancel.clone())), async {
            let pids = all_down(&mut news).await;
            cancel.cancel();
            pids
        });
        let result = result.unwrap();
        assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}");
        assert_eq!(outcomes(&result), [("down", Outcome::Cancelled)], "{language}");
        assert_eq!(*nest.results.lock().unwrap(), [Some(FailureKind::Abort); LEVELS], "{language}");
        for (level, pid) in pids.into_iter().enumerate() {
            assert!(!exists(pid), "{language}: the worker of level {level} outlived the outermost run");
        }
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_run_in_a_function_that_ignores_its_cancel_is_dropped_with_the_function() {
    let host = Host::with(|config| {
        config.max_concurrent_runs(1).max_nested_runs(LEVELS).drain_grace(Duration::from_millis(100))
    });
    in_both(async |language| {
        let (nest, mut news) = Nest::new(&host, language, false);
        let cancel = CancellationToken::new();
        let (runtime, request) = nest.request(0);
        let (result, pids) = tokio::join!(runtime.run(request.cancel_with(cancel.clone())), async {
            let pids = all_down(&mut news).await;
            cancel.cancel();
            pids
        });
        let result = result.unwrap();
        assert_eq!(outcomes(&result), [("down", Outcome::Abandoned)], "{language}");
        // Each level drops the next, and each of those gives its own function the grace.
        let gone = || pids.iter().all(|pid| !exists(*pid));
        while !gone() {
            tokio::task::yield_now().await;
        }
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_ends_runs_of_every_level() {
    in_both(async |language| {
        for passes_cancel_on in [true, false] {
            let host = Host::with(|config| config.max_concurrent_runs(1).max_nested_runs(LEVELS));
            let (nest, mut news) = Nest::new(&host, language, passes_cancel_on);
            let (runtime, request) = nest.request(0);
            let (result, pids) = tokio::join!(runtime.run(request), async {
                let pids = all_down(&mut news).await;
                host.supervisor.shutdown().await;
                pids
            });
            assert_eq!(kind(&result.unwrap()), Some(FailureKind::Abort), "{language}");
            assert!(pids.iter().all(|pid| !exists(*pid)), "{language}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_nested_run_that_is_cancelled_alone_fails_that_call_and_the_outer_run_goes_on() {
    let host = Host::with(|config| config.max_concurrent_runs(1));
    let programs = Both::new(
        "let told = '';\ntry { await tools.inner() } catch (error) { told = error.message }\nreturn [told, await tools.ping()]",
        "told = ''\ntry: await tools.inner()\nexcept ToolCallError as error: told = str(error)\nreturn [told, await tools.ping()]",
    );
    in_both(async |language| {
        let runtime = host.runtime(language).clone();
        let bindings = tools().async_fn("inner", move |_| {
            let runtime = runtime.clone();
            async move {
                let (cancel, gate) = (CancellationToken::new(), Gate::new());
                let request = RunRequest::new("return await tools.hold()").bind(gate.guard(tools(), "hold"));
                let request = request.cancel_with(cancel.clone());
                let (result, ()) = tokio::join!(runtime.run(request), async {
                    gate.arrival().await;
                    cancel.cancel();
                });
                Err(CallError::new(result.unwrap().failure.unwrap().kind().name()))
            }
        });
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(bindings)).await;
        let value = result.value.as_ref().map(|value| value.to_string());
        assert_eq!(value.as_deref(), Some(r#"["abort","pong"]"#), "{language}: {:?}", result.failure);
    })
    .await;
}

#[tokio::test]
async fn a_nested_run_that_its_function_gives_up_is_ended_and_the_outer_run_goes_on() {
    let host = Host::with(|config| config.max_concurrent_runs(1).drain_grace(Duration::from_millis(100)));
    let programs = Both::new("return await tools.inner()", "return await tools.inner()");
    in_both(async |language| {
        let (runtime, inner) = (host.runtime(language).clone(), Arc::new(Mutex::new(0)));
        let noted = Arc::clone(&inner);
        let bindings = tools().async_fn("inner", move |_| {
            let (runtime, noted) = (runtime.clone(), Arc::clone(&noted));
            async move {
                let (told, mut news) = mpsc::unbounded_channel();
                let hold = tools().async_fn("hold", move |call| {
                    told.send(pid(&call)).unwrap();
                    std::future::pending()
                });
                let request = RunRequest::new(*crate::HELD.of(runtime.language())).bind(hold);
                // As a function with a timeout of its own does.
                tokio::select! {
                    outcome = runtime.run(request) => panic!("{outcome:?}"),
                    pid = news.recv() => *noted.lock().unwrap() = pid.unwrap(),
                }
                // The next one waits for the place of the one that was given up.
                let next = runtime.run(RunRequest::new("return 'next'")).await;
                Ok(next.unwrap().value.unwrap())
            }
        });
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(bindings)).await;
        assert_eq!((result.failure, result.value), (None, Some(Json::from("next"))), "{language}");
        assert!(!exists(*inner.lock().unwrap()), "{language}: the run that was given up has kept its worker");
    })
    .await;
}
