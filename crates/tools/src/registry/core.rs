//! What all handles of one registry share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use dayfly_runtime::Language;
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::config::RegistryConfig;
use super::state::{LayerId, Removed, State};
use crate::Tool;
use crate::pipeline::{Approval, Next, Panicked, contain};
use crate::prompt::Declarations;

pub(crate) struct Core {
    state: RwLock<State>,
    /// The around-dispatch layers over the body, built once.
    pub(crate) stack: Next,
    pub(crate) approval: Option<Arc<dyn Approval>>,
    pub(crate) config: RegistryConfig,
    /// `run_code`, when programs can be run at all.
    pub(crate) transport: Option<Tool>,
    /// What the programs are written in.
    pub(crate) language: Option<Language>,
    /// The declarations that were made last.
    pub(crate) declarations: Declarations,
    /// Calls and bodies that have not ended. Closed from the start, so that waiting means waiting for none.
    pub(crate) in_flight: TaskTracker,
    changes: watch::Sender<u64>,
    next_id: AtomicU64,
}

impl Core {
    pub(super) fn new(
        stack: Next,
        approval: Option<Arc<dyn Approval>>,
        config: RegistryConfig,
        code: Option<(Language, Tool)>,
    ) -> Self {
        let (language, transport) = code.unzip();
        let in_flight = TaskTracker::new();
        in_flight.close();
        Self {
            state: RwLock::default(),
            stack,
            approval,
            config,
            transport,
            language,
            declarations: Declarations::default(),
            in_flight,
            changes: watch::Sender::new(0),
            next_id: AtomicU64::new(0),
        }
    }

    /// An identity that nothing else in this registry has; later ones are greater.
    pub(super) fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state. What comes out is dropped after unlocking, because it may hold handles of this registry.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn remove(&self, remove: impl FnOnce(&mut State) -> Removed) {
        let removed = self.change(remove);
        if removed.visible {
            self.notify();
        }
        if let Err(Panicked(text)) = contain(move || drop(removed)) {
            tracing::warn!("a tool or a listener panicked when it was dropped: {text}");
        }
    }

    /// Tells everybody that some scope may see other tools now.
    pub(super) fn notify(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

/// Keeps a layer for as long as a scope sees through it.
pub(super) struct Anchor {
    pub(super) core: Arc<Core>,
    pub(super) id: LayerId,
    pub(super) parent: Option<LayerId>,
}

impl Anchor {
    pub(super) fn new(core: Arc<Core>, parent: Option<LayerId>) -> Self {
        let id = core.next_id();
        core.change(|state| state.add_layer(id, parent));
        Self { core, id, parent }
    }
}

impl Drop for Anchor {
    fn drop(&mut self) {
        self.core.remove(|state| state.remove_layer(self.id, self.parent));
    }
}
