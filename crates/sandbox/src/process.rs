//! Processes by descriptor: signals, ends, and the one system call that nix lacks.

use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};

/// Sends a signal to the process that a pidfd, or an open `/proc/PID` directory, stands for. One that has ended is no
/// error: it needs no signal.
#[expect(unsafe_code, reason = "nix has no pidfd_send_signal")]
pub(crate) fn send(process: BorrowedFd<'_>, signal: Signal) -> Result<(), Errno> {
    // SAFETY: takes a descriptor that is open for as long as it is borrowed, no siginfo and no flags.
    let result = unsafe {
        libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), signal as i32, std::ptr::null::<()>(), 0)
    };
    match Errno::result(result) {
        Ok(_) | Err(Errno::ESRCH) => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// Whether the process has ended, waiting at most `milliseconds` for it.
pub(crate) fn has_ended(pidfd: BorrowedFd<'_>, milliseconds: u16) -> bool {
    let mut set = [PollFd::new(pidfd, PollFlags::POLLIN)];
    loop {
        match poll(&mut set, PollTimeout::from(milliseconds)) {
            Ok(ready) => return ready > 0,
            Err(Errno::EINTR) => {}
            // Out of kernel memory: say nothing of the end; the caller asks again.
            Err(_) => return false,
        }
    }
}

/// Reaps an ended child. `None` when it has not ended or when somebody else in the host has reaped it.
pub(crate) fn reap(pidfd: &OwnedFd) -> Result<Option<WaitStatus>, Errno> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::__WALL;
    match waitid(Id::PIDFd(pidfd.as_fd()), flags) {
        Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD) => Ok(None),
        Ok(status) => Ok(Some(status)),
        Err(errno) => Err(errno),
    }
}
