//! The end of everything that descends from an interpreter.

use std::io::Read as _;
use std::os::unix::net::UnixStream;

use dayfly_sandbox::Spawner;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::fixture::{Known, Run, prepare, python, python_with_socket, shell, start, wait_for};

/// Python functions: `say`, `idle`, `daemon` (double fork, a session of its own, deaf to every signal) and `parted`, which
/// returns when the host closes its end of descriptor 3, and `stop_warden`.
pub(crate) const DAEMON: &str = r"
import os, signal, time
def say(*words):
    os.write(1, (' '.join(map(str, words)) + '\n').encode())
def idle():
    while True:
        time.sleep(1000)
def deaf():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
def daemon():
    middle = os.fork()
    if middle:
        os.waitpid(middle, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    deaf()
    say('daemon', os.getpid())
    idle()
def parted():
    os.read(3, 1)
def stop_warden():
    os.kill(os.getppid(), signal.SIGSTOP)
    while open('/proc/%d/stat' % os.getppid()).read().rsplit(')', 1)[1].split()[0] != 'T':
        time.sleep(0.001)
";

/// Reads this many `word PID` lines, of processes that go on for now.
fn told(run: &mut Run, count: usize) -> Vec<Known> {
    let lines: Vec<String> = (0..count).map(|_| run.line()).collect();
    lines.iter().map(|line| Known::new(line.split(' ').next_back().unwrap().parse().unwrap())).collect()
}

/// Waits for the end; then nothing of the tree may be left, at once.
fn ends_with(run: &mut Run, others: &[Known]) -> dayfly_sandbox::Exit {
    let exit = run.wait();
    let left: Vec<_> = others.iter().chain(&run.interpreter).filter(|process| process.lives()).collect();
    assert!(left.is_empty(), "{left:?} outlived the worker");
    run.rest();
    exit
}

#[test]
fn grandchildren_and_deaf_daemons_die_with_a_kill() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{DAEMON}\ndaemon()\nif os.fork() == 0:\n  if os.fork() == 0: os.setpgid(0, 0)\n  say('child', os.getpid())\n  idle()\nidle()"
    );
    let Some(mut run) = python(&spawner, &program) else { return };
    let others = told(&mut run, 3);
    assert!(others.iter().all(Known::lives));
    run.worker.kill();
    run.worker.kill();
    assert_eq!(ends_with(&mut run, &others).signal, Some(libc::SIGKILL));
    assert_eq!(spawner.live(), 0);
}

#[test]
fn grandchildren_and_deaf_daemons_die_when_the_interpreter_ends() {
    let spawner = Spawner::start().unwrap();
    let program =
        format!("{DAEMON}\ndaemon()\nif os.fork() == 0:\n  say('child', os.getpid())\n  idle()\nparted()\nos._exit(5)");
    let Some((mut run, host)) = python_with_socket(&spawner, &program) else { return };
    let others = told(&mut run, 2);
    drop::<UnixStream>(host);
    assert_eq!(ends_with(&mut run, &others).code, Some(5));
}

#[test]
fn chains_of_forks_cannot_outrun_the_end() {
    let spawner = Spawner::start().unwrap();
    // Each link forks the next and is gone: some within one group, some each in a session of its own.
    let program = format!(
        "{DAEMON}
def chain(step):
    if os.fork() == 0:
        deaf()
        count = 0
        while True:
            if os.fork():
                os._exit(0)
            step()
            count += 1
            if count == 20:
                say('chain', os.getpid())
for step in (lambda: None, os.setsid, lambda: None, os.setsid):
    chain(step)
idle()"
    );
    let Some(mut run) = python(&spawner, &program) else { return };
    for _ in 0..4 {
        run.line();
    }
    run.worker.kill();
    ends_with(&mut run, &[]);
}

#[test]
fn three_hundred_processes_end_together() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{DAEMON}
for _ in range(300):
    if os.fork() == 0:
        idle()
say('parent', os.getpid())
idle()"
    );
    let Some(mut run) = python(&spawner, &program) else { return };
    told(&mut run, 1);
    run.worker.kill();
    ends_with(&mut run, &[]);
}

#[test]
fn a_worker_that_stops_itself_ends_all_the_same() {
    let spawner = Spawner::start().unwrap();
    let mut run = shell(&spawner, "echo stopping; kill -STOP $$");
    run.line();
    run.worker.kill();
    assert_eq!(ends_with(&mut run, &[]).signal, Some(libc::SIGKILL));
}

#[test]
fn a_stopped_warden_is_resumed_by_a_kill() {
    let spawner = Spawner::start().unwrap();
    let program = format!("{DAEMON}\ndaemon()\nstop_warden()\nsay('stopped', os.getpid())\nidle()");
    let Some(mut run) = python(&spawner, &program) else { return };
    let others = told(&mut run, 2);
    assert!(run.warden_state().starts_with('T'), "{}", run.warden_state());
    run.worker.kill();
    assert_eq!(ends_with(&mut run, &others).signal, Some(libc::SIGKILL));
}

#[test]
fn a_warden_that_is_stopped_again_and_again_is_done_without() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{DAEMON}
daemon()
warden = os.getppid()
for _ in range(3):
    os.fork()
say('stopping', os.getpid())
while True:
    os.kill(warden, signal.SIGSTOP)"
    );
    let Some(mut run) = python(&spawner, &program) else { return };
    let others = told(&mut run, 9);
    run.worker.kill_hard();
    run.wait();
    // Each was sent SIGKILL; where the warden was killed as well, their last moments may still pass.
    for process in others.iter().chain(&run.interpreter) {
        wait_for(process);
    }
    assert_eq!(spawner.live(), 0);
}

#[test]
fn a_killed_warden_takes_the_interpreter_with_it() {
    let spawner = Spawner::start().unwrap();
    let (socket, host) = UnixStream::pair().unwrap();
    let script = ["-c", "read line <&3; kill -KILL $PPID; while :; do :; done"];
    let mut run = start(&spawner, "/bin/sh", &script, |spec| spec.socket = Some(socket.into())).unwrap();
    drop(host);
    assert_eq!(run.wait().signal, Some(libc::SIGKILL));
    // The kernel sent SIGKILL to the interpreter before it told us; its last moments may still pass.
    wait_for(run.interpreter.as_ref().unwrap());
    assert_eq!(spawner.live(), 0);
}

#[test]
fn a_dropped_worker_is_killed_and_reaped() {
    let spawner = Spawner::start().unwrap();
    let program = format!("{DAEMON}\ndaemon()\nsay('self', os.getpid())\nidle()");
    let Some(mut run) = python(&spawner, &program) else { return };
    let others = told(&mut run, 2);
    let warden = Known::new(run.worker.warden_pid());
    let Run { worker, .. } = run;
    drop(worker);
    wait_for(warden);
    assert!(!others.iter().any(Known::lives));
}

#[test]
fn what_a_terminal_sends_to_the_hosts_group_passes_the_warden_by() {
    let spawner = Spawner::start().unwrap();
    let (socket, host) = UnixStream::pair().unwrap();
    let script = ["-c", "read line <&3; exit 3"];
    let mut run = start(&spawner, "/bin/sh", &script, |spec| spec.socket = Some(socket.into())).unwrap();
    let warden = Pid::from_raw(run.worker.warden_pid());
    assert_eq!(nix::unistd::getpgid(Some(warden)).unwrap(), warden);
    assert_ne!(nix::unistd::getpgrp(), warden);
    // Nor does it end when such a signal is meant for it.
    for signal in [Signal::SIGINT, Signal::SIGQUIT, Signal::SIGHUP, Signal::SIGTSTP, Signal::SIGCHLD] {
        kill(warden, signal).unwrap();
    }
    drop(host);
    assert_eq!(run.wait().code, Some(3), "the warden was there to tell");
}

#[test]
fn many_workers_started_at_once_all_start_and_all_end() {
    let spawner = Spawner::start().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let runs: Vec<_> = (0..40).map(|_| prepare("/bin/sh", &["-c", "sleep 1000 & sleep 1000 & wait"])).collect();
    let mut pipes = Vec::new();
    for (spec, out, directory) in runs {
        let sender = sender.clone();
        spawner.spawn(spec, move |result| sender.send(result.unwrap()).unwrap());
        pipes.push((out, directory));
    }
    let workers: Vec<_> = (0..40).map(|_| receiver.recv().unwrap()).collect();
    assert_eq!(spawner.live(), 40);
    for mut worker in workers {
        worker.kill();
        wait_for(worker.pidfd());
        assert_eq!(worker.try_reap().unwrap().and_then(|exit| exit.signal), Some(libc::SIGKILL));
    }
    assert_eq!(spawner.live(), 0);
}

#[test]
fn a_callback_that_panics_does_not_end_the_spawner() {
    let spawner = Spawner::start().unwrap();
    let (spec, mut out, _directory) = prepare("/bin/sleep", &["1000"]);
    spawner.spawn(spec, |_worker| panic!("this panic is part of the test"));
    // Its worker was dropped by the panic, and is killed.
    assert_eq!(out.read(&mut [0]).unwrap(), 0);
    assert_eq!(shell(&spawner, "exit 6").wait().code, Some(6));
}
