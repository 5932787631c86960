//! In which form a scope's tools are presented to its model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::handle::PresentationHandle;
use super::state::{LayerId, Path, Removed, State};
use super::{Hooks, RUN_CODE, Scope};
use crate::{Token, Tool};

/// The form in which a model gets its tools; in configuration `native`, `code` or `both`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "there are two forms, and both of them together")]
pub enum Presentation {
    /// Each tool as a function definition.
    #[default]
    Native,
    /// One function definition, `run_code`, and the tools as declarations for its programs. A direct call of another tool is
    /// refused.
    Code,
    /// All function definitions, `run_code` among them, and the declarations.
    Both,
}

impl Presentation {
    /// The name in configurations: `native`, `code`, `both`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Code => "code",
            Self::Both => "both",
        }
    }

    /// Whether programs may be written against the tools.
    #[must_use]
    pub const fn has_code(self) -> bool {
        match self {
            Self::Native => false,
            Self::Code | Self::Both => true,
        }
    }
}

/// A presentation that cannot be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PresentError {
    /// The global scope has the configured one.
    #[error(
        "the global scope presents its tools as the registry's `mode` says; set that, or choose for an agent's scope"
    )]
    Global,
    /// The scope has chosen already.
    #[error(
        "this scope presents its tools as `{}` already; dispose of that choice before making another", chosen.name()
    )]
    Chosen {
        /// What it has chosen.
        chosen: Presentation,
    },
}

/// What a name means to a call.
pub(crate) enum Resolved {
    Tool(Tool),
    /// A tool that programs may call and the model may not.
    CodeOnly,
    /// There is no such tool, and whether programs alone may call those that there are.
    Unknown {
        code_only: bool,
    },
}

impl Resolved {
    pub(crate) const fn tool(&self) -> Option<&Tool> {
        match self {
            Self::Tool(tool) => Some(tool),
            Self::CodeOnly | Self::Unknown { .. } => None,
        }
    }
}

impl State {
    fn present(&mut self, path: &Path, id: u64, chosen: Presentation) -> Result<(), PresentError> {
        let [_global, .., own] = path else { return Err(PresentError::Global) };
        let Some(layer) = self.layer(*own) else { return Ok(()) };
        if let Some((_, chosen)) = layer.presentation {
            return Err(PresentError::Chosen { chosen });
        }
        layer.presentation = Some((id, chosen));
        Ok(())
    }

    pub(super) fn remove_presentation(&mut self, layer: LayerId, id: u64) -> Removed {
        let Some(layer) = self.layer(layer) else { return Removed::default() };
        let chosen = layer.presentation.take_if(|(registered, _)| *registered == id);
        Removed { visible: chosen.is_some(), ..Removed::default() }
    }

    /// What the innermost scope on the path that has chosen has chosen.
    fn presentation(&self, path: &Path) -> Option<Presentation> {
        self.on(path).rev().find_map(|layer| layer.presentation.map(|(_, chosen)| chosen))
    }
}

impl Scope {
    /// Presents the tools of this scope, and of the scopes nested in it, in this form instead of the configured one.
    ///
    /// What the scope sees stays as it is: [`schemas`](Self::schemas) still says what the agent can do.
    ///
    /// # Errors
    ///
    /// [`PresentError`] in the global scope, and in a scope that has chosen already.
    pub fn present_as(&self, presentation: Presentation) -> Result<PresentationHandle, PresentError> {
        let core = self.core();
        let id = core.next_id();
        core.change(|state| state.present(self.path(), id, presentation))?;
        core.notify();
        Ok(PresentationHandle::new(core, self.layer(), id))
    }

    /// The form in which this scope's tools are presented.
    #[must_use]
    pub fn presentation(&self) -> Presentation {
        let core = self.core();
        let chosen = core.read().presentation(self.path());
        chosen.unwrap_or(core.config.mode)
    }

    /// The transport, when this scope has one.
    pub(crate) fn transport(&self) -> Option<Tool> {
        let transport = self.core().transport.as_ref()?;
        self.presentation().has_code().then(|| transport.clone())
    }

    /// What a call needs to know of this moment: the tool that its name means, and the hooks that stand around it.
    ///
    /// Calls from within another one may name every tool; a model's own, under [`Presentation::Code`], the transport alone.
    pub(crate) fn snapshot(&self, name: &str, parent: Option<Token>) -> (Resolved, Arc<Hooks>) {
        let core = self.core();
        let state = core.read();
        let presentation = state.presentation(self.path()).unwrap_or(core.config.mode);
        let tool = match &core.transport {
            Some(transport) if name == RUN_CODE && presentation.has_code() => Some(transport),
            Some(_) | None => state.resolve(self.path(), name),
        };
        let code_only = name != RUN_CODE && parent.is_none() && presentation == Presentation::Code;
        let resolved = match tool {
            Some(_) if code_only => Resolved::CodeOnly,
            Some(tool) => Resolved::Tool(tool.clone()),
            None => Resolved::Unknown { code_only },
        };
        (resolved, state.hooks(self.path()))
    }
}
