//! Why a worker was not started, and why a directory was not made or removed.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use nix::errno::Errno;

/// A worker was not started; nothing of it is left.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The specification cannot be carried out.
    #[error("cannot start {path:?}: {problem}")]
    Invalid {
        /// The path that is wrong, or the executable.
        path: PathBuf,
        /// What is wrong and what to do.
        problem: &'static str,
    },
    /// The host could not make what a worker needs.
    #[error("failed to {action}: {source}")]
    Host {
        /// What was attempted, completing "failed to …".
        action: &'static str,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A step of the recipe failed in the child, before any program started.
    #[error("layer {layer}: failed to {action}: {}; {}", errno_text(*.errno), remedy(.layer, *.errno))]
    Step {
        /// The layer, as in the isolation report; `exec` for the interpreter's own start.
        layer: &'static str,
        /// What was attempted, completing "failed to …".
        action: String,
        /// The kernel's answer.
        errno: i32,
    },
    /// The warden ended without a word while the worker was being started: it was killed from outside, by the kernel for
    /// want of memory, or by the program itself in its first moment.
    #[error(
        "the warden {how} before it had told whether the worker was started; if nothing in the host kills processes, check for a lack of memory, and start it again"
    )]
    WardenDied {
        /// What is known of it: `ended`, or `fell silent` for one that still runs.
        how: &'static str,
    },
    /// The worker was not started in time.
    #[error(
        "the worker was not started within {deadline:?}; the file system of its executable may hang, or something stopped it"
    )]
    Stalled {
        /// The deadline.
        deadline: Duration,
    },
    /// A canary child showed that a layer is not in force.
    #[error(
        "layer {layer}: a test child on this host shows that it is not in force: {found}; report this with your kernel's version"
    )]
    Canary {
        /// The layer.
        layer: &'static str,
        /// What was found instead.
        found: String,
    },
    /// The spawner's thread has ended.
    #[error("the spawner's thread has ended; start a new one")]
    Stopped,
}

impl SpawnError {
    /// What to do about a failed step; `None` for other errors, whose text says it.
    #[must_use]
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Step { layer, errno, .. } => Some(remedy(layer, *errno)),
            Self::Invalid { .. }
            | Self::Host { .. }
            | Self::WardenDied { .. }
            | Self::Stalled { .. }
            | Self::Canary { .. }
            | Self::Stopped => None,
        }
    }

    pub(crate) fn host(action: &'static str) -> impl FnOnce(Errno) -> Self {
        move |errno| Self::Host { action, source: errno.into() }
    }
}

fn errno_text(errno: i32) -> String {
    io::Error::from_raw_os_error(errno).to_string()
}

fn remedy(layer: &str, errno: i32) -> &'static str {
    match (layer, errno) {
        ("exec", libc::ENOENT) => "check the path, and that the loader the binary names is installed",
        ("exec", libc::EACCES) => "make the file and every directory above it executable for the host's user",
        ("exec", libc::ENOEXEC) => "name a real binary for this machine, not a script",
        ("exec", libc::E2BIG) => "pass fewer or shorter arguments, or raise the stack limit",
        ("exec", libc::ENOMEM) => "raise the worker's memory limits",
        ("working-directory", _) => "check that the directory exists and belongs to the host's user",
        ("warden", libc::EACCES) => "allow memfds to be executed (sysctl vm.memfd_noexec below 2)",
        ("warden", libc::EAGAIN) | ("exec", libc::EAGAIN) => "raise the process limit of the host's user",
        ("reaping", libc::ENOENT) => "mount /proc, on a kernel with CONFIG_PROC_CHILDREN",
        ("parent-death", _) => "the host ended meanwhile; start it again",
        (_, libc::ENOSYS) => "use Linux 5.9 or newer, or allow the call in the host's own seccomp filter",
        (_, libc::EPERM) => "allow the call in the host's own sandbox",
        _ => "see the errno",
    }
}

/// A private directory was not made, filled or removed.
#[derive(Debug, thiserror::Error)]
#[error("failed to {action} {path:?}: {source}")]
#[non_exhaustive]
pub struct WorkDirError {
    /// What was attempted, completing "failed to …".
    pub action: &'static str,
    /// Where.
    pub path: PathBuf,
    /// The cause.
    #[source]
    pub source: io::Error,
}
