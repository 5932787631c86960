//! Signals end the command in order, and nothing is left behind.

use std::io::Read as _;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::bench::{Bench, both, code, hear};

/// A tool that says its argument, its own pid and its child's, tells that it has begun, and does not end by itself.
const HOLD: &str = "[[tools]]\nname = \"hold\"\nargv = [\"sh\", \"-c\", \
    \"tr -dc 0-9 > worker; echo $$ > leader; sleep 1000 & echo $! > child; echo begun > begun; wait\"]\n";

const HOLDING: (&str, &str) = (
    "console.log('so far'); await tools.hold({pid: process.pid})",
    "import os\nprint('so far')\nawait tools.hold(pid=os.getpid())",
);

fn signal(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
}

fn wait_until_stopped(child: &Child) {
    let flags = WaitPidFlag::WSTOPPED | WaitPidFlag::WNOWAIT;
    let status = waitid(Id::Pid(Pid::from_raw(child.id().cast_signed())), flags).unwrap();
    assert!(matches!(status, WaitStatus::Stopped(..)), "{status:?}");
}

#[test]
fn a_signal_ends_worker_tools_and_command_and_leaves_nothing() {
    for (name, number) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        for (file, program) in both(HOLDING.0, HOLDING.1) {
            let bench = Bench::with_tools(HOLD);
            bench.file(file, program);
            let begun = bench.pipe("begun");
            let child = bench.start(&mut bench.command(&["run", file, "--tools", "tools.toml"]));
            hear(begun);
            signal(&child, name);
            let done = child.wait_with_output().unwrap();
            assert_eq!(code(done.status), Some(number), "{done:?}");
            let stdout = String::from_utf8(done.stdout).unwrap();
            assert!(stdout.starts_with("Error: code run failed (abort): "), "{stdout}");
            assert!(stdout.ends_with("\nCaptured output:\nso far\n"), "{stdout}");
            for process in ["worker", "leader", "child"] {
                bench.assert_gone(bench.pid_in(process));
            }
            bench.assert_clean();
        }
    }
}

#[test]
fn an_interrupted_run_still_reports_as_json() {
    let bench = Bench::with_tools(HOLD);
    bench.file("program.py", HOLDING.1);
    let begun = bench.pipe("begun");
    let child = bench.start(&mut bench.command(&["run", "program.py", "--tools", "tools.toml", "--json"]));
    hear(begun);
    signal(&child, Signal::SIGTERM);
    let done = child.wait_with_output().unwrap();
    assert_eq!(code(done.status), Some(143));
    let result: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(result["failure"]["kind"], json!("abort"));
    assert_eq!(result["receipts"]["calls"][0]["outcome"], json!("cancelled"));
}

#[test]
fn a_program_that_spins_is_interrupted_as_well() {
    for (file, program) in both(
        "await tools.begin({pid: process.pid}); while (true) {}",
        "import os\nawait tools.begin(pid=os.getpid())\nwhile True: pass",
    ) {
        let begin = "[[tools]]\nname = \"begin\"\nargv = [\"sh\", \"-c\", \"tr -dc 0-9 > begun\"]\n";
        let bench = Bench::with_tools(begin);
        bench.file(file, program);
        let begun = bench.pipe("begun");
        let child = bench.start(&mut bench.command(&["run", file, "--tools", "tools.toml"]));
        let worker = Pid::from_raw(hear(begun).parse().unwrap());
        signal(&child, Signal::SIGINT);
        let done = child.wait_with_output().unwrap();
        assert_eq!(code(done.status), Some(130), "{done:?}");
        bench.assert_gone(worker);
        bench.assert_clean();
    }
}

#[test]
fn a_run_that_is_over_and_cannot_print_ends_at_the_first_signal() {
    let bench = Bench::new();
    // More than a pipe holds, which nobody reads.
    bench.file("program.py", "return 'x' * 1_000_000");
    let mut child = bench.start(&mut bench.command(&["run", "program.py"]));
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    signal(&child, Signal::SIGTERM);
    assert_eq!(code(child.wait().unwrap()), Some(143));
    bench.assert_clean();
}

#[test]
fn signals_that_come_together_are_one() {
    // What `timeout` sends: to its child, and at once to its group. Two of one kind may reach the command as one, two
    // of different kinds do not.
    for pair in [[Signal::SIGTERM, Signal::SIGTERM], [Signal::SIGINT, Signal::SIGTERM]] {
        let bench = Bench::with_tools(HOLD);
        bench.file("program.py", HOLDING.1);
        let begun = bench.pipe("begun");
        let child = bench.start(&mut bench.command(&["run", "program.py", "--tools", "tools.toml"]));
        hear(begun);
        // It hears both when it goes on: a moment between them, however long, is none to it.
        signal(&child, Signal::SIGSTOP);
        wait_until_stopped(&child);
        for name in pair {
            signal(&child, name);
        }
        signal(&child, Signal::SIGCONT);
        let done = child.wait_with_output().unwrap();
        // Either may be heard first.
        assert!(matches!(code(done.status), Some(130 | 143)), "{done:?}");
        let stdout = String::from_utf8(done.stdout).unwrap();
        assert!(stdout.starts_with("Error: code run failed (abort): "), "{stdout}");
        assert!(stdout.ends_with("\nCaptured output:\nso far\n"), "{stdout}");
        for process in ["worker", "leader", "child"] {
            bench.assert_gone(bench.pid_in(process));
        }
        bench.assert_clean();
    }
}

#[test]
fn a_second_signal_ends_the_command_at_once_when_it_comes_half_a_second_after_the_first() {
    let bench = Bench::with_tools(HOLD);
    // More than a pipe holds, which nobody reads: after the first signal the command cannot end by itself.
    bench.file("program.py", HOLDING.1.replace("'so far'", "'x' * 1_000_000"));
    let begun = bench.pipe("begun");
    let mut child = bench.start(&mut bench.command(&["run", "program.py", "--tools", "tools.toml", "--json"]));
    hear(begun);
    let first = Instant::now();
    signal(&child, Signal::SIGINT);
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(first.elapsed() < Duration::from_secs(60), "the command does not end");
        signal(&child, Signal::SIGTERM);
        std::thread::yield_now();
    };
    assert_eq!(code(status), Some(143));
    assert!(first.elapsed() >= Duration::from_millis(500), "{:?}", first.elapsed());
    for process in ["worker", "leader", "child"] {
        bench.assert_gone(bench.pid_in(process));
    }
    bench.assert_clean();
}
