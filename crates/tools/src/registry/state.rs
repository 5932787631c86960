//! The layers of a registry and what is seen through them.
//!
//! All of it is behind one lock, so that every view is of one moment. The lock is held for look-ups alone: never across an
//! await, and never while something of a user's is run or dropped, because that may come back to the registry. What is
//! removed is therefore returned, for the caller to drop after unlocking.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::error::{RegisterError, RestrictError};
use super::filter::Filter;
use super::hooks::{Hooks, Placed};
use super::presentation::Presentation;
use super::sections::Registered;
use crate::Tool;

/// The reserved transport. Nothing is registered, shadowed, restricted or removed under its name.
pub const RUN_CODE: &str = "run_code";

pub(super) type LayerId = u64;
/// The layers that a scope sees through, the global one first and its own last.
pub(super) type Path = [LayerId];

#[derive(Default)]
pub(super) struct State {
    layers: HashMap<LayerId, Layer>,
}

#[derive(Default)]
pub(super) struct Layer {
    /// By name, each with the identity of its registration.
    tools: HashMap<String, (u64, Tool)>,
    masks: Vec<(u64, Filter)>,
    pub(super) presentation: Option<(u64, Presentation)>,
    pub(super) sections: Vec<Registered>,
    hooks: Vec<Placed>,
    /// What the calls of this layer's scope meet, until a hook on the path changes.
    merged: OnceLock<Arc<Hooks>>,
    children: Vec<LayerId>,
}

/// What was taken out, to be dropped once the lock is free.
#[derive(Default)]
#[must_use = "drop it after unlocking"]
pub(super) struct Removed {
    pub(super) _tool: Option<Tool>,
    pub(super) _hook: Option<Placed>,
    pub(super) _section: Option<Registered>,
    pub(super) _layer: Option<Layer>,
    pub(super) merged: Vec<Arc<Hooks>>,
    /// Whether what some scope sees has changed.
    pub(super) visible: bool,
}

impl Layer {
    fn admits(&self, name: &str) -> bool {
        self.masks.iter().all(|(_, filter)| filter.admits(name))
    }
}

impl State {
    pub(super) fn add_layer(&mut self, id: LayerId, parent: Option<LayerId>) {
        if let Some(parent) = parent.and_then(|parent| self.layers.get_mut(&parent)) {
            parent.children.push(id);
        }
        self.layers.insert(id, Layer::default());
    }

    pub(super) fn remove_layer(&mut self, id: LayerId, parent: Option<LayerId>) -> Removed {
        if let Some(parent) = parent.and_then(|parent| self.layers.get_mut(&parent)) {
            parent.children.retain(|child| *child != id);
        }
        Removed { _layer: self.layers.remove(&id), ..Removed::default() }
    }

    pub(super) fn layer(&mut self, id: LayerId) -> Option<&mut Layer> {
        self.layers.get_mut(&id)
    }

    pub(super) fn on<'a>(&'a self, path: &Path) -> impl DoubleEndedIterator<Item = &'a Layer> {
        path.iter().filter_map(|id| self.layers.get(id))
    }

    /// The tool that a name means on a path: the innermost, unless a mask on the way to it hides it.
    pub(super) fn resolve<'a>(&'a self, path: &Path, name: &str) -> Option<&'a Tool> {
        for layer in self.on(path).rev() {
            if let Some((_, tool)) = layer.tools.get(name) {
                return Some(tool);
            }
            if !layer.admits(name) {
                return None;
            }
        }
        None
    }

    /// Every tool that a path sees, in no order.
    pub(super) fn visible<'a>(&'a self, path: &Path) -> HashMap<&'a str, &'a Tool> {
        let mut seen: HashMap<&'a str, &'a Tool> = HashMap::new();
        for layer in self.on(path) {
            if !layer.masks.is_empty() {
                seen.retain(|name, _| layer.admits(name));
            }
            seen.extend(layer.tools.iter().map(|(name, (_, tool))| (name.as_str(), tool)));
        }
        seen
    }

    pub(super) fn hooks(&self, path: &Path) -> Arc<Hooks> {
        let merge = || Arc::new(Hooks::merge(self.on(path).map(|layer| layer.hooks.as_slice())));
        match self.on(path).next_back() {
            Some(own) => Arc::clone(own.merged.get_or_init(merge)),
            None => Arc::default(),
        }
    }

    pub(super) fn register(&mut self, layer: LayerId, id: u64, tool: &Tool) -> Result<(), RegisterError> {
        let name = tool.name();
        if name == RUN_CODE {
            return Err(RegisterError::Reserved { name: name.to_owned() });
        }
        let Some(layer) = self.layers.get_mut(&layer) else { return Ok(()) };
        if layer.tools.contains_key(name) {
            return Err(RegisterError::Duplicate { name: name.to_owned() });
        }
        layer.tools.insert(name.to_owned(), (id, tool.clone()));
        Ok(())
    }

    pub(super) fn restrict(&mut self, path: &Path, id: u64, filter: Filter) -> Result<(), RestrictError> {
        let [inherited @ .., own] = path else { return Err(RestrictError::Global) };
        if inherited.is_empty() {
            return Err(RestrictError::Global);
        }
        if filter.names().next().is_none() {
            return Err(RestrictError::Empty);
        }
        for name in filter.names() {
            let name = || name.to_owned();
            if name() == RUN_CODE {
                return Err(RestrictError::Reserved { name: name() });
            }
            if self.layers.get(own).is_some_and(|layer| layer.tools.contains_key(&name())) {
                return Err(RestrictError::Local { name: name() });
            }
            if self.resolve(inherited, &name()).is_none() {
                return Err(RestrictError::Unknown { name: name() });
            }
        }
        if let Some(layer) = self.layers.get_mut(own) {
            layer.masks.push((id, filter));
        }
        Ok(())
    }

    pub(super) fn place(&mut self, layer: LayerId, placed: Placed) -> Removed {
        if let Some(layer) = self.layers.get_mut(&layer) {
            layer.hooks.push(placed);
        }
        self.forget_merged(layer)
    }

    pub(super) fn reorder(&mut self, layer: LayerId, id: u64, order: i32) -> Removed {
        if let Some(layer) = self.layers.get_mut(&layer) {
            layer.hooks.iter_mut().filter(|placed| placed.id == id).for_each(|placed| placed.order = order);
        }
        self.forget_merged(layer)
    }

    pub(super) fn remove_tool(&mut self, layer: LayerId, id: u64, name: &str) -> Removed {
        let Some(layer) = self.layers.get_mut(&layer) else { return Removed::default() };
        if layer.tools.get(name).is_none_or(|(registered, _)| *registered != id) {
            return Removed::default();
        }
        let tool = layer.tools.remove(name).map(|(_, tool)| tool);
        Removed { _tool: tool, visible: true, ..Removed::default() }
    }

    pub(super) fn remove_mask(&mut self, layer: LayerId, id: u64) -> Removed {
        let Some(layer) = self.layers.get_mut(&layer) else { return Removed::default() };
        layer.masks.retain(|(registered, _)| *registered != id);
        Removed { visible: true, ..Removed::default() }
    }

    pub(super) fn remove_hook(&mut self, layer: LayerId, id: u64) -> Removed {
        let hook = self.layers.get_mut(&layer).and_then(|layer| {
            let nth = layer.hooks.iter().position(|placed| placed.id == id)?;
            Some(layer.hooks.remove(nth))
        });
        Removed { _hook: hook, ..self.forget_merged(layer) }
    }

    /// Takes the merged hooks of a layer and of all that see through it, so that none keeps a removed hook alive.
    fn forget_merged(&mut self, layer: LayerId) -> Removed {
        let mut removed = Removed::default();
        let mut pending = vec![layer];
        while let Some(id) = pending.pop() {
            let Some(layer) = self.layers.get_mut(&id) else { continue };
            removed.merged.extend(layer.merged.take());
            pending.extend_from_slice(&layer.children);
        }
        removed
    }
}
