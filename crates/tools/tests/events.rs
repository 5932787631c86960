//! What a session keeps of its calls.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use dayfly_tools::events::{Flush, JsonLines, ReadError, SessionEvent, read_events};
use dayfly_tools::{CallView, Content, DurableResult, Json, PreDecision, Registry, ResultView, Tool, ToolCall};

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn raw(name: &str) -> dayfly_tools::tool::Declaration<Json, Json, dayfly_tools::tool::Complete> {
    Tool::raw(name, json("{}")).output(json("{}"), |_, _| "shown")
}

fn registry() -> Registry {
    let registry = Registry::new();
    let echo = raw("echo").concurrency_safe(|_| true).execute(async |arguments, _| Ok(arguments)).unwrap();
    registry.register(echo).unwrap().keep();
    registry
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall::new(id, name, json("{}"))
}

/// Keeps events in memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<SessionEvent>>>);

impl Kept {
    fn keeper(&self) -> impl Fn(SessionEvent) + Send + Sync + 'static {
        let kept = Arc::clone(&self.0);
        move |event| kept.lock().unwrap().push(event)
    }

    fn take(&self) -> Vec<SessionEvent> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    fn told(&self) -> Vec<String> {
        self.take().iter().map(|event| format!("{} {}", event.kind(), event.call().call_id)).collect()
    }
}

/// A writer into memory that takes so many bytes before it fails.
#[derive(Clone, Default)]
struct Disk(Arc<Mutex<(Vec<u8>, usize)>>);

impl Disk {
    fn with_room(room: usize) -> Self {
        Self(Arc::new(Mutex::new((Vec::new(), room))))
    }

    fn make_room(&self, room: usize) {
        self.0.lock().unwrap().1 = room;
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().0.clone()).unwrap()
    }

    fn events(&self) -> Vec<SessionEvent> {
        read_events(self.text().as_bytes()).map(Result::unwrap).collect()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut disk = self.0.lock().unwrap();
        let taken = bytes.len().min(disk.1);
        if taken == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        disk.0.extend_from_slice(&bytes[..taken]);
        disk.1 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_call_is_kept_when_it_enters_and_its_result_when_all_observers_have_heard() {
    let registry = registry();
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = |what: &'static str| {
        let told = Arc::clone(&told);
        move || told.lock().unwrap().push(what)
    };
    let (event, policy, observer) = (tell("event"), tell("pre-execute"), tell("observer"));
    let _record = registry.record(move |_| event());
    let _policy = registry.on_pre_execute(move |_, so_far| {
        policy();
        std::future::ready(so_far)
    });
    let _observer = registry.on_result(move |_, _| observer());
    registry.execute(call("1", "echo")).await;
    assert_eq!(*told.lock().unwrap(), ["event", "pre-execute", "observer", "event"]);
}

#[tokio::test]
async fn every_direct_call_is_kept_whatever_becomes_of_it() {
    let registry = registry();
    let kept = Kept::default();
    let _record = registry.record(kept.keeper());
    let denied = registry.on_pre_execute(async |_, _| PreDecision::deny("no"));
    registry.execute(call("denied", "echo")).await;
    drop(denied);
    registry.execute(call("unknown", "nothing")).await;
    let cancelled = call("cancelled", "echo");
    cancelled.cancel.cancel();
    registry.execute(cancelled).await;
    let results: Vec<(String, bool)> = kept
        .take()
        .into_iter()
        .filter_map(|event| {
            let SessionEvent::Result(event) = event else { return None };
            Some((event.call.call_id, event.result.is_error))
        })
        .collect();
    let failed = |id: &str| (id.to_owned(), true);
    assert_eq!(results, [failed("denied"), failed("unknown"), failed("cancelled")]);
}

#[tokio::test]
async fn a_scope_keeps_its_own_calls_and_those_of_nested_scopes() {
    let registry = registry();
    let (agent, other) = (registry.scope("agent"), registry.scope("other"));
    let nested = agent.nest("nested");
    let kept = Kept::default();
    let record = agent.record(kept.keeper());
    agent.execute(call("agent", "echo")).await;
    other.execute(call("other", "echo")).await;
    registry.execute(call("global", "echo")).await;
    nested.execute(call("nested", "echo")).await;
    let scopes: Vec<String> = kept.take().iter().map(|event| event.call().scope.clone()).collect();
    assert_eq!(scopes, ["agent", "agent", "nested", "nested"]);
    drop(record);
    agent.execute(call("after", "echo")).await;
    assert_eq!(kept.take(), []);
}

#[tokio::test]
async fn calls_from_within_a_call_are_not_kept() {
    let registry = registry();
    let outer = raw("outer").execute(async |arguments: Json, context: dayfly_tools::RunContext| {
        let inner = context.nested("inner", "echo", arguments);
        context.scope().execute(inner).await.result
    });
    registry.register(outer.unwrap()).unwrap().keep();
    let kept = Kept::default();
    let _record = registry.record(kept.keeper());
    assert!(registry.execute(call("outer", "outer")).await.result.is_ok());
    assert_eq!(kept.told(), ["tool/call outer", "tool/result outer"]);
}

#[tokio::test]
async fn the_results_of_a_batch_are_kept_in_the_order_of_its_calls() {
    let registry = registry();
    let second_is_over = dayfly_tools::CancellationToken::new();
    let waiting = second_is_over.clone();
    let first = raw("first").concurrency_safe(|_| true).execute(move |arguments, _| {
        let waiting = waiting.clone();
        async move {
            waiting.cancelled().await;
            Ok(arguments)
        }
    });
    registry.register(first.unwrap()).unwrap().keep();
    let second = raw("second").concurrency_safe(|_| true).execute(move |arguments, _| {
        second_is_over.cancel();
        std::future::ready(Ok(arguments))
    });
    registry.register(second.unwrap()).unwrap().keep();
    let kept = Kept::default();
    let _record = registry.record(kept.keeper());
    registry.execute_batch([call("1", "first"), call("2", "second")]).await;
    assert_eq!(kept.told(), ["tool/call 1", "tool/call 2", "tool/result 1", "tool/result 2"]);
}

#[tokio::test]
async fn a_result_is_kept_without_its_canonical_value_and_presents_as_it_did() {
    let registry = Registry::new();
    let tool = raw("search")
        .presentation_meta(|_, value| Json::object([("hits", value.get("hits").unwrap().to_owned())]))
        .present_call(|arguments| {
            Some(CallView::Generic {
                title: arguments.to_string(),
                kind: None,
                raw_input: None,
                content: None,
                locations: None,
            })
        })
        .present_result(|_, result| {
            Some(ResultView::Generic { title: Some(result.meta.as_ref()?.to_string()), content: None })
        })
        .execute(async |_, _| Ok(json(r#"{"hits":3,"secret":"the whole value"}"#)))
        .unwrap();
    registry.register(tool.clone()).unwrap().keep();
    let disk = Disk::with_room(usize::MAX);
    let _record = registry.record(JsonLines::new(disk.clone()));
    let outcome = registry.execute(ToolCall::new("1", "search", json(r#"{"for":"x"}"#))).await;
    assert!(!disk.text().contains("secret"), "{}", disk.text());
    let events = disk.events();
    let [SessionEvent::Call(call), SessionEvent::Result(event)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(event.result, DurableResult::from(&outcome));
    let live = tool.present_result(&json(r#"{"for":"x"}"#), &DurableResult::from(&outcome));
    assert_eq!(live, Some(ResultView::Generic { title: Some(r#"{"hits":3}"#.to_owned()), content: None }));
    assert_eq!(tool.present_result(&event.call.arguments, &event.result), live);
    assert!(tool.present_call(&call.arguments).is_some());
}

#[tokio::test]
async fn whoever_keeps_events_and_panics_breaks_nothing() {
    let registry = registry();
    let kept = Kept::default();
    let _first = registry.record(|_| panic!("the disk is on fire"));
    let _second = registry.record(kept.keeper());
    let outcome = registry.execute(call("1", "echo")).await;
    assert_eq!(outcome.result, Ok(json("{}")));
    assert_eq!(kept.told(), ["tool/call 1", "tool/result 1"]);
}

#[tokio::test]
async fn events_are_one_line_each_of_any_depth_and_are_read_back_as_they_were() {
    let registry = registry();
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let kept = Kept::default();
    let disk = Disk::with_room(usize::MAX);
    let _memory = registry.record(kept.keeper());
    let _lines = registry.record(JsonLines::new(disk.clone()));
    registry.scope("agent").execute(ToolCall::new("1", "echo", json(&deep))).await;
    registry.execute(ToolCall::new("2", "echo", json(r#"{"text":"two\nlines\u2028and more"}"#))).await;
    assert_eq!(disk.text().lines().count(), 4);
    let without_time = |events: Vec<SessionEvent>| -> Vec<String> {
        let told = |event: &SessionEvent| format!("{event:?}").replace(&format!("time: {}", event.call().time), "");
        events.iter().map(told).collect()
    };
    assert_eq!(without_time(disk.events()), without_time(kept.take()));
}

#[tokio::test]
async fn serde_takes_the_same_objects() {
    let registry = registry();
    let kept = Kept::default();
    let _record = registry.scope("agent").record(kept.keeper());
    let _record = registry.record(kept.keeper());
    registry.scope("agent").execute(ToolCall::new("1", "echo", json(r#"{"n":18446744073709551615}"#))).await;
    let events = kept.take();
    assert_eq!(events.len(), 2);
    for event in events {
        let text = serde_json::to_string(&event).unwrap();
        assert_eq!(json(&text), event.to_json());
        assert_eq!(serde_json::from_str::<SessionEvent>(&text).unwrap(), event);
        assert_eq!(SessionEvent::from_json(&event.to_json()), Ok(event));
    }
}

#[test]
fn the_shape_of_events_is_as_documented() {
    let call = r#"{"type":"tool/call","time":1,"callId":"c","name":"n","scope":"agent","arguments":{"a":1}}"#;
    let result = r#"{"type":"tool/result","time":2,"callId":"c","name":"n","arguments":[],"result":{"isError":true,"content":[{"type":"text","text":"Error: x"}],"meta":{"m":1}}}"#;
    for text in [call, result] {
        assert_eq!(SessionEvent::from_json(&json(text)).unwrap().to_json().to_string(), text);
    }
    let Ok(SessionEvent::Result(event)) = SessionEvent::from_json(&json(result)) else { panic!("{result}") };
    assert_eq!(event.result.content, [Content::text("Error: x")]);
}

#[test]
fn what_is_not_an_event_is_refused_by_member() {
    let refused = |text: &str| SessionEvent::from_json(&json(text)).unwrap_err().to_string();
    assert!(refused(r#"{"type":"user/message"}"#).contains("\"user/message\""));
    assert!(refused("[]").contains("missing"));
    let members = [
        (r#"{"type":"tool/call"}"#, "`time`"),
        (r#"{"type":"tool/call","time":1,"callId":7}"#, "`callId`"),
        (r#"{"type":"tool/call","time":1,"callId":"c","name":"n","scope":1,"arguments":{}}"#, "`scope`"),
        (r#"{"type":"tool/call","time":1,"callId":"c","name":"n"}"#, "`arguments`"),
        (r#"{"type":"tool/result","time":1,"callId":"c","name":"n","arguments":{}}"#, "`result`"),
        (
            r#"{"type":"tool/result","time":1,"callId":"c","name":"n","arguments":{},"result":{"isError":true,"content":7}}"#,
            "`result`",
        ),
    ];
    for (text, member) in members {
        assert!(refused(text).contains(member), "{}", refused(text));
    }
}

#[tokio::test]
async fn a_writer_that_fails_never_breaks_a_call_and_no_line_is_torn() {
    let registry = registry();
    let disk = Disk::with_room(50);
    let lines = JsonLines::new(disk.clone());
    let _record = registry.record(lines.clone());
    let outcome = registry.execute(call("1", "echo")).await;
    assert_eq!(outcome.result, Ok(json("{}")));
    assert_eq!(disk.text().len(), 50);
    let error = lines.check().unwrap_err();
    assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
    assert!(error.waiting > 0 && error.lost == 0, "{error}");
    disk.make_room(usize::MAX);
    assert!(lines.flush().is_ok());
    let events = disk.events();
    assert_eq!(events.iter().map(SessionEvent::kind).collect::<Vec<_>>(), ["tool/call", "tool/result"]);
}

#[tokio::test]
async fn what_a_failing_writer_cannot_hold_back_is_lost_whole_and_counted() {
    let registry = registry();
    let disk = Disk::with_room(0);
    let lines = JsonLines::new(disk.clone());
    let _record = registry.record(lines.clone());
    let large = Json::from("x".repeat(10_000_000));
    registry.execute(ToolCall::new("1", "echo", large.clone())).await;
    registry.execute(ToolCall::new("2", "echo", large)).await;
    let error = lines.check().unwrap_err();
    assert_eq!(error.lost, 3);
    disk.make_room(usize::MAX);
    assert!(lines.flush().is_ok());
    let kept: Vec<String> = disk.events().iter().map(|event| event.call().call_id.clone()).collect();
    assert_eq!(kept, ["1"]);
    registry.execute(call("3", "echo")).await;
    assert!(lines.check().is_ok());
    assert_eq!(disk.events().len(), 3);
}

#[tokio::test]
async fn buffered_lines_are_written_when_asked_and_when_the_last_keeper_goes() {
    let registry = registry();
    let disk = Disk::with_room(usize::MAX);
    let lines = JsonLines::new(disk.clone()).flushed(Flush::Buffered);
    let record = registry.record(lines.clone());
    registry.execute(call("1", "echo")).await;
    assert_eq!(disk.text(), "");
    assert!(lines.flush().is_ok());
    assert_eq!(disk.events().len(), 2);
    registry.execute(call("2", "echo")).await;
    drop((record, lines));
    assert_eq!(disk.events().len(), 4);
    let lines = JsonLines::new(disk.clone()).flushed(Flush::Buffered);
    let _record = registry.record(lines);
    registry.execute(ToolCall::new("3", "echo", Json::from("x".repeat(100_000)))).await;
    assert_eq!(disk.events().len(), 6);
}

#[tokio::test]
async fn a_file_is_appended_to_and_a_torn_last_line_is_ended_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    std::fs::write(&path, r#"{"type":"tool/call","ti"#).unwrap();
    let registry = registry();
    for id in ["1", "2"] {
        let record = registry.record(JsonLines::append_to(&path).unwrap());
        registry.execute(call(id, "echo")).await;
        drop(record);
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let mut read = read_events(text.as_bytes());
    assert!(matches!(read.next(), Some(Err(ReadError::NotJson { line: 1, .. }))));
    let ids: Vec<String> = read.map(|event| event.unwrap().call().call_id.clone()).collect();
    assert_eq!(ids, ["1", "1", "2", "2"]);
}

#[test]
fn lines_that_are_no_events_are_told_and_passed_over() {
    let good = r#"{"type":"tool/call","time":1,"callId":"c","name":"n","arguments":{}}"#;
    let log = [good.as_bytes(), b"\xff", b"", br#"{"type":"other"}"#, good.as_bytes()].join(&b'\n');
    let read: Vec<_> = read_events(log.as_slice()).collect();
    assert_eq!(read.len(), 4);
    assert!(read[0].is_ok() && read[3].is_ok());
    assert!(matches!(read[1], Err(ReadError::NotJson { line: 2, .. })));
    assert!(matches!(read[2], Err(ReadError::NotAnEvent { line: 4, .. })));
}

#[test]
fn a_reader_that_fails_ends_the_events() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }
    let read: Vec<_> = read_events(io::BufReader::new(Broken)).collect();
    assert!(matches!(read.as_slice(), [Err(ReadError::Io { line: 1, .. })]));
}

#[tokio::test]
async fn a_call_outside_a_runtime_is_kept_too() {
    let registry = registry();
    let kept = Kept::default();
    let _record = registry.record(kept.keeper());
    std::thread::spawn(move || futures_util::FutureExt::now_or_never(registry.execute(call("1", "echo"))))
        .join()
        .unwrap();
    assert_eq!(kept.told(), ["tool/call 1", "tool/result 1"]);
}

/// Takes a few bytes at a time, and panics every third time.
struct Rude(Arc<Mutex<(Vec<u8>, usize)>>);

impl Write for Rude {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rude = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rude.1 += 1;
        assert!(!rude.1.is_multiple_of(3), "a writer that panics");
        let taken = bytes.len().min(20);
        rude.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_writer_that_panics_tears_no_line_and_is_told_of() {
    let written = Arc::new(Mutex::new((Vec::new(), 0)));
    let lines = Arc::new(JsonLines::new(Rude(Arc::clone(&written))));
    let registry = Registry::new();
    let keeper = Arc::clone(&lines);
    let _kept = registry.record(move |event| dayfly_tools::SessionEvents::record(&*keeper, event));
    for id in 0..5 {
        registry.execute(ToolCall::new(id.to_string(), "nobody", Json::null())).await;
    }
    assert!(lines.check().unwrap_err().to_string().contains("panicked"));
    while lines.flush().is_err() {}
    let bytes = written.lock().unwrap_or_else(std::sync::PoisonError::into_inner).0.clone();
    let read: Result<Vec<_>, _> = read_events(bytes.as_slice()).collect();
    assert_eq!(read.unwrap().len(), 10);
}
