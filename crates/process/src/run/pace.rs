//! Whether a program calls so quickly, one call after the other, that its next call is waited for in place.
//!
//! To sleep and to be woken costs both sides more than all the rest of a call. While a program does nothing but call, its
//! run therefore keeps its thread for the moment between a reply and the next call. It costs the host that thread for at
//! most [`PATIENCE`] a call, for one run of a supervisor at a time, and only as long as it pays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// How long a call is waited for in place: what a task may take between two points where it waits. A program of nothing
/// but calls takes 15 to 70 µs, by language and machine.
pub(super) const PATIENCE: Duration = Duration::from_micros(100);

/// From one reply to the next: the function and the program, and two wakings where nobody waits in place.
const QUICK: Duration = Duration::from_micros(200);

/// So many quick calls in a row are taken for a sequence. Each wait in vain doubles the number, each that pays takes one off.
const FEWEST: u32 = 4;
const MOST: u32 = 64;

/// A function that has taken this long ends the sequence: while it runs, nobody reads what else the program says.
const LONG: Duration = Duration::from_millis(1);

/// The time between two looks for such a function: a timer costs a call or two, and a look each millisecond would be felt.
const LOOK: Duration = Duration::from_millis(4);

/// The one place of a supervisor from which a run may wait in place.
#[derive(Debug)]
pub(crate) struct Seat(AtomicBool);

impl Seat {
    /// A free seat. With one CPU there is none: the worker needs that CPU.
    pub(crate) fn new() -> Self {
        Self(AtomicBool::new(std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() > 1)))
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Acquire)
    }
}

/// The pace of one run's calls.
#[derive(Debug)]
pub(super) struct Pace {
    seat: Arc<Seat>,
    seated: bool,
    look: Instant,
    replied: std::time::Instant,
    /// Quick calls in a row, and how many it takes.
    quick: u32,
    needed: u32,
}

impl Pace {
    pub(super) fn new(seat: Arc<Seat>) -> Self {
        let replied = std::time::Instant::now();
        Self { seat, seated: false, look: Instant::now(), replied, quick: 0, needed: FEWEST }
    }

    /// Says that a reply has left and that no call is in flight; whether the next one is to be waited for in place.
    pub(super) fn replied(&mut self) -> bool {
        let took = std::mem::replace(&mut self.replied, std::time::Instant::now());
        self.round(self.replied.saturating_duration_since(took));
        self.seated
    }

    fn round(&mut self, took: Duration) {
        self.quick = if took <= QUICK { self.quick.saturating_add(1) } else { 0 };
        if !self.seated && self.quick >= self.needed && self.seat.take() {
            self.seated = true;
            self.look = Instant::now() + LOOK;
        }
    }

    /// The wait was worth it.
    pub(super) fn caught(&mut self) {
        self.needed = (self.needed - 1).max(FEWEST);
    }

    /// It was not, or there is something else to wait for.
    pub(super) fn missed(&mut self) {
        if std::mem::take(&mut self.seated) {
            self.seat.0.store(true, Ordering::Release);
            self.quick = 0;
            self.needed = (self.needed * 2).min(MOST);
        }
    }

    /// When to look whether the sequence still goes on.
    pub(super) fn due(&self) -> Option<Instant> {
        self.seated.then_some(self.look)
    }

    /// Looks; whether it has just come to its end.
    pub(super) fn has_ended(&mut self, now: Instant) -> bool {
        if !self.seated || now < self.look {
            return false;
        }
        self.look = now + LOOK;
        let ended = self.replied.elapsed() >= LONG;
        if ended {
            self.missed();
        }
        ended
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        self.missed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(seat: &Arc<Seat>) -> Pace {
        Pace::new(Arc::clone(seat))
    }

    fn free() -> Arc<Seat> {
        Arc::new(Seat(AtomicBool::new(true)))
    }

    /// Quick calls until one is waited for in place.
    fn calls(pace: &mut Pace) -> u32 {
        let mut calls = 0;
        while !pace.seated && calls < 10 * MOST {
            pace.round(QUICK);
            calls += 1;
        }
        calls
    }

    #[tokio::test]
    async fn only_quick_calls_in_a_row_are_waited_for() {
        let seat = free();
        let mut pace = pace(&seat);
        for _ in 0..10 {
            (1..FEWEST).for_each(|_| pace.round(QUICK));
            pace.round(QUICK * 2);
        }
        assert!(!pace.seated);
        assert_eq!(calls(&mut pace), FEWEST);
    }

    #[tokio::test]
    async fn waits_in_vain_become_rare_and_those_that_pay_bring_them_back() {
        let seat = free();
        let mut pace = pace(&seat);
        let counts: Vec<u32> = (0..10)
            .map(|_| {
                let count = calls(&mut pace);
                pace.missed();
                count
            })
            .collect();
        assert_eq!(counts, [4, 8, 16, 32, 64, 64, 64, 64, 64, 64]);
        assert_eq!(calls(&mut pace), MOST);
        (0..MOST).for_each(|_| pace.caught());
        pace.missed();
        assert_eq!(calls(&mut pace), 2 * FEWEST);
    }

    #[tokio::test]
    async fn one_run_at_a_time_waits_in_place_and_its_end_makes_room() {
        let seat = free();
        let (mut first, mut second) = (pace(&seat), pace(&seat));
        assert_eq!(calls(&mut first), FEWEST);
        assert_eq!(calls(&mut second), 10 * MOST);
        drop(first);
        assert_eq!(calls(&mut second), 1);
    }

    #[tokio::test]
    async fn a_function_that_takes_long_ends_the_sequence() {
        let seat = free();
        let mut pace = pace(&seat);
        calls(&mut pace);
        let first = pace.due().unwrap();
        pace.replied = std::time::Instant::now() + LOOK;
        assert!(!pace.has_ended(first));
        pace.replied = std::time::Instant::now().checked_sub(LONG).unwrap();
        assert!(!pace.has_ended(first), "the next look is later");
        assert!(pace.has_ended(first + LOOK));
        assert_eq!(pace.due(), None);
    }
}
