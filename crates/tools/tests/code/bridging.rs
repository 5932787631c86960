//! From a program's call to the tool and back.

use std::sync::{Arc, Mutex};

use dayfly_runtime::testing::Script;
use dayfly_runtime::{BoxFuture, Call, CodeRuntime, Isolation, Language, RunError, RunRequest, RunResult};
use dayfly_tools::{CancellationToken, Json, PostDecision, ToolFailure};

use crate::support::{House, arguments, call, json, messages, result, run_code};

/// Does with the first request what a test wants.
pub(crate) struct By<F>(pub(crate) F);

impl<F> CodeRuntime for By<F>
where
    F: Fn(RunRequest) -> BoxFuture<'static, Result<RunResult, RunError>> + Send + Sync,
{
    fn run(&self, request: RunRequest) -> BoxFuture<'_, Result<RunResult, RunError>> {
        (self.0)(request)
    }

    fn language(&self) -> Language {
        Language::Python
    }

    fn isolation(&self) -> Isolation {
        Isolation::default()
    }
}

#[tokio::test]
async fn the_bindings_are_the_tools_that_the_scope_sees_by_their_exact_names() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let saw = Arc::clone(&seen);
    let runtime = By(move |request: RunRequest| {
        saw.lock().unwrap().push(request);
        Box::pin(async { Ok(RunResult::default()) }) as BoxFuture<'static, _>
    });
    let names = ["get-stock", "get_stock", "class", "__proto__", "工具", "a\"b\nc"];
    let house = names.iter().fold(House::with(runtime, crate::support::config()), |house, name| house.echo(name));
    assert!(!house.run().await.is_error());

    let requests = seen.lock().unwrap();
    let [request] = requests.as_slice() else { panic!("one run") };
    assert_eq!(request.program, "program");
    let [tools] = request.bindings.as_slice() else { panic!("one namespace") };
    let class = tools.error_class.as_ref().unwrap();
    assert_eq!(
        (tools.global.as_str(), class.name.as_str(), class.property.as_str()),
        ("tools", "ToolCallError", "toolName")
    );
    let mut expected = names;
    expected.sort_unstable();
    let bound: Vec<&str> = tools.functions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(bound, expected);
    assert!(request.validate().is_ok());
}

#[tokio::test]
async fn a_success_gives_the_program_the_canonical_value_and_a_failure_its_message_alone() {
    let script =
        Script::new().try_parallel([call("echo", 1)]).try_parallel([call("fails", 2)]).returns_with(|answers| {
            Json::array([answers.value(1).cloned(), answers.error(2).map(|error| Json::from(&error.message))])
        });
    let house = House::of(script).echo("echo").tool("fails", async |_, _| {
        Err(ToolFailure::coded("SecretError", "SECRET_CODE", "no such file; list them first"))
    });
    let outcome = house.run().await;
    assert_eq!(result(&outcome), r#"[{"n":1},"no such file; list them first"]"#);
}

#[tokio::test]
async fn calls_are_numbered_in_the_order_in_which_the_program_makes_them() {
    let script = Script::new()
        .try_parallel([call("echo", 1), call("fails", 2), call("echo", 3)])
        .try_parallel([call("fails", 4)]);
    let house = House::of(script).echo("echo").tool("fails", async |_, _| Err(ToolFailure::new("no")));
    house.run().await;
    let ids: Vec<(String, String)> = house
        .events
        .all()
        .iter()
        .filter(|event| event.kind() == "tool/code-dispatch-start")
        .map(|event| (event.call().call_id.clone(), event.call().arguments.to_string()))
        .collect();
    let expected = (1..=4).map(|n| (format!("call:code:{n}"), format!(r#"{{"n":{n}}}"#)));
    assert_eq!(ids, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn arguments_that_the_schema_refuses_fail_that_call_with_every_path() {
    let schema = json(
        r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},"required":["path"]}"#,
    );
    let tool =
        dayfly_tools::Tool::raw("read", schema).output_plain(json("true")).execute(async |_, _| Ok(Json::null()));
    let script = Script::new()
        .try_call("tools", "read", json(r#"{"path":1,"limit":"ten"}"#))
        .try_call("tools", "read", json("[1]"))
        .try_call("tools", "read", json(r#"{"path":"a"}"#));
    let house = House::of(messages(script, 3)).add(tool.unwrap());
    let outcome = house.run().await;
    let messages: Vec<String> = outcome.result.unwrap().get("result").unwrap().deserialize().unwrap();
    assert!(messages[0].contains("path") && messages[0].contains("limit"), "{}", messages[0]);
    assert!(messages[0].starts_with("the arguments of `read` do not match its schema"), "{}", messages[0]);
    assert!(messages[1].contains("object"), "{}", messages[1]);
    assert_eq!(messages[2], "ok");
    // They entered the pipeline, so they are kept as well.
    let told = house.events.told();
    assert_eq!(told[1..5], ["start 1 read", "end 1 read failed", "start 2 read", "end 2 read failed"]);
}

#[tokio::test]
async fn a_tool_that_went_away_is_unknown_and_its_neighbours_are_those_that_the_scope_sees() {
    let script = messages(Script::new().try_parallel([call("takes_away", 1)]).try_parallel([call("read_files", 2)]), 2);
    let house = House::of(script).echo("read_file");
    let hidden = house
        .registry
        .register(crate::support::declared("read_file_s").execute(async |_, _| Ok(Json::null())).unwrap());
    hidden.unwrap().keep();
    house.agent.restrict(dayfly_tools::Filter::deny(["read_file_s"])).unwrap().keep();
    let gone = crate::support::declared("read_files").execute(async |_, _| Ok(Json::null())).unwrap();
    let gone = Mutex::new(Some(house.agent.register(gone).unwrap()));
    let house = house.tool("takes_away", move |_, _| {
        drop(gone.lock().unwrap().take());
        std::future::ready(Ok(Json::null()))
    });
    let outcome = house.run().await;
    assert_eq!(result(&outcome), r#"["ok","there is no tool named `read_files`; did you mean `read_file`?"]"#);
}

#[tokio::test]
async fn a_program_sees_a_value_that_a_policy_replaced_and_not_the_content_it_replaced() {
    let script = Script::new()
        .call("tools", "value", arguments(1))
        .call("tools", "content", arguments(2))
        .returns_with(|answers| answers.values().cloned().collect());
    let house = House::of(script).echo("value").echo("content");
    house
        .agent
        .on_post_execute(async |execution, _| match execution.name() {
            "value" => PostDecision::replace_value(Json::from("redacted")),
            "content" => PostDecision::replace_content(vec!["only for the log".into()]),
            _ => PostDecision::accept(),
        })
        .keep();
    assert_eq!(result(&house.run().await), r#"["redacted",{"n":2}]"#);
    let shown: Vec<String> = house
        .events
        .all()
        .iter()
        .filter(|event| event.kind() == "tool/code-dispatch")
        .map(|event| event.result().unwrap().content[0].as_text().unwrap().to_owned())
        .collect();
    assert_eq!(shown, [r#"shown: "redacted""#, "only for the log"]);
}

#[tokio::test]
async fn host_functions_may_be_called_on_a_thread_that_is_no_part_of_the_runtime() {
    let runtime = By(|request: RunRequest| {
        Box::pin(async move {
            let function = request.bindings[0].functions[0].1.clone();
            let cancel = CancellationToken::new();
            let answer = std::thread::spawn(move || function.call(Call::new(1, "echo", arguments(7), cancel))).join();
            let mut result = RunResult::default();
            result.value = Some(answer.unwrap().await.unwrap());
            Ok(result)
        }) as BoxFuture<'static, _>
    });
    let house = House::with(runtime, crate::support::config()).echo("echo");
    assert_eq!(result(&house.run().await), r#"{"n":7}"#);
}

#[tokio::test]
async fn a_panic_in_a_tool_fails_that_call_alone() {
    let script = messages(Script::new().try_parallel([call("panics", 1), call("echo", 2)]), 2);
    let house = House::of(script).echo("echo").tool("panics", async |_, _| panic!("at the disco"));
    let outcome = house.run().await;
    assert_eq!(result(&outcome), r#"["`panics` panicked, which is a defect of the tool: at the disco","ok"]"#);
    assert_eq!(
        house.events.told(),
        [
            "call run_code",
            "start 1 panics",
            "end 1 panics failed",
            "start 2 echo",
            "end 2 echo ok",
            "result run_code ok",
        ]
    );
}

#[tokio::test]
async fn a_call_without_a_keeper_is_a_call_like_any_other() {
    let script = Script::new().call("tools", "echo", arguments(1)).returns(1);
    let house = House::of(script).echo("echo");
    let outcome = house.registry.scope("another").execute(run_code("call", "program")).await;
    // That scope does not see the agent's own tool: the script's call fails the program.
    assert!(outcome.is_error());
    house
        .registry
        .register(crate::support::declared("echo").execute(async |_, _| Ok(Json::null())).unwrap())
        .unwrap()
        .keep();
    let outcome = house.registry.scope("another").execute(run_code("call", "program")).await;
    assert_eq!(result(&outcome), "1");
    assert!(house.events.all().is_empty());
}
