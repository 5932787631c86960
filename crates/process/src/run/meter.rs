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
        Self::counting(process.cpu_time().unwrap_or_default(), budget, cpus)
    }

    /// A meter of a process that has used `baseline`.
    fn counting(baseline: Duration, budget: Duration, cpus: u32) -> Self {
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
        // A process that cannot be read has ended, and its end is on its way.
        self.seen(process.cpu_time().unwrap_or_default())
    }

    /// The same, when the process has used `total`.
    fn seen(&mut self, total: Duration) -> Option<Duration> {
        let before = self.used;
        // What a descendant used may leave the sum for an instant while it changes hands.
        self.used = self.used.max(total.saturating_sub(self.baseline));
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
        self.next = Instant::now() + self.pause();
    }

    /// How long the budget lasts at least, or as long as there is no use in looking.
    fn pause(&self) -> Duration {
        (self.budget.saturating_sub(self.used) / self.cpus).max(self.shortest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Two CPUs, a budget of a second, and 300 ms that the interpreter used to start.
    fn meter() -> Meter {
        Meter::counting(ms(300), ms(1_000), 2)
    }

    #[test]
    fn it_sleeps_until_all_cpus_could_have_spent_what_is_left() {
        let mut meter = meter();
        assert_eq!(meter.pause(), ms(500));
        assert!(meter.due() <= Instant::now() + ms(500));
        // One CPU alone was busy: half of the time is left for both.
        assert_eq!(meter.seen(ms(300 + 500)), None);
        assert_eq!(meter.pause(), ms(250));
        assert_eq!(meter.seen(ms(300 + 750)), None);
        assert_eq!(meter.pause(), ms(125));
        assert_eq!(meter.seen(ms(300 + 998)), None);
        assert_eq!(meter.pause(), SHORTEST);
    }

    #[test]
    fn a_worker_that_spins_is_found_within_the_shortest_sleep_of_its_budget_in_a_few_looks() {
        for busy in [1, 2] {
            let (mut meter, mut total, mut looks) = (meter(), ms(300), 0);
            let used = loop {
                total += meter.pause() * busy;
                looks += 1;
                if let Some(used) = meter.seen(total) {
                    break used;
                }
            };
            assert!(used >= ms(1_000) && used <= ms(1_000) + SHORTEST * busy, "{busy}: {used:?}");
            assert!(looks <= 12, "{busy}: {looks} looks");
        }
    }

    #[test]
    fn while_nothing_is_used_the_shortest_sleep_doubles_up_to_the_longest_and_work_brings_it_back() {
        let mut meter = meter();
        let nearly = ms(300 + 999);
        let pauses: Vec<_> = (0..8).map(|_| meter.seen(nearly).is_none().then(|| meter.pause())).collect();
        let wanted = [2, 4, 8, 16, 32, 40, 40, 40].map(|milliseconds| Some(ms(milliseconds)));
        assert_eq!(pauses, wanted);
        assert_eq!(meter.pause(), LONGEST_IDLE);
        assert_eq!(meter.seen(nearly + Duration::from_micros(1)), None);
        assert_eq!(meter.pause(), SHORTEST);
    }

    #[test]
    fn a_wait_does_not_lengthen_a_sleep_that_the_budget_gives() {
        let mut meter = meter();
        for _ in 0..10 {
            assert_eq!(meter.seen(ms(300)), None);
            assert_eq!(meter.pause(), ms(500));
        }
    }

    #[test]
    fn what_was_used_once_is_never_less_and_the_start_is_not_counted() {
        let mut meter = meter();
        assert_eq!(meter.since_start(ms(300)), Duration::ZERO);
        assert_eq!(meter.seen(ms(300 + 900)), None);
        // A child was reaped, and its time is nowhere for an instant; then the process cannot be read.
        assert_eq!(meter.seen(ms(300 + 100)), None);
        assert_eq!(meter.seen(Duration::ZERO), None);
        assert_eq!((meter.since_start(ms(300 + 100)), meter.since_start(Duration::ZERO)), (ms(900), ms(900)));
        assert_eq!(meter.seen(ms(300 + 1_000)), Some(ms(1_000)));
    }
}
