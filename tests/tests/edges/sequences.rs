//! Programs that call so quickly that their run waits for the next call in place.

use std::sync::Arc;
use std::time::Duration;

use dayfly::{CancellationToken, CodeRuntime as _, FailureKind, Json, Language, RunRequest};
use dayfly_tests::alone::alone;
use dayfly_tests::leftovers::{Possessions, settles_to};
use dayfly_tests::{Both, Host, tools};
use tokio::runtime::Builder;
use tokio::sync::{Barrier, mpsc};

use crate::{in_both, kind};

/// Quick calls, one after the other, with a log between them, and then two that are answered only when both have been read; again and again.
const MEET: Both<&str> = Both::new(
    "for (let round = 0; round < 20; round++) {\n  for (let i = 0; i < 100; i++) console.log((await tools.echo({ i })).i);\n  \
     const first = tools.meet();\n  await tools.meet();\n  await first;\n}\nreturn 'met'",
    "import asyncio\nfor round in range(20):\n    for i in range(100): print((await tools.echo(i=i))['i'])\n    \
     first = asyncio.ensure_future(tools.meet())\n    await asyncio.sleep(0)\n    await tools.meet()\n    await first\n\
     return 'met'",
);

async fn meet() {
    let host = Host::with(|config| config.wall(Duration::from_secs(120)));
    in_both(async |language| {
        let barrier = Arc::new(Barrier::new(2));
        let bindings = tools().async_fn("meet", move |_| {
            let barrier = Arc::clone(&barrier);
            async move {
                barrier.wait().await;
                Ok(Json::null())
            }
        });
        let result = host.run(language, RunRequest::new(*MEET.of(language)).bind(bindings)).await;
        assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from("met"))), "{language}");
        assert_eq!(result.usage.calls, 20 * 102, "{language}");
        let said: Vec<_> = result.logs.iter().map(|entry| entry.text.trim().to_owned()).collect();
        let wanted: Vec<_> = (0..20).flat_map(|_| (0..100).map(|i| i.to_string())).collect();
        assert_eq!(said, wanted, "{language}");
    })
    .await;
}

#[tokio::test]
async fn what_a_program_says_behind_a_quick_sequence_is_read_while_a_function_runs() {
    meet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_says_behind_a_quick_sequence_is_read_on_several_threads() {
    meet().await;
}

/// What a program does in the middle of a quick sequence, and how it then ends.
const ENDINGS: [(&str, Both<&str>, Option<FailureKind>); 6] = [
    ("an exit", Both::new("process.exit(3)", "import os; os._exit(3)"), Some(FailureKind::WorkerExit)),
    (
        "its own death",
        Both::new("process.kill(process.pid, 'SIGKILL')", "import os; os.kill(os.getpid(), 9)"),
        Some(FailureKind::WorkerExit),
    ),
    (
        "a closed socket",
        Both::new(
            "const fs = await import('node:fs');\nfor (let fd = 3; fd < 64; fd++) try { fs.closeSync(fd) } catch {}\n\
             while (true);",
            "import os\nos.closerange(3, 64)\nwhile True: pass",
        ),
        Some(FailureKind::WorkerExit),
    ),
    (
        "functions that fail, panic, block and take their time",
        Both::new(
            "for (let i = 0; i < 20; i++) {\n  for (const name of ['crash', 'fail', 'block', 'nap']) await tools[name]({}).catch(() => 0);\n  \
             for (let i = 0; i < 20; i++) await tools.echo({});\n}\nreturn 1",
            "for i in range(20):\n    for name in ['crash', 'fail', 'block', 'nap']:\n        try: await tools[name]()\n        \
             except ToolCallError: pass\n    for i in range(20): await tools.echo()\nreturn 1",
        ),
        None,
    ),
    (
        "arguments and values of every size",
        Both::new(
            "for (const size of [10, 4000, 4096, 5000, 70000, 300000, 3000000]) {\n  const text = 'x'.repeat(size);\n  \
             for (let i = 0; i < 12; i++) await tools.echo({ i });\n  console.log(text.slice(0, 9000));\n  \
             if ((await tools.echo({ text })).text !== text) throw new Error('lost');\n}\nreturn (await tools.big({})).length",
            "for size in [10, 4000, 4096, 5000, 70000, 300000, 3000000]:\n    text = 'x' * size\n    \
             for i in range(12): await tools.echo(i=i)\n    print(text[:9000])\n    \
             if (await tools.echo(text=text))['text'] != text: raise ValueError('lost')\nreturn len(await tools.big())",
        ),
        None,
    ),
    (
        "floods of both kinds",
        Both::new(
            "const fs = await import('node:fs');\nfor (let i = 0; i < 300; i++) {\n  console.log('y'.repeat(2000)); fs.writeSync(1, 'z'.repeat(2000) + '\\n');\n  \
             await tools.echo({});\n}\nreturn 1",
            "import os\nfor i in range(300):\n    print('y' * 2000); os.write(1, b'z' * 2000 + b'\\n')\n    await tools.echo()\nreturn 1",
        ),
        None,
    ),
];

/// What it does for ever.
const FOR_EVER: [Both<&str>; 3] = [
    Both::new("await tools.slow({})", "await tools.slow()"),
    Both::new("while (true);", "while True: pass"),
    Both::new("while (true) await tools.count({})", "while True: await tools.count()"),
];

const QUICK: Both<&str> =
    Both::new("for (let i = 0; i < 60; i++) await tools.echo({ i });\n", "for i in range(60): await tools.echo(i=i)\n");

/// A quick sequence and what comes then; the calls of `count` are told.
fn quick_then(language: Language, then: &Both<&str>) -> (RunRequest, mpsc::UnboundedReceiver<()>) {
    let (told, news) = mpsc::unbounded_channel();
    let bindings = tools()
        .async_fn("count", move |_| {
            let told = told.clone();
            async move {
                let _ = told.send(());
                Ok(Json::null())
            }
        })
        .async_fn("block", |_| async {
            std::thread::sleep(Duration::from_millis(6));
            Ok(Json::null())
        })
        .async_fn("nap", |_| async {
            tokio::time::sleep(Duration::from_millis(3)).await;
            Ok(Json::null())
        })
        .async_fn("big", |_| async { Ok(Json::from("b".repeat(20 << 20))) });
    (RunRequest::new(format!("{}{}", QUICK.of(language), then.of(language))).bind(bindings), news)
}

async fn endings() {
    let host = Host::with(|config| config.wall(Duration::from_secs(120)));
    in_both(async |language| {
        for (name, ending, wanted) in &ENDINGS {
            let (runner, request) = (host.runtime(language).clone(), quick_then(language, ending).0);
            let result = tokio::spawn(async move { runner.run(request).await }).await.unwrap().unwrap();
            assert_eq!(kind(&result), *wanted, "{language}, {name}: {:?}", result.failure);
            assert!(result.usage.calls >= 60, "{language}, {name}: {}", result.usage.calls);
            host.still_serves(language).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_program_may_end_or_do_anything_in_the_middle_of_a_quick_sequence() {
    endings().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_may_end_or_do_anything_in_the_middle_of_a_quick_sequence_on_one_worker_thread() {
    endings().await;
}

#[tokio::test]
async fn budgets_end_what_follows_a_quick_sequence_for_ever() {
    let wall = Duration::from_secs(4);
    let host = Host::with(|config| config.wall(wall).compute(Duration::from_secs(2)));
    let all = Language::ALL.into_iter().flat_map(|language| FOR_EVER.iter().map(move |then| (language, then)));
    let runs = all.map(|(language, then)| {
        let (request, news) = quick_then(language, then);
        let host = &host;
        async move {
            let result = host.run(language, request).await;
            drop(news);
            assert_eq!(kind(&result), Some(FailureKind::Timeout), "{language}: {:?}", result.failure);
        }
    });
    futures_util::future::join_all(runs).await;
}

#[test]
fn a_run_may_be_cancelled_dropped_or_lose_its_runtime_in_the_middle_of_a_quick_sequence() {
    alone("sequences::a_run_may_be_cancelled_dropped_or_lose_its_runtime_in_the_middle_of_a_quick_sequence", || {
        let host = Host::new();
        let runtime = |round: usize| {
            let mut builder =
                if round.is_multiple_of(2) { Builder::new_current_thread() } else { Builder::new_multi_thread() };
            builder.worker_threads(1).enable_all().build().unwrap()
        };
        let first = runtime(1);
        first.block_on(in_both(async |language| host.still_serves(language).await));
        drop(first);
        let before = Possessions::at_rest(|| ());
        for language in Language::ALL {
            for round in 0..6 {
                let (runner, cancel) = (host.runtime(language).clone(), CancellationToken::new());
                let (request, mut news) = quick_then(language, &FOR_EVER[2]);
                let request = request.cancel_with(cancel.clone());
                let runtime = runtime(round);
                runtime.block_on(async {
                    let run = tokio::spawn(async move { runner.run(request).await });
                    for _ in 0..=7 * round {
                        news.recv().await.unwrap();
                    }
                    match round % 3 {
                        0 => {
                            cancel.cancel();
                            let result = run.await.unwrap().unwrap();
                            assert_eq!(kind(&result), Some(FailureKind::Abort), "{language}");
                        }
                        1 => run.abort(),
                        _ => {}
                    }
                });
                drop(runtime);
                settles_to(&before, || ());
            }
        }
        let last = runtime(1);
        last.block_on(async {
            let runner = host.runtime(Language::Python).clone();
            let (request, mut news) = quick_then(Language::Python, &FOR_EVER[2]);
            let run = tokio::spawn(async move { runner.run(request).await });
            news.recv().await.unwrap();
            host.supervisor.shutdown().await;
            assert_eq!(kind(&run.await.unwrap().unwrap()), Some(FailureKind::Abort));
        });
    });
}

/// As many runs at once as may be; one of them waits in place.
#[tokio::test]
async fn all_calls_of_many_quick_sequences_are_made_in_their_order() {
    const RUNS: usize = 8;
    let host = Host::with(|config| config.wall(Duration::from_secs(120)).max_concurrent_runs(RUNS));
    let program: Both<&str> = Both::new(
        "for (let i = 0; i < 200; i++) console.log((await tools.echo({ i })).i);",
        "for i in range(200): print((await tools.echo(i=i))['i'])",
    );
    in_both(async |language| {
        let runs = (0..RUNS).map(|_| host.run(language, RunRequest::new(*program.of(language)).bind(tools())));
        for result in futures_util::future::join_all(runs).await {
            assert_eq!((&result.failure, result.usage.calls), (&None, 200), "{language}");
            let said = result.logs.iter().map(|entry| entry.text.trim().to_owned());
            assert!(said.eq((0..200).map(|i| i.to_string())), "{language}: {:?}", result.logs);
        }
    })
    .await;
}
