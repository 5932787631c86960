//! A registry under `code` whose programs run in processes, and what is kept of its session.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dayfly::tools::{
    Presentation, Registry, RegistryConfig, RunContext, Scope, SessionEvent, Tool, ToolCall, ToolFailure, ToolOutcome,
};
use dayfly::{Call, CancellationToken, HostFunction, Json, Language};

use crate::{Host, tools};

/// What a registry of the tests gives to a body that was asked to stop: long enough for one that listens, on a machine that
/// stands still for a moment, and as long as the tests wait for one that does not.
const GRACE: Duration = Duration::from_secs(3);

/// A registry under `code`, in one language, with one agent in it.
#[derive(Debug)]
pub struct CodeMode {
    /// The registry.
    pub registry: Registry,
    /// The agent whose programs [`run`](Self::run) runs.
    pub agent: Scope,
    /// What is kept of the session of all its agents.
    pub kept: Kept,
}

impl CodeMode {
    /// A registry over a host's runtime.
    #[must_use]
    pub fn new(host: &Host, language: Language) -> Self {
        Self::with(host, language, RegistryConfig::default().cancel_grace(GRACE))
    }

    /// The same with limits of its own.
    ///
    /// # Panics
    ///
    /// When the configuration is refused.
    #[must_use]
    pub fn with(host: &Host, language: Language, config: RegistryConfig) -> Self {
        let builder = Registry::builder().config(config.mode(Presentation::Code));
        let registry = builder.code_runtime(host.runtime(language).clone()).build();
        let registry = registry.unwrap_or_else(|error| panic!("{error}"));
        let kept = Kept::default();
        let keeper = kept.clone();
        registry.record(move |event| keeper.lock().push(event)).keep();
        Self { agent: registry.scope("agent"), registry, kept }
    }

    /// Adds a tool that every agent sees.
    ///
    /// # Panics
    ///
    /// When there is one of its name.
    #[must_use]
    pub fn with_tool(self, tool: Tool) -> Self {
        self.registry.register(tool).unwrap_or_else(|error| panic!("{error}")).keep();
        self
    }

    /// Adds the functions of [`tools`] as tools.
    #[must_use]
    pub fn with_tools(self) -> Self {
        tools().functions.into_iter().fold(self, |mode, (name, function)| mode.with_tool(as_tool(&name, &function)))
    }

    /// What becomes of a program of the agent's.
    pub async fn run(&self, program: &str) -> ToolOutcome {
        self.agent.execute(run_code("call", program)).await
    }
}

/// A call of `run_code`.
#[must_use]
pub fn run_code(id: &str, program: &str) -> ToolCall {
    ToolCall::new(id, "run_code", Json::object([("code", program), ("description", "Do it")]))
}

/// A host function as a tool that may overlap others: with the schema that fits it, and with its failure as the tool's own.
///
/// # Panics
///
/// When it cannot be declared.
#[must_use]
pub fn as_tool(name: &str, function: &HostFunction) -> Tool {
    let schema = match name {
        "ping" => r#"{"type":"object","additionalProperties":false}"#,
        "check" => r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#,
        _ => r#"{"type":"object"}"#,
    };
    let declared = Tool::raw(name, Json::parse(schema).unwrap_or_else(|error| panic!("{error}")));
    // It says in its own words what is wrong with its arguments.
    let declared = if name == "check" { declared.validates_itself() } else { declared };
    let (name, function) = (name.to_owned(), function.clone());
    let declared = declared.output_plain(Json::from(true)).concurrency_safe(|_| true);
    let tool = declared.execute(move |arguments, run: RunContext| {
        let call = Call::new(0, name.as_str(), arguments, run.cancel().clone());
        let answer = function.call(call);
        async move { answer.await.map_err(|error| ToolFailure::new(error.message)) }
    });
    tool.unwrap_or_else(|error| panic!("{error}"))
}

/// A tool that any arguments fit, and any value.
///
/// # Panics
///
/// When it cannot be declared.
pub fn tool<F, Fut>(name: &str, body: F) -> Tool
where
    F: Fn(Json, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Json, ToolFailure>> + Send + 'static,
{
    let declared = Tool::raw(name, Json::object([("type", "object")])).output_plain(Json::from(true));
    declared.execute(body).unwrap_or_else(|error| panic!("{error}"))
}

/// The same of one that may overlap others.
///
/// # Panics
///
/// When it cannot be declared.
pub fn safe_tool<F, Fut>(name: &str, body: F) -> Tool
where
    F: Fn(Json, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Json, ToolFailure>> + Send + 'static,
{
    let declared = Tool::raw(name, Json::object([("type", "object")])).output_plain(Json::from(true));
    declared.concurrency_safe(|_| true).execute(body).unwrap_or_else(|error| panic!("{error}"))
}

/// A tool that waits until it is asked to stop; the first token says that it has begun, the second that it was asked.
#[must_use]
pub fn waiting_tool(name: &str) -> (Tool, CancellationToken, CancellationToken) {
    let (begun, asked) = (CancellationToken::new(), CancellationToken::new());
    let (begins, stops) = (begun.clone(), asked.clone());
    let waits = safe_tool(name, move |_, run: RunContext| {
        let (begins, stops) = (begins.clone(), stops.clone());
        async move {
            begins.cancel();
            run.cancel().cancelled().await;
            stops.cancel();
            Err(ToolFailure::new("was asked to stop"))
        }
    });
    (waits, begun, asked)
}

/// What is kept of a session.
#[derive(Debug, Clone, Default)]
pub struct Kept(Arc<Mutex<Vec<SessionEvent>>>);

impl Kept {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<SessionEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of it.
    #[must_use]
    pub fn all(&self) -> Vec<SessionEvent> {
        self.lock().clone()
    }

    /// Each event in a few words: `call run_code`, `start 1 read`, `end 1 read ok`, `end 2 write failed`, `result run_code ok`.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        self.lock().iter().map(told).collect()
    }

    /// The calls that programs made and that entered the pipeline, in their order: the name, and the failure's text if there
    /// is one.
    ///
    /// # Errors
    ///
    /// What is not as it should be: each has one start and one end with one id, and both are in the order of the calls.
    pub fn dispatches(&self) -> Result<Vec<(String, Option<String>)>, String> {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for event in self.all() {
            let id = (event.call().call_id.clone(), event.call().name.clone());
            match event {
                SessionEvent::CodeDispatchStart(_) => starts.push(id),
                SessionEvent::CodeDispatch(end) => {
                    let text = end.result.content.iter().filter_map(|content| content.as_text()).collect::<String>();
                    ends.push((id, end.result.is_error.then_some(text)));
                }
                SessionEvent::Call(_) | SessionEvent::Result(_) => {}
                other => return Err(format!("an event that nobody knows: {other:?}")),
            }
        }
        let ended: Vec<_> = ends.iter().map(|(id, _)| id.clone()).collect();
        if starts != ended {
            return Err(format!("calls that started: {starts:?}; that ended: {ended:?}"));
        }
        Ok(ends.into_iter().map(|((_, name), failure)| (name, failure)).collect())
    }
}

fn told(event: &SessionEvent) -> String {
    let how = |failed| if failed { "failed" } else { "ok" };
    let call = event.call();
    let number = call.call_id.rsplit(':').next().unwrap_or_default();
    match event {
        SessionEvent::Call(_) => format!("call {}", call.name),
        SessionEvent::Result(result) => format!("result {} {}", call.name, how(result.result.is_error)),
        SessionEvent::CodeDispatchStart(_) => format!("start {number} {}", call.name),
        SessionEvent::CodeDispatch(end) => format!("end {number} {} {}", call.name, how(end.result.is_error)),
        other => panic!("{other:?}"),
    }
}
