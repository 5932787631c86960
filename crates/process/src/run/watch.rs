//! The run's observer, kept at arm's length.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dayfly_runtime::{CallEnd, CallStart, LogEntry, Observer};

use super::contain::{contained, let_go};

/// An observer whose panics are contained: the first one ends the notifications of the run.
pub(super) struct Watch {
    observer: Option<Arc<dyn Observer>>,
    broken: AtomicBool,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("broken", &self.broken).finish_non_exhaustive()
    }
}

impl Watch {
    pub(super) fn new(observer: Option<Arc<dyn Observer>>) -> Self {
        Self { observer, broken: AtomicBool::new(false) }
    }

    pub(super) fn log(&self, entry: &LogEntry) {
        self.tell(|observer| observer.log(entry));
    }

    pub(super) fn call_started(&self, call: &CallStart<'_>) {
        self.tell(|observer| observer.call_started(call));
    }

    pub(super) fn call_ended(&self, call: &CallEnd<'_>) {
        self.tell(|observer| observer.call_ended(call));
    }

    fn tell(&self, what: impl FnOnce(&dyn Observer)) {
        let Some(observer) = &self.observer else { return };
        if self.broken.load(Ordering::Relaxed) {
            return;
        }
        if contained(|| what(observer.as_ref())).is_none() {
            self.broken.store(true, Ordering::Relaxed);
            tracing::error!("an observer panicked; it hears nothing more of this run");
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let_go(self.observer.take());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use dayfly_runtime::{LogLevel, LogSource};

    use super::*;

    struct Fragile(Arc<AtomicUsize>);

    impl Observer for Fragile {
        fn log(&self, _: &LogEntry) {
            self.0.fetch_add(1, Ordering::Relaxed);
            panic!("an observer that panics");
        }
    }

    #[test]
    fn a_panicking_observer_is_told_nothing_more() {
        let heard = Arc::new(AtomicUsize::new(0));
        let watch = Watch::new(Some(Arc::new(Fragile(Arc::clone(&heard)))));
        let entry = LogEntry::new(LogSource::Stdout, LogLevel::Log, "");
        watch.log(&entry);
        watch.log(&entry);
        assert_eq!(heard.load(Ordering::Relaxed), 1);
    }
}
