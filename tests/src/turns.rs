//! A runtime that counts its turns, so that a test can stop at each of them.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// A runtime of one thread that counts how often something woke it.
///
/// What runs between two turns runs without waiting for anything, so stopping at every turn is stopping at every await
/// at which a run really waits.
pub struct Turns {
    runtime: Runtime,
    counter: Arc<Counter>,
}

#[derive(Debug, Default)]
struct Counter {
    turns: AtomicUsize,
    waiting: Mutex<Option<Waker>>,
}

impl Counter {
    fn turn(&self) {
        self.turns.fetch_add(1, Ordering::SeqCst);
        if let Some(waker) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take() {
            waker.wake();
        }
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").field("counter", &self.counter).finish_non_exhaustive()
    }
}

impl Turns {
    /// A runtime that has not turned yet. Its one thread for what blocks is there from the start and stays.
    ///
    /// # Panics
    ///
    /// When there can be none.
    #[must_use]
    pub fn new() -> Self {
        let counter = Arc::new(Counter::default());
        let turned = Arc::clone(&counter);
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .thread_keep_alive(Duration::from_secs(3_600))
            .on_thread_unpark(move || turned.turn())
            .build()
            .expect("a runtime can be built");
        runtime.block_on(async { tokio::task::spawn_blocking(|| ()).await.expect("it does nothing") });
        Self { runtime, counter }
    }

    /// Polls `future` until it is done, or until so many turns have passed; then it is dropped, and there is nothing to
    /// give. With no turns it is never polled.
    pub fn within<F: Future>(&self, turns: usize, future: F) -> Option<F::Output> {
        let from = self.counter.turns.load(Ordering::SeqCst);
        let output = self.runtime.block_on(async {
            let mut future = pin!(future);
            poll_fn(|context| {
                *self.counter.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
                if self.counter.turns.load(Ordering::SeqCst) - from >= turns {
                    return Poll::Ready(None);
                }
                future.as_mut().poll(context).map(Some)
            })
            .await
        });
        // It holds the runtime, which holds the counter.
        *self.counter.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
        output
    }

    /// Polls `future` until it is done.
    pub fn to_the_end<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Lets the runtime do what it has to, for a moment.
    pub fn a_moment(&self) {
        self.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(2)).await });
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self::new()
    }
}

/// Calls `stop_at` with 0, 1, 2, … turns until it says that the run completed before it was stopped.
///
/// # Panics
///
/// When that is so within `least` turns, or never.
pub fn every_turn(least: usize, stop_at: impl FnMut(usize) -> bool) {
    some_turns(0.., least, stop_at);
}

/// The same with these turns.
///
/// Where a machine stands still, several of the things that a run waits for wake it at once, and it completes in fewer
/// turns than usual: such a turn is tried again.
///
/// # Panics
///
/// When the run completes within `least` turns three times in a row, or never.
pub fn some_turns(turns: impl IntoIterator<Item = usize>, least: usize, mut stop_at: impl FnMut(usize) -> bool) {
    const MOST: usize = 1_000;
    const TRIES: usize = 3;
    for turns in turns {
        assert!(turns < MOST, "the run was not over after {MOST} turns");
        let mut tries = 0;
        while stop_at(turns) {
            if turns > least {
                return;
            }
            tries += 1;
            assert!(tries < TRIES, "the run was over after {turns} turns: not every await of it has been met");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_in_which_the_run_was_over_too_soon_is_tried_again() {
        let mut asked = Vec::new();
        every_turn(2, |turns| {
            asked.push(turns);
            // Once it woke to all at once.
            turns == 4 || asked == [0, 1]
        });
        assert_eq!(asked, [0, 1, 1, 2, 3, 4]);
    }

    #[test]
    #[should_panic(expected = "the run was over after 1 turns")]
    fn a_run_that_is_always_over_too_soon_is_no_run_to_stop_at_every_turn() {
        every_turn(2, |turns| turns >= 1);
    }
}
