//! One command: JSON in by standard input, JSON out by standard output.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use dayfly::{ByteSize, CancellationToken};
use nix::errno::Errno;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::sync::oneshot;

use super::excerpt;
use super::running::{Commands, Running};

/// How much of standard error a failed call says: what a person would read of it.
const STDERR_TAIL: usize = 2_000;

/// How long the pipes of a command that has ended may stay open: a process that left the group may hold them.
const DRAIN: Duration = Duration::from_millis(500);

/// A command that can be run any number of times.
#[derive(Debug)]
pub(super) struct CommandSpec {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) cwd: PathBuf,
    /// The whole environment.
    pub(super) env: Vec<(String, OsString)>,
    pub(super) timeout: Option<Duration>,
    pub(super) max_output: ByteSize,
}

/// Why a command gave no result. The text is what the program reads.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("the tool's command could not be started: {source}{}", start_advice(source))]
    Start { source: io::Error },
    #[error("the tool's command could not be watched: {source}")]
    Watch { source: io::Error },
    #[error("{stderr}")]
    Failed { stderr: String },
    #[error("the tool's command exited with code {code} and wrote nothing to standard error")]
    Code { code: i32 },
    #[error("the tool's command was killed by signal {signal}{stderr}")]
    Signal { signal: i32, stderr: String },
    #[error("the tool did not answer within its timeout of {}", humantime::format_duration(*limit))]
    Timeout { limit: Duration },
    #[error("the tool wrote more than its max_output of {limit}; ask it for less")]
    TooMuchOutput { limit: ByteSize },
    #[error("the call was cancelled")]
    Cancelled,
}

/// What a file that can be executed and is not a program lacks.
fn start_advice(error: &io::Error) -> &'static str {
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ENOEXEC) => {
            "; begin the file with a line such as #!/usr/bin/env python3, or name its interpreter in argv"
        }
        Some(Errno::ENOENT) => {
            "; the command, its working directory or the interpreter that its first line names is not there"
        }
        _ => "",
    }
}

/// Standard output passed its cap.
struct Overflow;

impl CommandSpec {
    /// Runs the command once, and gives what it wrote to standard output.
    ///
    /// # Cancellation
    ///
    /// When `cancel` is cancelled or the future is dropped, the command's process group is killed.
    pub(super) async fn run(
        &self,
        commands: &Arc<Commands>,
        input: String,
        cancel: &CancellationToken,
    ) -> Result<Vec<u8>, CommandError> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.cwd).env_clear().envs(self.env.iter().cloned());
        let running = commands.spawn(&mut command).map_err(|source| CommandError::Start { source })?;
        let Running { stdin, mut stdout, mut stderr, mut end, group } = running;

        let (mut written, mut last_words) = (Vec::new(), Vec::new());
        let outcome = {
            let pipes = pin!(async {
                tokio::try_join!(
                    feed(stdin, input),
                    collect(&mut stdout, &mut written, self.max_output.as_usize()),
                    keep_tail(&mut stderr, &mut last_words),
                )
                .map(drop)
            });
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err(CommandError::Cancelled),
                limit = expiry(self.timeout) => Err(CommandError::Timeout { limit }),
                settled = settle(pipes, &mut end) => match settled {
                    Ok(status) => status.map_err(|source| CommandError::Watch { source }),
                    Err(Overflow) => Err(CommandError::TooMuchOutput { limit: self.max_output }),
                },
            }
        };
        match outcome {
            Ok(status) => judge(status, &last_words).map(|()| written),
            Err(error) => {
                group.kill();
                // Killed is not gone: the call ends when the process has been reaped.
                let _ = (&mut end).await;
                Err(error)
            }
        }
    }
}

/// Waits until the command has ended and its pipes are read.
async fn settle(
    mut pipes: Pin<&mut impl Future<Output = Result<(), Overflow>>>,
    end: &mut oneshot::Receiver<io::Result<ExitStatus>>,
) -> Result<io::Result<ExitStatus>, Overflow> {
    let mut open = true;
    let status = loop {
        tokio::select! {
            drained = &mut pipes, if open => {
                drained?;
                open = false;
            }
            status = &mut *end => break status,
        }
    };
    if open && let Ok(drained) = tokio::time::timeout(DRAIN, pipes).await {
        drained?;
    }
    Ok(status.unwrap_or_else(|_| Err(io::Error::other("its watcher ended first"))))
}

/// Never, without a limit.
async fn expiry(limit: Option<Duration>) -> Duration {
    match limit {
        Some(limit) => {
            tokio::time::sleep(limit).await;
            limit
        }
        None => std::future::pending().await,
    }
}

async fn feed(mut stdin: ChildStdin, input: String) -> Result<(), Overflow> {
    // A command that does not read its arguments closes the pipe: that is its right, and its exit code decides.
    let _ = stdin.write_all(input.as_bytes()).await;
    Ok(())
}

async fn collect(source: &mut (impl AsyncRead + Unpin), into: &mut Vec<u8>, limit: usize) -> Result<(), Overflow> {
    let mut chunk = [0; 16 * 1024];
    loop {
        // An error of a pipe's read end leaves nothing more to read; the exit code decides.
        let count = source.read(&mut chunk).await.unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        if into.len() + count > limit {
            return Err(Overflow);
        }
        into.extend_from_slice(&chunk[..count]);
    }
}

async fn keep_tail(source: &mut (impl AsyncRead + Unpin), tail: &mut Vec<u8>) -> Result<(), Overflow> {
    let mut chunk = [0; 4 * 1024];
    loop {
        let count = source.read(&mut chunk).await.unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        tail.extend_from_slice(&chunk[..count]);
        // Four bytes are the longest character. Cutting only what doubled keeps the cost linear.
        const KEPT: usize = 4 * STDERR_TAIL;
        if tail.len() > 2 * KEPT {
            tail.drain(..tail.len() - KEPT);
        }
    }
}

fn judge(status: ExitStatus, stderr: &[u8]) -> Result<(), CommandError> {
    if status.success() {
        return Ok(());
    }
    let stderr = excerpt::tail(stderr, STDERR_TAIL);
    match (status.code(), status.signal()) {
        (Some(code), _) if stderr.is_empty() => Err(CommandError::Code { code }),
        (_, Some(signal)) if stderr.is_empty() => Err(CommandError::Signal { signal, stderr }),
        (_, Some(signal)) => Err(CommandError::Signal { signal, stderr: format!(": {stderr}") }),
        _ => Err(CommandError::Failed { stderr }),
    }
}
