//! Where tools are registered, scoped to agents, and found.

mod builder;
mod config;
mod core;
mod error;
mod filter;
mod handle;
mod hooks;
mod presentation;
mod scope;
mod sections;
mod state;

use std::fmt;
use std::sync::Arc;

use dayfly_runtime::Json;
use tokio::sync::watch;

pub use builder::RegistryBuilder;
pub use config::{ConfigError, RegistryConfig};
pub use error::{RegisterError, RestrictError};
pub use filter::Filter;
pub use handle::{GuardHandle, ListenerHandle, PresentationHandle, Registration, Restriction, SectionHandle};
pub use presentation::{PresentError, Presentation};
pub use scope::Scope;
pub use sections::SectionError;
pub use state::RUN_CODE;

pub(crate) use self::core::Core;
pub(crate) use config::check_max_parallel;
pub(crate) use hooks::{Hook, Hooks, PostListener};
pub(crate) use presentation::Resolved;

use crate::pipeline::{Next, PostDecision, PreDecision};
use crate::{Execution, Tool, ToolCall, ToolMode, ToolOutcome, ToolSchema};

/// The owner of the global scope, of the layers around every body, and of what is configured; clones share it.
///
/// Its own methods are those of the [global scope](Self::global).
#[derive(Clone)]
pub struct Registry {
    global: Scope,
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// A registry with default limits, no layers and no approval.
    #[must_use]
    pub fn new() -> Self {
        Self::of(Core::new(Next::body(), None, RegistryConfig::default(), None))
    }

    fn of(core: Core) -> Self {
        Self { global: Scope::global(Arc::new(core)) }
    }

    /// Says what stands around bodies and who approves, before the first tool is registered.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// The scope that every other one sees through.
    #[must_use]
    pub const fn global(&self) -> &Scope {
        &self.global
    }

    /// A scope for one agent, over the global one.
    #[must_use]
    pub fn scope(&self, name: impl Into<Arc<str>>) -> Scope {
        self.global.nest(name)
    }

    /// Waits until no call and no body is running: not of calls whose futures were dropped, nor of bodies that were given
    /// up because they did not stop. New calls are not refused.
    ///
    /// # Cancellation
    ///
    /// Dropping the future only stops waiting.
    pub async fn quiesce(&self) {
        self.global.core().in_flight.wait().await;
    }

    /// [`Scope::register`], for all scopes.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn register(&self, tool: Tool) -> Result<Registration, RegisterError> {
        self.global.register(tool)
    }

    /// [`Scope::get`] of the global scope.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Tool> {
        self.global.get(name)
    }

    /// [`Scope::schemas`] of the global scope.
    #[must_use]
    pub fn schemas(&self) -> Vec<ToolSchema> {
        self.global.schemas()
    }

    /// [`Scope::execution_mode`] in the global scope.
    #[must_use]
    pub fn execution_mode(&self, name: &str, arguments: &Json) -> ToolMode {
        self.global.execution_mode(name, arguments)
    }

    /// [`Scope::changes`].
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.global.changes()
    }

    /// [`Scope::guard`], for the calls of all scopes.
    pub fn guard(&self, guard: impl Fn(&Execution) -> Option<String> + Send + Sync + 'static) -> GuardHandle {
        self.global.guard(guard)
    }

    /// [`Scope::on_pre_execute`], for the calls of all scopes.
    pub fn on_pre_execute<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Execution, PreDecision) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = PreDecision> + Send + 'static,
    {
        self.global.on_pre_execute(listener)
    }

    /// [`Scope::on_post_execute`], for the calls of all scopes.
    pub fn on_post_execute<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Execution, Arc<ToolOutcome>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = PostDecision> + Send + 'static,
    {
        self.global.on_post_execute(listener)
    }

    /// [`Scope::on_result`], for the calls of all scopes.
    pub fn on_result(&self, observer: impl Fn(&Execution, &ToolOutcome) + Send + Sync + 'static) -> ListenerHandle {
        self.global.on_result(observer)
    }

    /// [`Scope::execute`] in the global scope.
    ///
    /// # Cancellation
    ///
    /// As there.
    pub async fn execute(&self, call: ToolCall) -> ToolOutcome {
        self.global.execute(call).await
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("config", &self.global.core().config).finish_non_exhaustive()
    }
}
