//! Who may run now, who waits, and who is refused.

use std::sync::Arc;
use std::time::Duration;

use dayfly::{
    CallError, CancellationToken, CodeRuntime as _, FailureKind, Json, Language, Namespace, ProcessRuntime, RunError,
    RunRequest, StartMethod,
};
use dayfly_tests::{Both, Gate, Host, tools};
use futures_util::future::{Either, select};
use tokio::sync::Barrier;

use crate::in_both;

const HOLD: Both<&str> = Both::new("await tools.gate({});\nreturn 1", "await tools.gate()\nreturn 1");

/// Starts a run that stands at `gate`, and waits until it does.
async fn holding(
    runtime: &ProcessRuntime,
    gate: &Gate,
) -> tokio::task::JoinHandle<Result<dayfly::RunResult, RunError>> {
    let request = RunRequest::new(*HOLD.of(runtime.language())).bind(gate.guard(tools(), "gate"));
    let runtime = runtime.clone();
    let run = tokio::spawn(async move { runtime.run(request).await });
    gate.arrival().await;
    run
}

#[tokio::test]
async fn a_run_beyond_the_queue_is_refused_and_the_others_complete() {
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_length(1));
    in_both(async |language| {
        let gate = Gate::new();
        let runtime = host.runtime(language);
        let first = holding(runtime, &gate).await;
        // Which of the two comes first to the queue of one is theirs to settle; the other is refused at once.
        let one = runtime.run(RunRequest::new("return 2"));
        let other = runtime.run(RunRequest::new("return 2"));
        let (refused, waiting) = match select(one, other).await {
            Either::Left((refused, waiting)) | Either::Right((refused, waiting)) => (refused, waiting),
        };
        assert!(matches!(refused, Err(RunError::QueueFull { limit: 1 })), "{language}: {refused:?}");
        gate.open();
        assert_eq!(first.await.unwrap().unwrap().value, Some(Json::from(1)), "{language}");
        assert_eq!(waiting.await.unwrap().value, Some(Json::from(2)), "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_run_that_waits_too_long_is_refused() {
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_wait(Duration::from_millis(100)));
    let gate = Gate::new();
    let first = holding(host.runtime(Language::Python), &gate).await;
    let error = host.runtime(Language::TypeScript).run(RunRequest::new("return 2")).await.unwrap_err();
    assert!(matches!(error, RunError::QueueTimeout { waited } if waited >= Duration::from_millis(100)), "{error}");
    gate.open();
    assert_eq!(first.await.unwrap().unwrap().failure, None);
    host.still_serves(Language::TypeScript).await;
}

#[tokio::test]
async fn a_run_that_is_cancelled_while_it_waits_leaves_the_queue() {
    let host = Host::with(|config| config.max_concurrent_runs(1).queue_length(1));
    in_both(async |language| {
        let (gate, cancel) = (Gate::new(), CancellationToken::new());
        let runtime = host.runtime(language);
        let first = holding(runtime, &gate).await;
        let waiting = runtime.run(RunRequest::new("return 2").cancel_with(cancel.clone()));
        let (cancelled, ()) = tokio::join!(waiting, async {
            tokio::task::yield_now().await;
            cancel.cancel();
        });
        let cancelled = cancelled.unwrap();
        assert_eq!(cancelled.failure.map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
        assert_eq!(cancelled.start, StartMethod::None, "{language}");
        gate.open();
        first.await.unwrap().unwrap();
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn as_many_runs_as_may_run_do_run_at_the_same_time() {
    const RUNS: usize = 4;
    let host = Host::with(|config| config.max_concurrent_runs(RUNS));
    in_both(async |language| {
        let barrier = Arc::new(Barrier::new(RUNS));
        let runs = (0..RUNS).map(|_| {
            let barrier = Arc::clone(&barrier);
            let bindings = Namespace::tools().async_fn("meet", move |_| {
                let barrier = Arc::clone(&barrier);
                async move {
                    barrier.wait().await;
                    Ok(Json::null())
                }
            });
            let program = *Both::new("await tools.meet({});\nreturn 1", "await tools.meet()\nreturn 1").of(language);
            host.run(language, RunRequest::new(program).bind(bindings))
        });
        for result in futures_util::future::join_all(runs).await {
            assert_eq!(result.failure, None, "{language}");
        }
    })
    .await;
}

/// A tool `run` that runs Python code on `runtime`, which may do the same.
fn nesting(runtime: ProcessRuntime) -> Namespace {
    Namespace::tools().async_fn("run", move |call| {
        let runtime = runtime.clone();
        async move {
            let code = call.arguments.get("code").and_then(|code| code.as_str()).unwrap_or_default().to_owned();
            let request = RunRequest::new(code).bind(nesting(runtime.clone()));
            let result = runtime.run(request).await.map_err(|error| CallError::new(error.to_string()))?;
            match result.failure {
                Some(failure) => Err(CallError::new(failure.to_string())),
                None => Ok(result.value.unwrap_or_default()),
            }
        }
    })
}

#[tokio::test]
async fn a_run_inside_a_host_function_never_waits_for_its_parents_place() {
    let host = Host::with(|config| config.max_concurrent_runs(1));
    let program = "return 1 + await tools.run(code=\"return 1 + await tools.run(code='return 1')\")";
    let request = RunRequest::new(program).bind(nesting(host.runtime(Language::Python).clone()));
    let result = host.run(Language::Python, request).await;
    assert_eq!((result.failure, result.value), (None, Some(Json::from(3))));

    let program = "return 1 + await tools.run({ code: \"return 1\" })";
    let request = RunRequest::new(program).bind(nesting(host.runtime(Language::Python).clone()));
    let result = host.run(Language::TypeScript, request).await;
    assert_eq!((result.failure, result.value), (None, Some(Json::from(2))));
}

#[tokio::test]
async fn runs_inside_runs_end_somewhere() {
    let host = Host::with(|config| config.max_concurrent_runs(1).max_nested_runs(2));
    // Each level runs its own text again.
    let program = "s = 's = %r\\nreturn await tools.run(code=s %% s)'\nreturn await tools.run(code=s % s)";
    let request = RunRequest::new(program).bind(nesting(host.runtime(Language::Python).clone()));
    let result = host.run(Language::Python, request).await;
    let failure = result.failure.expect("it cannot go on for ever");
    assert!(failure.message.contains("max_nested_runs"), "{failure}");
    host.still_serves(Language::Python).await;
}
