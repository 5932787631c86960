//! Descriptors, children, threads and directories, before and after.

use std::path::Path;
use std::time::Duration;

use dayfly::{ByteSize, CancellationToken, FailureKind, Json, Language, Namespace, RunRequest};
use dayfly_tests::alone::alone;
use dayfly_tests::leftovers::{Possessions, eventually, names_in, settles_to};
use dayfly_tests::{Both, Host, tools};
use tokio::runtime::{Builder, Runtime};

/// A runtime whose threads can be counted: one, and at most one more for what blocks.
fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    // The thread for what blocks stays for a while; it is there from the start instead.
    runtime.block_on(async { tokio::task::spawn_blocking(|| ()).await.unwrap() });
    runtime
}

fn host(root: &Path) -> Host {
    Host::with(|config| {
        config
            .work_root(root)
            .compute(Duration::from_millis(300))
            .wall(Duration::from_secs(2))
            .drain_grace(Duration::from_millis(50))
            .max_output_bytes(ByteSize::kib(4))
    })
}

/// Programs that end in every way there is.
const ENDINGS: [Both<&str>; 12] = [
    Both::new("return 1", "return 1"),
    Both::new("throw new Error('x')", "raise ValueError('x')"),
    Both::new("process.exit(0)", "import os\nos._exit(0)"),
    Both::new("process.abort()", "import os\nos.abort()"),
    Both::new("for (;;);", "while True: pass"),
    Both::new("return new Map()", "return {1}"),
    Both::new("console.log('x'.repeat(8192))", "print('x' * 8192)"),
    Both::new(
        "for (;;) require('node:fs').writeSync(1, 'xxxxxxxxxxxxxxx')",
        "import os\nwhile True: os.write(1, b'x' * 64)",
    ),
    Both::new(
        "void tools.stuck({});\nawait tools.ping();\nreturn 1",
        "import asyncio\nleft = asyncio.ensure_future(tools.stuck())\nawait asyncio.sleep(0)\nawait tools.ping()\nreturn 1",
    ),
    Both::new("await tools.slow({})", "await tools.slow()"),
    Both::new(
        "require('node:child_process').spawn('/bin/sleep', ['300'], { detached: true }).unref();\nreturn 1",
        "import subprocess\nsubprocess.Popen(['/bin/sleep', '300'], start_new_session=True)\nreturn 1",
    ),
    Both::new(
        "require('node:child_process').spawnSync('/bin/sh', ['-c', \"trap '' HUP TERM INT; (setsid sleep 300 &) &\"]);\nreturn 1",
        "import subprocess\nsubprocess.run(['/bin/sh', '-c', \"trap '' HUP TERM INT; (setsid sleep 300 &) &\"])\nreturn 1",
    ),
];

async fn every_ending(host: &Host) {
    for language in Language::ALL {
        for ending in ENDINGS {
            host.run(language, RunRequest::new(*ending.of(language)).bind(tools())).await;
        }
        cancelled(host, language).await;
        dropped(host, language).await;
    }
}

async fn cancelled(host: &Host, language: Language) {
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    let stop = Namespace::tools().async_fn("stop", move |_| {
        token.cancel();
        async { Ok(Json::null()) }
    });
    let program = Both::new("await tools.stop({});\nfor (;;);", "await tools.stop()\nwhile True: pass");
    host.run(language, RunRequest::new(*program.of(language)).bind(stop).cancel_with(cancel)).await;
}

async fn dropped(host: &Host, language: Language) {
    // The wall is near: a machine that stands still lets it end the run first.
    for _ in 0..10 {
        let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
        let hold = Namespace::tools().async_fn("hold", move |_| {
            arrived.send(()).unwrap();
            std::future::pending()
        });
        let program = Both::new("await tools.hold({})", "await tools.hold()");
        let request = RunRequest::new(*program.of(language)).bind(hold);
        tokio::select! {
            result = host.run(language, request) => {
                let kind = result.failure.as_ref().map(|failure| failure.kind());
                assert_eq!(kind, Some(FailureKind::Timeout), "{language}: the run ended by itself: {result:?}");
            }
            arrival = arrivals.recv() => return arrival.unwrap(),
        }
    }
    panic!("{language}: no call of ten runs arrived before their wall");
}

/// Lets the runtime do what it has to.
fn turn(runtime: &Runtime) {
    runtime.block_on(async { tokio::time::sleep(Duration::from_millis(5)).await });
}

#[test]
fn runs_leave_nothing_whatever_their_ending() {
    alone("left::runs_leave_nothing_whatever_their_ending", || {
        let (runtime, root) = (runtime(), tempfile::tempdir().unwrap());
        let host = host(root.path());
        runtime.block_on(every_ending(&host));
        runtime.block_on(async {
            for language in Language::ALL {
                host.still_serves(language).await
            }
        });
        let before = Possessions::at_rest(|| turn(&runtime));
        assert_eq!(before.children, Vec::<i32>::new());
        for _ in 0..3 {
            runtime.block_on(every_ending(&host));
        }
        settles_to(&before, || turn(&runtime));
        runtime.block_on(async {
            for language in Language::ALL {
                host.still_serves(language).await
            }
        });
        runtime.block_on(host.supervisor.shutdown());
        assert_eq!(names_in(root.path()), Vec::<String>::new());
    });
}

#[test]
fn a_supervisor_that_was_shut_down_leaves_nothing() {
    alone("left::a_supervisor_that_was_shut_down_leaves_nothing", || {
        let (runtime, root) = (runtime(), tempfile::tempdir().unwrap());
        let before = Possessions::at_rest(|| turn(&runtime));
        for _ in 0..2 {
            let host = host(root.path());
            runtime.block_on(async {
                every_ending(&host).await;
                host.supervisor.shutdown().await;
            });
            drop(host);
            assert_eq!(Possessions::now().children, before.children);
            // The supervisor's own thread, and what it holds, ends when the last handle is gone.
            settles_to(&before, || ());
            assert_eq!(names_in(root.path()), Vec::<String>::new());
        }
    });
}

#[test]
fn a_supervisor_that_is_only_dropped_leaves_nothing_either() {
    alone("left::a_supervisor_that_is_only_dropped_leaves_nothing_either", || {
        let (runtime, root) = (runtime(), tempfile::tempdir().unwrap());
        let before = Possessions::at_rest(|| turn(&runtime));
        let host = host(root.path());
        runtime.block_on(async {
            for language in Language::ALL {
                host.still_serves(language).await;
                dropped(&host, language).await;
            }
        });
        drop(host);
        settles_to(&before, || turn(&runtime));
        eventually("the end of the directories", || names_in(root.path()).is_empty());
    });
}

#[test]
fn a_host_whose_runtime_goes_away_in_mid_run_is_left_with_nothing() {
    alone("left::a_host_whose_runtime_goes_away_in_mid_run_is_left_with_nothing", || {
        let root = tempfile::tempdir().unwrap();
        // The first runtime of a process leaves it a socket for signals, once and for all.
        drop(runtime());
        let before = Possessions::at_rest(|| ());
        let host = host(root.path());
        for language in Language::ALL {
            let runtime = runtime();
            runtime.block_on(dropped(&host, language));
            // The driver of the run is dropped with its runtime, before it has seen the cancel.
            drop(runtime);
        }
        drop(host);
        settles_to(&before, || ());
        eventually("the end of the directories", || names_in(root.path()).is_empty());
    });
}

#[test]
fn nothing_of_the_host_itself_is_changed() {
    alone("left::nothing_of_the_host_itself_is_changed", || {
        let status = || {
            let text = std::fs::read_to_string("/proc/self/status").unwrap();
            // What is blocked, ignored or caught, and what the process may do.
            let kept = ["SigBlk", "SigIgn", "SigCgt", "CapEff", "NoNewPrivs", "Seccomp:", "Umask", "Uid", "Gid"];
            text.lines()
                .filter(|line| kept.iter().any(|key| line.starts_with(key)))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let limits = || std::fs::read_to_string("/proc/self/limits").unwrap();
        let directory = || std::env::current_dir().unwrap();
        let dumpable = || nix::sys::prctl::get_dumpable().unwrap();
        let subreaper = || nix::sys::prctl::get_child_subreaper().unwrap();
        let (runtime, root) = (runtime(), tempfile::tempdir().unwrap());
        let before = (status(), limits(), directory(), dumpable(), subreaper());
        let host = host(root.path());
        runtime.block_on(async {
            for language in Language::ALL {
                host.still_serves(language).await;
            }
        });
        assert_eq!((status(), limits(), directory(), dumpable(), subreaper()), before);
        runtime.block_on(host.supervisor.shutdown());
        assert_eq!((status(), limits(), directory(), dumpable(), subreaper()), before);
    });
}

#[test]
fn a_child_of_the_hosts_own_is_the_hosts_to_reap() {
    alone("left::a_child_of_the_hosts_own_is_the_hosts_to_reap", || {
        let (runtime, root) = (runtime(), tempfile::tempdir().unwrap());
        let host = host(root.path());
        let mut child = std::process::Command::new("/bin/sh").args(["-c", "exit 7"]).spawn().unwrap();
        runtime.block_on(async {
            every_ending(&host).await;
            host.supervisor.shutdown().await;
        });
        assert_eq!(child.wait().unwrap().code(), Some(7));
    });
}
