//! One agent's view of the registry.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use dayfly_runtime::{Json, nearest_names};
use futures_util::FutureExt as _;
use tokio::sync::watch;

use super::core::{Anchor, Core};
use super::error::{RegisterError, RestrictError};
use super::filter::Filter;
use super::handle::{GuardHandle, ListenerHandle, Registration, Restriction};
use super::hooks::{Hook, Hooks, Placed};
use super::state::{LayerId, RUN_CODE};
use crate::events::SessionEvents;
use crate::pipeline::{Flight, PostDecision, PreDecision};
use crate::{DurableResult, Execution, Tool, ToolCall, ToolMode, ToolOutcome, ToolSchema};

/// A view of the tools: the global scope, or one agent's over it, or one nested in another.
///
/// What is registered in a scope is seen there and in the scopes nested in it, where it shadows an outer tool of the same
/// name. Guards, listeners and observers of a scope meet the calls of that scope and of those nested in it. Clones share
/// the scope; when the last clone and the last nested scope are gone, what was registered in it is gone too.
///
/// A scope composes what is seen. It is not an authority boundary: whoever holds another scope may call what that one sees.
#[derive(Clone)]
pub struct Scope {
    shared: Arc<Shared>,
}

struct Shared {
    name: Arc<str>,
    /// The identities of the anchors, for look-ups.
    path: Box<[LayerId]>,
    /// From the global layer to the scope's own: a list, so that dropping a deep one does not recurse.
    anchors: Box<[Arc<Anchor>]>,
    core: Arc<Core>,
}

impl Scope {
    pub(super) fn global(core: Arc<Core>) -> Self {
        Self::over(&[], core, "".into())
    }

    fn over(outer: &[Arc<Anchor>], core: Arc<Core>, name: Arc<str>) -> Self {
        let own = Anchor::new(Arc::clone(&core), outer.last().map(|anchor| anchor.id));
        let anchors: Box<[_]> = outer.iter().cloned().chain([Arc::new(own)]).collect();
        let path = anchors.iter().map(|anchor| anchor.id).collect();
        Self { shared: Arc::new(Shared { name, path, anchors, core }) }
    }

    /// A scope within this one. The name is for people and logs; two scopes of one name are two scopes.
    #[must_use]
    pub fn nest(&self, name: impl Into<Arc<str>>) -> Self {
        Self::over(&self.shared.anchors, Arc::clone(&self.shared.core), name.into())
    }

    /// The name; empty for the global scope.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    pub(crate) fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.shared.name)
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.shared.core
    }

    pub(super) fn path(&self) -> &[LayerId] {
        &self.shared.path
    }

    pub(super) fn layer(&self) -> LayerId {
        self.shared.path.last().copied().unwrap_or_default()
    }

    /// Registers a tool in this scope, shadowing an outer one of the same name.
    ///
    /// # Errors
    ///
    /// [`RegisterError`] when this scope has a tool of that name, or the name is reserved.
    pub fn register(&self, tool: Tool) -> Result<Registration, RegisterError> {
        let (core, layer) = (self.core(), self.layer());
        let id = core.next_id();
        core.change(|state| state.register(layer, id, &tool))?;
        core.notify();
        for warning in tool.warnings() {
            tracing::warn!(tool = tool.name(), scope = self.name(), "{warning}");
        }
        Ok(Registration::new(core, layer, id, tool.name().to_owned()))
    }

    /// Masks what this scope inherits. Several masks intersect; the scope's own tools are seen whatever the masks say.
    ///
    /// # Errors
    ///
    /// [`RestrictError`] when this is the global scope, when the filter is empty, and when it names a tool that is not
    /// inherited, is this scope's own, or is reserved.
    pub fn restrict(&self, filter: Filter) -> Result<Restriction, RestrictError> {
        let core = self.core();
        let id = core.next_id();
        core.change(|state| state.restrict(&self.shared.path, id, filter))?;
        core.notify();
        Ok(Restriction::new(core, self.layer(), id))
    }

    /// The tool that a name means here: shadowing applied, masked ones absent. `run_code` is the transport where programs may be
    /// written.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Tool> {
        if name == RUN_CODE {
            return self.transport();
        }
        self.core().read().resolve(&self.shared.path, name).cloned()
    }

    /// Everything this scope sees, by name in lexicographic order, whatever the form in which the model is shown it: `run_code`
    /// is never among them.
    #[must_use]
    pub fn schemas(&self) -> Vec<ToolSchema> {
        self.tools().iter().map(|tool| tool.schema().clone()).collect()
    }

    /// Everything this scope sees, by name in lexicographic order.
    #[must_use]
    pub fn tools(&self) -> Vec<Tool> {
        let mut tools: Vec<Tool> = self.core().read().visible(&self.shared.path).into_values().cloned().collect();
        tools.sort_unstable_by(|left, right| left.name().cmp(right.name()));
        tools
    }

    /// Whether a call may overlap others: parallel only when the tool that the name means here says so of these
    /// arguments; exclusive when it is unknown, hidden, undeclared, or its classifier fails.
    #[must_use]
    pub fn execution_mode(&self, name: &str, arguments: &Json) -> ToolMode {
        self.get(name).map_or(ToolMode::Exclusive, |tool| tool.classify(arguments))
    }

    /// Counts the changes of what any scope of the registry sees; wait on it to learn of the next.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.core().changes()
    }

    /// Denies calls by a reason, after all listeners; `None` leaves the call as it is. A denial is final.
    ///
    /// Guards are synchronous and quick. One that panics denies.
    pub fn guard(&self, guard: impl Fn(&Execution) -> Option<String> + Send + Sync + 'static) -> GuardHandle {
        let id = self.place(false, Hook::Guard(Arc::new(guard)));
        GuardHandle::new(self.core(), self.layer(), id)
    }

    /// Hears of every call before it runs, and decides: it is given the decision so far and returns the next one.
    ///
    /// The first listener is given [`PreDecision::Allow`]. A later listener may overrule an earlier one; what none may
    /// overrule is a [`guard`](Self::guard). Arguments cannot be changed. A listener that panics denies, finally.
    ///
    /// # Cancellation
    ///
    /// When the call is cancelled the listener's future is dropped.
    pub fn on_pre_execute<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Execution, PreDecision) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = PreDecision> + Send + 'static,
    {
        self.listen(Hook::Pre(Arc::new(move |execution, so_far| listener(execution, so_far).boxed())))
    }

    /// Hears of every outcome of a dispatch, and accepts it, in part replaced, or blocks it.
    ///
    /// Denied, unknown and invalid calls and those cancelled before their body do not come by. A listener that panics
    /// fails the call.
    ///
    /// # Cancellation
    ///
    /// When the call is cancelled the listener has the registry's grace to decide; then the result is withheld.
    pub fn on_post_execute<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Execution, Arc<ToolOutcome>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = PostDecision> + Send + 'static,
    {
        self.listen(Hook::Post(Arc::new(move |execution, outcome| listener(execution, outcome).boxed())))
    }

    /// Hears of every final outcome, exactly once for each call, whatever became of it. Must be quick.
    ///
    /// It changes nothing; a panic in it is logged and reaches nobody.
    pub fn on_result(&self, observer: impl Fn(&Execution, &ToolOutcome) + Send + Sync + 'static) -> ListenerHandle {
        self.listen(Hook::Result(Arc::new(observer)))
    }

    pub(crate) fn keep_events(&self, keeper: Arc<dyn SessionEvents>) -> ListenerHandle {
        self.listen(Hook::Events(keeper))
    }

    /// Hears of every call that a program of this scope made before it is kept in the session, and returns what is kept of it.
    ///
    /// Only the durable copy changes: the program has had its answer already, and the pipeline's outcome stays as it was. The
    /// program's `run_code` returns when all of it is kept.
    ///
    /// # Cancellation
    ///
    /// When `run_code` is cancelled the listener has the registry's grace; then the copy is kept as it was. So it is when the
    /// listener panics.
    pub fn on_code_dispatch_log<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Execution, DurableResult) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = DurableResult> + Send + 'static,
    {
        self.listen(Hook::DispatchLog(Arc::new(move |execution, result| listener(execution, result).boxed())))
    }

    pub(crate) fn listen(&self, hook: Hook) -> ListenerHandle {
        let id = self.place(false, hook);
        ListenerHandle::new(self.core(), self.layer(), id)
    }

    /// Like [`listen`](Self::listen), and calls of scopes within this one that have such hooks of their own meet those alone.
    pub(crate) fn listen_alone(&self, hook: Hook) -> ListenerHandle {
        let id = self.place(true, hook);
        ListenerHandle::new(self.core(), self.layer(), id)
    }

    fn place(&self, sole: bool, hook: Hook) -> u64 {
        let id = self.core().next_id();
        self.core().remove(|state| state.place(self.layer(), Placed { order: 0, id, sole, hook }));
        id
    }

    /// Makes a call and gives back its outcome; a failure is data.
    ///
    /// The order of the stages is the crate's subject; see [`pipeline`](crate::pipeline). Must run on a tokio runtime with
    /// its clock enabled. The call runs on a task of its own, so task-local values of the caller are not seen.
    ///
    /// # Cancellation
    ///
    /// Cancelling [`ToolCall::cancel`] asks the body to stop and awaits it for up to the registry's grace. Dropping the
    /// future is a cancel whose outcome only observers see: the body is awaited all the same, and
    /// [`Registry::quiesce`](crate::Registry::quiesce) waits for it.
    pub async fn execute(&self, call: ToolCall) -> ToolOutcome {
        Flight::begin(self, call).launch().await
    }

    /// What stands around what this scope does at this moment.
    pub(crate) fn hooks(&self) -> Arc<Hooks> {
        self.core().read().hooks(&self.shared.path)
    }

    /// Names to suggest to a model that asked for one that is not seen.
    pub(crate) fn nearest(&self, wanted: &str) -> Vec<String> {
        // Comparing names is quadratic in their length, and a program may ask for unknown names in a loop.
        const COMPARED: usize = 256;
        let near = |name: &&str| name.len().abs_diff(wanted.len()) <= wanted.len().max(name.len()).div_ceil(3);
        let names: Vec<String> = {
            let state = self.core().read();
            let visible = state.visible(&self.shared.path);
            let mut names: Vec<&str> = visible.into_keys().filter(near).collect();
            names.sort_unstable();
            names.into_iter().take(COMPARED).map(str::to_owned).collect()
        };
        // Compared once the lock is free.
        nearest_names(wanted, names.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("name", &self.name()).field("depth", &self.shared.anchors.len()).finish()
    }
}
