//! Who may have a worker now, and who waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dayfly_runtime::RunError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places for runs, in order of arrival.
///
/// Each level of nesting has places of its own: a run that is started inside a host function of another run waits
/// only for runs of its own level, and those never wait for it, so that no run can wait for its own parent's place.
#[derive(Debug)]
pub(crate) struct Admission {
    levels: Vec<Arc<Semaphore>>,
    waiting: AtomicUsize,
    queue_length: usize,
    queue_wait: Duration,
}

/// A place; given back on drop.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Admission {
    pub(crate) fn new(runs: usize, nested: usize, queue_length: usize, queue_wait: Duration) -> Self {
        let levels = (0..=nested).map(|_| Arc::new(Semaphore::new(runs))).collect();
        Self { levels, waiting: AtomicUsize::new(0), queue_length, queue_wait }
    }

    /// Waits for a place on `level` of nesting, 0 for a run that no run started.
    ///
    /// # Cancellation
    ///
    /// Dropping the future leaves the queue.
    pub(crate) async fn enter(&self, level: usize) -> Result<Place, RunError> {
        let Some(places) = self.levels.get(level) else {
            return Err(RunError::NestedTooDeep { limit: self.levels.len() - 1 });
        };
        // A semaphore is fair: this fails while anybody is queued, so nobody is overtaken.
        if let Ok(permit) = Arc::clone(places).try_acquire_owned() {
            return Ok(Place { _permit: permit });
        }
        let _waiting = Waiting::enter(&self.waiting, self.queue_length)?;
        match tokio::time::timeout(self.queue_wait, Arc::clone(places).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Place { _permit: permit }),
            // The semaphores are never closed: shutdown cancels those who wait.
            Ok(Err(_)) => Err(RunError::ShutDown),
            Err(_) => Err(RunError::QueueTimeout { waited: self.queue_wait }),
        }
    }
}

/// One who waits is counted until the wait ends, however it ends.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn enter(waiting: &'a AtomicUsize, limit: usize) -> Result<Self, RunError> {
        let entered = waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |waiting| (waiting < limit).then_some(waiting + 1));
        entered.map(|_| Self(waiting)).map_err(|_| RunError::QueueFull { limit })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(queue_length: usize, queue_wait: Duration) -> Arc<Admission> {
        Arc::new(Admission::new(1, 1, queue_length, queue_wait))
    }

    #[tokio::test]
    async fn places_are_given_in_order_of_arrival() {
        let admission = admission(8, Duration::from_secs(60));
        let first = admission.enter(0).await.unwrap();
        let (sender, mut order) = tokio::sync::mpsc::unbounded_channel();
        let mut waiters = Vec::new();
        for number in 0..3 {
            let (queued, sender) = (Arc::clone(&admission), sender.clone());
            waiters.push(tokio::spawn(async move {
                let _place = queued.enter(0).await.unwrap();
                sender.send(number).unwrap();
            }));
            while admission.waiting.load(Ordering::Relaxed) <= number {
                tokio::task::yield_now().await;
            }
        }
        drop(first);
        for waiter in waiters {
            waiter.await.unwrap();
        }
        assert_eq!([order.recv().await, order.recv().await, order.recv().await], [Some(0), Some(1), Some(2)]);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_an_abandoned_wait_leaves_it() {
        let admission = admission(1, Duration::from_secs(60));
        let _held = admission.enter(0).await.unwrap();
        let waiting = tokio::spawn({
            let admission = Arc::clone(&admission);
            async move { admission.enter(0).await.map(|_| ()) }
        });
        while admission.waiting.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(admission.enter(0).await, Err(RunError::QueueFull { limit: 1 })));
        waiting.abort();
        assert!(waiting.await.unwrap_err().is_cancelled());
        assert_eq!(admission.waiting.load(Ordering::Relaxed), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_at_its_limit() {
        let admission = admission(1, Duration::from_secs(60));
        let _held = admission.enter(0).await.unwrap();
        assert!(matches!(admission.enter(0).await, Err(RunError::QueueTimeout { .. })));
    }

    #[tokio::test]
    async fn a_nested_run_does_not_wait_for_its_parent_and_nesting_ends_somewhere() {
        let admission = admission(0, Duration::from_secs(60));
        let _outer = admission.enter(0).await.unwrap();
        let _inner = admission.enter(1).await.unwrap();
        assert!(matches!(admission.enter(2).await, Err(RunError::NestedTooDeep { limit: 1 })));
    }
}
