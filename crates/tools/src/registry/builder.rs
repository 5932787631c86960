//! Building a registry: its limits, its approval, and the layers around every body.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use dayfly_runtime::CodeRuntime;
use tower::{Layer, Service};

use super::config::{ConfigError, RegistryConfig};
use super::{Core, RUN_CODE, Registry};
use crate::ToolFailure;
use crate::code;
use crate::layers::AroundLayer;
use crate::pipeline::{Approval, Dispatch, Dispatched, Next};

/// A registry that is being built.
///
/// Layers are added from the outside in: the first one added sees a call first and its result last. The stack is built
/// once; a layer that limits concurrency limits it over all calls of the registry.
#[derive(Default)]
#[must_use = "`build` makes the registry"]
pub struct RegistryBuilder {
    config: RegistryConfig,
    approval: Option<Arc<dyn Approval>>,
    code_runtime: Option<Arc<dyn CodeRuntime>>,
    layers: Vec<Box<dyn FnOnce(Next) -> Next + Send>>,
}

impl RegistryBuilder {
    /// Sets the limits.
    pub fn config(mut self, config: RegistryConfig) -> Self {
        self.config = config;
        self
    }

    /// Says who is asked when a listener decides to ask. Without one, to ask is to deny.
    pub fn approval(mut self, approval: impl Approval + 'static) -> Self {
        self.approval = Some(Arc::new(approval));
        self
    }

    /// Says what runs the programs that a model writes. Without one, tools can be presented as `native` alone.
    ///
    /// The runtime's language is the language of the declarations.
    pub fn code_runtime(mut self, runtime: impl CodeRuntime + 'static) -> Self {
        self.code_runtime = Some(Arc::new(runtime));
        self
    }

    /// Puts a tower layer around the body and around the layers that are added after it.
    ///
    /// Its service is cloned for each call, as tower's services are, so what it limits must be shared by its clones.
    /// An error that is not a [`ToolFailure`] becomes one, with the code `LAYER_FAILED`.
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<Next> + Send + 'static,
        L::Service: Service<Dispatch, Response = Dispatched> + Clone + Send + Sync + 'static,
        <L::Service as Service<Dispatch>>::Error: Into<Box<dyn Error + Send + Sync>> + 'static,
        <L::Service as Service<Dispatch>>::Future: Send + 'static,
    {
        self.layers.push(Box::new(move |next| Next::new(layer.layer(next))));
        self
    }

    /// Puts an async function around the body: it is given the call and what comes next.
    pub fn around<F, Fut>(self, around: F) -> Self
    where
        F: Fn(Dispatch, Next) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Dispatched, ToolFailure>> + Send + 'static,
    {
        self.layer(AroundLayer::new(around))
    }

    /// Builds the registry.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] with every limit that is out of range.
    pub fn build(self) -> Result<Registry, ConfigError> {
        self.config.validate()?;
        let stack = self.layers.into_iter().rev().fold(Next::body(), |next, layer| layer(next));
        let code = match self.code_runtime {
            None => None,
            Some(runtime) => {
                let language = runtime.language();
                let transport = code::transport(runtime, self.config.max_parallel_sub_calls);
                let transport = transport.map_err(|error| ConfigError {
                    problems: vec![format!("`{RUN_CODE}` cannot be declared for this runtime: {error}")],
                })?;
                Some((language, transport))
            }
        };
        Ok(Registry::of(Core::new(stack, self.approval, self.config, code)))
    }
}

impl fmt::Debug for RegistryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryBuilder")
            .field("config", &self.config)
            .field("layers", &self.layers.len())
            .finish_non_exhaustive()
    }
}
