//! One timer for all the moments that a run waits for.

use std::future::poll_fn;
use std::pin::Pin;

use tokio::time::{Instant, Sleep};

/// A timer that is armed anew only when the moment changes.
///
/// A run looks at its clock several times a call: a timer made for each look would take the lock of tokio's wheel twice
/// and could wake its driver.
#[derive(Debug)]
pub(super) struct Alarm(Pin<Box<Sleep>>);

impl Alarm {
    pub(super) fn new(at: Instant) -> Self {
        Self(Box::pin(tokio::time::sleep_until(at)))
    }

    /// Returns at this moment.
    ///
    /// # Cancellation
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn at(&mut self, moment: Instant) {
        if self.0.deadline() != moment {
            self.0.as_mut().reset(moment);
        }
        poll_fn(|cx| self.0.as_mut().poll(cx)).await;
    }
}
