//! Whose tools a program calls.

use std::sync::{Arc, Mutex};

use dayfly_runtime::testing::{Script, ScriptedCall, ScriptedRuntime};
use dayfly_runtime::{BoxFuture, Call, Language, RunRequest, RunResult, Standing};
use dayfly_tools::{CancellationToken, Filter, Json, Registry, RunContext, Scope, Tool, ToolOutcome};
use tokio::sync::Barrier;

use crate::bridging::By;
use crate::support::{House, arguments, call, config, declared, json, messages, result, run_code, scripted};

fn says(name: &str, what: &'static str) -> Tool {
    declared(name).concurrency_safe(|_| true).execute(move |_, _| std::future::ready(Ok(Json::from(what)))).unwrap()
}

#[tokio::test]
async fn a_restricted_tool_is_no_binding_and_a_shadowing_one_is_the_one_that_is_called() {
    let script = Script::new()
        .try_call("tools", "whoami", json("{}"))
        .try_call("tools", "erase", json("{}"))
        .returns_with(|answers| {
            Json::array([answers.value(1).cloned(), answers.error(2).map(|error| Json::from(&error.message))])
        });
    let house = House::of(script).add(says("whoami", "the agent"));
    house.registry.register(says("whoami", "somebody")).unwrap().keep();
    house.registry.register(says("erase", "gone")).unwrap().keep();
    house.registry.register(says("erases", "gone too")).unwrap().keep();
    let mask = house.agent.restrict(Filter::deny(["erase"])).unwrap();
    assert_eq!(
        result(&house.run().await),
        r#"["the agent","tools has no function \"erase\"; the nearest names are erases"]"#
    );
    // What the runtime refuses never entered the pipeline.
    assert_eq!(house.events.told(), ["call run_code", "start 1 whoami", "end 1 whoami ok", "result run_code ok"]);
    mask.dispose();
    assert_eq!(result(&house.run().await), r#"["the agent",null]"#);
}

#[tokio::test]
async fn two_agents_run_programs_at_once_each_with_its_own_tools() {
    let script = Script::new()
        .call("tools", "meet", json("{}"))
        .call("tools", "whoami", json("{}"))
        .returns_with(|answers| answers.value(2).cloned().unwrap_or_default());
    let registry = Registry::builder().config(config()).code_runtime(scripted(script)).build().unwrap();
    let meeting = Arc::new(Barrier::new(2));
    let meet = declared("meet").execute(move |_, _| {
        let meeting = Arc::clone(&meeting);
        async move {
            meeting.wait().await;
            Ok(Json::null())
        }
    });
    registry.register(meet.unwrap()).unwrap().keep();
    let agent = |name: &'static str| -> Scope {
        let agent = registry.scope(name);
        agent.register(says("whoami", name)).unwrap().keep();
        agent
    };
    let (ada, bob) = (agent("ada"), agent("bob"));
    let kept = crate::support::Events::default();
    registry.record(kept.keeper()).keep();
    let (of_ada, of_bob) = tokio::join!(ada.execute(run_code("a", "program")), bob.execute(run_code("b", "program")));
    assert_eq!((result(&of_ada).as_str(), result(&of_bob).as_str()), (r#""ada""#, r#""bob""#));
    for event in kept.all() {
        let (call, parent) = (event.call(), event.parent_call_id());
        let of = if call.scope == "ada" { "a" } else { "b" };
        assert!(
            parent
                .map_or(call.call_id == of, |parent| parent == of && call.call_id.starts_with(&format!("{of}:code:")))
        );
    }
    assert_eq!(kept.all().len(), 12);
}

#[tokio::test]
async fn a_tool_that_runs_a_program_gives_its_calls_the_ids_of_its_own_call() {
    let outer =
        Script::new().call("tools", "composite", json("{}")).returns_with(|answers| answers.value(1).cloned().unwrap());
    let inner =
        Script::new().call("tools", "echo", arguments(5)).returns_with(|answers| answers.value(1).cloned().unwrap());
    let runtime = ScriptedRuntime::new(Language::TypeScript).on("program", outer).on("inner", inner);
    let house = House::with(runtime, config()).echo("echo").tool("composite", async |_, run: RunContext| {
        let arguments = json(r#"{"code":"inner","description":"Run the inner one"}"#);
        let nested = run.nested(format!("{}:inner", run.execution().call_id()), "run_code", arguments);
        let outcome: ToolOutcome = run.scope().execute(nested).await;
        Ok(outcome.result?.get("result").map(Json::from).unwrap_or_default())
    });
    assert_eq!(result(&house.run().await), r#"{"n":5}"#);
    let ids: Vec<(String, Option<String>)> = house
        .events
        .all()
        .iter()
        .map(|event| (event.call().call_id.clone(), event.parent_call_id().map(str::to_owned)))
        .collect();
    let (own, inner) = ("call:code:1", "call:code:1:inner");
    let deepest = format!("{inner}:code:1");
    let expected: Vec<(String, Option<String>)> = [
        ("call", None),
        (own, Some("call")),
        (&deepest, Some(inner)),
        (&deepest, Some(inner)),
        (own, Some("call")),
        ("call", None),
    ]
    .map(|(id, parent): (&str, Option<&str>)| (id.to_owned(), parent.map(str::to_owned)))
    .to_vec();
    assert_eq!(ids, expected);
}

#[tokio::test]
async fn programs_of_one_batch_run_one_after_the_other() {
    let script = messages(Script::new().parallel([call("echo", 1), call("echo", 2)]), 2);
    let house = House::of(script).echo("echo");
    let outcomes = house.agent.execute_batch([run_code("a", "program"), run_code("b", "program")]).await;
    assert!(outcomes.iter().all(|outcome| result(outcome) == r#"["ok","ok"]"#), "{outcomes:?}");
    let ids: Vec<String> = house.events.all().iter().map(|event| event.call().call_id.clone()).collect();
    assert_eq!(
        ids,
        [
            "a", "a:code:1", "a:code:2", "a:code:1", "a:code:2", "a", "b", "b:code:1", "b:code:2", "b:code:1",
            "b:code:2", "b",
        ]
    );
}

#[tokio::test]
async fn run_code_cannot_be_called_from_inside_a_program() {
    let script = Script::new().try_parallel([ScriptedCall::new("tools", "run_code", json("{}"))]);
    let house = House::of(messages(script, 1)).echo("echo");
    assert_eq!(result(&house.run().await), r#"["tools has no function \"run_code\""]"#);
}

#[tokio::test]
async fn a_program_that_a_tool_of_another_program_runs_says_where_it_stands() {
    let stood: Arc<Mutex<Vec<Option<u8>>>> = Arc::default();
    let stands = Arc::clone(&stood);
    let runtime = By(move |request: RunRequest| {
        stands.lock().unwrap().push(request.standing.get::<u8>().copied());
        Box::pin(async move {
            if request.program == "program" {
                let composite = request.bindings[0].functions[0].1.clone();
                let call =
                    Call::new(1, "composite", json("{}"), CancellationToken::new()).standing(Standing::new(7_u8));
                composite.call(call).await.unwrap();
            }
            Ok(RunResult::default())
        }) as BoxFuture<'static, _>
    });
    let house = House::with(runtime, config()).tool("composite", async |_, run: RunContext| {
        // From a task of its own, as tools do.
        let nested = run.nested("inner", "run_code", json(r#"{"code":"inner","description":"Run the inner one"}"#));
        let scope = run.scope().clone();
        tokio::spawn(async move { scope.execute(nested).await }).await.unwrap().result
    });
    assert!(!house.run().await.is_error());
    assert_eq!(*stood.lock().unwrap(), [None, Some(7)]);
}
