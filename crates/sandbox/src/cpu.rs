//! How much CPU time a worker's tree has used so far.

use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::{Pid, SysconfVar, sysconf};

use crate::tree::{self, Process};

/// CPU time of everything below `warden`, living or reaped; `leader` is the interpreter.
///
/// Parents are read before their children: a process that is reaped in between is missed once and never counted twice,
/// so a reading is never too high. `None` when the warden cannot be read.
pub(crate) fn tree_time(warden: &Process, leader: i32) -> Option<Duration> {
    let mut total = ticks(warden.stat()?.reaped_ticks);
    tree::walk(warden, |process, stat| {
        let mut own = ticks(stat.own_ticks);
        if process.pid == leader {
            // Ticks are 10 ms; the process clock has nanoseconds and counts the same.
            own = own.max(clock(leader).unwrap_or_default());
        }
        total = total.saturating_add(own).saturating_add(ticks(stat.reaped_ticks));
    });
    Some(total)
}

fn ticks(count: u64) -> Duration {
    // 100 on every machine that Dayfly runs on; asked all the same.
    let per_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().and_then(|ticks| u64::try_from(ticks).ok());
    let per_second = per_second.filter(|ticks| *ticks > 0).unwrap_or(100);
    Duration::from_secs(count / per_second)
        + Duration::from_nanos((count % per_second).saturating_mul(1_000_000_000 / per_second))
}

/// The process CPU clock: user and system time of all threads, ended ones included.
fn clock(pid: i32) -> Option<Duration> {
    let clock: ClockId = clock_getcpuclockid(Pid::from_raw(pid)).ok()?;
    let time = clock_gettime(clock).ok()?;
    Some(Duration::new(u64::try_from(time.tv_sec()).ok()?, u32::try_from(time.tv_nsec()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_time_without_rounding() {
        assert_eq!(ticks(0), Duration::ZERO);
        assert_eq!(ticks(1), Duration::from_millis(10));
        assert_eq!(ticks(12_345), Duration::from_millis(123_450));
    }
}
