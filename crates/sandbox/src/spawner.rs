//! The thread from which every worker is started.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel, sync_channel};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::signal::SigSet;

use crate::clone::{ChildStack, start_warden};
use crate::layout::{FAILED, STARTED};
use crate::profile::layer;
use crate::recipe::{self, StepNames};
use crate::worker::{Live, Report, Tree, Word, Worker};
use crate::{SpawnError, SpawnSpec, memfd, process};

/// From the warden's start to the interpreter's. Only a hanging file system or a stopped warden needs more than
/// milliseconds.
const START_DEADLINE: Duration = Duration::from_secs(30);
/// How long a killed tree without a worker may take before it is killed without its warden's help.
const KILL_GRACE: Duration = Duration::from_secs(1);
/// The longest pause between two such attempts.
const MOST_GRACE: Duration = Duration::from_secs(60);
/// How long a warden may take to exit after it has reported a failure, in milliseconds; it does nothing else.
const EXIT_GRACE: u16 = 1000;
/// How often is looked for workers that are left while somebody waits for their end.
const QUIET_LOOK: Duration = Duration::from_millis(2);

/// Starts workers, all from one thread of its own: a handle, cheap to clone.
///
/// The kernel's parent-death signal fires when the *thread* that started a process ends, so that thread must outlive
/// every worker: it ends when the last handle and the last [`Worker`] are gone.
#[derive(Debug, Clone)]
pub struct Spawner(Arc<Handle>);

type Done = Box<dyn FnOnce(Result<Worker, SpawnError>) + Send>;

enum Command {
    Spawn { spec: Box<SpawnSpec>, done: Done, handle: Arc<Handle> },
    Adopt { tree: Arc<Tree>, handle: Arc<Handle> },
    Quiet(Quiet),
}

/// Somebody who waits until no worker is left.
struct Quiet {
    until: Instant,
    done: Box<dyn FnOnce(usize) + Send>,
    /// Keeps the thread until it has answered.
    _handle: Arc<Handle>,
}

/// What keeps the thread alive. When the last one is dropped, the channel closes and the thread ends.
#[derive(Debug)]
pub(crate) struct Handle {
    /// `None` only while it is dropped.
    sender: Option<Sender<Command>>,
    wake: Arc<EventFd>,
    live: Arc<AtomicUsize>,
    warden: Arc<OwnedFd>,
}

impl Spawner {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// [`SpawnError::Host`] when the host is out of descriptors, memory or threads.
    pub fn start() -> Result<Self, SpawnError> {
        let host = |action| move |source| SpawnError::Host { action, source };
        // vm.memfd_noexec may forbid it, for which the layer's name brings the remedy.
        let warden = Arc::new(memfd::warden().map_err(|source| match source.raw_os_error() {
            Some(errno @ libc::EACCES) => {
                SpawnError::Step { layer: layer::WARDEN, action: "make the warden's program".to_owned(), errno }
            }
            Some(_) | None => SpawnError::Host { action: "make a file in memory for the warden", source },
        })?);
        let null = File::open("/dev/null").map_err(host("open /dev/null"))?;
        let wake = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)
            .map_err(SpawnError::host("make an eventfd"))?;
        let wake = Arc::new(wake);
        let (sender, receiver) = channel();
        let live = Arc::new(AtomicUsize::new(0));
        let thread = Thread {
            receiver,
            wake: Arc::clone(&wake),
            warden: Arc::clone(&warden),
            null: null.into(),
            stack: ChildStack::new(),
            live: Arc::clone(&live),
            starting: Vec::new(),
            orphans: Vec::new(),
            quiet: Vec::new(),
        };
        std::thread::Builder::new()
            .name("dayfly-spawner".to_owned())
            .spawn(move || thread.run())
            .map_err(host("start the spawner's thread"))?;
        Ok(Self(Arc::new(Handle { sender: Some(sender), wake, live, warden })))
    }

    /// Starts a worker; `done` is called with it on the spawner's thread, and must not block there.
    ///
    /// The worker's descriptors are closed in the host before `done` hears of the outcome.
    pub fn spawn(&self, spec: SpawnSpec, done: impl FnOnce(Result<Worker, SpawnError>) + Send + 'static) {
        let handle = Arc::clone(&self.0);
        self.0.send(Command::Spawn { spec: Box::new(spec), done: Box::new(done), handle });
    }

    /// Starts a worker and waits until the interpreter has been executed.
    ///
    /// # Errors
    ///
    /// [`SpawnError`]; no program has started and nothing is left of the attempt.
    pub fn spawn_blocking(&self, spec: SpawnSpec) -> Result<Worker, SpawnError> {
        let (sender, receiver) = sync_channel(1);
        self.spawn(spec, move |result| {
            // The receiver waits below.
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or(Err(SpawnError::Stopped))
    }

    /// How many workers are not reaped yet, those whose [`Worker`] was dropped included.
    #[must_use]
    pub fn live(&self) -> usize {
        self.0.live.load(Ordering::Acquire)
    }

    /// Calls `done` on the spawner's thread when every worker has been reaped, those whose [`Worker`] was dropped
    /// included, or after `patience`: with the number of those that are left. `done` must not block.
    pub fn when_quiet(&self, patience: Duration, done: impl FnOnce(usize) + Send + 'static) {
        let until = Instant::now() + patience;
        self.0.send(Command::Quiet(Quiet { until, done: Box::new(done), _handle: Arc::clone(&self.0) }));
    }

    pub(crate) fn warden(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.0.warden)
    }
}

impl Handle {
    /// Hands a killed tree to the thread, which reaps it.
    pub(crate) fn adopt(handle: &Arc<Self>, tree: Arc<Tree>) {
        handle.send(Command::Adopt { tree, handle: Arc::clone(handle) });
    }

    fn send(&self, command: Command) {
        let refused = match &self.sender {
            Some(sender) => sender.send(command).err().map(|refused| refused.0),
            None => Some(command),
        };
        match refused {
            None => self.wake(),
            // The thread is gone, and by its end the kernel has told every warden to clear up.
            Some(Command::Spawn { done, .. }) => done(Err(SpawnError::Stopped)),
            Some(Command::Adopt { tree, .. }) => drop(tree),
            Some(Command::Quiet(quiet)) => (quiet.done)(0),
        }
    }

    fn wake(&self) {
        // The counter is full after 2^64 - 2 wake-ups that nobody took; the thread is awake then.
        let _ = self.wake.write(1);
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.sender = None;
        self.wake();
    }
}

struct Thread {
    receiver: Receiver<Command>,
    wake: Arc<EventFd>,
    warden: Arc<OwnedFd>,
    null: OwnedFd,
    stack: ChildStack,
    live: Arc<AtomicUsize>,
    starting: Vec<Starting>,
    orphans: Vec<Orphan>,
    quiet: Vec<Quiet>,
}

/// A warden that has not said yet whether the interpreter was started.
struct Starting {
    warden: i32,
    pidfd: OwnedFd,
    report: Report,
    live: Live,
    names: StepNames,
    deadline: Instant,
    done: Done,
    handle: Arc<Handle>,
}

/// A killed tree whose worker is gone.
struct Orphan {
    tree: Arc<Tree>,
    deadline: Instant,
    grace: Duration,
    /// Keeps this thread until the tree is reaped.
    _handle: Arc<Handle>,
}

impl Orphan {
    fn new(tree: Arc<Tree>, handle: Arc<Handle>) -> Self {
        Self { tree, deadline: Instant::now() + KILL_GRACE, grace: KILL_GRACE, _handle: handle }
    }
}

impl Thread {
    fn run(mut self) {
        // No handler of the host may run here: between `clone` and `execve` the child shares our memory, and a handler
        // would run twice. Blocked signals go to other threads. The warden starts with this mask and keeps it.
        if let Err(errno) = SigSet::all().thread_block() {
            tracing::error!(%errno, "the spawner's thread cannot block signals and ends");
            return;
        }
        loop {
            match self.receiver.try_recv() {
                Ok(Command::Spawn { spec, done, handle }) => self.begin(*spec, done, handle),
                Ok(Command::Adopt { tree, handle }) => {
                    self.orphans.push(Orphan::new(tree, handle));
                }
                Ok(Command::Quiet(quiet)) => self.quiet.push(quiet),
                Err(TryRecvError::Empty) => {
                    self.answer_quiet();
                    self.wait();
                    self.advance();
                    self.reap();
                }
                // What is starting or orphaned holds a handle, so nothing is.
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    /// Sleeps until there is something to do.
    fn wait(&self) {
        let mut set = vec![PollFd::new(self.wake.as_fd(), PollFlags::POLLIN)];
        set.extend(self.starting.iter().map(|starting| PollFd::new(starting.report.as_fd(), PollFlags::POLLIN)));
        set.extend(self.orphans.iter().map(|orphan| PollFd::new(orphan.tree.pidfd().as_fd(), PollFlags::POLLIN)));
        let deadlines = self.starting.iter().map(|starting| starting.deadline);
        let deadlines = deadlines.chain(self.orphans.iter().map(|orphan| orphan.deadline));
        // A worker that its holder reaps tells nobody here.
        let looks = self.quiet.iter().map(|_| Instant::now() + QUIET_LOOK);
        let deadline = deadlines.chain(looks).min();
        let timeout = deadline.map_or(PollTimeout::NONE, |deadline| {
            // One more millisecond, so that the deadline has passed when the wait is over.
            let left = deadline.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
            PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)
        });
        match poll(&mut set, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            // Out of kernel memory: try again, without spinning.
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
        // Empties the counter; it says nothing that the channel does not say.
        let _ = self.wake.read();
    }

    /// Answers those who wait until no worker is left.
    fn answer_quiet(&mut self) {
        let (left, now) = (self.live.load(Ordering::Acquire), Instant::now());
        let answered = self.quiet.extract_if(.., |quiet| left == 0 || quiet.until <= now);
        for quiet in answered {
            if catch_unwind(AssertUnwindSafe(|| (quiet.done)(left))).is_err() {
                tracing::error!("a callback of Spawner::when_quiet panicked");
            }
        }
    }

    /// Starts a warden.
    fn begin(&mut self, spec: SpawnSpec, done: Done, handle: Arc<Handle>) {
        let started = self.start(&spec);
        // The worker's descriptors are the warden's now, or nobody's: closed before anybody hears of the outcome.
        drop(spec);
        match started {
            Ok((warden, pidfd, report, names)) => self.starting.push(Starting {
                warden,
                pidfd,
                report,
                live: Live::new(&self.live),
                names,
                deadline: Instant::now() + START_DEADLINE,
                done,
                handle,
            }),
            Err(error) => finish(done, Err(error)),
        }
    }

    fn start(&mut self, spec: &SpawnSpec) -> Result<(i32, OwnedFd, Report, StepNames), SpawnError> {
        let (report, warden_report) =
            nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(SpawnError::host("make a report pipe"))?;
        fcntl(&report, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(SpawnError::host("set up a report pipe"))?;
        let host = std::process::id().cast_signed();
        let recipe = recipe::compile(spec, self.null.as_fd(), warden_report.as_fd(), host)?;
        let file = memfd::recipe(&recipe.bytes)
            .map_err(|source| SpawnError::Host { action: "make a file in memory for a recipe", source })?;
        let mut inherit = vec![file.as_raw_fd(), warden_report.as_raw_fd(), self.null.as_raw_fd()];
        inherit.extend([spec.stdout.as_raw_fd(), spec.stderr.as_raw_fd()]);
        inherit.extend(spec.socket.as_ref().map(|socket| socket.as_raw_fd()));
        inherit.extend(spec.bootstrap.as_ref().map(|bootstrap| bootstrap.as_raw_fd()));
        // Digits have no NUL byte.
        let argument = CString::new(file.as_raw_fd().to_string()).unwrap_or_default();
        let started = start_warden(&mut self.stack, self.warden.as_fd(), &argument, &inherit).map_err(|errno| {
            SpawnError::Step { layer: layer::WARDEN, action: "execute the warden".to_owned(), errno: errno as i32 }
        })?;
        Ok((started.pid, started.pidfd, Report::new(report), recipe.names))
    }

    /// Hears of the wardens that are starting.
    fn advance(&mut self) {
        let mut index = 0;
        while let Some(starting) = self.starting.get(index) {
            let word = starting.report.read();
            if matches!(word, Word::Silence) && Instant::now() < starting.deadline {
                index += 1;
            } else {
                let starting = self.starting.swap_remove(index);
                self.settle(starting, &word);
            }
        }
    }

    /// Makes a worker of a warden that has spoken, or an error of one that failed.
    fn settle(&mut self, starting: Starting, word: &Word) {
        let Starting { warden, pidfd, report, live, names, done, handle, .. } = starting;
        let error = match word {
            Word::Record(record) if record.kind == STARTED => {
                let tree = Tree::new(record.pid, warden, pidfd, report, live);
                return finish(done, Ok(Worker::new(tree, handle)));
            }
            Word::Record(record) if record.kind == FAILED => {
                let name = usize::try_from(record.step).ok().and_then(|step| names.get(step)).cloned();
                let (layer, action) = name.unwrap_or((layer::WARDEN, "walk its recipe".to_owned()));
                SpawnError::Step { layer, action, errno: record.status }
            }
            Word::Record(_) | Word::End => {
                let ended = process::has_ended(pidfd.as_fd(), EXIT_GRACE);
                SpawnError::WardenDied { how: if ended { "ended" } else { "fell silent" } }
            }
            Word::Silence => SpawnError::Stalled { deadline: START_DEADLINE },
        };
        // The interpreter's process is not known; there is none, or it is found below the warden.
        let tree = Arc::new(Tree::new(0, warden, pidfd, report, live));
        if matches!(error, SpawnError::Stalled { .. }) {
            tree.kill_hard();
        }
        let gone = process::has_ended(tree.pidfd().as_fd(), EXIT_GRACE) && matches!(tree.try_reap(), Ok(Some(_)));
        if !gone {
            tree.kill();
            self.orphans.push(Orphan::new(tree, handle));
        }
        finish(done, Err(error));
    }

    /// Reaps the trees whose workers are gone.
    fn reap(&mut self) {
        let now = Instant::now();
        self.orphans.retain_mut(|orphan| match orphan.tree.try_reap() {
            Ok(Some(_)) => false,
            Ok(None) => {
                if orphan.deadline <= now {
                    orphan.tree.kill_hard();
                    // What even SIGKILL does not end is stuck in the kernel: look again, less and less often.
                    orphan.grace = orphan.grace.saturating_mul(2).min(MOST_GRACE);
                    orphan.deadline = Instant::now() + orphan.grace;
                }
                true
            }
            Err(error) => {
                tracing::error!(%error, "a worker cannot be waited for");
                false
            }
        });
    }
}

/// Calls back. A panic there must not end this thread: every worker would die with it.
fn finish(done: Done, result: Result<Worker, SpawnError>) {
    if catch_unwind(AssertUnwindSafe(|| done(result))).is_err() {
        tracing::error!("a callback of Spawner::spawn panicked");
    }
}
