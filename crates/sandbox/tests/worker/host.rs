//! What a host keeps, and what is left when it dies. Each role runs in a process of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::fd::AsFd as _;
use std::process::Stdio;

use dayfly_sandbox::{Spawner, WorkDir, remove_stale};
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::fixture::{Known, children, descriptors, eventually, python, python_binary, role, shell, start, wait_for};
use crate::tree::DAEMON;

/// Runs a role to its end; its assertions are the test.
fn succeeds(name: &str) {
    let output = role(name).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && words.contains("1 passed"), "{words}");
}

#[test]
fn an_exit_is_told_even_where_the_host_reaps_the_warden_or_ignores_sigchld() {
    succeeds("host::role_of_a_host_with_its_own_way_of_reaping");
}

#[test]
#[ignore = "a role"]
#[expect(unsafe_code, reason = "the test plays a host with its own way of reaping")]
fn role_of_a_host_with_its_own_way_of_reaping() {
    let spawner = Spawner::start().unwrap();

    // A host that waits for any child gets ours, since execve makes every exit signal SIGCHLD.
    let mut run = shell(&spawner, "exit 7");
    let reaped = waitpid(None, None).unwrap();
    assert_eq!(reaped, WaitStatus::Exited(Pid::from_raw(run.worker.warden_pid()), 0));
    assert_eq!(run.wait().code, Some(7));

    // A host that ignores SIGCHLD has its children reaped by the kernel.
    // SAFETY: no handler is installed.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) }.unwrap();
    let mut run = shell(&spawner, "(exit 3); exit $(($? + 5))");
    assert_eq!(run.wait().code, Some(8), "the worker itself ignores nothing and its shell can wait");
    assert_eq!(spawner.live(), 0);
}

#[test]
fn a_hundred_workers_leave_no_child_no_descriptor_and_no_thread() {
    succeeds("host::role_of_a_host_that_counts");
}

#[test]
#[ignore = "a role"]
fn role_of_a_host_that_counts() {
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let before = (descriptors("self"), children(), threads());
    {
        let spawner = Spawner::start().unwrap();
        // A thread that is young may have something open for a moment; that it has served says that it is not.
        assert_eq!(shell(&spawner, "exit 0").wait().code, Some(0));
        let with_spawner = (descriptors("self"), children());
        for round in 0..100 {
            // Ended by itself, killed, dropped while it runs, and never started.
            match round % 4 {
                0 => assert_eq!(shell(&spawner, "exit 1").wait().code, Some(1)),
                1 => {
                    let mut run = start(&spawner, "/bin/sleep", &["1000"], |_| {}).unwrap();
                    run.worker.kill();
                    assert_eq!(run.wait().signal, Some(libc::SIGKILL));
                }
                2 => drop(start(&spawner, "/bin/sleep", &["1000"], |_| {}).unwrap()),
                _ => assert!(start(&spawner, "/nonexistent", &[], |_| {}).is_err()),
            }
        }
        // The dropped ones are reaped by the spawner's thread, which tells nobody.
        eventually(|| spawner.live() == 0);
        eventually(|| (descriptors("self"), children()) == with_spawner);
    }
    // Threads that remove dropped directories, and the spawner's own, end by themselves.
    eventually(|| threads() == before.2);
    assert_eq!((descriptors("self"), children()), (before.0, before.1));
}

#[test]
fn the_signal_state_of_the_host_is_its_own() {
    let status = |name| crate::fixture::status(std::process::id().cast_signed(), name);
    let state = || ["SigBlk", "SigIgn", "SigCgt"].map(status);
    let before = state();
    let spawner = Spawner::start().unwrap();
    let mut run = shell(&spawner, "exit 0");
    run.wait();
    assert_eq!(state(), before);
    let subreaper = nix::sys::prctl::get_child_subreaper().unwrap();
    assert!(!subreaper);
}

#[test]
fn a_host_killed_in_mid_run_leaves_no_process_and_its_directory_to_the_next_start() {
    killed_host("host::role_of_a_host_that_is_killed");
}

#[test]
fn a_stopped_warden_is_resumed_by_the_kernel_when_its_host_dies() {
    killed_host("host::role_of_a_host_that_is_killed_while_its_warden_is_stopped");
}

/// Kills a host with SIGKILL once its tree stands, and waits until all of it is gone.
fn killed_host(name: &str) {
    let root = tempfile::tempdir().unwrap();
    let mut host = role(name).env("TMPDIR", root.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut words = BufReader::new(host.stderr.take().unwrap());
    let mut tree: Vec<Known> = Vec::new();
    // The interpreter, its daemon, and its warden, told in any order by those who know.
    while tree.len() < 3 {
        let mut line = String::new();
        if words.read_line(&mut line).unwrap() == 0 || line.contains("SKIPPED") {
            assert!(host.wait().unwrap().success());
            return;
        }
        tree.extend(line.split_whitespace().filter_map(|word| word.parse().ok()).map(Known::new));
    }
    assert!(tree.iter().all(Known::lives), "{tree:?}");
    assert_eq!(remove_stale(root.path()).unwrap(), 0, "the host still lives");
    kill(Pid::from_raw(host.id().cast_signed()), Signal::SIGKILL).unwrap();
    host.wait().unwrap();
    tree.iter().for_each(wait_for);
    // Every process of the tree has this pipe as well.
    words.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    assert_eq!(remove_stale(root.path()).unwrap(), 1);
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
#[ignore = "a role"]
fn role_of_a_host_that_is_killed() {
    tell_and_wait("");
}

#[test]
#[ignore = "a role"]
fn role_of_a_host_that_is_killed_while_its_warden_is_stopped() {
    tell_and_wait("stop_warden()");
}

/// Starts a tree that tells its processes on our standard error, and waits to be killed.
fn tell_and_wait(act: &str) {
    let spawner = Spawner::start().unwrap();
    let program = format!("{DAEMON}\ndaemon()\n{act}\nsay('warden', os.getppid())\nsay('self', os.getpid())\nidle()");
    let Some(binary) = python_binary() else { return };
    let _run = start(&spawner, &binary, &["-I", "-S", "-c", &program], |spec| {
        spec.stdout = std::io::stderr().as_fd().try_clone_to_owned().unwrap();
    });
    // Ends when the test does, at the latest.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn a_worker_outlives_every_handle_of_its_spawner() {
    let spawner = Spawner::start().unwrap();
    let Some(mut run) = python(
        &spawner,
        "import sys; sys.stdin.read(); print('here', flush=True); open('/dev/zero').read(1); import time; time.sleep(1000)",
    ) else {
        return;
    };
    drop(spawner);
    assert_eq!(run.line(), "here");
    assert!(run.interpreter.as_ref().unwrap().lives());
    run.worker.kill();
    assert_eq!(run.wait().signal, Some(libc::SIGKILL));
}

#[test]
fn a_directory_of_a_dropped_owner_is_removed_in_the_background() {
    let root = tempfile::tempdir().unwrap();
    drop(WorkDir::create(root.path()).unwrap());
    eventually(|| std::fs::read_dir(root.path()).unwrap().count() == 0);
}
