//! What belongs to the host's own code, let go of without harm: a destructor that panics must not cost a run its result,
//! and two of them must not abort the host.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dayfly_runtime::Namespace;

/// Calls into the host's own code; `None` when it panicked.
pub(super) fn contained<T>(call: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(value) => Some(value),
        Err(panic) => {
            // What a panic carries has a destructor as well.
            if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
                std::mem::forget(again);
            }
            None
        }
    }
}

/// Drops what may have a destructor of the host's own.
pub(super) fn let_go<T>(value: T) {
    if contained(|| drop(value)).is_none() {
        tracing::error!("a destructor of the host's own panicked");
    }
}

/// The namespaces of a request. Their functions own whatever their closures have captured.
#[derive(Debug, Default)]
pub(super) struct Bindings(Vec<Namespace>);

impl Bindings {
    pub(super) const fn new(namespaces: Vec<Namespace>) -> Self {
        Self(namespaces)
    }
}

impl Deref for Bindings {
    type Target = [Namespace];

    fn deref(&self) -> &[Namespace] {
        &self.0
    }
}

impl Drop for Bindings {
    fn drop(&mut self) {
        // One at a time: a vector that unwinds drops the rest as well, and a second panic there is an abort.
        for namespace in std::mem::take(&mut self.0) {
            namespace.functions.into_iter().for_each(let_go);
        }
    }
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::Json;

    use super::*;

    struct Brittle;

    impl Drop for Brittle {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                std::panic::panic_any(Self);
            }
        }
    }

    #[test]
    fn any_number_of_closures_may_panic_when_they_are_dropped_with_whatever() {
        let brittle = |namespace: Namespace, name: &str| {
            let held = Brittle;
            namespace.async_fn(name, move |_| {
                let _held = &held;
                async { Ok(Json::null()) }
            })
        };
        let tools = brittle(brittle(Namespace::tools(), "one"), "two");
        let files = brittle(Namespace::new("files"), "three");
        drop(Bindings::new(vec![tools, files]));
        assert!(contained(|| std::panic::panic_any(Brittle)).is_none());
    }
}
