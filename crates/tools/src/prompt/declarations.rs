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
    /// A registry has the one language of its runtime, which this need not know.
    language: Language,
    /// The identities of the tools, in order: another declaration of the same name is another tool.
    tools: Vec<u64>,
    text: Arc<str>,
}

impl Declarations {
    /// The instructions and the declarations of these tools. `None` when there is no renderer for the language.
    pub(super) fn section(&self, language: Language, tools: &[Tool]) -> Option<Arc<str>> {
        let identities: Vec<u64> = tools.iter().map(Tool::identity).collect();
        if let Some(text) = self.recall(language, &identities) {
            return Some(text);
        }
        // Made outside the lock: two agents that ask at once may both make it, and make the same.
        let text: Arc<str> = sdk::section(language, tools)?.into();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.push_front(Made { language, tools: identities, text: Arc::clone(&text) });
        made.truncate(REMEMBERED);
        Some(text)
    }

    fn recall(&self, language: Language, tools: &[u64]) -> Option<Arc<str>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let nth = made.iter().position(|made| made.language == language && made.tools == tools)?;
        let found = made.remove(nth)?;
        let text = Arc::clone(&found.text);
        made.push_front(found);
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Json, ToolFailure};

    fn tool(name: &str) -> Tool {
        Tool::raw(name, Json::object([("type", "object")]))
            .output_plain(Json::from(true))
            .execute(|_, _| std::future::ready(Ok::<_, ToolFailure>(Json::null())))
            .unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn declarations_are_kept_by_language_and_tools_and_the_oldest_go() {
        let declarations = Declarations::default();
        let one = [tool("one")];
        let kept = |language| declarations.section(language, &one).unwrap_or_else(|| panic!("no renderer"));
        let (typescript, python) = (kept(Language::TypeScript), kept(Language::Python));
        assert_eq!(Some(&*typescript), sdk::section(Language::TypeScript, &one).as_deref());
        assert_eq!(Some(&*python), sdk::section(Language::Python, &one).as_deref());
        assert!(Arc::ptr_eq(&typescript, &kept(Language::TypeScript)));
        assert!(Arc::ptr_eq(&python, &kept(Language::Python)));
        // Of another tool of this name, however it is declared, nothing is known yet.
        let other = declarations.section(Language::TypeScript, &[tool("one")]);
        assert!(other.is_some_and(|other| other == typescript && !Arc::ptr_eq(&other, &typescript)));
        for number in 0..REMEMBERED {
            declarations.section(Language::TypeScript, &[tool(&format!("other{number}"))]);
        }
        assert!(!Arc::ptr_eq(&typescript, &kept(Language::TypeScript)));
        let made = declarations.made.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(made.len(), REMEMBERED);
    }
}
