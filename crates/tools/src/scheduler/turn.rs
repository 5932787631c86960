//! Turns: whoever joins a queue first goes first.

use dayfly_runtime::CancellationToken;
use tokio_util::sync::DropGuard;

/// Whose members go one after the other, in the order in which they joined.
pub(crate) struct Queue {
    /// Passed on when the last one that joined is done.
    last: CancellationToken,
}

/// One member's turn. Dropping it passes it on, whichever way its owner ends.
pub(crate) struct Turn {
    before: CancellationToken,
    _after: DropGuard,
}

impl Queue {
    pub(crate) fn new() -> Self {
        let last = CancellationToken::new();
        last.cancel();
        Self { last }
    }

    pub(crate) fn join(&mut self) -> Turn {
        let own = CancellationToken::new();
        let before = std::mem::replace(&mut self.last, own.clone());
        Turn { before, _after: own.drop_guard() }
    }
}

impl Turn {
    /// Waits until everybody before is done.
    pub(crate) async fn come(&self) {
        self.before.cancelled().await;
    }

    pub(crate) fn has_come(&self) -> bool {
        self.before.is_cancelled()
    }
}
