//! The compute budget: busy CPU time, by deadline and not by tick.

use std::time::Duration;

use tokio::time::Instant;

use crate::worker::WorkerProcess;

/// The shortest sleep between two looks. With the CPU's clock read exactly, expiry is late by no more than this and
/// the time it takes to look.
const SHORTEST: Duration = Duration::from_millis(2);

/// The longest sleep that is not worked out from what is left of the budget: between two looks at a worker that has
/// spent nearly all of it and then did nothing. Expiry is late by no more than this when it comes to life again, and a
/// program that waits on purpose with its last millisecond cannot make the host look five hundred times a second.
const LONGEST_IDLE: Duration = Duration::from_millis(40);

/// Watches one worker's CPU time.
///
/// It sleeps until the earliest moment at which the budget could be spent: what is left of it, divided by the CPUs
/// that the worker can use. A worker that waits is looked at a handful of times; one that spins, ever more closely
/// towards its end.
#[derive(Debug)]
pub(super) struct Meter {
    baseline: Duration,
    used: Duration,
    budget: Duration,
    cpus: u32,
    /// The shortest sleep now: it doubles while nothing is used.
    shortest: Duration,
    next: Instant,
}

impl Meter {
    /// A meter that counts from now.
    pub(super) fn start(process: &WorkerProcess, budget: Duration) -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, |cpus| u32::try_from(cpus.get()).unwrap_or(u32::MAX));
        let baseline = process.cpu_time().unwrap_or_default();
        let mut meter = Self { baseline, used: Duration::ZERO, budget, cpus, shortest: SHORTEST, next: Instant::now() };
        meter.plan();
        meter
    }

    /// When the budget could be spent.
    pub(super) const fn due(&self) -> Instant {
        self.next
    }

    /// Looks: what was used, when that is the whole budget.
    pub(super) fn look(&mut self, process: &WorkerProcess) -> Option<Duration> {
        let before = self.used;
        // A process that cannot be read has ended, and its end is on its way.
        if let Ok(total) = process.cpu_time() {
            // What a descendant used may leave the sum for an instant while it changes hands.
            self.used = self.used.max(total.saturating_sub(self.baseline));
        }
        if self.used >= self.budget {
            return Some(self.used);
        }
        let idle = self.used == before;
        self.shortest = if idle { self.shortest.saturating_mul(2).min(LONGEST_IDLE) } else { SHORTEST };
        self.plan();
        None
    }

    /// CPU time since the start of the program, now that the process has used `total`.
    pub(super) fn since_start(&self, total: Duration) -> Duration {
        total.saturating_sub(self.baseline).max(self.used)
    }

    fn plan(&mut self) {
        let left = self.budget.saturating_sub(self.used) / self.cpus;
        self.next = Instant::now() + left.max(self.shortest);
    }
}
