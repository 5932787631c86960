//! Several ways to do one thing, measured in turns.
//!
//! A machine that is shared drifts by more than the differences that matter here: measuring one thing after the other
//! would compare two moments. In a contest each round runs every contender once, in an order that rotates, and what
//! is compared are medians of the same rounds.

use std::fmt;
use std::time::{Duration, Instant};

/// One way to do it.
pub struct Contender<'a> {
    name: String,
    once: Box<dyn FnMut() + 'a>,
    times: Vec<Duration>,
}

/// Contenders against the first of them.
#[derive(Default)]
pub struct Contest<'a> {
    contenders: Vec<Contender<'a>>,
}

/// What a contender took.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// The median.
    pub median: Duration,
    /// The tenth and the ninetieth percentile.
    pub spread: (Duration, Duration),
    /// The median, divided by the first contender's.
    pub ratio: f64,
}

impl<'a> Contest<'a> {
    /// A contest without contenders.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contender; the first is what the others are compared with.
    #[must_use]
    pub fn contender(mut self, name: impl Into<String>, once: impl FnMut() + 'a) -> Self {
        self.contenders.push(Contender { name: name.into(), once: Box::new(once), times: Vec::new() });
        self
    }

    /// Runs `warm_up` rounds that are not counted and `rounds` that are.
    pub fn run(mut self, warm_up: usize, rounds: usize) -> Vec<Standing> {
        let count = self.contenders.len();
        for round in 0..warm_up + rounds {
            for turn in 0..count {
                let contender = &mut self.contenders[(round + turn) % count];
                let started = Instant::now();
                (contender.once)();
                let took = started.elapsed();
                if round >= warm_up {
                    contender.times.push(took);
                }
            }
        }
        standings(self.contenders.into_iter().map(|contender| (contender.name, contender.times)))
    }
}

impl Standing {
    /// The standings of contenders whose times were taken elsewhere.
    pub fn of(times: impl IntoIterator<Item = (String, Vec<Duration>)>) -> Vec<Self> {
        standings(times)
    }
}

fn standings(times: impl IntoIterator<Item = (String, Vec<Duration>)>) -> Vec<Standing> {
    let mut standings: Vec<Standing> = Vec::new();
    for (name, mut times) in times {
        times.sort_unstable();
        let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
        let median = at(50);
        let base = standings.first().map_or(median, |first| first.median);
        let ratio = median.as_secs_f64() / base.as_secs_f64();
        standings.push(Standing { name, median, spread: (at(10), at(90)), ratio });
    }
    standings
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1_000.0;
        write!(
            f,
            "{:<58} {:>9.2} ms   ({:>8.2} – {:>8.2})   {:>6.3} ×",
            self.name,
            milliseconds(self.median),
            milliseconds(self.spread.0),
            milliseconds(self.spread.1),
            self.ratio
        )
    }
}
