//! The observer of a run, whose panics are its own affair.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::{CallEnd, CallStart, LogEntry, Observer};

/// Tells an observer until it panics.
pub(super) struct Notifier(Option<Arc<dyn Observer>>);

impl Notifier {
    pub(super) fn new(observer: Option<Arc<dyn Observer>>) -> Self {
        Self(observer)
    }

    pub(super) fn log(&mut self, entry: &LogEntry) {
        self.tell(|observer| observer.log(entry));
    }

    pub(super) fn call_started(&mut self, call: &CallStart<'_>) {
        self.tell(|observer| observer.call_started(call));
    }

    pub(super) fn call_ended(&mut self, call: &CallEnd<'_>) {
        self.tell(|observer| observer.call_ended(call));
    }

    fn tell(&mut self, event: impl FnOnce(&dyn Observer)) {
        let Some(observer) = &self.0 else { return };
        // An observer that panicked half way is not called again, so nothing sees what it left broken.
        if catch_unwind(AssertUnwindSafe(|| event(observer.as_ref()))).is_err() {
            self.0 = None;
        }
    }
}
