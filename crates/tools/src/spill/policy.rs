//! The policy: what is replaced, and when.

use std::sync::Arc;

use futures_util::FutureExt as _;

use super::preview::preview;
use super::read;
use super::store::SpillStore;
use crate::registry::Hook;
use crate::{
    Content, DurableResult, Execution, ListenerHandle, PostDecision, RegisterError, Registration, Scope, ToolOutcome,
};

/// How many bytes a result may have before it is shortened, unless configured: some four thousand tokens.
const LIMIT: usize = 16 * 1_024;

/// Replaces results that are too long by a preview and the name under which the whole is kept.
#[derive(Clone)]
pub struct Spill {
    store: Arc<dyn SpillStore>,
    limit: usize,
}

/// A spill that is in force in a scope; dropping it takes its listeners and its tool away.
#[derive(Debug)]
#[must_use = "dropping it takes the spill away; `keep` leaves it for good"]
pub struct Installed {
    results: ListenerHandle,
    copies: ListenerHandle,
    reader: Registration,
}

impl Spill {
    /// A spill into this store, of results of more than 16 KiB.
    #[must_use]
    pub fn new(store: impl SpillStore + 'static) -> Self {
        Self { store: Arc::new(store), limit: LIMIT }
    }

    /// Sets the most bytes of text that a result may have, at least 256. What is shown of a longer one has as many, and a sentence.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes.max(256);
        self
    }

    /// Puts the spill around the calls of a scope and of those nested in it, and registers the tool that reads what is kept.
    ///
    /// Whoever sees the tool can read everything in the store: give agents that must not read each other's results a store each.
    /// A call meets one spill, that of the innermost scope that has one: what is a preview is not shortened again, and the store that it
    /// names is the one that the agent's tool reads. An agent with a spill of its own keeps nothing in the registry's.
    ///
    /// # Errors
    ///
    /// [`RegisterError`] when the scope has a tool `read_spilled` already.
    pub fn install(&self, scope: &Scope) -> Result<Installed, RegisterError> {
        let reader = scope.register(read::tool(Arc::clone(&self.store)))?;
        let (results, copies) = (self.clone(), self.clone());
        let results = scope.listen_alone(Hook::Post(Arc::new(move |execution, outcome| {
            let spill = results.clone();
            async move { spill.review(&execution, &outcome).await }.boxed()
        })));
        let copies = scope.listen_alone(Hook::DispatchLog(Arc::new(move |execution, copy| {
            let spill = copies.clone();
            async move { spill.copied(&execution, copy).await }.boxed()
        })));
        Ok(Installed { results, copies, reader })
    }

    /// Of a call that a program made, the model is shown nothing: its durable copy is shortened elsewhere.
    async fn review(&self, execution: &Execution, outcome: &ToolOutcome) -> PostDecision {
        if execution.parent().is_some() {
            return PostDecision::accept();
        }
        self.shorten(execution, &outcome.content).await.map_or_else(PostDecision::accept, PostDecision::replace_content)
    }

    async fn copied(&self, execution: &Execution, mut copy: DurableResult) -> DurableResult {
        if let Some(content) = self.shorten(execution, &copy.content).await {
            copy.content = content;
        }
        copy
    }

    /// The content with a preview in the place of its texts, when they are too long together.
    async fn shorten(&self, execution: &Execution, content: &[Content]) -> Option<Vec<Content>> {
        let texts: Vec<&str> = content.iter().filter_map(Content::as_text).collect();
        // A part of what is kept is what was asked for; to shorten it would send the model in a circle.
        if execution.name() == read::READ_SPILLED || texts.iter().map(|text| text.len()).sum::<usize>() <= self.limit {
            return None;
        }
        let text = texts.join("\n");
        let (store, limit) = (Arc::clone(&self.store), self.limit);
        let shortening = tokio::task::spawn_blocking(move || {
            let kept = store.keep(&text).map_err(|error| error.to_string());
            preview(&text, limit, &kept)
        });
        // A store that panics has kept nothing, and what is too long is not shown all the same.
        let shown = shortening.await.unwrap_or_else(|error| format!("[the result is lost: its store failed: {error}]"));
        let others = content.iter().filter(|block| block.as_text().is_none()).cloned();
        Some(std::iter::once(Content::Text(shown)).chain(others).collect())
    }
}

impl Installed {
    /// Leaves the spill in force for as long as its scope lives.
    pub fn keep(self) {
        self.results.keep();
        self.copies.keep();
        self.reader.keep();
    }
}

impl std::fmt::Debug for Spill {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spill").field("limit", &self.limit).finish_non_exhaustive()
    }
}
