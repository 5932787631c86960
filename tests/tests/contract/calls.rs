//! Calls: their errors, their overlap, and what becomes of those that are left in flight.

use std::sync::Arc;

use dayfly::{CallError, Json, LogLevel, Namespace, Outcome, RunRequest};
use dayfly_tests::{Both, Gate, Host, tools};
use tokio::sync::Barrier;

use crate::{gives, in_both, value};

#[tokio::test]
async fn a_failed_call_raises_the_namespaces_own_error() {
    let programs = Both::new(
        r#"try { await tools.fail() } catch (e) {
  return [e instanceof ToolCallError, e instanceof Error, e.name, Object.hasOwn(e, "toolName"), e.toolName, Object.hasOwn(e, "message"), e.message, String(e)];
}"#,
        r#"try:
    await tools.fail()
except ToolCallError as e:
    return [isinstance(e, ToolCallError), isinstance(e, Exception), type(e).__name__, "toolName" in vars(e) or hasattr(e, "toolName"), e.tool_name, True, str(e), type(e).__name__ + ": " + str(e)]"#,
    );
    let wanted = r#"[true,true,"ToolCallError",true,"fail",true,"the disk is full; delete something and call again","ToolCallError: the disk is full; delete something and call again"]"#;
    gives(programs, |program| RunRequest::new(program).bind(tools()), wanted).await;
}

#[tokio::test]
async fn each_namespace_has_its_own_error_class_and_property() {
    let request = |program: &str| {
        let broken = |_| async { Err::<Json, _>(CallError::new("broken")) };
        RunRequest::new(program)
            .bind(Namespace::new("disk").error_class("DiskError", "diskName").async_fn("read", broken))
            .bind(Namespace::new("net").error_class("NetError", "hostName").async_fn("get", broken))
            .bind(Namespace::new("plain").async_fn("call", broken))
    };
    let programs = Both::new(
        r#"const seen: unknown[] = [];
for (const call of [() => disk.read(), () => net.get(), () => plain.call()]) {
  try { await call() } catch (e) { seen.push([e instanceof DiskError, e instanceof NetError, e.diskName ?? e.hostName ?? null, e.message]) }
}
return seen"#,
        r#"seen = []
for call in [lambda: disk.read(), lambda: net.get(), lambda: plain.call()]:
    try:
        await call()
    except Exception as e:
        seen.append([isinstance(e, DiskError), isinstance(e, NetError), getattr(e, "disk_name", None) or getattr(e, "host_name", None), str(e)])
return seen"#,
    );
    let wanted = r#"[[true,false,"read","broken"],[false,true,"get","broken"],[false,false,null,"broken"]]"#;
    gives(programs, request, wanted).await;
}

#[tokio::test]
async fn calls_that_are_awaited_together_are_in_flight_together() {
    const CALLS: usize = 23;
    let request = |program: &str| {
        // Nobody passes before all have come.
        let barrier = Arc::new(Barrier::new(CALLS));
        RunRequest::new(program).bind(Namespace::tools().async_fn("meet", move |call| {
            let barrier = Arc::clone(&barrier);
            async move {
                barrier.wait().await;
                Ok(call.arguments.get("i").unwrap().into())
            }
        }))
    };
    let programs = Both::new(
        "return await Promise.all(Array.from({ length: 23 }, (_, i) => tools.meet({ i })))",
        "import asyncio\nreturn await asyncio.gather(*[tools.meet(i=i) for i in range(23)])",
    );
    let wanted = Json::from_iter(0..23u32).to_string();
    gives(programs, request, &wanted).await;
}

#[tokio::test]
async fn calls_in_flight_at_the_return_are_cancelled_and_named() {
    let programs = Both::new(
        "void tools.slow({ n: 1 });\nvoid tools.slow({ n: 2 });\nawait tools.ping();\nreturn 'done'",
        "import asyncio\nleft = [asyncio.ensure_future(tools.slow(n=1)), asyncio.ensure_future(tools.slow(n=2))]\nawait asyncio.sleep(0)\nawait tools.ping()\nreturn 'done'",
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        assert_eq!(value(language, &result).as_str(), Some("done"));
        let calls: Vec<_> =
            result.receipts.calls.iter().map(|call| (call.id, call.name.as_str(), call.outcome)).collect();
        let wanted =
            [(1, "slow", Outcome::Cancelled), (2, "slow", Outcome::Cancelled), (3, "ping", Outcome::Succeeded)];
        assert_eq!(calls, wanted, "{language}");
        let [note] = result.logs.as_slice() else { panic!("{language}: one note, not {:?}", result.logs) };
        assert_eq!(note.level, LogLevel::Warn, "{language}");
        assert!(note.text.contains("slow") && note.text.contains('2'), "{language}: {}", note.text);
    })
    .await;
}

#[tokio::test]
async fn a_call_that_nobody_awaited_is_named_however_soon_it_was_answered() {
    let host = Host::new();
    in_both(async |language| {
        // The host has answered before, while or after the program returns, as it happens.
        for _ in 0..8 {
            let program = Both::new("const pong = tools.ping();\nreturn 1", "tools.ping()\nreturn 1");
            let request = RunRequest::new(*program.of(language)).bind(tools());
            let result = host.run(language, request).await;
            let said: Vec<&str> = result.logs.iter().map(|entry| entry.text.as_str()).collect();
            assert!(said.iter().any(|text| text.contains("ping")), "{language}: {said:?}");
            assert_eq!(result.value, Some(Json::from(1)), "{language}");
        }
    })
    .await;
}

#[tokio::test]
async fn answers_may_come_in_any_order() {
    let programs = Both::new(
        "const late = tools.held({ is: 'late' });\nconst first = await tools.echo({ is: 'first' });\nawait tools.open();\nreturn [first.is, (await late).is]",
        "import asyncio\nlate = asyncio.ensure_future(tools.held({'is': 'late'}))\nawait asyncio.sleep(0)\nfirst = await tools.echo({'is': 'first'})\nawait tools.open()\nreturn [first['is'], (await late)['is']]",
    );
    let request = |program: &str| {
        let gate = Gate::new();
        let bindings = gate.guard(tools(), "held").async_fn("open", move |_| {
            let gate = gate.clone();
            async move {
                gate.arrival().await;
                gate.open();
                Ok(Json::null())
            }
        });
        RunRequest::new(program).bind(bindings)
    };
    gives(programs, request, r#"["first","late"]"#).await;
}

#[tokio::test]
async fn python_takes_a_mapping_or_keywords_and_javascript_an_object() {
    let programs = Both::new(
        "return [await tools.echo({ a: 1 }), await tools['echo']({ a: 1 }), await tools.echo([1, 2]), await tools.echo('text'), await tools.echo(null)]",
        "return [await tools.echo({'a': 1}), await tools['echo'](a=1), await tools.echo([1, 2]), await tools.echo('text'), await tools.echo(None)]",
    );
    gives(programs, |program| RunRequest::new(program).bind(tools()), r#"[{"a":1},{"a":1},[1,2],"text",null]"#).await;
}

#[tokio::test]
async fn nothing_left_to_wait_for_is_said_and_not_waited_out() {
    let programs = Both::new(
        "console.log('before');\nawait new Promise(() => {});\nreturn 1",
        "import asyncio\nprint('before')\nawait asyncio.get_running_loop().create_future()\nreturn 1",
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run_text(language, programs).await;
        let failure = result.failure.unwrap_or_else(|| panic!("{language}: a success"));
        assert!(!matches!(failure.fault, dayfly::Fault::Timeout { .. }), "{language}: {failure:?}");
        assert!(failure.message.contains("wait"), "{language}: {}", failure.message);
        assert_eq!(result.logs.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>(), ["before"], "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn sixty_four_mebibytes_cross_a_call_both_ways() {
    let programs = Both::new(
        "const text = 'x'.repeat(64 << 20);\nconst back = await tools.echo({ text });\nreturn back.text === text",
        "text = 'x' * (64 << 20)\nback = await tools.echo(text=text)\nreturn back['text'] == text",
    );
    gives(programs, |program| RunRequest::new(program).bind(tools()), "true").await;
}
