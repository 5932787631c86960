//! Tools and registries that the tests of the pipeline share.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly_tools::{
    CancellationToken, Context, Json, Registry, RegistryBuilder, RegistryConfig, RunContext, Tool, ToolCall,
    ToolFailure, ToolOutcome,
};

/// The grace of every registry here; with a paused clock it costs nothing.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

/// A call of `name` with `{}`.
pub(crate) fn call(name: &str) -> ToolCall {
    ToolCall::new("call", name, json("{}"))
}

pub(crate) fn builder() -> RegistryBuilder {
    Registry::builder().config(RegistryConfig::default().cancel_grace(GRACE))
}

/// A tool of any object whose value is a string that is shown as `shown: …`.
pub(crate) fn tool<F, Fut>(name: &str, body: F) -> Tool
where
    F: Fn(Json, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Json, ToolFailure>> + Send + 'static,
{
    shown(name).execute(body).unwrap()
}

/// The same before it has a body.
pub(crate) fn shown(name: &str) -> dayfly_tools::tool::Declaration<Json, Json, dayfly_tools::tool::Complete> {
    Tool::raw(name, json(r#"{"type":"object"}"#))
        .output(json(r#"{"type":"string"}"#), |_, value| format!("shown: {}", value.as_str().unwrap()))
}

/// A tool that returns its own name.
pub(crate) fn plain(name: &str) -> Tool {
    let value = Json::from(name);
    tool(name, move |_, _| std::future::ready(Ok(value.clone())))
}

/// A tool that is declared retryable.
pub(crate) fn retryable<F, Fut>(name: &str, body: F) -> Tool
where
    F: Fn(Json, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Json, ToolFailure>> + Send + 'static,
{
    shown(name).retryable().execute(body).unwrap()
}

/// What happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn say(&self, text: impl Into<String>) {
        self.0.lock().unwrap().push(text.into());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Two tokens: the body says that it runs, and the test lets it go on.
#[derive(Clone, Default)]
pub(crate) struct Gate {
    pub(crate) reached: CancellationToken,
    pub(crate) open: CancellationToken,
}

impl Gate {
    pub(crate) async fn pass(&self) {
        self.reached.cancel();
        self.open.cancelled().await;
    }
}

pub(crate) fn context(text: &str) -> Context {
    Context::text("test", text)
}

/// The texts of an outcome's contexts.
pub(crate) fn contexts(outcome: &ToolOutcome) -> Vec<&str> {
    outcome.contexts.iter().map(|context| context.content[0].as_text().unwrap()).collect()
}

/// The outcome is a failure of this code, has no value, and is shown as every failure is.
#[track_caller]
pub(crate) fn assert_failed(outcome: &ToolOutcome, code: &str) {
    let failure = outcome.failure().unwrap_or_else(|| panic!("{code} was expected of {outcome:?}"));
    assert_eq!(failure.code(), Some(code), "{failure:?}");
    assert_eq!(outcome.text(), format!("Error: {}", failure.message));
    assert_eq!(outcome.meta, None);
}

/// After every murder: the registry still serves.
pub(crate) async fn assert_serves(registry: &Registry) {
    registry.quiesce().await;
    let scope = registry.scope("afterwards");
    let _plain = scope.register(plain("still serves")).unwrap();
    let outcome = scope.execute(call("still serves")).await;
    assert_eq!(outcome.result, Ok(Json::from("still serves")), "{outcome:?}");
}
