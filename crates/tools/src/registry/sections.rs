//! Sections of the prompt as scopes register them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Scope;
use super::handle::SectionHandle;
use super::state::{LayerId, Path, Removed, State};

/// A section's text, made for the scope whose prompt is assembled.
pub(crate) type SectionText = Arc<dyn Fn(&Scope) -> String + Send + Sync>;

/// A section that is registered.
#[derive(Clone)]
pub(crate) struct Registered {
    id: u64,
    name: Arc<str>,
    pub(crate) order: i32,
    pub(crate) text: SectionText,
}

/// A section that cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SectionError {
    /// The scope has a section of this id.
    #[error(
        "a section `{id}` is registered in this scope already; dispose of that one first, or shadow it from a nested scope"
    )]
    Duplicate {
        /// The id.
        id: String,
    },
}

impl State {
    fn add_section(&mut self, layer: LayerId, section: Registered) -> Result<(), SectionError> {
        let Some(layer) = self.layer(layer) else { return Ok(()) };
        if layer.sections.iter().any(|registered| registered.name == section.name) {
            return Err(SectionError::Duplicate { id: section.name.as_ref().to_owned() });
        }
        layer.sections.push(section);
        Ok(())
    }

    pub(super) fn remove_section(&mut self, layer: LayerId, id: u64) -> Removed {
        let section = self.layer(layer).and_then(|layer| {
            let nth = layer.sections.iter().position(|section| section.id == id)?;
            Some(layer.sections.remove(nth))
        });
        Removed { _section: section, ..Removed::default() }
    }

    fn sections(&self, path: &Path) -> BTreeMap<Arc<str>, Registered> {
        let registered = self.on(path).flat_map(|layer| &layer.sections);
        registered.map(|section| (Arc::clone(&section.name), section.clone())).collect()
    }
}

impl Scope {
    /// Adds a section to the prompts of this scope and of the scopes nested in it, where it shadows an outer one of the same id.
    ///
    /// Sections are in the order of `order`, and of equal ones in that of their ids. The text is made anew for each assembly, for the
    /// scope that is assembled; an empty one leaves nothing in the prompt. Guidance about single tools lies between 100 and 199.
    ///
    /// # Errors
    ///
    /// [`SectionError`] when this very scope has a section of this id.
    pub fn section(
        &self,
        id: impl Into<Arc<str>>,
        order: i32,
        text: impl Fn(&Self) -> String + Send + Sync + 'static,
    ) -> Result<SectionHandle, SectionError> {
        let core = self.core();
        let section = Registered { id: core.next_id(), name: id.into(), order, text: Arc::new(text) };
        let registered = section.id;
        core.change(|state| state.add_section(self.layer(), section))?;
        Ok(SectionHandle::new(core, self.layer(), registered))
    }

    /// The registered sections that this scope sees, by id.
    pub(crate) fn registered_sections(&self) -> BTreeMap<Arc<str>, Registered> {
        self.core().read().sections(self.path())
    }
}
