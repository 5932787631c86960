//! Entry and system calls on aarch64.

use core::arch::{asm, global_asm};

// The kernel enters with the argument vector at the stack pointer, which is 16-byte aligned.
global_asm!(".globl _start", "_start:", "mov x29, #0", "mov x30, #0", "mov x0, sp", "bl warden_entry", "brk #1");

pub const LSEEK: usize = 62;
pub const READ: usize = 63;
pub const WRITE: usize = 64;
pub const EXIT_GROUP: usize = 94;
pub const WAITID: usize = 95;
pub const KILL: usize = 129;
pub const RT_SIGACTION: usize = 134;
pub const RT_SIGPROCMASK: usize = 135;
pub const RT_SIGTIMEDWAIT: usize = 137;
pub const GETRUSAGE: usize = 165;
pub const PRCTL: usize = 167;
pub const GETPID: usize = 172;
pub const CLONE: usize = 220;
pub const MMAP: usize = 222;
pub const WAIT4: usize = 260;
pub const CLOSE_RANGE: usize = 436;

/// One system call; a result of -4095 to -1 is a negated errno.
///
/// # Safety
///
/// The arguments must be what the numbered call expects: pointers valid for as long and as wide as it uses them.
pub unsafe fn call(number: usize, a: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel's aarch64 convention; it clobbers nothing but x0. The caller answers for the arguments.
    unsafe {
        asm!("svc #0", in("x8") number, inlateout("x0") a[0] as isize => result,
            in("x1") a[1], in("x2") a[2], in("x3") a[3], in("x4") a[4], in("x5") a[5], options(nostack));
    }
    result
}
