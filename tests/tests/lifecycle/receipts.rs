//! One receipt for each call, and every line that was printed, however the run ends.

use std::time::Duration;

use dayfly::{ByteSize, CancellationToken, FailureKind, Json, Namespace, Outcome, RunRequest};
use dayfly_tests::patience::with_more_time;
use dayfly_tests::{Both, Host, tools};

use crate::{in_both, outcomes, printed};

/// A line that is printed, one call that succeeded, one that failed, one that is in flight: and then the end.
fn programs(ends: Both<&str>) -> Both<String> {
    Both::new(
        format!(
            "console.log('said');\nawait tools.ping();\ntry {{ await tools.fail() }} catch {{}}\nvoid tools.slow({{}});\nawait tools.ping();\n{}",
            ends.typescript
        ),
        format!(
            "import asyncio, os, time\nprint('said')\nawait tools.ping()\ntry: await tools.fail()\nexcept ToolCallError: pass\nleft = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0)\nawait tools.ping()\n{}",
            ends.python
        ),
    )
}

const CALLS: [(&str, Outcome); 4] = [
    ("ping", Outcome::Succeeded),
    ("fail", Outcome::Failed),
    ("slow", Outcome::Cancelled),
    ("ping", Outcome::Succeeded),
];

#[tokio::test]
async fn every_ending_has_its_receipts() {
    let endings: [(Both<&str>, Option<FailureKind>); 8] = [
        (Both::new("return 1", "return 1"), None),
        (Both::new("throw new Error('x')", "raise ValueError('x')"), Some(FailureKind::Exception)),
        (Both::new("while (true) {}", "while True: pass"), Some(FailureKind::Timeout)),
        (Both::new("process.exit(3)", "os._exit(3)"), Some(FailureKind::WorkerExit)),
        (Both::new("process.abort()", "os.abort()"), Some(FailureKind::WorkerExit)),
        (Both::new("return new Map()", "return {1}"), Some(FailureKind::InvalidOutput)),
        (Both::new("return 'x'.repeat(2000)", "return 'x' * 2000"), Some(FailureKind::OutputLimit)),
        (
            Both::new("console.log('x'.repeat(2000)); return 1", "print('x' * 2000)\nreturn 1"),
            Some(FailureKind::OutputLimit),
        ),
    ];
    for (ends, kind) in endings {
        let programs = programs(ends);
        // Near where it is the subject, and nowhere else.
        let compute = Duration::from_secs(if kind == Some(FailureKind::Timeout) { 2 } else { 60 });
        let host = Host::with(|config| config.compute(compute).max_output_bytes(ByteSize::kib(1)));
        in_both(async |language| {
            let result = host.run(language, RunRequest::new(programs.of(language).as_str()).bind(tools())).await;
            let end = ends.of(language);
            assert_eq!(result.failure.as_ref().map(|failure| failure.kind()), kind, "{language}, {end}: {result:?}");
            assert_eq!(outcomes(&result), CALLS, "{language}, {end}");
            // Behind it there may be the note about what is in flight, and what the interpreter says when it aborts.
            assert_eq!(printed(&result).lines().next(), Some("said"), "{language}, {end}");
            assert_eq!(result.usage.calls, 4, "{language}, {end}");
            for receipt in &result.receipts.calls {
                assert!(receipt.started + receipt.took <= result.usage.wall, "{language}, {end}: {receipt:?}");
            }
        })
        .await;
    }
}

#[tokio::test]
async fn a_wall_and_a_cancel_have_their_receipts_too() {
    let programs = programs(Both::new("await new Promise(r => setTimeout(r, 300_000))", "time.sleep(300)"));
    with_more_time(async |times| {
        let host = Host::with(|config| config.wall(Duration::from_secs(2) * times));
        in_both(async |language| {
            let request = RunRequest::new(programs.of(language).as_str()).bind(tools());
            let result = host.run(language, request).await;
            assert_eq!(result.failure.as_ref().map(|failure| failure.kind()), Some(FailureKind::Timeout), "{language}");
            assert_eq!(outcomes(&result), CALLS, "{language}");
            assert_eq!(printed(&result), "said", "{language}");
        })
        .await;
    })
    .await;

    let host = Host::new();
    in_both(async |language| {
        // The cancel comes with the last call, whose answer may or may not be counted before it.
        let cancel = CancellationToken::new();
        let token = cancel.clone();
        let bindings = tools().async_fn("stop", move |_| {
            let token = token.clone();
            async move {
                token.cancel();
                Ok(Json::null())
            }
        });
        let last = Both::new("await tools.stop({});\nwhile (true) {}", "await tools.stop()\nwhile True: pass");
        let before_last = programs.of(language).rsplit_once("await tools.ping()").unwrap().0;
        let program = before_last.to_owned() + last.of(language);
        let result = host.run(language, RunRequest::new(program).bind(bindings).cancel_with(cancel)).await;
        assert_eq!(result.failure.as_ref().map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
        assert_eq!(outcomes(&result)[..3], CALLS[..3], "{language}");
        assert_eq!(outcomes(&result)[3].0, "stop", "{language}");
        assert_eq!(printed(&result), "said", "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_function_that_ignores_its_cancel_is_abandoned_after_the_grace_and_the_run_returns() {
    let host = Host::with(|config| config.drain_grace(Duration::from_millis(200)));
    let programs = Both::new(
        "void tools.stuck({});\nawait tools.ping();\nreturn 1",
        "import asyncio\nleft = asyncio.ensure_future(tools.stuck())\nawait asyncio.sleep(0)\nawait tools.ping()\nreturn 1",
    );
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}");
        assert_eq!(outcomes(&result), [("stuck", Outcome::Abandoned), ("ping", Outcome::Succeeded)], "{language}");
        assert!(result.receipts.calls[0].took >= Duration::from_millis(200), "{language}: {:?}", result.receipts);
    })
    .await;
}

#[tokio::test]
async fn receipts_beyond_the_configured_count_are_counted_by_name() {
    let host = Host::with(|config| config.max_receipts(2));
    let programs = Both::new(
        "for (let i = 0; i < 4; i++) await tools.echo({ i });\nfor (let i = 0; i < 3; i++) try { await tools.fail() } catch {}\nreturn 1",
        "for i in range(4): await tools.echo(i=i)\nfor i in range(3):\n    try: await tools.fail()\n    except ToolCallError: pass\nreturn 1",
    );
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        assert_eq!(outcomes(&result), [("echo", Outcome::Succeeded); 2], "{language}");
        let rest: Vec<_> =
            result.receipts.rest.iter().map(|counts| (counts.name.as_str(), counts.succeeded, counts.failed)).collect();
        assert_eq!(rest, [("echo", 2, 0), ("fail", 0, 3)], "{language}");
        assert_eq!(result.usage.calls, 7, "{language}");
    })
    .await;
}

#[tokio::test]
async fn a_host_function_that_panics_fails_that_call_and_no_other() {
    let host = Host::new();
    let programs = Both::new(
        "const all = await Promise.allSettled([tools.crash(), tools.early(), tools.echo({ a: 1 })]);\nreturn all.map(one => one.status)",
        "import asyncio\nall = await asyncio.gather(tools.crash(), tools.early(), tools.echo(a=1), return_exceptions=True)\nreturn ['rejected' if isinstance(one, Exception) else 'fulfilled' for one in all]",
    );
    // One panics when it is polled, the other before it has a future at all.
    let bindings =
        || tools().function("early", dayfly::HostFunction::new(|_| -> std::future::Ready<_> { panic!("at once") }));
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(bindings())).await;
        let seen = result.value.as_ref().map(|value| value.to_string());
        assert_eq!(seen.as_deref(), Some(r#"["rejected","rejected","fulfilled"]"#), "{language}: {:?}", result.failure);
        let wanted = [("crash", Outcome::Failed), ("early", Outcome::Failed), ("echo", Outcome::Succeeded)];
        assert_eq!(outcomes(&result), wanted, "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn more_calls_than_the_host_works_on_at_a_time_all_run() {
    let host = Host::with(|config| config.max_pending_calls(2));
    let programs = Both::new(
        "return (await Promise.all(Array.from({ length: 200 }, (_, i) => tools.count({ i })))).length",
        "import asyncio\nreturn len(await asyncio.gather(*[tools.count(i=i) for i in range(200)]))",
    );
    in_both(async |language| {
        let working = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let bindings = Namespace::tools().async_fn("count", move |_| {
            let working = std::sync::Arc::clone(&working);
            async move {
                let before = working.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                assert!(before < 2, "{before} calls are in flight already");
                tokio::task::yield_now().await;
                working.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                Ok(Json::null())
            }
        });
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(bindings)).await;
        assert_eq!((result.failure, result.value), (None, Some(Json::from(200))), "{language}");
    })
    .await;
}
