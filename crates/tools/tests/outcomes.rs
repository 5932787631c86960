//! What outcomes keep, whatever a call comes to.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use std::sync::{Arc, Mutex};

use dayfly_tools::{
    Content, Context, Filter, Json, JsonLines, PostDecision, PreDecision, Registry, RunContext, Tool, ToolCall,
    ToolFailure, pipeline::code,
};

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("call", name, json("{}"))
}

fn raw(name: &str) -> dayfly_tools::tool::Declaration<Json, Json, dayfly_tools::tool::Complete> {
    // One that asks something: depth is no matter to one that asks nothing.
    let schema = || json(r#"{"type":["array","number","object"]}"#);
    Tool::raw(name, schema()).output(schema(), |_, _| "shown")
}

#[tokio::test]
async fn a_denial_is_more_specific_than_the_cancel() {
    let registry = Registry::new();
    registry.register(raw("act").execute(async |arguments, _| Ok(arguments)).unwrap()).unwrap().keep();
    let listener = registry.on_pre_execute(async |execution: dayfly_tools::Execution, _| {
        execution.cancel().cancel();
        PreDecision::deny("not now")
    });
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.failure().unwrap().code(), Some(code::PERMISSION_DENIED));
    drop(listener);
    let _guard = registry.guard(|execution| {
        execution.cancel().cancel();
        Some("not at all".to_owned())
    });
    let outcome = registry.execute(call("act")).await;
    assert_eq!(outcome.failure().unwrap().code(), Some(code::GUARD_DENIED));
}

#[tokio::test]
async fn a_mask_hides_and_does_not_forbid() {
    let registry = Registry::new();
    registry.register(raw("act").execute(async |arguments, _| Ok(arguments)).unwrap()).unwrap().keep();
    let agent = registry.scope("agent");
    let mask = agent.restrict(Filter::deny(["act"])).unwrap();
    assert_eq!(agent.execute(call("act")).await.failure().unwrap().code(), Some(code::UNKNOWN_TOOL));
    assert!(registry.execute(call("act")).await.result.is_ok(), "another view still has it");
    drop(mask);
    assert!(agent.execute(call("act")).await.result.is_ok(), "the mask is of this moment");
}

#[tokio::test]
async fn the_last_word_on_content_is_had_also_when_a_part_of_the_result_cannot_be_made() {
    let registry = Registry::new();
    let declared = |name: &str| {
        raw(name).finalize_content(|_, outcome| {
            Some(vec![Content::text(format!("last word on {}", outcome.failure().unwrap().code().unwrap()))])
        })
    };
    let without_content = Tool::raw("without content", json("{}"))
        .output(json("{}"), |_, _| -> Content { panic!("no content") })
        .finalize_content(|_, outcome| {
            Some(vec![Content::text(format!("last word on {}", outcome.failure().unwrap().code().unwrap()))])
        });
    let without_meta = declared("without metadata").presentation_meta(|_, _| panic!("no metadata"));
    for declared in [without_content, without_meta] {
        registry.register(declared.execute(async |arguments, _| Ok(arguments)).unwrap()).unwrap().keep();
    }
    for name in ["without content", "without metadata"] {
        let outcome = registry.execute(call(name)).await;
        assert_eq!(outcome.text(), format!("last word on {}", code::RENDER_FAILED), "{name}");
        assert_eq!((outcome.is_error(), outcome.meta), (true, None), "{name}");
    }
}

#[tokio::test]
async fn contexts_keep_their_order_their_source_and_their_metadata() {
    let registry = Registry::new();
    let with_meta = |source: &str, text: &str| {
        let mut context = Context::text(source, text);
        context.meta = Some(Json::from(text));
        context
    };
    let speaks = raw("speak").execute(move |_, run: RunContext| {
        run.defer_context(with_meta("tool", "first"));
        run.defer_context(with_meta("tool", "second"));
        std::future::ready(Err(ToolFailure::new("and then fails")))
    });
    registry.register(speaks.unwrap()).unwrap().keep();
    let adds = |text: &'static str| {
        move |_, _| std::future::ready(PostDecision::accept().with_context(Context::text("policy", text)))
    };
    let _third = registry.on_post_execute(adds("third"));
    let _fourth = registry.on_post_execute(adds("fourth"));
    let outcome = registry.execute(call("speak")).await;
    assert!(outcome.is_error());
    let expected = [
        with_meta("tool", "first"),
        with_meta("tool", "second"),
        Context::text("policy", "third"),
        Context::text("policy", "fourth"),
    ];
    assert_eq!(outcome.contexts, expected);
}

/// Runs on a thread with the stack that most threads have.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

fn nested(levels: usize) -> Json {
    json(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)))
}

#[test]
fn arguments_and_outputs_of_any_depth_pass_through_the_whole_pipeline_on_a_small_stack() {
    on_a_small_stack(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let registry = Registry::new();
            let lines = Arc::new(Mutex::new(Vec::new()));
            let _record = registry.record(JsonLines::new(Shared(Arc::clone(&lines))));
            let _policy = registry.on_pre_execute(async |_, so_far| so_far);
            let _review = registry.on_post_execute(async |_, _| PostDecision::accept());
            let echo = raw("echo").concurrency_safe(|_| true).execute(async |arguments, _| Ok(arguments));
            registry.register(echo.unwrap()).unwrap().keep();
            let take = Tool::raw("take", json("{}")).validates_itself().output(json("{}"), |_, _| "shown");
            let take = take
                .concurrency_safe(|_| true)
                .execute(async |arguments: Json, _| Ok(Json::from(arguments.depth() as u64)));
            registry.register(take.unwrap()).unwrap().keep();
            let any = Tool::raw("any", json("{}")).output(json("true"), |_, _| "shown");
            registry.register(any.execute(async |arguments, _| Ok(arguments)).unwrap()).unwrap().keep();
            let make = raw("make").execute(async |_, _| Ok(nested(200_000)));
            registry.register(make.unwrap()).unwrap().keep();

            for levels in [10_000, 200_000] {
                let outcome = registry.execute(ToolCall::new("1", "echo", nested(levels))).await;
                assert_eq!(outcome.failure().unwrap().code(), Some("INVALID_ARGS"), "{levels}");
                let outcome = registry.execute(ToolCall::new("any", "any", nested(levels))).await;
                assert_eq!(outcome.result, Ok(nested(levels)));
                let outcomes = registry.execute_batch([
                    ToolCall::new("2", "take", nested(levels)),
                    ToolCall::new("3", "echo", nested(levels)),
                ]);
                let outcomes = outcomes.await;
                assert_eq!(outcomes[0].result, Ok(Json::from(levels as u64)));
                assert!(outcomes[1].is_error());
                assert_eq!(registry.execute(call("make")).await.failure().unwrap().code(), Some("INVALID_OUTPUT"));
            }
            let outcome = registry.execute(ToolCall::new("4", "echo", nested(200))).await;
            assert_eq!(outcome.result, Ok(nested(200)));
            let lines = lines.lock().unwrap();
            let read = dayfly_tools::events::read_events(lines.as_slice());
            assert_eq!(read.map(Result::unwrap).count(), 2 * (2 * 5 + 1));
        });
    });
}

struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
