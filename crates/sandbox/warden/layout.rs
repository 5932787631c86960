//! What the host and the warden agree on: the recipe's layout in memory and the records of the report pipe.
//!
//! The host includes this file too, so the two cannot disagree. All integers are in the machine's own byte order: the
//! warden is compiled for the host that carries it and never meets another.

/// Where the warden maps the recipe. The host knows it, so pointers in the recipe are final and the warden relocates
/// nothing. 64 GiB is free in a static program and exists even with 39-bit address spaces (aarch64).
pub const BASE: u64 = 0x10_0000_0000;

/// How much the warden maps at [`BASE`]: no recipe is longer. The kernel caps arguments below this.
pub const SPACE: u64 = 16 << 20;

/// The recipe's first bytes; the steps follow, `outer` ones first.
#[repr(C)]
pub struct Header {
    /// Steps that the warden walks for itself. The last one opens its own list of children.
    pub outer: u32,
    /// Steps that the interpreter's process walks; the last one is its `execve`.
    pub inner: u32,
    /// The host's process, for the check that it still lives.
    pub host: i32,
    /// The report pipe's descriptor in the warden.
    pub report: i32,
    /// Written by the interpreter's process: the step that failed, counted from the first outer one.
    pub failed_step: u32,
    /// Written by the interpreter's process: its errno; 0 while nothing has failed.
    pub failed_errno: i32,
}

/// One system call with its arguments.
#[repr(C)]
pub struct Step {
    /// The system call's number.
    pub number: u32,
    /// How the result is judged: [`CHECK_SUCCESS`] or [`CHECK_PARENT`].
    pub check: u32,
    /// The arguments; pointers are absolute.
    pub arguments: [u64; 6],
}

/// The call must not return an errno.
pub const CHECK_SUCCESS: u32 = 0;
/// The call must return the process that started this one: the host, or the warden.
pub const CHECK_PARENT: u32 = 1;

/// Bytes of a [`Header`].
pub const HEADER_BYTES: usize = 24;
/// Bytes of a [`Step`].
pub const STEP_BYTES: usize = 56;
/// Bytes of a [`Record`]; below `PIPE_BUF`, so that a record is written whole or not at all.
pub const RECORD_BYTES: usize = 32;

const _: () = assert!(core::mem::size_of::<Header>() == HEADER_BYTES);
const _: () = assert!(core::mem::size_of::<Step>() == STEP_BYTES);
const _: () = assert!(core::mem::size_of::<Record>() == RECORD_BYTES);

/// One message of the warden to the host.
#[repr(C)]
pub struct Record {
    /// [`STARTED`], [`FAILED`] or [`ENDED`].
    pub kind: u32,
    /// The interpreter's process.
    pub pid: i32,
    /// `FAILED`: the step.
    pub step: u32,
    /// `FAILED`: the errno. `ENDED`: the interpreter's wait status.
    pub status: i32,
    /// `ENDED`: CPU time of everything reaped, in microseconds.
    pub cpu: u64,
    /// `ENDED`: the largest resident set of any reaped process, in KiB.
    pub peak: u64,
}

/// The interpreter has been executed.
pub const STARTED: u32 = 1;
/// A step failed; nothing was executed.
pub const FAILED: u32 = 2;
/// The interpreter has ended and nothing of its tree is left.
pub const ENDED: u32 = 3;
