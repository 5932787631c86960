//! What stands around calls: listeners, guards and observers, in the order in which they run.

use std::sync::Arc;

use dayfly_runtime::BoxFuture;

use crate::events::{Keepers, SessionEvents};
use crate::pipeline::{PostDecision, PreDecision};
use crate::prompt::Assembly;
use crate::{DurableResult, Execution, Scope, ToolOutcome};

pub(crate) type PreListener = Arc<dyn Fn(Execution, PreDecision) -> BoxFuture<'static, PreDecision> + Send + Sync>;
pub(crate) type Guard = Arc<dyn Fn(&Execution) -> Option<String> + Send + Sync>;
pub(crate) type PostListener =
    Arc<dyn Fn(Execution, Arc<ToolOutcome>) -> BoxFuture<'static, PostDecision> + Send + Sync>;
pub(crate) type ResultObserver = Arc<dyn Fn(&Execution, &ToolOutcome) + Send + Sync>;

pub(crate) type AssembleListener = Arc<dyn Fn(Scope, Assembly) -> BoxFuture<'static, Assembly> + Send + Sync>;
pub(crate) type DispatchLogListener =
    Arc<dyn Fn(Execution, DurableResult) -> BoxFuture<'static, DurableResult> + Send + Sync>;

/// One of them, as it is registered.
#[derive(Clone)]
pub(crate) enum Hook {
    Pre(PreListener),
    Guard(Guard),
    Post(PostListener),
    Result(ResultObserver),
    Events(Arc<dyn SessionEvents>),
    Assemble(AssembleListener),
    DispatchLog(DispatchLogListener),
}

/// A registered hook and its place: lower orders run first, and of equal ones the earlier registered.
#[derive(Clone)]
pub(super) struct Placed {
    pub(super) order: i32,
    pub(super) id: u64,
    /// Whether it is the only one of its sort that a call meets: then it gives way to those of an inner layer.
    pub(super) sole: bool,
    pub(super) hook: Hook,
}

/// All hooks that one scope's calls meet, each kind in its order. Built when hooks change, shared by calls.
#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) pre: Vec<PreListener>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) post: Vec<PostListener>,
    pub(crate) results: Vec<ResultObserver>,
    pub(crate) keepers: Keepers,
    pub(crate) assemble: Vec<AssembleListener>,
    pub(crate) dispatch_log: Vec<DispatchLogListener>,
}

impl Hooks {
    /// Merges the hooks of a path of layers: an agent's own and the global ones share one order. Of the sole ones, those of the
    /// innermost layer that has any stay.
    pub(super) fn merge<'a>(layers: impl Iterator<Item = &'a [Placed]>) -> Self {
        let mut placed: Vec<&Placed> = Vec::new();
        for layer in layers {
            if layer.iter().any(|placed| placed.sole) {
                placed.retain(|outer| !outer.sole);
            }
            placed.extend(layer);
        }
        placed.sort_by_key(|placed| (placed.order, placed.id));
        let mut hooks = Self::default();
        for placed in placed {
            match &placed.hook {
                Hook::Pre(listener) => hooks.pre.push(Arc::clone(listener)),
                Hook::Guard(guard) => hooks.guards.push(Arc::clone(guard)),
                Hook::Post(listener) => hooks.post.push(Arc::clone(listener)),
                Hook::Result(observer) => hooks.results.push(Arc::clone(observer)),
                Hook::Events(keeper) => hooks.keepers.push(Arc::clone(keeper)),
                Hook::Assemble(listener) => hooks.assemble.push(Arc::clone(listener)),
                Hook::DispatchLog(listener) => hooks.dispatch_log.push(Arc::clone(listener)),
            }
        }
        hooks
    }
}
