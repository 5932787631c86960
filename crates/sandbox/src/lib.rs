//! What is done to one child process before it runs model code, and how it ends: limits, layers, spawn, kill, reap.
//!
//! A [`Spawner`] owns one long-lived thread. [`Spawner::spawn`] compiles a [`SpawnSpec`] and its [`Profile`] into a
//! *recipe*, a flat list of system calls, and starts the *warden*: a tiny static program of ours, executed from a memfd
//! after `clone(CLONE_VM | CLONE_VFORK | CLONE_PIDFD)`, so that a host with a large heap spawns as fast as a small one.
//! The warden walks the recipe, starts the interpreter, stays above it as the subreaper of everything that descends from
//! it, and leaves nothing of it when the interpreter ends, when it is told to, or when the host dies, by `SIGKILL` too.
//! A step that fails is told with its layer and errno: no program ever starts half-contained.
//!
//! ```no_run
//! use std::ffi::CString;
//! use dayfly_sandbox::{Profile, ResourceLimits, SpawnSpec, Spawner, WorkDir};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let spawner = Spawner::start()?;
//! let directory = WorkDir::create(&std::env::temp_dir())?;
//! let (_out, stdout) = std::io::pipe()?;
//! let (_err, stderr) = std::io::pipe()?;
//! let worker = spawner.spawn_blocking(SpawnSpec {
//!     executable: "/usr/bin/python3.11".into(),
//!     arguments: vec![CString::new("python3")?, CString::new("-c")?, CString::new("print(1)")?],
//!     directory: directory.path().to_owned(),
//!     stdout: stdout.into(),
//!     stderr: stderr.into(),
//!     socket: None,
//!     bootstrap: None,
//!     limits: ResourceLimits::default(),
//!     profile: Profile::Open,
//! })?;
//! worker.kill(); // or let it end; `worker.pidfd()` becomes readable when its whole tree is gone
//! # Ok(()) }
//! ```
//!
//! # What the host keeps
//!
//! The host is somebody's program, so nothing process-wide is changed: no subreaper, no signal handler, no dumpable
//! flag, no rlimit, no `waitpid(-1)`. One thing cannot be hidden: `execve` resets a child's exit signal to `SIGCHLD`, so
//! the host receives one per worker (ignored by default), and a host that itself reaps with `waitpid(-1)` may reap a
//! warden. Nothing is lost then: a [`Worker`] learns its [`Exit`] from the warden's report and its end from a pidfd.
//!
//! # What `open` does not stop
//!
//! A program may kill or stop its own warden, since both run as the same user. Killed, the kernel kills the interpreter
//! with it (its parent-death signal), but other descendants escape; stopped, [`Worker::kill`] resumes it and
//! [`Worker::kill_hard`] does without it. A PID namespace, a later layer, closes this.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("dayfly runs workers on Linux only, on x86-64 or aarch64: build for one of those targets");

mod canary;
mod clone;
mod cpu;
mod error;
#[expect(unreachable_pub, reason = "the warden, which includes this file, is a program of its own")]
#[path = "../warden/layout.rs"]
mod layout;
mod limits;
mod memfd;
mod process;
mod profile;
mod recipe;
mod removal;
mod spawner;
mod spec;
mod stale;
mod tree;
mod workdir;
mod worker;

pub use error::{SpawnError, WorkDirError};
pub use limits::ResourceLimits;
pub use memfd::sealed_memfd;
pub use profile::Profile;
pub use spawner::Spawner;
pub use spec::SpawnSpec;
pub use stale::remove_stale;
pub use workdir::WorkDir;
pub use worker::{Exit, Worker};
