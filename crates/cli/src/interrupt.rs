//! SIGINT, SIGTERM and SIGHUP: the first ends the run in order, a later one ends the command at once.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use dayfly::CancellationToken;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Exit;
use crate::tools::Commands;

/// Listens for the signals that end the command.
#[derive(Debug)]
pub(crate) struct Interrupts {
    /// Cancelled by the first signal.
    pub(crate) cancel: CancellationToken,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The first signal and when it was heard.
    first: OnceLock<(u8, Instant)>,
    /// The run is over: nothing is left that would need an orderly end.
    over: AtomicBool,
}

const SIGNALS: [(SignalKind, u8); 3] =
    [(SignalKind::interrupt(), 2), (SignalKind::terminate(), 15), (SignalKind::hangup(), 1)];

/// Signals within this time of the first are the same wish. `timeout` signals its child and then its group, and a
/// terminal that closes sends SIGHUP beside what the shell sends: both take microseconds, a second thought does not.
const SAME_WISH: Duration = Duration::from_millis(500);

impl Interrupts {
    /// Begins to listen; from here on the signals no longer kill the process by themselves.
    pub(crate) fn listen(commands: &Arc<Commands>) -> io::Result<Self> {
        let cancel = CancellationToken::new();
        let state = Arc::new(State::default());
        for (kind, number) in SIGNALS {
            let stream = signal(kind)?;
            tokio::spawn(answer(stream, number, cancel.clone(), Arc::clone(&state), Arc::clone(commands)));
        }
        Ok(Self { cancel, state })
    }

    /// From here on the first signal ends the process at once: what is left is to print.
    pub(crate) fn run_is_over(&self) {
        self.state.over.store(true, Ordering::SeqCst);
    }

    /// How the command ends when a signal came.
    pub(crate) fn exit(&self) -> Option<Exit> {
        self.state.first.get().map(|(number, _)| Exit::Signal(*number))
    }
}

async fn answer(mut stream: Signal, number: u8, cancel: CancellationToken, state: Arc<State>, commands: Arc<Commands>) {
    while stream.recv().await.is_some() {
        let now = Instant::now();
        let first = state.first.set((number, now)).is_ok();
        let at_once = match state.first.get() {
            _ if first => state.over.load(Ordering::SeqCst),
            heard => heard.is_some_and(|(_, heard)| now.saturating_duration_since(*heard) >= SAME_WISH),
        };
        if first {
            cancel.cancel();
        }
        if at_once {
            // The worker dies with this process; the tools' commands are in groups of their own and would not.
            commands.close();
            std::process::exit(i32::from(Exit::Signal(number).code()));
        }
    }
}
