//! The system calls that the warden makes for itself, one function each.

use crate::arch::{self, call};
use crate::layout::{BASE, RECORD_BYTES, Record, SPACE};

pub const SIGKILL: usize = 9;
pub const SIGTERM: i32 = 15;
pub const SIGCHLD: i32 = 17;
pub const ECHILD: isize = 10;
const EINTR: isize = 4;

const SIGNALS: usize = 64;
/// Bytes of the kernel's `sigset_t`.
const SET_BYTES: usize = 8;

pub fn exit(code: i32) -> ! {
    loop {
        // SAFETY: takes no pointer and does not return.
        unsafe { call(arch::EXIT_GROUP, [code as usize, 0, 0, 0, 0, 0]) };
    }
}

pub fn getpid() -> i32 {
    // SAFETY: takes nothing.
    unsafe { call(arch::GETPID, [0; 6]) as i32 }
}

/// Blocks everything that can be blocked: signals are taken by [`wait_for_signal`], never delivered.
pub fn block_all_signals() {
    let all = u64::MAX;
    const SIG_SETMASK: usize = 2;
    // SAFETY: the set outlives the call.
    unsafe { call(arch::RT_SIGPROCMASK, [SIG_SETMASK, &raw const all as usize, 0, SET_BYTES, 0, 0]) };
}

/// Gives every signal its default action: what the host ignores (Rust hosts ignore SIGPIPE) would stay ignored across
/// `execve`, and an ignored SIGCHLD would take the exit statuses away.
pub fn reset_dispositions() {
    // The kernel's sigaction: handler, flags, restorer, mask. All zero is the default action.
    let action = [0_usize; 4];
    let mut signal = 1;
    while signal <= SIGNALS {
        // SAFETY: the action outlives the call. SIGKILL and SIGSTOP answer EINVAL, which is what they should.
        unsafe { call(arch::RT_SIGACTION, [signal, &raw const action as usize, 0, SET_BYTES, 0, 0]) };
        signal += 1;
    }
}

/// Maps the recipe at [`BASE`], shared, so that the interpreter's process can tell which step failed.
pub fn map_recipe(descriptor: i32) -> bool {
    const READ_WRITE: usize = 3;
    const SHARED_FIXED_NOREPLACE: usize = 0x10_0001;
    // SAFETY: the address is free (NOREPLACE answers an errno otherwise); no Rust object lives there.
    let at = unsafe {
        call(arch::MMAP, [BASE as usize, SPACE as usize, READ_WRITE, SHARED_FIXED_NOREPLACE, descriptor as usize, 0])
    };
    at == BASE as isize
}

/// A copy of this process, as `fork` makes it, except that the caller sleeps until the copy has executed or exited.
///
/// `Ok(0)` in the copy. The memory is copied, not shared (no `CLONE_VM`), so the copy may go on with the same stack.
pub fn fork_and_wait_for_exec() -> Result<i32, i32> {
    const CLONE_VFORK: usize = 0x4000;
    // SAFETY: no pointer is passed; a zero stack means "the same address in the copied memory".
    let pid = unsafe { call(arch::CLONE, [CLONE_VFORK | SIGCHLD as usize, 0, 0, 0, 0, 0]) };
    if pid < 0 { Err(-(pid as i32)) } else { Ok(pid as i32) }
}

/// Closes every descriptor but these two.
pub fn close_all_but(one: i32, other: i32) {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    for (first, last) in [(0, low - 1), (low + 1, high - 1), (high + 1, i32::MAX)] {
        if first <= last {
            // SAFETY: takes no pointer; nothing in this process uses what is closed.
            unsafe { call(arch::CLOSE_RANGE, [first as usize, last as usize, 0, 0, 0, 0]) };
        }
    }
}

/// Tells the host. A host that is gone is no error: nobody is left to be told.
pub fn report(descriptor: i32, record: &Record) {
    // SAFETY: a record is RECORD_BYTES of integers without padding.
    write(descriptor, unsafe { &*(&raw const *record).cast::<[u8; RECORD_BYTES]>() });
}

/// Writes to a pipe what is short enough to be written whole.
pub fn write(descriptor: i32, bytes: &[u8]) {
    loop {
        // SAFETY: the bytes outlive the call and are as many as said.
        let written =
            unsafe { call(arch::WRITE, [descriptor as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) };
        if written != -EINTR {
            return;
        }
    }
}

/// The signal that the kernel sends when the parent ends; 0 for none.
pub fn parent_death_signal() -> u8 {
    const PR_GET_PDEATHSIG: usize = 2;
    let mut signal = 0_i32;
    // SAFETY: the number outlives the call.
    unsafe { call(arch::PRCTL, [PR_GET_PDEATHSIG, &raw mut signal as usize, 0, 0, 0, 0]) };
    // SAFETY: a local; volatile because the kernel wrote it behind the compiler's back.
    unsafe { (&raw const signal).read_volatile() as u8 }
}

/// Sleeps until SIGTERM or SIGCHLD is pending and takes it; 0 when the time is over or something else interrupted.
pub fn wait_for_signal(nanoseconds: Option<usize>) -> i32 {
    let set: u64 = (1 << (SIGTERM - 1)) | (1 << (SIGCHLD - 1));
    let timeout = [0, nanoseconds.unwrap_or(0)];
    let timeout = if nanoseconds.is_some() { &raw const timeout as usize } else { 0 };
    // SAFETY: set and timeout outlive the call.
    let signal = unsafe { call(arch::RT_SIGTIMEDWAIT, [&raw const set as usize, 0, timeout, SET_BYTES, 0, 0]) };
    if signal < 0 { 0 } else { signal as i32 }
}

/// Which child has ended, without reaping it: `None` when none has.
pub fn peek_ended() -> Option<i32> {
    const P_ALL: usize = 0;
    const WNOHANG: usize = 1;
    const WEXITED: usize = 4;
    const WNOWAIT: usize = 0x0100_0000;
    const WALL: usize = 0x4000_0000;
    // The kernel's siginfo: 128 bytes, of which the process is the int at 16 on 64-bit machines.
    let mut info = [0_i32; 32];
    // SAFETY: the siginfo outlives the call and has its size.
    let result =
        unsafe { call(arch::WAITID, [P_ALL, 0, &raw mut info as usize, WEXITED | WNOHANG | WNOWAIT | WALL, 0, 0]) };
    // SAFETY: within the array; volatile because the kernel wrote it behind the compiler's back.
    let pid = unsafe { (&raw const info[4]).read_volatile() };
    if result < 0 || pid == 0 { None } else { Some(pid) }
}

/// Waits for this child and forgets it.
pub fn reap(pid: i32) {
    const WALL: usize = 0x4000_0000;
    // SAFETY: no status and no usage are asked for.
    while unsafe { call(arch::WAIT4, [pid as usize, 0, WALL, 0, 0, 0]) } == -EINTR {}
}

/// Reaps any child that has ended: its process and wait status, or 0 when none has, or a negated errno.
pub fn reap_any() -> (isize, i32) {
    const WNOHANG: usize = 1;
    const WALL: usize = 0x4000_0000;
    let mut status = 0_i32;
    let any = usize::MAX;
    // SAFETY: the status outlives the call.
    let pid = unsafe { call(arch::WAIT4, [any, &raw mut status as usize, WNOHANG | WALL, 0, 0, 0]) };
    // SAFETY: a local; volatile because the kernel wrote it behind the compiler's back.
    (pid, unsafe { (&raw const status).read_volatile() })
}

/// Kills a process, or with a negated number a process group. A target that is gone is no error.
pub fn kill(target: i32) {
    // SAFETY: takes no pointer.
    unsafe { call(arch::KILL, [target as isize as usize, SIGKILL, 0, 0, 0, 0]) };
}

/// Reads from the start of a seekable file when `rewind`, else on from where the last read ended; 0 at its end.
pub fn read(descriptor: i32, rewind: bool, buffer: &mut [u8]) -> usize {
    const SEEK_SET: usize = 0;
    if rewind {
        // SAFETY: takes no pointer.
        unsafe { call(arch::LSEEK, [descriptor as usize, 0, SEEK_SET, 0, 0, 0]) };
    }
    // SAFETY: the buffer outlives the call and is as long as said.
    let count = unsafe { call(arch::READ, [descriptor as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0]) };
    if count < 0 { 0 } else { count as usize }
}

/// CPU time in microseconds and the largest resident set in KiB of all that was reaped, by us or by what we reaped.
pub fn reaped_usage() -> (u64, u64) {
    const RUSAGE_CHILDREN: usize = -1_isize as usize;
    // The kernel's rusage: user and system time as (seconds, microseconds), the peak in KiB, and 13 more longs.
    let mut usage = [0_u64; 18];
    // SAFETY: the usage outlives the call and has the kernel's size.
    unsafe { call(arch::GETRUSAGE, [RUSAGE_CHILDREN, &raw mut usage as usize, 0, 0, 0, 0]) };
    // SAFETY: a local; volatile because the kernel wrote it behind the compiler's back.
    let usage = unsafe { (&raw const usage).read_volatile() };
    ((usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3], usage[4])
}
