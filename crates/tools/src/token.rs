//! The opaque identity of one execution.

use std::sync::atomic::{AtomicU64, Ordering};

/// Says whether two views are of the same execution, and nothing else.
///
/// The registry mints one for each execution; callers never choose one. It never crosses a model, a log or a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token(u64);

impl Token {
    /// A token that no other execution of this process has.
    pub(crate) fn mint() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
