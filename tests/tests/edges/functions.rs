//! Host functions that misbehave.

use std::future::pending;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use dayfly::{Call, CallError, HostFunction, Json, Outcome, RunRequest};
use dayfly_tests::{Both, Host, tools};

use crate::{Alive, in_both, outcomes};

/// A program that says how `tools.bad` failed, and that others still work.
const TELL: Both<&str> = Both::new(
    "let told = '';\ntry { await tools.bad() } catch (error) { told = error.message }\nreturn [told, await tools.ping()]",
    "told = ''\ntry: await tools.bad()\nexcept ToolCallError as error: told = str(error)\nreturn [told, await tools.ping()]",
);

/// A program that returns while `tools.bad` is in flight.
const LEAVE: Both<&str> = Both::new(
    "void tools.bad();\nawait tools.ping();\nreturn 1",
    "import asyncio\nleft = asyncio.ensure_future(tools.bad())\nawait asyncio.sleep(0)\nawait tools.ping()\nreturn 1",
);

/// Panics when it is dropped.
struct Brittle(&'static str);

impl Drop for Brittle {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("{} is broken", self.0);
        }
    }
}

fn crash(when: &str) -> Result<Json, CallError> {
    panic!("{when}")
}

/// Panics with a value that panics itself when somebody drops it.
fn panic_twice() -> Result<Json, CallError> {
    std::panic::panic_any(Brittle("what a panic carries"))
}

type Bad = fn() -> HostFunction;

#[tokio::test]
async fn a_function_that_panics_in_whatever_place_fails_its_call_alone() {
    let functions: [(&str, Bad); 6] = [
        ("in the closure", || HostFunction::new(|_| -> std::future::Ready<_> { panic!("at once") })),
        ("in the future", || HostFunction::new(|_| async { crash("when polled") })),
        ("after it has waited", || {
            HostFunction::new(|_| async {
                tokio::task::yield_now().await;
                crash("later")
            })
        }),
        ("in a destructor, once it has failed", || {
            HostFunction::new(|_| {
                let brittle = Brittle("a future");
                async move {
                    let _brittle = &brittle;
                    Err(CallError::new("first"))
                }
            })
        }),
        ("with what panics in its turn", || HostFunction::new(|_| async { panic_twice() })),
        ("in the closure, with what panics in its turn", || {
            HostFunction::new(|_| -> std::future::Ready<_> { std::future::ready(panic_twice()) })
        }),
    ];
    let host = Host::new();
    for (place, function) in functions {
        in_both(async |language| {
            let bindings = tools().function("bad", function());
            let result = host.run(language, RunRequest::new(*TELL.of(language)).bind(bindings)).await;
            assert_eq!(result.failure, None, "{language}, {place}");
            let value = result.value.as_ref().unwrap();
            let (told, pong) = (value.at(0).unwrap().as_str().unwrap(), value.at(1).unwrap().as_str().unwrap());
            assert!(told.contains("the host function panicked") || told == "first", "{language}, {place}: {told}");
            assert_eq!(pong, "pong", "{language}, {place}");
            let wanted = [("bad", Outcome::Failed), ("ping", Outcome::Succeeded)];
            assert_eq!(outcomes(&result), wanted, "{language}, {place}");
            host.still_serves(language).await;
        })
        .await;
    }
}

#[tokio::test]
async fn a_function_that_panics_when_it_is_cancelled_or_dropped_costs_the_run_nothing() {
    let functions: [(&str, Bad, Outcome); 3] = [
        (
            "when cancelled",
            || {
                HostFunction::new(|call: Call| async move {
                    call.cancel.cancelled().await;
                    crash("cancelled")
                })
            },
            Outcome::Cancelled,
        ),
        (
            "when cancelled, with what panics in its turn",
            || {
                HostFunction::new(|call: Call| async move {
                    call.cancel.cancelled().await;
                    panic_twice()
                })
            },
            Outcome::Cancelled,
        ),
        (
            "when it is dropped after its grace",
            || {
                HostFunction::new(|_| async {
                    let _brittle = Brittle("an abandoned future");
                    pending().await
                })
            },
            Outcome::Abandoned,
        ),
    ];
    let host = Host::with(|config| config.drain_grace(Duration::from_millis(50)));
    for (when, function, outcome) in functions {
        in_both(async |language| {
            let bindings = tools().function("bad", function());
            let result = host.run(language, RunRequest::new(*LEAVE.of(language)).bind(bindings)).await;
            assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}, {when}");
            assert_eq!(outcomes(&result), [("bad", outcome), ("ping", Outcome::Succeeded)], "{language}, {when}");
            host.still_serves(language).await;
        })
        .await;
    }
}

#[tokio::test]
async fn a_closure_that_panics_when_it_is_dropped_costs_the_run_nothing() {
    let host = Host::new();
    in_both(async |language| {
        let brittle = Brittle("a closure");
        let bindings = tools().async_fn("bad", move |_| {
            let _brittle = &brittle;
            async { Ok(Json::null()) }
        });
        let result = host.run(language, RunRequest::new("return await tools.ping()").bind(bindings)).await;
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from("pong"))), "{language}");
        assert_eq!(outcomes(&result), [("ping", Outcome::Succeeded)], "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_request_that_panics_when_it_is_dropped_without_having_run_is_refused_as_usual() {
    let host = Host::with(|config| config.max_concurrent_runs(1));
    in_both(async |language| {
        let brittle = Brittle("a closure");
        let cancel = dayfly::CancellationToken::new();
        cancel.cancel();
        let bindings = tools().async_fn("bad", move |_| {
            let _brittle = &brittle;
            async { Ok(Json::null()) }
        });
        let result = host.run(language, RunRequest::new("return 1").bind(bindings).cancel_with(cancel)).await;
        assert_eq!(crate::kind(&result), Some(dayfly::FailureKind::Abort), "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn what_a_function_returns_after_the_run_has_settled_is_dropped_and_the_call_was_cancelled() {
    let host = Host::new();
    in_both(async |language| {
        let alive = Alive::default();
        let lives = alive.clone();
        let bindings = tools().async_fn("bad", move |call| {
            let life = lives.begin();
            async move {
                call.cancel.cancelled().await;
                let _life = life;
                Ok(Json::from("x".repeat(1 << 20)))
            }
        });
        let result = host.run(language, RunRequest::new(*LEAVE.of(language)).bind(bindings)).await;
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}");
        assert_eq!(outcomes(&result), [("bad", Outcome::Cancelled), ("ping", Outcome::Succeeded)], "{language}");
        assert!(result.usage.bytes_out < 1 << 20, "{language}: the result was sent: {:?}", result.usage);
        assert_eq!(alive.count(), 0, "{language}: the function outlived its run");
    })
    .await;
}

#[tokio::test]
async fn functions_that_never_return_fill_the_house_and_no_more() {
    let host = Host::with(|config| config.drain_grace(Duration::from_millis(50)).max_pending_calls(8));
    let programs = Both::new(
        "for (let i = 0; i < 100; i++) void tools.bad();\nawait tools.ready();\nreturn 1",
        "import asyncio\nleft = [asyncio.ensure_future(tools.bad()) for _ in range(100)]\nawait tools.ready()\nreturn 1",
    );
    in_both(async |language| {
        // The house is full, so that the last call is never started and only the wall could end the program; this does.
        let (alive, cancel) = (Alive::default(), dayfly::CancellationToken::new());
        let (lives, full) = (alive.clone(), cancel.clone());
        let bindings = tools()
            .async_fn("bad", move |_| {
                let life = lives.begin();
                if lives.count() == 8 {
                    full.cancel();
                }
                async move {
                    let _life = life;
                    pending().await
                }
            })
            .async_fn("ready", |_| async { Ok(Json::null()) });
        let request = RunRequest::new(*programs.of(language)).bind(bindings).cancel_with(cancel);
        let result = host.run(language, request).await;
        assert_eq!(alive.count(), 0, "{language}: a function outlived its run");
        let bad = outcomes(&result).into_iter().filter(|(name, _)| *name == "bad");
        let (started, others): (Vec<_>, Vec<_>) = bad.partition(|(_, outcome)| *outcome == Outcome::Abandoned);
        assert_eq!(started.len(), 8, "{language}: {:?}", result.receipts);
        assert!(others.iter().all(|(_, outcome)| *outcome == Outcome::NotStarted), "{language}: {others:?}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_that_blocks_its_thread_is_left_to_it_and_the_run_returns() {
    let host = Host::with(|config| config.drain_grace(Duration::from_millis(50)));
    // A runtime whose other threads all sleep hears of nothing when one of them blocks while it was the one that listened:
    // tokio's own limit, and the reason why no function may block. This keeps another thread awake.
    let awake = tokio::spawn(async {
        loop {
            tokio::task::yield_now().await;
        }
    });
    in_both(async |language| {
        let (release, blocked) = mpsc::channel::<()>();
        let (blocked, alive) = (Arc::new(Mutex::new(blocked)), Alive::default());
        let lives = alive.clone();
        let bindings = tools().async_fn("bad", move |_| {
            let (blocked, life) = (Arc::clone(&blocked), lives.begin());
            async move {
                let _life = life;
                let _ = blocked.lock().unwrap().recv();
                Ok(Json::null())
            }
        });
        let result = host.run(language, RunRequest::new(*LEAVE.of(language)).bind(bindings)).await;
        assert_eq!(alive.count(), 1, "{language}: the function blocks no longer");
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}");
        assert_eq!(outcomes(&result), [("bad", Outcome::Abandoned), ("ping", Outcome::Succeeded)], "{language}");
        drop(release);
        host.still_serves(language).await;
        while alive.count() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    awake.abort();
}
