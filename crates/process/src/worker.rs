//! One worker process and what the host holds of it.

use std::ffi::CString;
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dayfly_runtime::RunError;
use dayfly_sandbox::{Exit, ResourceLimits, SpawnError, SpawnSpec, WorkDir, WorkDirError, Worker};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::net::unix::pipe;

use crate::config::{ByteSize, Limits};
use crate::dialect::Dialect;
use crate::supervisor::Shared;

/// How long the warden has to end its tree before the tree is ended without it.
const WARDEN_GRACE: Duration = Duration::from_secs(2);

/// How often a tree that will not die is killed again before its remains are left to the spawner thread.
const HARD_KILLS: u32 = 20;

/// RLIMIT_CPU stands this far behind the compute budget: it counts the start of the interpreter as well.
const CPU_LIMIT_MARGIN: Duration = Duration::from_secs(10);

/// What to start.
#[derive(Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) executable: &'a Path,
    pub(crate) arguments: Vec<CString>,
    pub(crate) dialect: &'static Dialect,
    /// Private writable memory of each process.
    pub(crate) memory: ByteSize,
    /// The worker's end of the socket, descriptor 3.
    pub(crate) socket: Option<OwnedFd>,
    /// A sealed file, descriptor 4.
    pub(crate) bootstrap: Option<Arc<OwnedFd>>,
    /// A directory that the program sees as `node_modules`.
    pub(crate) packages: Option<PathBuf>,
}

/// A started process. Dropping it kills its tree; [`end`](Self::end) also waits until nothing of it is left.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    worker: Worker,
    pub(crate) exit: ExitWatch,
    pub(crate) stdout: pipe::Receiver,
    pub(crate) stderr: pipe::Receiver,
    directory: Option<WorkDir>,
}

/// Sees the end of a process and all its descendants.
#[derive(Debug)]
pub(crate) struct ExitWatch(AsyncFd<OwnedFd>);

impl ExitWatch {
    #[expect(
        deprecated,
        reason = "its successor is unsafe for types whose descriptor may change while it is watched; an OwnedFd's cannot"
    )]
    fn new(pidfd: OwnedFd) -> io::Result<Self> {
        AsyncFd::with_interest(pidfd, Interest::READABLE).map(Self)
    }

    /// Returns when the process and all its descendants have ended. One task at a time may wait.
    ///
    /// # Cancellation
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn exited(&self) {
        // An error here is the end of the tokio runtime, and of this future with it.
        let _ = poll_fn(|cx| self.0.poll_read_ready(cx).map_ok(drop)).await;
    }
}

impl WorkerProcess {
    /// Starts a process in a private, empty directory.
    ///
    /// # Cancellation
    ///
    /// Dropping the future kills what has been started.
    pub(crate) async fn launch(shared: &Shared, launch: Launch<'_>) -> Result<Self, RunError> {
        let spawner = shared.spawner().await?;
        let directory = WorkDir::create(&shared.work_root()).map_err(directory_error)?;
        if let Some(packages) = &launch.packages {
            directory.link("node_modules", packages).map_err(directory_error)?;
        }
        let (stdout_end, stdout) = output_pipe()?;
        let (stderr_end, stderr) = output_pipe()?;
        let spec = SpawnSpec {
            executable: launch.executable.to_owned(),
            arguments: launch.arguments,
            directory: directory.path().to_owned(),
            stdout: stdout_end,
            stderr: stderr_end,
            socket: launch.socket,
            bootstrap: launch.bootstrap,
            limits: resource_limits(&shared.limits, launch.memory, launch.dialect),
            profile: shared.limits.profile,
        };
        let (sender, receiver) = tokio::sync::oneshot::channel();
        spawner.spawn(spec, move |spawned| {
            // Nobody waits any more: the worker is dropped, which kills it.
            let _ = sender.send(spawned);
        });
        let spawned = receiver.await.map_err(|_| RunError::Host {
            action: "spawn a worker",
            source: io::Error::other("the spawning thread has ended"),
        })?;
        let worker = spawned.map_err(refused)?;
        let pidfd = worker.pidfd().try_clone_to_owned().map_err(host("watch the worker"))?;
        let exit = ExitWatch::new(pidfd).map_err(host("watch the worker"))?;
        Ok(Self { worker, exit, stdout, stderr, directory: Some(directory) })
    }

    /// Whether the interpreter itself has ended, whatever its warden has to say of it.
    pub(crate) fn interpreter_has_ended(&self) -> bool {
        self.worker.interpreter_has_ended()
    }

    /// CPU time of the whole tree until now.
    pub(crate) fn cpu_time(&self) -> io::Result<Duration> {
        self.worker.cpu_time()
    }

    /// Kills the tree, waits until nothing of it is left, and removes its directory.
    pub(crate) async fn end(&mut self) -> Exit {
        self.worker.kill();
        let mut patience = WARDEN_GRACE;
        for _ in 0..HARD_KILLS {
            if tokio::time::timeout(patience, self.exit.exited()).await.is_ok() {
                break;
            }
            // The warden is stopped or wedged: a program of the same user can do that to it.
            self.worker.kill_hard();
            patience = Duration::from_millis(500);
        }
        let exit = match self.worker.try_reap() {
            Ok(Some(exit)) => exit,
            Ok(None) => {
                tracing::error!(pid = self.worker.pid(), "a worker did not die; its remains are left to the spawner");
                Exit::default()
            }
            Err(error) => {
                tracing::error!(%error, pid = self.worker.pid(), "failed to reap a worker");
                Exit::default()
            }
        };
        if let Some(directory) = self.directory.take() {
            // A program can leave a million files: they are removed where nobody else waits.
            let removed = tokio::task::spawn_blocking(move || directory.remove()).await;
            if let Ok(Err(error)) = removed {
                tracing::warn!(%error, "failed to remove a worker's directory; the next start will try again");
            }
        }
        exit
    }
}

/// A pipe whose reading end is ours and whose other end blocks, as programs expect of their output.
fn output_pipe() -> Result<(OwnedFd, pipe::Receiver), RunError> {
    let (sender, receiver) = pipe::pipe().map_err(host("make a pipe"))?;
    let end = sender.into_blocking_fd().map_err(host("make a pipe"))?;
    Ok((end, receiver))
}

fn resource_limits(limits: &Limits, memory: ByteSize, dialect: &Dialect) -> ResourceLimits {
    ResourceLimits {
        cpu: Some(limits.compute.saturating_add(CPU_LIMIT_MARGIN)),
        data: Some(memory.as_u64()),
        address_space: dialect.bounds_address_space.then(|| limits.address_space.as_u64()),
        stack: Some(limits.stack.as_u64()),
        file_size: Some(limits.file_size.as_u64()),
        open_files: Some(limits.open_files),
        // It counts every process of the user, not of the run.
        processes: None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other error is of no layer")]
pub(crate) fn refused(error: SpawnError) -> RunError {
    let layer = match &error {
        SpawnError::Step { layer, errno, .. } => Some((*layer, *errno)),
        SpawnError::Canary { layer, .. } => Some((*layer, 0)),
        _ => None,
    };
    match layer {
        Some((layer, errno)) => RunError::Layer { layer: layer.to_owned(), errno, remedy: error.to_string() },
        None => RunError::Host { action: "spawn a worker", source: io::Error::other(error) },
    }
}

fn directory_error(error: WorkDirError) -> RunError {
    RunError::Host { action: "prepare the worker's private directory", source: io::Error::other(error) }
}

pub(crate) fn host(action: &'static str) -> impl FnOnce(io::Error) -> RunError {
    move |source| RunError::Host { action, source }
}
