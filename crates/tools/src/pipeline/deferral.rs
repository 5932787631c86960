//! Contexts that a body defers until its call's result has reached the caller.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Context;

/// The contexts of one attempt at a body, until they are collected.
#[derive(Debug, Clone)]
pub(crate) struct Deferral {
    /// `None` once collected: what a body that was given up says later belongs to no result.
    contexts: Arc<Mutex<Option<Vec<Context>>>>,
}

impl Deferral {
    pub(crate) fn new() -> Self {
        Self { contexts: Arc::new(Mutex::new(Some(Vec::new()))) }
    }

    pub(crate) fn push(&self, context: Context) {
        if let Some(contexts) = self.contexts.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            contexts.push(context);
        }
    }

    pub(super) fn collect(&self) -> Vec<Context> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }
}
