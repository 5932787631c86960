//! CPU time and memory of a whole tree, read from outside.

use std::time::Duration;

use dayfly_sandbox::Spawner;

use crate::fixture::{Run, python};

/// Python functions: `burn` uses this many seconds of the process's CPU time; `say` tells how much it was.
const BURN: &str = r"
import os, threading, time
def burn(seconds):
    while time.process_time() < seconds:
        pass
def say(seconds):
    os.write(1, b'%f\n' % seconds)
def idle():
    while True:
        time.sleep(1000)
";

/// What the program says it has used, against what is read: never less but for one tick a process, and never more than the
/// tree has used when it is gone.
fn agrees(mut run: Run, processes: u32) {
    let said = Duration::from_secs_f64(run.line().parse().unwrap());
    let read = run.worker.cpu_time().unwrap();
    assert!(read + Duration::from_millis(20) * processes >= said, "{read:?} read, {said:?} said");
    assert!(run.worker.cpu_time().unwrap() >= read, "readings never decrease");
    run.worker.kill();
    let exit = run.wait();
    assert!(exit.cpu + Duration::from_millis(1) >= read, "{read:?} read of {exit:?}");
    assert_eq!(run.worker.cpu_time().unwrap(), exit.cpu);
}

#[test]
fn the_interpreter_itself_is_counted() {
    let spawner = Spawner::start().unwrap();
    let Some(run) = python(&spawner, &format!("{BURN}\nburn(0.3)\nsay(time.process_time())\nidle()")) else { return };
    agrees(run, 0);
}

#[test]
fn a_spinning_child_is_counted_while_it_lives() {
    let spawner = Spawner::start().unwrap();
    let program = format!("{BURN}\nif os.fork() == 0:\n  burn(0.3)\n  say(time.process_time())\nidle()");
    let Some(run) = python(&spawner, &program) else { return };
    agrees(run, 1);
}

#[test]
fn a_child_of_another_thread_is_counted() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{BURN}
def work():
    if os.fork() == 0:
        burn(0.3)
        say(time.process_time())
        idle()
    idle()
threading.Thread(target=work).start()
idle()"
    );
    let Some(run) = python(&spawner, &program) else { return };
    agrees(run, 1);
}

#[test]
fn what_the_interpreter_has_reaped_is_counted() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{BURN}
for _ in range(3):
    child = os.fork()
    if child == 0:
        grandchild = os.fork()
        if grandchild == 0:
            burn(0.1)
            os._exit(0)
        os.waitpid(grandchild, 0)
        os._exit(0)
    os.waitpid(child, 0)
say(0.3)
idle()"
    );
    let Some(run) = python(&spawner, &program) else { return };
    agrees(run, 2);
}

#[test]
fn what_the_warden_has_reaped_is_counted() {
    let spawner = Spawner::start().unwrap();
    // An orphan: its parent is gone before it is, so the warden reaps it. Its end is seen when its number is free.
    let program = format!(
        "{BURN}
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    if os.fork():
        os._exit(0)
    os.write(writing, b'%d' % os.getpid())
    burn(0.3)
    os._exit(0)
os.waitpid(child, 0)
orphan = int(os.read(reading, 20))
while os.path.exists('/proc/%d' % orphan):
    time.sleep(0.005)
say(0.3)
idle()"
    );
    let Some(run) = python(&spawner, &program) else { return };
    agrees(run, 2);
}

#[test]
fn threads_that_live_for_a_moment_are_charged_in_full() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{BURN}
def moment():
    end = time.thread_time() + 0.001
    while time.thread_time() < end:
        pass
for _ in range(300):
    thread = threading.Thread(target=moment)
    thread.start()
    thread.join()
used = time.process_time()
assert used >= 0.3
say(used)
idle()"
    );
    let Some(run) = python(&spawner, &program) else { return };
    agrees(run, 0);
}

#[test]
fn a_name_made_to_look_like_fields_does_not_hide_anything() {
    let spawner = Spawner::start().unwrap();
    let program = format!(
        "{BURN}
open('/proc/self/comm', 'w').write(') R 1 1 1 1 1')
if os.fork() == 0:
    burn(0.3)
    say(time.process_time())
idle()"
    );
    let Some(run) = python(&spawner, &program) else { return };
    agrees(run, 1);
}

#[test]
fn peak_memory_is_known_while_it_runs_and_after() {
    let spawner = Spawner::start().unwrap();
    let program = format!("{BURN}\nheld = bytearray(50_000_000)\ndel held\nsay(0)\nidle()");
    let Some(mut run) = python(&spawner, &program) else { return };
    run.line();
    assert!(run.worker.peak_memory() > 50_000_000);
    run.worker.kill();
    let exit = run.wait();
    assert!(exit.peak_memory > 50_000_000, "{exit:?}");
    assert_eq!(run.worker.peak_memory(), exit.peak_memory);
}
