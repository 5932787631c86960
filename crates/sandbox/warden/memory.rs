//! The four functions that a compiler may call for any copy or comparison, which usually come from a C library.
//!
//! Byte by byte: the warden copies a few dozen bytes in its life. The crate is `no_builtins`, so that these loops are
//! not recognised and turned into calls of themselves.

/// # Safety
///
/// As C's `memcpy`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    let mut index = 0;
    while index < count {
        let (to, from) = (to.wrapping_add(index), from.wrapping_add(index));
        // SAFETY: within the area, as the caller promised.
        let byte = unsafe { from.read() };
        // SAFETY: as above.
        unsafe { to.write(byte) };
        index += 1;
    }
    to
}

/// # Safety
///
/// As C's `memmove`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    if to.addr() <= from.addr() {
        // SAFETY: a copy upwards reads every byte before it is overwritten.
        return unsafe { memcpy(to, from, count) };
    }
    let mut index = count;
    while index > 0 {
        index -= 1;
        let (to, from) = (to.wrapping_add(index), from.wrapping_add(index));
        // SAFETY: within the area, as the caller promised.
        let byte = unsafe { from.read() };
        // SAFETY: as above.
        unsafe { to.write(byte) };
    }
    to
}

/// # Safety
///
/// As C's `memset`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
    let mut index = 0;
    while index < count {
        // SAFETY: within the area, as the caller promised.
        unsafe { to.wrapping_add(index).write(byte as u8) };
        index += 1;
    }
    to
}

/// # Safety
///
/// As C's `memcmp`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, count: usize) -> i32 {
    let mut index = 0;
    while index < count {
        // SAFETY: within the area, as the caller promised.
        let a = unsafe { left.wrapping_add(index).read() };
        // SAFETY: as above.
        let b = unsafe { right.wrapping_add(index).read() };
        if a != b {
            return i32::from(a) - i32::from(b);
        }
        index += 1;
    }
    0
}
