//! Resource limits that the kernel enforces.

use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit};

/// Limits of each process of a worker, soft and hard alike; `None` leaves what the host has.
///
/// A limit above the host's own hard limit becomes the host's: the promise "at most this much" holds either way, and
/// the operator's word stands even for a host that could raise it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers write it out: a new limit must be decided, not be forgotten")]
pub struct ResourceLimits {
    /// CPU time of one process (`RLIMIT_CPU`), rounded up to whole seconds, at least one; then SIGKILL.
    pub cpu: Option<Duration>,
    /// Bytes of private writable memory of one process (`RLIMIT_DATA`).
    pub data: Option<u64>,
    /// Bytes of address space of one process (`RLIMIT_AS`).
    pub address_space: Option<u64>,
    /// Bytes of the main thread's stack (`RLIMIT_STACK`); a quarter of it bounds the arguments.
    pub stack: Option<u64>,
    /// Bytes of one file (`RLIMIT_FSIZE`); then SIGXFSZ or EFBIG.
    pub file_size: Option<u64>,
    /// Descriptors of one process (`RLIMIT_NOFILE`).
    pub open_files: Option<u64>,
    /// Processes and threads of the **whole uid** (`RLIMIT_NPROC`): use it only with a uid per worker. Does not bind root.
    pub processes: Option<u64>,
}

impl ResourceLimits {
    /// The limits to set, core dumps first, each within the host's own.
    pub(crate) fn to_set(self) -> Vec<(Resource, u64)> {
        let seconds = |cpu: Duration| cpu.as_secs().saturating_add(u64::from(cpu.subsec_nanos() > 0)).max(1);
        // One byte, not none: with 0 the kernel still starts a `core_pattern` that is a program and pipes the memory to
        // it; 1 is its own mark for "no dump at all". No file is that short either.
        let wanted = [
            (Resource::RLIMIT_CORE, Some(1)),
            (Resource::RLIMIT_CPU, self.cpu.map(seconds)),
            (Resource::RLIMIT_DATA, self.data),
            (Resource::RLIMIT_AS, self.address_space),
            (Resource::RLIMIT_STACK, self.stack),
            (Resource::RLIMIT_FSIZE, self.file_size),
            (Resource::RLIMIT_NOFILE, self.open_files),
            (Resource::RLIMIT_NPROC, self.processes),
        ];
        wanted
            .into_iter()
            .filter_map(|(resource, value)| Some((resource, value?)))
            .map(|(resource, value)| {
                // Only an unknown resource can fail, and these are as old as Linux.
                let hard = getrlimit(resource).map_or(value, |(_, hard)| hard);
                (resource, value.min(hard))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_rounds_up_to_a_second_and_never_to_none() {
        for (cpu, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (60_000, 60)] {
            let limits = ResourceLimits { cpu: Some(Duration::from_millis(cpu)), ..ResourceLimits::default() };
            assert_eq!(limits.to_set()[1], (Resource::RLIMIT_CPU, seconds));
        }
    }

    #[test]
    fn a_limit_above_the_hosts_becomes_the_hosts() {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        let limits = ResourceLimits { open_files: Some(u64::MAX), ..ResourceLimits::default() };
        assert_eq!(limits.to_set()[1], (Resource::RLIMIT_NOFILE, hard));
    }

    #[test]
    fn what_is_not_asked_for_is_not_set() {
        let set = ResourceLimits::default().to_set();
        assert_eq!(set.iter().map(|(resource, _)| *resource).collect::<Vec<_>>(), [Resource::RLIMIT_CORE]);
    }
}
