//! The warden: the process between the host and an interpreter that can have descendants.
//!
//! A static program without allocation, locks or formatting, executed from a memfd. It walks the recipe's outer steps,
//! starts one process that walks the inner ones and becomes the interpreter, and then waits without using the CPU.
//! When the interpreter ends, when it is told to (`SIGTERM`), or when the host dies (`SIGTERM` as its parent-death
//! signal), it kills and reaps everything that descends from it, reports and exits. It is the child subreaper, so
//! whatever loses its parent becomes its own child: nothing that descends from the interpreter can leave.
//!
//! Arguments: the recipe's descriptor as decimal digits. With `idle` in place of them it only waits to be killed: a
//! canary that the host looks at.

#![no_std]
#![no_main]
#![no_builtins]
#![deny(unsafe_op_in_unsafe_fn)]

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
mod arch;
#[expect(dead_code, reason = "the host uses what the warden does not")]
mod layout;
mod memory;
mod system;
mod tree;

use core::mem::offset_of;

use layout::{BASE, CHECK_PARENT, ENDED, FAILED, HEADER_BYTES, Header, Record, STARTED, Step};

const EINVAL: i32 = 22;
const EOWNERDEAD: i32 = 130;

/// Nothing in this program panics; an abort that does happen is seen by the host as the warden's death.
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo) -> ! {
    system::exit(125)
}

/// Called by `_start` with the stack as the kernel left it.
///
/// # Safety
///
/// `stack` points at argc, followed by that many argument pointers.
#[unsafe(no_mangle)]
unsafe extern "C" fn warden_entry(stack: *const usize) -> ! {
    system::block_all_signals();
    // SAFETY: the kernel put argc there.
    if unsafe { stack.read() } != 2 {
        system::exit(EINVAL);
    }
    // SAFETY: argc is 2, so the second argument's pointer is the third word.
    let argument = unsafe { stack.wrapping_add(2).read() } as *const u8;
    // SAFETY: the argument is a string of the kernel's, ended by NUL.
    let Some(recipe) = (unsafe { decimal(argument) }) else { idle() };
    system::reset_dispositions();
    if !system::map_recipe(recipe) {
        system::exit(EINVAL);
    }
    run()
}

/// Tells on descriptor 1 which signal would end it with its parent, the one thing that /proc does not show, and waits to
/// be killed.
fn idle() -> ! {
    system::write(1, &[system::parent_death_signal()]);
    loop {
        system::wait_for_signal(None);
    }
}

/// Parses decimal digits up to the NUL; `None` when anything else is met.
///
/// # Safety
///
/// `text` points at a string ended by NUL.
unsafe fn decimal(mut text: *const u8) -> Option<i32> {
    let mut value = 0_i32;
    loop {
        // SAFETY: not yet past the NUL.
        let byte = unsafe { text.read() };
        match byte {
            0 => return Some(value),
            b'0'..=b'9' => value = value.wrapping_mul(10).wrapping_add(i32::from(byte - b'0')),
            _ => return None,
        }
        // SAFETY: the byte was not the NUL, so the next one belongs to the string.
        text = unsafe { text.add(1) };
    }
}

/// Walks the recipe that is mapped at [`BASE`].
fn run() -> ! {
    let header = BASE as *const Header;
    let failed_step = (BASE as usize + offset_of!(Header, failed_step)) as *mut u32;
    let failed_errno = (BASE as usize + offset_of!(Header, failed_errno)) as *mut i32;
    // SAFETY: the host wrote a whole header at the mapping's start.
    let report = unsafe { (*header).report };
    // SAFETY: as above.
    let host = unsafe { (*header).host };
    // SAFETY: as above.
    let outer = unsafe { (*header).outer };
    // SAFETY: as above.
    let inner = unsafe { (*header).inner };

    let children = match walk(0, outer, host) {
        Ok(children) => children as i32,
        Err((step, errno)) => fail(report, step, errno),
    };
    let warden = system::getpid();
    let interpreter = match system::fork_and_wait_for_exec() {
        Ok(0) => {
            // The mapping is shared: what is written here is read by the warden, which sleeps until this process
            // executes or exits.
            if let Err((step, errno)) = walk(outer, inner, warden) {
                // SAFETY: a field of the mapped header, written by one process while the other sleeps.
                unsafe { failed_step.write_volatile(step) };
                // SAFETY: as above.
                unsafe { failed_errno.write_volatile(errno) };
            }
            system::exit(127)
        }
        Ok(pid) => pid,
        // A failure to start the process is told as the first step that it would have walked.
        Err(errno) => fail(report, outer, errno),
    };
    // SAFETY: a field of the mapped header; the other process has executed or exited.
    let errno = unsafe { failed_errno.read_volatile() };
    if errno != 0 {
        // SAFETY: as above.
        let step = unsafe { failed_step.read_volatile() };
        system::reap(interpreter);
        fail(report, step, errno);
    }
    system::close_all_but(report, children);
    system::report(report, &Record { kind: STARTED, pid: interpreter, step: 0, status: 0, cpu: 0, peak: 0 });

    tree::wait_for_the_end(interpreter);
    let status = tree::kill_and_reap(children, interpreter);
    let (cpu, peak) = system::reaped_usage();
    system::report(report, &Record { kind: ENDED, pid: interpreter, step: 0, status, cpu, peak });
    system::exit(0)
}

/// Walks `count` steps from `first` on; gives the last one's result, or the step that failed and its errno.
fn walk(first: u32, count: u32, parent: i32) -> Result<isize, (u32, i32)> {
    let steps = (BASE as usize + HEADER_BYTES) as *const Step;
    let mut result = 0;
    let mut index = first;
    while index < first.wrapping_add(count) {
        // SAFETY: the host wrote `outer + inner` steps behind the header, and the walk stays within its share.
        let step = unsafe { &*steps.wrapping_add(index as usize) };
        let a = step.arguments;
        // SAFETY: the host compiled the step: its pointers lie within the mapping.
        result = unsafe {
            arch::call(
                step.number as usize,
                [a[0] as usize, a[1] as usize, a[2] as usize, a[3] as usize, a[4] as usize, a[5] as usize],
            )
        };
        if (-4095..0).contains(&result) {
            return Err((index, -(result as i32)));
        }
        if step.check == CHECK_PARENT && result != parent as isize {
            return Err((index, EOWNERDEAD));
        }
        index = index.wrapping_add(1);
    }
    Ok(result)
}

/// Reports the step that failed and exits.
fn fail(report: i32, step: u32, errno: i32) -> ! {
    system::report(report, &Record { kind: FAILED, pid: 0, step, status: errno, cpu: 0, peak: 0 });
    system::exit(126)
}
