//! Entry and system calls on x86-64.

use core::arch::{asm, global_asm};

// The kernel enters with the argument vector at the stack pointer and no return address.
global_asm!(".globl _start", "_start:", "xor ebp, ebp", "mov rdi, rsp", "and rsp, -16", "call warden_entry", "ud2");

pub const READ: usize = 0;
pub const WRITE: usize = 1;
pub const LSEEK: usize = 8;
pub const MMAP: usize = 9;
pub const RT_SIGACTION: usize = 13;
pub const RT_SIGPROCMASK: usize = 14;
pub const GETPID: usize = 39;
pub const CLONE: usize = 56;
pub const WAIT4: usize = 61;
pub const KILL: usize = 62;
pub const GETRUSAGE: usize = 98;
pub const RT_SIGTIMEDWAIT: usize = 128;
pub const PRCTL: usize = 157;
pub const EXIT_GROUP: usize = 231;
pub const WAITID: usize = 247;
pub const CLOSE_RANGE: usize = 436;

/// One system call; a result of -4095 to -1 is a negated errno.
///
/// # Safety
///
/// The arguments must be what the numbered call expects: pointers valid for as long and as wide as it uses them.
pub unsafe fn call(number: usize, a: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel's x86-64 convention; it clobbers rcx and r11 and nothing else. The caller answers for the
    // arguments.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result,
            in("rdi") a[0], in("rsi") a[1], in("rdx") a[2], in("r10") a[3], in("r8") a[4], in("r9") a[5],
            lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}
