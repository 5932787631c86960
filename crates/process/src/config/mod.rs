//! What an operator configures, and what of it is in force.

mod limits;
mod validate;

use std::path::PathBuf;
use std::time::Duration;

use dayfly_sandbox::Profile;

pub use dayfly_runtime::{ByteSize, ParseByteSizeError, ParseDurationError, parse_duration};
pub use limits::LimitKey;
pub(crate) use validate::Limits;
pub use validate::{ConfigError, ConfigProblem};

use limits::limits;

limits! {
    /// Busy CPU time of the worker's whole tree since `start`.
    compute: Duration = Duration::from_secs(60), "time", "host, from /proc; RLIMIT_CPU behind it",
        "the run ends as `timeout`; waiting on a tool costs nothing";
    /// Time since `start`; it never pauses.
    wall: Duration = Duration::from_secs(600), "time", "host, by a timer", "the run ends as `timeout`";
    /// Logs, completion value and failure message together, as serialized JSON.
    max_output_bytes: ByteSize = ByteSize::mib(64), "bytes", "host, by one ledger",
        "the run ends as `output-limit`; the logs that fit are kept";
    /// Payload of one frame: the longest argument, result or completion.
    max_frame_bytes: ByteSize = ByteSize::mib(256), "bytes", "worker; host against forgery",
        "that call fails, or the run ends as `output-limit`; a forged frame ends it as `worker-exit`";
    /// Host memory that one received value may take once it is decoded.
    max_decoded_bytes: ByteSize = ByteSize::gib(1), "bytes", "host, charged before it is allocated",
        "that call fails, or the run ends as `invalid-output`";
    /// Nesting of one value.
    max_depth: usize = 10_000, "levels", "worker and host", "that call fails, or the run ends as `invalid-output`";
    /// Source text of a program.
    max_program_bytes: ByteSize = ByteSize::mib(1), "bytes", "host", "`run` is an error; no program starts";
    /// Calls of one run that the host works on at a time.
    max_pending_calls: usize = 256, "calls", "host, by not reading the socket", "further calls wait in the worker";
    /// Arguments of calls in flight and results not yet taken by the worker, of one run.
    max_pending_bytes: ByteSize = ByteSize::mib(512), "bytes", "host, by not reading the socket",
        "further calls wait in the worker";
    /// Receipts that are given in full; the rest are counts per name.
    max_receipts: usize = 1_000, "calls", "host", "later calls are only counted";
    /// Runs that have a worker at the same time (for each level of nesting).
    max_concurrent_runs: usize = 16, "runs", "host, in order of arrival", "further runs wait";
    /// Runs inside host functions of runs, counted from the outermost.
    max_nested_runs: usize = 4, "levels", "host", "`run` is an error; no program starts";
    /// Runs that may wait for a place.
    queue_length: usize = 1_024, "runs", "host", "`run` is an error; no program starts";
    /// How long a run may wait for a place.
    queue_wait: Duration = Duration::from_secs(60), "time", "host", "`run` is an error; no program starts";
    /// From spawning a worker to its `ready`.
    ready_deadline: Duration = Duration::from_secs(10), "time", "host", "`run` is an error; no program starts";
    /// How long host functions may take to return once their run has settled.
    drain_grace: Duration = Duration::from_secs(5), "time", "host",
        "a function that takes longer is dropped and its receipt says `abandoned`";
    /// V8's old space, the JavaScript heap (TypeScript only); never more than `memory`.
    old_space: ByteSize = ByteSize::mib(512), "bytes", "V8", "the run ends as `worker-exit`, out of memory";
    /// Private writable memory of each process: heaps, array buffers, native allocations.
    memory: ByteSize = ByteSize::gib(4), "bytes", "kernel, RLIMIT_DATA",
        "an allocation fails in the program, or the run ends as `worker-exit`";
    /// Address space of each process (Python only: V8 reserves more than it uses).
    address_space: ByteSize = ByteSize::gib(8), "bytes", "kernel, RLIMIT_AS", "an allocation fails in the program";
    /// Stack of the main thread, and the default for other threads.
    stack: ByteSize = ByteSize::mib(8), "bytes", "kernel, RLIMIT_STACK", "the run ends as `worker-exit`";
    /// Size of any one file that the worker writes.
    file_size: ByteSize = ByteSize::gib(1), "bytes", "kernel, RLIMIT_FSIZE", "the write fails in the program";
    /// Descriptors of each process.
    open_files: u64 = 1_024, "descriptors", "kernel, RLIMIT_NOFILE", "opening fails in the program";
}

/// Where things are found and what is applied.
///
/// The limits are fields of the same struct; [`ProcessConfig::limit_keys`] describes each with its unit, default,
/// enforcer and effect.
impl ProcessConfig {
    /// Takes programs' interpreter for TypeScript from this path, a file or a directory with `bin/node`, instead of searching
    /// for one.
    #[must_use]
    pub fn node(mut self, path: impl Into<PathBuf>) -> Self {
        self.node = Some(path.into());
        self
    }

    /// Takes programs' interpreter for Python from this path, a file or a directory such as a venv, instead of searching
    /// for one. A venv's interpreter brings the packages of the venv.
    #[must_use]
    pub fn python(mut self, path: impl Into<PathBuf>) -> Self {
        self.python = Some(path.into());
        self
    }

    /// Lets programs import packages from this `node_modules` directory.
    #[must_use]
    pub fn node_modules(mut self, path: impl Into<PathBuf>) -> Self {
        self.node_modules = Some(path.into());
        self
    }

    /// Lets programs import packages from this directory, such as a venv's `site-packages`.
    #[must_use]
    pub fn python_modules(mut self, path: impl Into<PathBuf>) -> Self {
        self.python_modules = Some(path.into());
        self
    }

    /// Makes the workers' private directories in this directory instead of the system's temporary one.
    #[must_use]
    pub fn work_root(mut self, path: impl Into<PathBuf>) -> Self {
        self.work_root = Some(path.into());
        self
    }

    /// Applies this profile to every worker.
    #[must_use]
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }
}
