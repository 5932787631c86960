//! One started interpreter and all that descends from it.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nix::sys::signal::Signal;
use nix::sys::wait::WaitStatus;

use crate::layout::{ENDED, FAILED, RECORD_BYTES, STARTED};
use crate::spawner::Handle;
use crate::tree::{Process, kill_descendants, open_root};
use crate::{cpu, process};

/// How long [`Worker::kill_hard`] lets the warden end by itself before it kills it, in milliseconds.
const LAST_GRACE: u16 = 20;
/// How many times [`Worker::kill_hard`] looks for descendants, one millisecond apart.
const KILL_ROUNDS: usize = 64;

/// A started interpreter, its warden and everything that descends from them.
///
/// Dropped before it was reaped, its tree is killed and the spawner's thread reaps it: nothing blocks, nothing is left.
#[derive(Debug)]
pub struct Worker {
    tree: Arc<Tree>,
    handle: Arc<Handle>,
}

/// How an interpreter ended, and what its whole tree used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exit {
    /// The interpreter's exit code, when it exited.
    pub code: Option<i32>,
    /// The signal that ended it, when one did.
    pub signal: Option<i32>,
    /// CPU time of every process of the tree that was reaped, by its parent or by the warden.
    pub cpu: Duration,
    /// The largest resident set that any process of the tree had, in bytes.
    pub peak_memory: u64,
}

impl Worker {
    pub(crate) fn new(tree: Tree, handle: Arc<Handle>) -> Self {
        Self { tree: Arc::new(tree), handle }
    }

    /// The warden's pidfd: readable when the whole tree is gone. Then call [`Worker::try_reap`].
    #[must_use]
    pub fn pidfd(&self) -> BorrowedFd<'_> {
        self.tree.pidfd.as_fd()
    }

    /// The interpreter's process.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.tree.interpreter
    }

    /// The warden's process, the interpreter's parent.
    #[must_use]
    pub fn warden_pid(&self) -> i32 {
        self.tree.warden
    }

    /// Asks the warden to end the tree, resuming it if something has stopped it. Does not wait; may be called again.
    pub fn kill(&self) {
        self.tree.kill();
    }

    /// Ends the tree without the warden's help: every descendant found through `/proc`, then the warden.
    ///
    /// For a warden that does not answer [`Worker::kill`], because the program keeps stopping it. Takes a few
    /// milliseconds, at most about a hundred. What has left the tree by then (only a killed warden lets anything leave)
    /// is not found.
    pub fn kill_hard(&self) {
        self.tree.kill_hard();
    }

    /// The interpreter's end, once its whole tree is gone; `None` before. Never waits; gives the same again.
    ///
    /// If something killed the warden, the kernel has sent SIGKILL to the interpreter too; the exit then has that signal
    /// and what was last read of CPU time and memory.
    ///
    /// # Errors
    ///
    /// The kernel's, when waiting is refused; a host that reaps all its children itself is no error.
    pub fn try_reap(&mut self) -> io::Result<Option<Exit>> {
        self.tree.try_reap()
    }

    /// Whether the interpreter has ended, all its threads included: before its warden, which may be stopped, has reaped and
    /// told of it. Then [`Worker::kill`] brings its exit.
    #[must_use]
    pub fn interpreter_has_ended(&self) -> bool {
        let pid = self.tree.interpreter;
        let Some(stat) = Process::open(pid).and_then(|process| process.stat()) else { return true };
        // Its main thread alone may have ended; and once it was reaped its number is nobody's, or a stranger's.
        let threads = std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
        stat.parent != self.tree.warden || (stat.state == b'Z' && threads <= 1)
    }

    /// CPU time that the whole tree has used so far, exact to the nanosecond for the interpreter and to 10 ms for others.
    ///
    /// Counted are the living, what they have reaped, and what the warden has reaped; not the warden itself. It never
    /// decreases and never exceeds the truth. A process whose parent ignores SIGCHLD vanishes from the count when it
    /// ends, and of a tree of more than 4096 processes or 8192 threads the rest is not seen.
    ///
    /// Takes tens of microseconds for an interpreter by itself, and tens of milliseconds for the largest tree.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] when `/proc` does not show the warden although it lives.
    pub fn cpu_time(&self) -> io::Result<Duration> {
        self.tree.cpu_time()
    }

    /// The largest resident set so far in bytes: the interpreter's while it lives, any process's of the tree once reaped.
    #[must_use]
    pub fn peak_memory(&self) -> u64 {
        self.tree.peak_memory()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.tree.is_reaped() {
            self.tree.kill();
            Handle::adopt(&self.handle, Arc::clone(&self.tree));
        }
    }
}

/// A tree, shared between its worker and, once that is dropped, the spawner's thread.
#[derive(Debug)]
pub(crate) struct Tree {
    interpreter: i32,
    warden: i32,
    pidfd: OwnedFd,
    report: Report,
    /// Nanoseconds last read; readings never decrease.
    cpu: AtomicU64,
    /// Bytes last read.
    peak: AtomicU64,
    end: Mutex<End>,
}

#[derive(Debug)]
struct End {
    exit: Option<Exit>,
    live: Option<Live>,
}

impl Tree {
    pub(crate) fn new(interpreter: i32, warden: i32, pidfd: OwnedFd, report: Report, live: Live) -> Self {
        let end = Mutex::new(End { exit: None, live: Some(live) });
        Self { interpreter, warden, pidfd, report, cpu: AtomicU64::new(0), peak: AtomicU64::new(0), end }
    }

    pub(crate) const fn pidfd(&self) -> &OwnedFd {
        &self.pidfd
    }

    fn is_reaped(&self) -> bool {
        self.end.lock().unwrap_or_else(PoisonError::into_inner).exit.is_some()
    }

    pub(crate) fn kill(&self) {
        // Our own child under our own uid: neither can be refused. The stop signal's remedy comes second, so that the
        // resumed warden finds the request.
        for signal in [Signal::SIGTERM, Signal::SIGCONT] {
            if let Err(errno) = process::send(self.pidfd.as_fd(), signal) {
                tracing::warn!(pid = self.warden, %errno, "failed to signal a warden");
            }
        }
    }

    pub(crate) fn kill_hard(&self) {
        self.kill();
        for _ in 0..KILL_ROUNDS {
            // The pause is for the killed to die; a warden that is awake ends everything meanwhile.
            if process::has_ended(self.pidfd.as_fd(), 1) {
                return;
            }
            match open_root(self.warden, &self.pidfd) {
                Some(root) if kill_descendants(&root) > 0 => {}
                Some(_) | None => break,
            }
        }
        // Nobody is left to stop it again: let it reap and report, else its children become init's.
        self.kill();
        if !process::has_ended(self.pidfd.as_fd(), LAST_GRACE) {
            tracing::warn!(pid = self.warden, "a warden did not end when it was told to and is killed");
            let _ = process::send(self.pidfd.as_fd(), Signal::SIGKILL);
        }
    }

    pub(crate) fn try_reap(&self) -> io::Result<Option<Exit>> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if end.exit.is_some() || !process::has_ended(self.pidfd.as_fd(), 0) {
            return Ok(end.exit);
        }
        let mut exit = Exit {
            code: None,
            signal: Some(libc::SIGKILL),
            cpu: Duration::from_nanos(self.cpu.load(Ordering::Relaxed)),
            peak_memory: self.peak.load(Ordering::Relaxed),
        };
        let status = process::reap(&self.pidfd)?;
        if let Some(WaitStatus::Signaled(_, signal, _)) = status {
            exit.signal = Some(signal as i32);
        }
        // The warden has ended, so whatever it had to say is in the pipe.
        while let Word::Record(record) = self.report.read() {
            if record.kind == ENDED {
                exit = record.exit();
            }
        }
        end.exit = Some(exit);
        end.live = None;
        Ok(end.exit)
    }

    fn cpu_time(&self) -> io::Result<Duration> {
        if let Some(exit) = self.end.lock().unwrap_or_else(PoisonError::into_inner).exit {
            return Ok(exit.cpu);
        }
        let read = open_root(self.warden, &self.pidfd).and_then(|root| cpu::tree_time(&root, self.interpreter));
        match read {
            Some(time) => {
                let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                let before = self.cpu.fetch_max(time, Ordering::Relaxed);
                Ok(Duration::from_nanos(before.max(time)))
            }
            None if process::has_ended(self.pidfd.as_fd(), 0) => {
                Ok(Duration::from_nanos(self.cpu.load(Ordering::Relaxed)))
            }
            None => Err(io::Error::new(
                io::ErrorKind::NotFound,
                "/proc does not show the worker; mount it without hidepid, or run the host as the worker's user",
            )),
        }
    }

    fn peak_memory(&self) -> u64 {
        if let Some(exit) = self.end.lock().unwrap_or_else(PoisonError::into_inner).exit {
            return exit.peak_memory;
        }
        let read = Process::open(self.interpreter)
            .filter(|process| process.stat().is_some_and(|stat| stat.parent == self.warden))
            .and_then(|process| process.read("status"))
            .and_then(|status| high_water(&status));
        let before = self.peak.fetch_max(read.unwrap_or(0), Ordering::Relaxed);
        before.max(read.unwrap_or(0))
    }
}

/// `VmHWM` of `/proc/PID/status` in bytes. The name comes first in that file, with its line breaks escaped.
fn high_water(status: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(status);
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// One of the trees that are not reaped yet.
#[derive(Debug)]
pub(crate) struct Live(Arc<AtomicUsize>);

impl Live {
    pub(crate) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The host's end of a warden's report pipe; it never blocks.
#[derive(Debug)]
pub(crate) struct Report(File);

/// What a report pipe holds next.
pub(crate) enum Word {
    Record(Record),
    /// Nothing yet.
    Silence,
    /// The warden has gone, or said what it cannot say.
    End,
}

/// A record as it was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) kind: u32,
    pub(crate) pid: i32,
    pub(crate) step: u32,
    pub(crate) status: i32,
    cpu: u64,
    peak: u64,
}

impl Report {
    /// `pipe` is the reading end, in non-blocking mode.
    pub(crate) fn new(pipe: OwnedFd) -> Self {
        Self(File::from(pipe))
    }

    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    pub(crate) fn read(&self) -> Word {
        let mut bytes = [0; RECORD_BYTES];
        loop {
            // A record is shorter than PIPE_BUF, so it is in the pipe whole or not at all.
            return match (&self.0).read(&mut bytes) {
                Ok(RECORD_BYTES) => Record::parse(&bytes).map_or(Word::End, Word::Record),
                Ok(_) => Word::End,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Word::Silence,
                Err(_) => Word::End,
            };
        }
    }
}

impl Record {
    fn parse(bytes: &[u8; RECORD_BYTES]) -> Option<Self> {
        let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_ne_bytes);
        let long = |at: usize| bytes.get(at..at + 8).and_then(|word| word.try_into().ok()).map(u64::from_ne_bytes);
        let record = Self {
            kind: word(0)?,
            pid: word(4)?.cast_signed(),
            step: word(8)?,
            status: word(12)?.cast_signed(),
            cpu: long(16)?,
            peak: long(24)?,
        };
        [STARTED, FAILED, ENDED].contains(&record.kind).then_some(record)
    }

    /// The exit that an `ENDED` record tells; the status is as `wait` gives it.
    fn exit(self) -> Exit {
        let signal = self.status & 0x7f;
        let code = (self.status >> 8) & 0xff;
        Exit {
            code: (signal == 0).then_some(code),
            signal: (signal != 0).then_some(signal),
            cpu: Duration::from_micros(self.cpu),
            peak_memory: self.peak.saturating_mul(1024),
        }
    }
}
