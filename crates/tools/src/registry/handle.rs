//! Handles: dropping one takes away what it stands for.

use std::fmt;
use std::sync::{Arc, Weak};

use super::core::Core;
use super::state::{LayerId, Removed, State};

/// What every handle is made of.
struct Held {
    core: Weak<Core>,
    layer: LayerId,
    id: u64,
}

impl Held {
    fn new(core: &Arc<Core>, layer: LayerId, id: u64) -> Self {
        Self { core: Arc::downgrade(core), layer, id }
    }

    fn release(&self, remove: impl FnOnce(&mut State, LayerId, u64) -> Removed) {
        // A registry that is gone has taken everything with it.
        if let Some(core) = self.core.upgrade() {
            core.remove(|state| remove(state, self.layer, self.id));
        }
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $remove:expr) => {
        $(#[$doc])*
        #[must_use = "dropping the handle takes away what it stands for; `keep` leaves it for good"]
        pub struct $name {
            held: Option<Held>,
        }

        impl $name {
            pub(super) fn new(core: &Arc<Core>, layer: LayerId, id: u64) -> Self {
                Self { held: Some(Held::new(core, layer, id)) }
            }

            /// Leaves it in place for as long as its scope lives.
            pub fn keep(mut self) {
                self.held = None;
            }

            /// Takes it away now, as dropping does. Calls that have started keep what they started with.
            pub fn dispose(self) {}
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(held) = self.held.take() {
                    held.release($remove);
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

handle! {
    /// A restriction in force.
    Restriction, State::remove_mask
}

handle! {
    /// A guard in force.
    GuardHandle, State::remove_hook
}

handle! {
    /// A presentation that a scope has chosen.
    PresentationHandle, State::remove_presentation
}

handle! {
    /// A section of the prompt.
    SectionHandle, State::remove_section
}

handle! {
    /// A listener or observer that hears of calls.
    ListenerHandle, State::remove_hook
}

impl ListenerHandle {
    /// Moves the listener among the others of its stage: lower orders run first, and of equal ones the earlier registered.
    ///
    /// Calls that have started keep the order they started with.
    pub fn reorder(&self, order: i32) {
        if let Some(held) = &self.held {
            held.release(|state, layer, id| state.reorder(layer, id, order));
        }
    }
}

/// A registered tool.
#[must_use = "dropping the handle takes the tool away; `keep` leaves it for good"]
pub struct Registration {
    held: Option<Held>,
    name: String,
}

impl Registration {
    pub(super) fn new(core: &Arc<Core>, layer: LayerId, id: u64, name: String) -> Self {
        Self { held: Some(Held::new(core, layer, id)), name }
    }

    /// The tool's exact name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Leaves the tool in place for as long as its scope lives.
    pub fn keep(mut self) {
        self.held = None;
    }

    /// Takes the tool away now, as dropping does. Calls that have started keep the tool they started with.
    pub fn dispose(self) {}
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            held.release(|state, layer, id| state.remove_tool(layer, id, &self.name));
        }
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registration").field(&self.name).finish()
    }
}
