//! Signals, threads, descriptors and deaths.

use std::time::Duration;

use dayfly::{CodeRuntime as _, FailureKind, Fault, Json, Language, Namespace, RunRequest};
use dayfly_tests::alone::alone;
use dayfly_tests::hostile::{Ends, Row};
use dayfly_tests::leftovers::{Possessions, exists, settles_to};
use dayfly_tests::{Both, Host};
use tokio::sync::mpsc;

rows! {
    h24_a_program_that_stops_itself_is_ended_at_the_wall: h24,
    h25_a_program_whose_main_thread_has_gone_is_ended_by_compute: h25,
    h42_a_program_that_opens_all_it_can_is_told_so: h42,
    h44_a_program_that_breaks_its_interpreter_is_an_exception_or_an_exit: h44,
}

fn h24() -> Row {
    let stopped = |row: Row, name, typescript: &str, python: &str| {
        row.programs(
            name,
            &format!("console.log('before');\n{typescript};\nconsole.log('after')"),
            &format!("import os\nfrom signal import SIGSTOP\nprint('before')\n{python}\nprint('after')"),
            Ends::Wall,
        )
        .also(|seen| seen.must("its logs are kept", seen.printed() == "before"))
    };
    let row = Row::new("H24").config(|config| config.wall(Duration::from_secs(1)));
    let row = stopped(row, "itself", "process.kill(process.pid, 'SIGSTOP')", "os.kill(os.getpid(), SIGSTOP)");
    let row = stopped(row, "its group", "process.kill(0, 'SIGSTOP')", "os.kill(0, SIGSTOP)");
    stopped(
        row,
        "its parent and itself",
        "process.kill(process.ppid, 'SIGSTOP');\nprocess.kill(process.pid, 'SIGSTOP')",
        "os.kill(os.getppid(), SIGSTOP)\nos.kill(os.getpid(), SIGSTOP)",
    )
}

fn h25() -> Row {
    let spin =
        "import _thread, ctypes, platform\ndef spin():\n    while True: pass\n_thread.start_new_thread(spin, ())\n";
    Row::new("H25")
        .config(|config| config.compute(Duration::from_millis(400)))
        .python_alone(
            "the main thread ends, another spins",
            "Node gives a program nothing that ends its main thread and not its process",
            // exit(2), which ends one thread, unlike exit_group(2).
            &format!("{spin}ctypes.CDLL(None).syscall(93 if platform.machine() == 'aarch64' else 60, 0)"),
            Ends::Compute,
        )
        .programs(
            "the main thread sleeps for ever, another spins",
            "const { Worker } = require('node:worker_threads');\nnew Worker('for (;;);', { eval: true });\nawait new Promise(resolve => setTimeout(resolve, 100));\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
            &format!("{spin}import time\ntime.sleep(300)"),
            Ends::Compute,
        )
}

fn h42() -> Row {
    Row::new("H42")
        .config(|config| config.open_files(64))
        .programs(
            "files",
            "const fs = require('node:fs');\nconst open = [];\ntry { for (;;) open.push(fs.openSync('/dev/null')) } catch (e) { return [e.code, open.length > 16 && open.length < 64, await tools.ping()] }",
            "import os\nopened = []\ntry:\n    while True: opened.append(os.open('/dev/null', os.O_RDONLY))\nexcept OSError as e:\n    return ['EMFILE' if e.errno == 24 else str(e), 16 < len(opened) < 64, await tools.ping()]",
            Ends::Value(r#"["EMFILE",true,"pong"]"#),
        )
        .programs(
            "sockets",
            "const net = require('node:net');\nlet made = 0;\nconst listen = () => new Promise((resolve, reject) => { const server = net.createServer(); server.on('error', reject); server.listen(`socket${made}`, resolve) });\ntry { for (;; made++) await listen() } catch (e) { return [e.code, made > 16 && made < 64, await tools.ping()] }",
            "import socket\nopened = []\ntry:\n    while True: opened.append(socket.socket())\nexcept OSError as e:\n    return ['EMFILE' if e.errno == 24 else str(e), 16 < len(opened) < 64, await tools.ping()]",
            Ends::Value(r#"["EMFILE",true,"pong"]"#),
        )
}

fn h44() -> Row {
    Row::new("H44")
        .config(|config| config.memory(dayfly::ByteSize::gib(1)).compute(Duration::from_secs(20)))
        .each(
            "recursion without end",
            ("const down = (n: number): number => down(n + 1) + 1;\nreturn down(0)", Ends::Exception("RangeError")),
            ("def down(n): return down(n + 1) + 1\nreturn down(0)", Ends::Exception("RecursionError")),
        )
        .programs(
            "recursion without end behind a limit that was lifted",
            "require('node:v8').setFlagsFromString('--stack-size=1000000');\nconst down = (n: number): number => down(n + 1) + 1;\nreturn await new Promise(resolve => setTimeout(() => resolve(down(0)), 1))",
            "import sys\nsys.setrecursionlimit(10**9)\nclass Down:\n    def __repr__(self): return repr(self)\nreturn repr(Down())",
            Ends::ExceptionOrExit,
        )
        .programs("an abort", "process.abort()", "import os\nos.abort()", Ends::Killed)
        .programs(
            "a fault",
            "process.kill(process.pid, 'SIGSEGV');\nfor (;;);",
            "import ctypes\nctypes.string_at(0)",
            Ends::Killed,
        )
}

/// A warden that is stopped tells of no exit, as one does for a moment on a machine that stands still.
#[tokio::test]
async fn an_exit_is_said_with_its_code_though_the_program_has_stopped_its_warden() {
    let programs = Both::new(
        "process.kill(process.ppid, 'SIGSTOP');\nprocess.reallyExit(3)",
        "import os\nfrom signal import SIGSTOP\nos.kill(os.getppid(), SIGSTOP)\nos._exit(3)",
    );
    let host = Host::new();
    for language in Language::ALL {
        let result = host.run_text(language, programs).await;
        let fault = result.failure.map(|failure| failure.fault);
        assert!(matches!(fault, Some(Fault::WorkerExit { code: Some(3), signal: None, .. })), "{language}: {fault:?}");
        host.still_serves(language).await;
    }
}

#[test]
fn a_shutdown_with_twenty_runs_in_flight_leaves_nothing() {
    const RUNS: usize = 20;
    alone("processes::a_shutdown_with_twenty_runs_in_flight_leaves_nothing", || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
        // The thread for what blocks stays for a while; it is there from the start instead.
        runtime.block_on(async { tokio::task::spawn_blocking(|| ()).await.unwrap() });
        let before = Possessions::at_rest(|| ());
        let host = Host::with(|config| config.max_concurrent_runs(RUNS));
        let program =
            Both::new("await tools.hold({ pid: process.pid })", "import os\nawait tools.hold(pid=os.getpid())");
        runtime.block_on(async {
            let (arrived, mut arrivals) = mpsc::unbounded_channel();
            let runs: Vec<_> = (0..RUNS)
                .map(|number| {
                    let language = Language::ALL[number % 2];
                    let arrived = arrived.clone();
                    let hold = Namespace::tools().async_fn("hold", move |call| {
                        arrived.send(call.arguments.get("pid").unwrap().as_i64().unwrap()).unwrap();
                        async move {
                            call.cancel.cancelled().await;
                            Ok(Json::null())
                        }
                    });
                    let request = RunRequest::new(*program.of(language)).bind(hold);
                    let runtime = host.runtime(language).clone();
                    tokio::spawn(async move { runtime.run(request).await })
                })
                .collect();
            let mut pids = Vec::new();
            while pids.len() < RUNS {
                pids.push(i32::try_from(arrivals.recv().await.unwrap()).unwrap());
            }
            host.supervisor.shutdown().await;
            let left: Vec<_> = pids.into_iter().filter(|pid| exists(*pid)).collect();
            assert_eq!(left, Vec::<i32>::new(), "these outlived the shutdown");
            for run in runs {
                let result = run.await.unwrap().unwrap();
                assert_eq!(result.failure.map(|failure| failure.kind()), Some(FailureKind::Abort));
            }
        });
        assert_eq!(runtime.metrics().num_alive_tasks(), 0, "a task is left");
        drop(host);
        settles_to(&before, || ());
    });
}
