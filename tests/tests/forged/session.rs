//! Plays one session against a real supervisor and keeps what was seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dayfly::{CancellationToken, CodeRuntime as _, Language, RunError, RunRequest, RunResult};
use dayfly_tests::forged::ForgedHost;

use crate::MEMORY;
use crate::compile::Compiled;
use crate::host::{self, MEANT, Seen, Witness};

/// A session that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// Panics that were not meant, since the hook was set.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Counts the panics of this process from now on, and prints those that are not meant.
pub(crate) fn count_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str() != Some(MEANT) {
            PANICS.fetch_add(1, Ordering::SeqCst);
            usual(panic);
        }
    }));
}

/// What came of a session.
#[derive(Debug)]
pub(crate) struct Observed {
    /// `None` when it did not end.
    pub(crate) outcome: Option<Result<RunResult, RunError>>,
    pub(crate) seen: Arc<Seen>,
    pub(crate) panics: usize,
    /// The most memory that was taken beside what was there before, in bytes.
    pub(crate) peak: usize,
}

/// Plays a session.
pub(crate) async fn play(forged: &ForgedHost, language: Language, session: &Compiled) -> Observed {
    let seen = Arc::new(Seen::default());
    forged.prepare(&session.script);
    let cancel = CancellationToken::new();
    let request =
        RunRequest::new("").bind(host::tools(&seen)).observe(Witness(Arc::clone(&seen))).cancel_with(cancel.clone());
    let panics = PANICS.load(Ordering::SeqCst);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let run = tokio::time::timeout(PATIENCE, forged.host.runtime(language).run(request));
    let cancelling = async {
        match session.cancel {
            Some(after) => tokio::time::sleep(after).await,
            None => std::future::pending().await,
        }
        cancel.cancel();
        std::future::pending().await
    };
    let outcome = tokio::select! {
        outcome = run => outcome.ok(),
        () = cancelling => None,
    };
    seen.settle();
    let peak = MEMORY.peak_usage().saturating_sub(before);
    // What was started too late would run now.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    let panics = PANICS.load(Ordering::SeqCst) - panics;
    Observed { outcome, seen, panics, peak }
}
