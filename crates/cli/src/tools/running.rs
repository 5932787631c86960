//! Commands that are running. None outlives its call, and none is left as a zombie.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::oneshot;

/// Every command that this process has started and not yet reaped.
#[derive(Debug, Default)]
pub(crate) struct Commands(Mutex<Live>);

#[derive(Debug, Default)]
struct Live {
    /// Leaders of process groups. A group is signalled only while its leader is listed, and a leader is listed until
    /// it has been reaped, under one lock: a recycled pid is never signalled.
    leaders: HashSet<i32>,
    closed: bool,
}

/// A command and the host's ends of its pipes. Dropping it kills its process group.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
    pub(super) end: oneshot::Receiver<io::Result<ExitStatus>>,
    pub(super) group: Group,
}

/// A process group, killed when this is dropped.
#[derive(Debug)]
pub(super) struct Group {
    leader: i32,
    commands: Arc<Commands>,
}

impl Commands {
    /// Kills every command and starts no other.
    pub(crate) fn close(&self) {
        let mut live = self.live();
        live.closed = true;
        for leader in &live.leaders {
            kill(*leader);
        }
    }

    /// Starts a command as the leader of a process group of its own, with pipes.
    pub(super) fn spawn(self: &Arc<Self>, command: &mut Command) -> io::Result<Running> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = {
            let mut live = self.live();
            if live.closed {
                return Err(io::Error::new(io::ErrorKind::Interrupted, "dayfly is ending"));
            }
            let child = command.spawn()?;
            live.leaders.insert(child.id().cast_signed());
            child
        };
        let leader = child.id().cast_signed();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (ended, end) = oneshot::channel();
        let commands = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            // Nobody listens when the call was dropped; the child is reaped all the same.
            let _ = ended.send(commands.reap(child));
        });
        let group = Group { leader, commands: Arc::clone(self) };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe of the command is missing"));
        };
        Ok(Running {
            stdin: ChildStdin::from_std(stdin)?,
            stdout: ChildStdout::from_std(stdout)?,
            stderr: ChildStderr::from_std(stderr)?,
            end,
            group,
        })
    }

    /// Waits for the leader, kills what is left of its group, and reaps it. In this order: while the leader is a
    /// zombie its pid, which is the group's id, cannot be given to another.
    fn reap(&self, mut child: Child) -> io::Result<ExitStatus> {
        let leader = child.id().cast_signed();
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        while let Err(Errno::EINTR) = waitid(Id::Pid(Pid::from_raw(leader)), flags) {}
        let mut live = self.live();
        kill(leader);
        let status = child.wait();
        live.leaders.remove(&leader);
        status
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Group {
    pub(super) fn kill(&self) {
        let live = self.commands.live();
        if live.leaders.contains(&self.leader) {
            kill(self.leader);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

fn kill(leader: i32) {
    // The one error that can come is ESRCH: the group has no process left.
    let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
}
