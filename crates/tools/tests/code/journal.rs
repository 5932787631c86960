//! What a session keeps of a program's calls.

use std::io::Write;
use std::sync::{Arc, Mutex};

use dayfly_runtime::testing::Script;
use dayfly_tools::events::read_events;
use dayfly_tools::{CancellationToken, Content, DurableResult, Json, JsonLines, SessionEvent, ToolFailure};

use crate::support::{Gate, House, arguments, assert_failed, call, json, run_code};

#[tokio::test]
async fn each_call_is_kept_when_it_enters_and_when_it_has_its_outcome() {
    let script = Script::new()
        .try_parallel([call("echo", 1), call("echo", 2)])
        .try_call("tools", "fails", json(r#"{"deep":{"list":[1,2.5,null]}}"#))
        .returns(1);
    let house = House::of(script).echo("echo").tool("fails", async |_, _| Err(ToolFailure::coded("E", "CODE", "no")));
    house.run().await;
    assert_eq!(
        house.events.told(),
        [
            "call run_code",
            "start 1 echo",
            "start 2 echo",
            "end 1 echo ok",
            "end 2 echo ok",
            "start 3 fails",
            "end 3 fails failed",
            "result run_code ok",
        ]
    );
    let events = house.events.all();
    let (SessionEvent::CodeDispatchStart(start), SessionEvent::CodeDispatch(end)) = (&events[5], &events[6]) else {
        panic!("{events:?}")
    };
    assert_eq!((start.parent_call_id.as_str(), end.parent_call_id.as_str()), ("call", "call"));
    assert_eq!((start.call.call_id.as_str(), start.call.scope.as_str()), ("call:code:3", "agent"));
    assert_eq!(start.call.arguments.to_string(), r#"{"deep":{"list":[1,2.5,null]}}"#);
    assert_eq!(start.call.arguments, end.call.arguments);
    // The clock of the machine may be set back between the two.
    assert!(start.call.time > 0 && end.call.time > 0);
    assert_eq!(end.result, DurableResult::new(true, vec!["Error: no".into()], None));
    let SessionEvent::CodeDispatch(end) = &events[3] else { panic!("{events:?}") };
    assert_eq!(end.result, DurableResult::new(false, vec![r#"shown: {"n":1}"#.into()], None));
}

#[tokio::test]
async fn the_events_are_read_back_as_they_were_written() {
    let house = House::of(Script::new().call("tools", "echo", arguments(1))).echo("echo");
    let file = Shared::default();
    house.agent.record(JsonLines::new(file.clone())).keep();
    house.run().await;
    let written = file.0.lock().unwrap().clone();
    let read: Vec<SessionEvent> = read_events(written.as_slice()).map(Result::unwrap).collect();
    assert_eq!(read, house.events.all());
    let SessionEvent::CodeDispatch(mut end) = read[2].clone() else { panic!("{read:?}") };
    end.call.time = 7;
    let text = r#"{"type":"tool/code-dispatch","time":7,"parentCallId":"call","subCallId":"call:code:1","name":"echo","scope":"agent","arguments":{"n":1},"result":{"isError":false,"content":[{"type":"text","text":"shown: {\"n\":1}"}]}}"#;
    let event = SessionEvent::CodeDispatch(end);
    assert_eq!(event.to_json().to_string(), text);
    assert_eq!(SessionEvent::from_json(&json(text)), Ok(event.clone()));
    assert_eq!(serde_json::from_str::<SessionEvent>(text).unwrap(), event);
    for (member, text) in [
        (
            "parentCallId",
            r#"{"type":"tool/code-dispatch-start","time":7,"subCallId":"a:code:1","name":"t","arguments":{}}"#,
        ),
        (
            "subCallId",
            r#"{"type":"tool/code-dispatch-start","time":7,"parentCallId":"a","callId":"b","name":"t","arguments":{}}"#,
        ),
        (
            "result",
            r#"{"type":"tool/code-dispatch","time":7,"parentCallId":"a","subCallId":"b","name":"t","arguments":{}}"#,
        ),
    ] {
        let refused = SessionEvent::from_json(&json(text)).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("`{member}` is missing")), "{refused}");
    }
}

#[tokio::test]
async fn a_listener_replaces_the_durable_copy_and_nothing_else() {
    let script = Script::new()
        .call("tools", "echo", arguments(1))
        .try_call("tools", "fails", arguments(2))
        .returns_with(|answers| {
            Json::array([answers.value(1).cloned(), answers.error(2).map(|error| Json::from(&error.message))])
        });
    let house = House::of(script).echo("echo").tool("fails", async |_, _| Err(ToolFailure::new("no")));
    house
        .agent
        .on_code_dispatch_log(async |execution, mut result: DurableResult| {
            result.content = vec![Content::text(format!("kept elsewhere: {}", execution.call_id()))];
            result.is_error = !result.is_error;
            result
        })
        .keep();
    house
        .agent
        .on_code_dispatch_log(async |_, mut result: DurableResult| {
            result.content.push("and so on".into());
            result
        })
        .keep();
    let outcome = house.run().await;
    assert_eq!(crate::support::result(&outcome), r#"[{"n":1},"no"]"#);
    let events = house.events.all();
    let copies: Vec<&DurableResult> =
        events.iter().filter(|event| event.kind() == "tool/code-dispatch").filter_map(SessionEvent::result).collect();
    for (copy, (number, failed)) in copies.iter().zip([(1, false), (2, true)]) {
        let content = vec![format!("kept elsewhere: call:code:{number}").into(), "and so on".into()];
        assert_eq!(**copy, DurableResult::new(failed, content, None));
    }
    assert_eq!(copies.len(), 2);
}

#[tokio::test]
async fn a_listener_that_panics_leaves_the_copy_as_it_was() {
    let script = Script::new().call("tools", "echo", arguments(1)).returns("done");
    let house = House::of(script).echo("echo");
    house.agent.on_code_dispatch_log(|_, _| -> std::future::Ready<DurableResult> { panic!("at once") }).keep();
    house
        .agent
        .on_code_dispatch_log(async |_, _| {
            tokio::task::yield_now().await;
            panic!("later")
        })
        .keep();
    assert_eq!(crate::support::result(&house.run().await), r#""done""#);
    let event = house.events.all()[2].clone();
    assert_eq!(event.result(), Some(&DurableResult::new(false, vec![r#"shown: {"n":1}"#.into()], None)));
}

#[tokio::test]
async fn a_slow_listener_holds_up_run_code_and_never_its_program() {
    let gate = Gate::default();
    let after = CancellationToken::new();
    let script = Script::new().call("tools", "echo", arguments(1)).call("tools", "last", arguments(2)).returns("done");
    let at_last = after.clone();
    let house = House::of(script).echo("echo").tool("last", move |_, _| {
        at_last.cancel();
        std::future::ready(Ok(Json::null()))
    });
    let listened = gate.clone();
    house
        .agent
        .on_code_dispatch_log(move |execution, result| {
            let gate = listened.clone();
            async move {
                if execution.name() == "echo" {
                    gate.pass().await;
                }
                result
            }
        })
        .keep();
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    // The program has its answer and has gone on to its end, while nothing is kept of what it did.
    after.cancelled().await;
    gate.reached.cancelled().await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!running.is_finished());
    assert_eq!(house.events.told(), ["call run_code", "start 1 echo", "start 2 last"]);
    gate.open.cancel();
    assert_eq!(crate::support::result(&running.await.unwrap()), r#""done""#);
    // The copies are kept in the order of the calls, although the second was there first.
    assert_eq!(house.events.told()[3..], ["end 1 echo ok", "end 2 last ok", "result run_code ok"]);
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_never_ends_is_given_up_when_run_code_is_cancelled() {
    let house = House::of(Script::new().call("tools", "echo", arguments(1)).returns("done")).echo("echo");
    let listening = CancellationToken::new();
    let listens = listening.clone();
    house
        .agent
        .on_code_dispatch_log(move |_, _| {
            listens.cancel();
            std::future::pending::<DurableResult>()
        })
        .keep();
    let cancel = CancellationToken::new();
    let (agent, given) = (house.agent.clone(), cancel.clone());
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program").cancel_with(given)).await });
    listening.cancelled().await;
    cancel.cancel();
    let outcome = running.await.unwrap();
    assert_failed(&outcome, "ABORTED");
    assert_eq!(house.events.told(), ["call run_code", "start 1 echo", "end 1 echo ok", "result run_code failed"]);
    let event = house.events.all()[2].clone();
    assert_eq!(event.result().unwrap().content, [r#"shown: {"n":1}"#.into()]);
}

#[tokio::test]
async fn a_program_is_held_up_when_hundreds_of_its_results_wait_to_be_kept() {
    let made = 400;
    let script = (1..=made).fold(Script::new(), |script, n| script.call("tools", "echo", arguments(n)));
    let house = House::of(script).echo("echo");
    let gate = CancellationToken::new();
    let opens = gate.clone();
    house
        .agent
        .on_code_dispatch_log(move |_, result| {
            let gate = opens.clone();
            async move {
                gate.cancelled().await;
                result
            }
        })
        .keep();
    let agent = house.agent.clone();
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program")).await });
    let started = || house.events.told().iter().filter(|told| told.starts_with("start")).count();
    let mut before = usize::MAX;
    while before != started() {
        before = started();
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
    }
    assert!((256..300).contains(&before), "{before} calls were made with nothing kept");
    gate.cancel();
    assert!(!running.await.unwrap().is_error());
    let ends = house.events.told().into_iter().filter(|told| told.starts_with("end")).collect::<Vec<_>>();
    assert_eq!(ends, (1..=made).map(|n| format!("end {n} echo ok")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_keeper_that_panics_changes_nothing() {
    let house = House::of(Script::new().call("tools", "echo", arguments(1)).returns("done")).echo("echo");
    house.agent.record(|_| panic!("no room")).keep();
    assert_eq!(crate::support::result(&house.run().await), r#""done""#);
    assert_eq!(house.events.told().len(), 4);
}

#[tokio::test]
async fn calls_of_a_composite_tool_are_still_not_kept() {
    let script = Script::new().call("tools", "composite", arguments(1)).returns("done");
    let house = House::of(script).echo("echo").tool("composite", async |arguments, run: dayfly_tools::RunContext| {
        let outcome = run.scope().execute(run.nested("inner", "echo", arguments)).await;
        outcome.result
    });
    assert!(!house.run().await.is_error());
    assert_eq!(house.events.told(), ["call run_code", "start 1 composite", "end 1 composite ok", "result run_code ok"]);
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
