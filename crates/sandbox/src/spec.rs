//! What is to be started.

use std::ffi::CString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use crate::{Profile, ResourceLimits};

/// One interpreter to start, with everything that it will have: nothing else of the host reaches it.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it whole: a new field must break them, not be forgotten")]
pub struct SpawnSpec {
    /// The program to execute: an absolute path to a real binary, not to a shell wrapper.
    pub executable: PathBuf,
    /// Its arguments, `argv[0]` included.
    pub arguments: Vec<CString>,
    /// Its working directory: an absolute path, usually of a [`WorkDir`](crate::WorkDir).
    pub directory: PathBuf,
    /// Becomes descriptor 1.
    pub stdout: OwnedFd,
    /// Becomes descriptor 2.
    pub stderr: OwnedFd,
    /// Becomes descriptor 3.
    pub socket: Option<OwnedFd>,
    /// Becomes descriptor 4; shared, because every worker of a language reads the same sealed memfd.
    pub bootstrap: Option<Arc<OwnedFd>>,
    /// Its resource limits.
    pub limits: ResourceLimits,
    /// Its layers.
    pub profile: Profile,
}
