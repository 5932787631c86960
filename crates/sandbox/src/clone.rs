//! The start of the warden: `clone` without copying the host's memory.
#![expect(unsafe_code, reason = "a child that shares the host's memory until it executes cannot be made otherwise")]

use std::ffi::{CStr, CString, c_int, c_void};
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::ptr;

use nix::errno::Errno;

/// The stack on which the child lives for its few system calls; 16-byte units, as the ABI aligns it. The dynamic
/// loader's lazy binding and a debug build need some KiB of it.
pub(crate) struct ChildStack(Vec<u128>);

impl ChildStack {
    pub(crate) fn new() -> Self {
        Self(vec![0; 64 * 1024 / size_of::<u128>()])
    }
}

/// A warden that has been executed.
pub(crate) struct Started {
    pub(crate) pid: i32,
    pub(crate) pidfd: OwnedFd,
}

/// What the child needs, prepared beforehand: it must not allocate.
struct Child<'a> {
    warden: RawFd,
    inherit: &'a [RawFd],
    arguments: [*const libc::c_char; 3],
    environment: [*const libc::c_char; 1],
    /// Written by the child, which shares our memory.
    errno: c_int,
}

/// Executes `warden` with `argument` and the descriptors `inherit`, and returns when it has been executed.
///
/// Call it from a thread that blocks all signals and stays: no handler of the host then runs in the child, and the
/// child's parent-death signal fires when the thread ends.
pub(crate) fn start_warden(
    stack: &mut ChildStack,
    warden: BorrowedFd<'_>,
    argument: &CStr,
    inherit: &[RawFd],
) -> Result<Started, Errno> {
    let name = CString::from(c"dayfly-warden");
    let mut child = Child {
        warden: warden.as_raw_fd(),
        inherit,
        arguments: [name.as_ptr(), argument.as_ptr(), ptr::null()],
        environment: [ptr::null()],
        errno: 0,
    };
    let mut pidfd: RawFd = -1;
    // The exit signal is none, for a child that never executes; `execve` makes it SIGCHLD.
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD;
    // The stack grows downwards on both architectures.
    let top = stack.0.as_mut_ptr_range().end.cast::<c_void>();
    // SAFETY: the stack is exclusively ours; `child` and `pidfd` live until `clone` returns, which CLONE_VFORK delays
    // until the child has executed or exited, so nothing that it shares is used by both at a time.
    let pid = unsafe { libc::clone(execute, top, flags, (&raw mut child).cast::<c_void>(), &raw mut pidfd) };
    if pid < 0 {
        return Err(Errno::last());
    }
    // SAFETY: CLONE_PIDFD succeeded, so the kernel stored a new descriptor that nobody else knows.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    // SAFETY: a local; volatile because the child wrote it behind the compiler's back.
    let errno = unsafe { (&raw const child.errno).read_volatile() };
    if errno != 0 {
        // The child exits at once, so this does not wait; without __WALL a child without an exit signal is not found.
        let flags = nix::sys::wait::WaitPidFlag::WEXITED | nix::sys::wait::WaitPidFlag::__WALL;
        let _ = nix::sys::wait::waitid(nix::sys::wait::Id::PIDFd(std::os::fd::AsFd::as_fd(&pidfd)), flags);
        return Err(Errno::from_raw(errno));
    }
    Ok(Started { pid, pidfd })
}

/// The child: lets the descriptors through and becomes the warden.
///
/// It runs in the host's memory on its own stack, so it only makes system calls and touches nothing but its argument.
extern "C" fn execute(argument: *mut c_void) -> c_int {
    let child = argument.cast::<Child<'_>>();
    // SAFETY: `start_warden` passed a `Child` and sleeps until this process has executed or exited.
    let child = unsafe { &mut *child };
    for descriptor in child.inherit {
        // SAFETY: changes a flag in this process's own copy of the descriptor table.
        unsafe { libc::fcntl(*descriptor, libc::F_SETFD, 0) };
    }
    // SAFETY: strings and arrays outlive the call and end with NUL and a null pointer.
    unsafe {
        libc::syscall(
            libc::SYS_execveat,
            child.warden,
            c"".as_ptr(),
            child.arguments.as_ptr(),
            child.environment.as_ptr(),
            libc::AT_EMPTY_PATH,
        )
    };
    child.errno = Errno::last_raw();
    // SAFETY: ends this process without the host's exit handlers.
    unsafe { libc::_exit(127) }
}
