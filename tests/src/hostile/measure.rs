//! What a hostile run may not cost its host: memory, and panics.

use std::fs;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayfly::ByteSize;

/// The peaks of this process's memory in bytes.
///
/// What was touched is resident. What was only asked for is not, and would be missed there: it is in the address space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peaks {
    resident: u64,
    reserved: u64,
}

impl Peaks {
    /// For [`Peaks`] to be comparable: with one arena, threads do not reserve address space for others.
    pub(super) const ENVIRONMENT: [(&str, &str); 1] = [("MALLOC_ARENA_MAX", "1")];

    pub(super) fn now() -> Self {
        let status = fs::read_to_string("/proc/self/status").expect("/proc is there");
        let peak = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("the kernel says its peaks");
            let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a peak is a number");
            kib << 10
        };
        Self { resident: peak("VmHWM:"), reserved: peak("VmPeak:") }
    }

    /// Says by how much the memory grew since, where that is more than `allowed`.
    pub(super) fn growth_since(self, before: Self, allowed: ByteSize) -> Result<(), String> {
        let (resident, reserved) = (self.resident - before.resident, self.reserved - before.reserved);
        if resident.max(reserved) <= allowed.as_u64() {
            return Ok(());
        }
        let (resident, reserved) = (ByteSize::bytes(resident), ByteSize::bytes(reserved));
        Err(format!("the host's memory grew by {resident} resident and {reserved} reserved, and may by {allowed}"))
    }
}

/// Counts panics in any thread of this process, contained ones too.
#[derive(Debug, Clone)]
pub(super) struct Panics(Arc<AtomicUsize>);

impl Panics {
    pub(super) fn watch() -> Self {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            counted.fetch_add(1, Ordering::SeqCst);
            before(info);
        }));
        Self(count)
    }

    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}
