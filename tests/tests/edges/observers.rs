//! Observers that misbehave.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dayfly::{CallEnd, CallStart, Json, LogEntry, Observer, Outcome, RunRequest};
use dayfly_tests::Host;

use crate::{in_both, lingering, outcomes};

/// Which notification breaks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Log,
    Start,
    End,
    Drop,
}

struct Fragile {
    at: At,
    heard: Arc<AtomicUsize>,
    broken: Arc<AtomicUsize>,
}

impl Fragile {
    fn hear(&self, what: At) {
        if self.broken.load(Ordering::SeqCst) > 0 {
            // A panic here would be contained like the first; the count is what the test sees.
            self.broken.fetch_add(1, Ordering::SeqCst);
            return;
        }
        self.heard.fetch_add(1, Ordering::SeqCst);
        if what == self.at {
            self.broken.fetch_add(1, Ordering::SeqCst);
            panic!("an observer that panics at {what:?}");
        }
    }
}

impl Observer for Fragile {
    fn log(&self, _: &LogEntry) {
        self.hear(At::Log);
    }

    fn call_started(&self, _: &CallStart<'_>) {
        self.hear(At::Start);
    }

    fn call_ended(&self, _: &CallEnd<'_>) {
        self.hear(At::End);
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        if self.at == At::Drop && !std::thread::panicking() {
            self.broken.fetch_add(1, Ordering::SeqCst);
            panic!("an observer that panics when it is dropped");
        }
    }
}

#[tokio::test]
async fn an_observer_that_panics_changes_nothing_of_the_run_and_hears_no_more() {
    let host = Host::new();
    for at in [At::Log, At::Start, At::End, At::Drop] {
        in_both(async |language| {
            let (heard, broken) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
            let fragile = Fragile { at, heard: Arc::clone(&heard), broken: Arc::clone(&broken) };
            let request = RunRequest::new(*crate::WHOLE.of(language)).bind(lingering()).observe(fragile);
            let result = host.run(language, request).await;
            assert_eq!((&result.failure, &result.value), (&None, &Some(Json::from(1))), "{language}, {at:?}");
            let wanted = [("linger", Outcome::Cancelled), ("ping", Outcome::Succeeded)];
            assert_eq!(outcomes(&result), wanted, "{language}, {at:?}");
            assert_eq!(result.logs[0].text, "said", "{language}, {at:?}");
            assert_eq!(broken.load(Ordering::SeqCst), 1, "{language}, {at:?}: it was told more after its panic");
            assert!(heard.load(Ordering::SeqCst) >= 1, "{language}, {at:?}");
            host.still_serves(language).await;
        })
        .await;
    }
}
