//! Masks over what a scope inherits.

use std::collections::HashSet;
use std::sync::Arc;

/// Which inherited tools a scope sees: a snapshot, which later changes to the caller's own list do not reach.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a filter masks nothing until it is given to `restrict`"]
pub struct Filter {
    kind: Kind,
    names: Arc<HashSet<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Allow,
    Deny,
}

impl Filter {
    /// Only these. Tools of other names that are registered later are not admitted.
    pub fn allow<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::new(Kind::Allow, names)
    }

    /// All but these. Tools of other names that are registered later are admitted.
    pub fn deny<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::new(Kind::Deny, names)
    }

    fn new<N: Into<String>>(kind: Kind, names: impl IntoIterator<Item = N>) -> Self {
        Self { kind, names: Arc::new(names.into_iter().map(Into::into).collect()) }
    }

    pub(super) fn admits(&self, name: &str) -> bool {
        match self.kind {
            Kind::Allow => self.names.contains(name),
            Kind::Deny => !self.names.contains(name),
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}
