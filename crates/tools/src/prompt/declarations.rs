//! The text that declares a scope's tools to programs, kept for as long as the tools are the same.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use dayfly_runtime::Language;

use crate::{Tool, sdk};

/// So many sets of tools are remembered: agents of one harness that see different ones.
const REMEMBERED: usize = 16;

/// The declarations that were made last, the latest one first.
#[derive(Default)]
pub(crate) struct Declarations {
    made: Mutex<VecDeque<Made>>,
}

struct Made {
    /// The identities of the tools, in order: another declaration of the same name is another tool.
    tools: Vec<u64>,
    text: Arc<str>,
}

impl Declarations {
    /// The instructions and the declarations of these tools. `None` when there is no renderer for the language.
    pub(super) fn section(&self, language: Language, tools: &[Tool]) -> Option<Arc<str>> {
        let identities: Vec<u64> = tools.iter().map(Tool::identity).collect();
        if let Some(text) = self.recall(&identities) {
            return Some(text);
        }
        // Made outside the lock: two agents that ask at once may both make it, and make the same.
        let text: Arc<str> = sdk::section(language, tools)?.into();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.push_front(Made { tools: identities, text: Arc::clone(&text) });
        made.truncate(REMEMBERED);
        Some(text)
    }

    fn recall(&self, tools: &[u64]) -> Option<Arc<str>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let nth = made.iter().position(|made| made.tools == tools)?;
        let found = made.remove(nth)?;
        let text = Arc::clone(&found.text);
        made.push_front(found);
        Some(text)
    }
}
