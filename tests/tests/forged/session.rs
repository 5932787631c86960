//! Plays sessions at the same time against one real supervisor, and keeps what was seen.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dayfly::{CancellationToken, CodeRuntime as _, RunError, RunRequest, RunResult};
use dayfly_tests::forged::ForgedHost;
use futures_util::future::join_all;
use tokio::sync::{oneshot, watch};

use crate::MEMORY;
use crate::compile::{Cancel, Compiled};
use crate::host::{self, MEANT, Seen, Witness};

/// A session that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(150);

/// How long a worker that stays has for what it does before its run is cancelled.
const STAY: Duration = Duration::from_millis(80);

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

/// What came of one session.
#[derive(Debug)]
pub(crate) struct Observed {
    /// `None` when it did not end.
    pub(crate) outcome: Option<Result<RunResult, RunError>>,
    pub(crate) seen: Arc<Seen>,
}

/// What came of sessions that were played at the same time.
#[derive(Debug)]
pub(crate) struct Played {
    /// In the order of the sessions.
    pub(crate) observed: Vec<Observed>,
    pub(crate) panics: usize,
    /// The most memory that was taken beside what was there before, in bytes.
    pub(crate) peak: usize,
    /// Sessions that were under way when an honest run between them had been served.
    pub(crate) beside: usize,
}

/// Plays these sessions at the same time. Where there are several an honest run begins behind them, and is to be served
/// while those whose workers stay are there.
pub(crate) async fn play(forged: &ForgedHost, sessions: &[Compiled]) -> Played {
    let panics = PANICS.load(Ordering::SeqCst);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let (in_flight, served) = (Cell::new(0), watch::Sender::new(false));
    let peers = join_all(sessions.iter().map(|session| play_one(forged, session, &in_flight, &served)));
    let honest = async {
        let beside = if let [Compiled { language, .. }, _, ..] = sessions {
            forged.still_serves(*language).await;
            in_flight.get()
        } else {
            0
        };
        served.send_replace(true);
        beside
    };
    let (observed, beside) = tokio::join!(peers, honest);
    let peak = MEMORY.peak_usage().saturating_sub(before);
    // What was started too late would run now.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    Played { observed, panics: PANICS.load(Ordering::SeqCst) - panics, peak, beside }
}

async fn play_one(
    forged: &ForgedHost,
    session: &Compiled,
    in_flight: &Cell<usize>,
    served: &watch::Sender<bool>,
) -> Observed {
    let (seen, cancel) = (Arc::new(Seen::default()), CancellationToken::new());
    let request =
        RunRequest::new("").bind(host::tools(&seen)).observe(Witness(Arc::clone(&seen))).cancel_with(cancel.clone());
    let turn = forged.turn(&session.script).await;
    in_flight.set(in_flight.get() + 1);
    let run = tokio::time::timeout(PATIENCE, forged.host.runtime(session.language).run(request));
    let (tell, told) = oneshot::channel();
    let starting = async {
        turn.taken().await;
        let _ = tell.send(());
    };
    let cancelling = async {
        match session.cancel {
            Cancel::Never => pending().await,
            Cancel::After(after) => tokio::time::sleep(after).await,
            Cancel::WhenItStays => {
                let _ = told.await;
                tokio::time::sleep(STAY).await;
                let _ = served.subscribe().wait_for(|served| *served).await;
            }
        }
        cancel.cancel();
    };
    let beside = async {
        tokio::join!(starting, cancelling);
        pending::<Infallible>().await
    };
    let outcome = tokio::select! {
        outcome = run => outcome.ok(),
        never = beside => match never {},
    };
    seen.settle();
    in_flight.set(in_flight.get() - 1);
    Observed { outcome, seen }
}

#[cfg(test)]
mod tests {
    use dayfly::{Json, Language};
    use dayfly_tests::forged::{Ending, Script};

    use super::*;

    #[tokio::test]
    async fn peers_that_are_there_at_the_same_time_play_each_its_own_script() {
        let host = ForgedHost::new();
        let play = |number: u32| {
            let host = &host;
            async move {
                let script = Script::honest(Language::Python).pause(100).done(&number.to_string()).end(Ending::Linger);
                host.play_beside(Language::Python, &script, RunRequest::new("")).await.unwrap().value
            }
        };
        let values = join_all((0..8).map(play)).await;
        assert_eq!(values, (0..8).map(|number| Some(Json::from(number))).collect::<Vec<_>>());
    }
}
