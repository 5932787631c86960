//! A registry under `code` whose programs are scripts, and tools that say what happens to them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly_runtime::testing::{Script, ScriptedCall, ScriptedRuntime};
use dayfly_runtime::{CodeRuntime, Language};
use dayfly_tools::{
    CancellationToken, Json, Presentation, Registry, RegistryConfig, RunContext, Scope, SessionEvent, Tool, ToolCall,
    ToolFailure, ToolOutcome,
};

/// The grace of every registry here; with a paused clock it costs nothing.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn config() -> RegistryConfig {
    RegistryConfig::default().mode(Presentation::Code).cancel_grace(GRACE)
}

pub(crate) fn scripted(script: Script) -> ScriptedRuntime {
    ScriptedRuntime::new(Language::TypeScript).on("program", script)
}

/// A registry under `code`, one agent in it, and what is kept of that agent's session.
pub(crate) struct House {
    pub(crate) registry: Registry,
    pub(crate) agent: Scope,
    pub(crate) events: Events,
    pub(crate) log: Log,
}

impl House {
    /// Whose program `program` does this.
    pub(crate) fn of(script: Script) -> Self {
        Self::with(scripted(script), config())
    }

    pub(crate) fn with(runtime: impl CodeRuntime + 'static, config: RegistryConfig) -> Self {
        Self::built(Registry::builder().config(config).code_runtime(runtime).build().unwrap())
    }

    pub(crate) fn built(registry: Registry) -> Self {
        let agent = registry.scope("agent");
        let events = Events::default();
        agent.record(events.keeper()).keep();
        Self { registry, agent, events, log: Log::default() }
    }

    pub(crate) fn add(self, tool: Tool) -> Self {
        self.agent.register(tool).unwrap().keep();
        self
    }

    /// Adds a tool that returns its arguments and may overlap others.
    pub(crate) fn echo(self, name: &str) -> Self {
        self.add(declared(name).concurrency_safe(|_| true).execute(async |arguments, _| Ok(arguments)).unwrap())
    }

    /// Adds an exclusive tool.
    pub(crate) fn tool<F, Fut>(self, name: &str, body: F) -> Self
    where
        F: Fn(Json, RunContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Json, ToolFailure>> + Send + 'static,
    {
        self.add(declared(name).execute(body).unwrap())
    }

    /// Adds an exclusive tool that says `begins <name>`, waits until it is asked to stop, and says so.
    pub(crate) fn waits(self, name: &'static str) -> (Self, CancellationToken) {
        let (log, begun) = (self.log.clone(), CancellationToken::new());
        let begins = begun.clone();
        let house = self.tool(name, move |_, run: RunContext| {
            let (log, begins) = (log.clone(), begins.clone());
            async move {
                log.say(format!("begins {name}"));
                begins.cancel();
                run.cancel().cancelled().await;
                log.say(format!("stops {name}"));
                Err(ToolFailure::new("was asked to stop"))
            }
        });
        (house, begun)
    }

    /// Runs `program` as the call `call`.
    pub(crate) async fn run(&self) -> ToolOutcome {
        self.agent.execute(run_code("call", "program")).await
    }
}

/// A tool of any arguments and any value.
pub(crate) fn declared(name: &str) -> dayfly_tools::tool::Declaration<Json, Json, dayfly_tools::tool::Complete> {
    Tool::raw(name, json(r#"{"type":"object"}"#)).output(json("true"), |_, value| format!("shown: {value}"))
}

/// A call of `run_code`.
pub(crate) fn run_code(id: &str, program: &str) -> ToolCall {
    ToolCall::new(id, "run_code", Json::object([("code", program), ("description", "Do it")]))
}

/// A call that a script makes of a tool, with `{"n": <n>}`.
pub(crate) fn call(name: &str, n: i64) -> ScriptedCall {
    ScriptedCall::new("tools", name, arguments(n))
}

pub(crate) fn arguments(n: i64) -> Json {
    Json::object([("n", n)])
}

/// The result of the program.
pub(crate) fn result(outcome: &ToolOutcome) -> String {
    let value = outcome.result.as_ref().unwrap_or_else(|failure| panic!("{failure:?}"));
    value.get("result").unwrap().to_string()
}

/// The messages with which the first calls failed, or `ok`.
pub(crate) fn messages(script: Script, calls: usize) -> Script {
    script.returns_with(move |answers| {
        let message = |nth| answers.error(nth).map_or_else(|| "ok".to_owned(), |error| error.message.clone());
        (1..=calls).map(message).collect()
    })
}

#[track_caller]
pub(crate) fn assert_failed(outcome: &ToolOutcome, code: &str) {
    let failure = outcome.failure().unwrap_or_else(|| panic!("{code} was expected of {outcome:?}"));
    assert_eq!(failure.code(), Some(code), "{failure:?}");
    assert_eq!(outcome.text(), format!("Error: {}", failure.message));
}

/// What is kept of a session.
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Mutex<Vec<SessionEvent>>>);

impl Events {
    pub(crate) fn keeper(&self) -> impl Fn(SessionEvent) + Send + Sync + use<> {
        let kept = Arc::clone(&self.0);
        move |event| kept.lock().unwrap().push(event)
    }

    pub(crate) fn all(&self) -> Vec<SessionEvent> {
        self.0.lock().unwrap().clone()
    }

    /// Each in a few words: `call run_code`, `start 1 read`, `end 1 read ok`, `end 2 write failed`, `result run_code ok`.
    pub(crate) fn told(&self) -> Vec<String> {
        self.all().iter().map(told).collect()
    }
}

fn told(event: &SessionEvent) -> String {
    let how = |failed| if failed { "failed" } else { "ok" };
    let number = |id: &str| id.rsplit(':').next().unwrap().to_owned();
    match event {
        SessionEvent::Call(call) => format!("call {}", call.name),
        SessionEvent::Result(result) => format!("result {} {}", result.call.name, how(result.result.is_error)),
        SessionEvent::CodeDispatchStart(start) => format!("start {} {}", number(&start.call.call_id), start.call.name),
        SessionEvent::CodeDispatch(end) => {
            format!("end {} {} {}", number(&end.call.call_id), end.call.name, how(end.result.is_error))
        }
        other => panic!("{other:?}"),
    }
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

/// Two tokens: somebody says that he is there, and the test lets him go on.
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

/// After every murder: the registry still serves.
pub(crate) async fn assert_serves(registry: &Registry) {
    registry.quiesce().await;
    let scope = registry.scope("afterwards");
    let _tool = scope.register(declared("still").execute(async |_, _| Ok(Json::from("serves"))).unwrap()).unwrap();
    let outcome = scope.execute_batch([run_code("later", "another")]).await.remove(0);
    // The scripted runtime has no script of this program and says so: the way to it is open.
    assert_failed(&outcome, "CODE_RUN_FAILED");
}
