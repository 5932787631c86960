//! Waiting for the interpreter, and the end of all that descends from it.

use crate::system::{self, ECHILD, SIGTERM};

/// How long a round of killing waits for the next death before it looks again, in nanoseconds. SIGCHLD ends the wait at
/// once; the time only matters for what SIGCHLD cannot tell, such as a process stuck in the kernel.
const ROUND: usize = 5_000_000;

/// Sleeps until the interpreter has ended or the end is asked for, and reaps orphans meanwhile.
///
/// The interpreter itself is not reaped: until it is, its number names its process group and nothing else.
pub fn wait_for_the_end(interpreter: i32) {
    loop {
        match system::peek_ended() {
            Some(pid) if pid == interpreter => return,
            Some(orphan) => system::reap(orphan),
            None => {
                if system::wait_for_signal(None) == SIGTERM {
                    return;
                }
            }
        }
    }
}

/// Kills and reaps until no child is left; gives the interpreter's wait status.
///
/// A process that dies leaves its children to us, the subreaper, so each round reaches one generation deeper. A group
/// is killed as a whole, which no `fork` in it can outrun; that our children are still unreaped keeps their numbers,
/// and the groups named by them, from meaning anybody else.
pub fn kill_and_reap(children: i32, interpreter: i32) -> i32 {
    let mut interpreter_status = 0;
    loop {
        kill_children(children);
        let mut reaped = false;
        loop {
            let (pid, status) = system::reap_any();
            if pid == -ECHILD {
                return interpreter_status;
            }
            if pid <= 0 {
                break;
            }
            if pid == interpreter as isize {
                interpreter_status = status;
            }
            reaped = true;
        }
        if !reaped {
            system::wait_for_signal(Some(ROUND));
        }
    }
}

/// Kills every process in our own list of children, and the group that each may lead.
fn kill_children(list: i32) {
    let mut buffer = [0_u8; 2048];
    let mut rewind = true;
    let mut pid = 0_i32;
    loop {
        let count = system::read(list, rewind, &mut buffer);
        rewind = false;
        if count == 0 {
            return;
        }
        let mut index = 0;
        while index < count {
            // SAFETY: `index` is below `count`, which the kernel keeps within the buffer.
            let byte = unsafe { buffer.as_ptr().wrapping_add(index).read_volatile() };
            if byte.is_ascii_digit() {
                pid = pid.wrapping_mul(10).wrapping_add(i32::from(byte - b'0'));
            } else if pid > 1 {
                // Numbers are separated, and followed, by one space.
                system::kill(-pid);
                system::kill(pid);
                pid = 0;
            }
            index += 1;
        }
    }
}
