//! Policy around a program and around each of its calls.

use std::sync::{Arc, Mutex};

use dayfly_runtime::testing::{Script, ScriptedRuntime};
use dayfly_runtime::{Language, RunError};
use dayfly_tools::{
    ApprovalRequest, Context, Dispatch, Execution, Next, PostDecision, PreDecision, Registry, RunContext, ToolCall,
};

use crate::support::{House, Log, arguments, assert_failed, call, config, json, messages, result, run_code, scripted};

#[tokio::test]
async fn policy_reads_the_program_before_it_runs_and_a_denied_one_never_does() {
    let house = House::of(Script::new().call("tools", "echo", arguments(1))).echo("echo");
    let log = house.log.clone();
    house
        .agent
        .on_pre_execute(move |execution, so_far| {
            log.say(format!("{} {}", execution.name(), execution.arguments().get("code").unwrap()));
            let denied = execution.name() == "run_code";
            async move { if denied { PreDecision::deny("no programs on Sundays") } else { so_far } }
        })
        .keep();
    let outcome = house.run().await;
    assert_failed(&outcome, "PERMISSION_DENIED");
    assert_eq!(outcome.text(), "Error: `run_code` may not run: no programs on Sundays");
    assert_eq!(house.log.take(), [r#"run_code "program""#]);
    assert_eq!(house.events.told(), ["call run_code", "result run_code failed"]);
}

#[tokio::test]
async fn every_call_of_a_program_passes_every_stage_within_the_execution_of_its_run_code() {
    let log = Log::default();
    let parents: Arc<Mutex<Vec<Execution>>> = Arc::default();
    let around = log.clone();
    let registry = Registry::builder()
        .config(config())
        .code_runtime(scripted(Script::new().call("tools", "echo", arguments(1))))
        .around(move |dispatch: Dispatch, next: Next| {
            around.say(format!("execute {}", dispatch.execution().name()));
            async move { next.run(dispatch).await }
        })
        .build()
        .unwrap();
    let house = House::built(registry).echo("echo");
    let stage = log.clone();
    house
        .agent
        .on_pre_execute(move |execution, so_far| {
            stage.say(format!("pre-execute {}", execution.name()));
            async move { so_far }
        })
        .keep();
    let stage = log.clone();
    house
        .agent
        .guard(move |execution| {
            stage.say(format!("guard {}", execution.name()));
            None
        })
        .keep();
    let stage = log.clone();
    house
        .agent
        .on_post_execute(move |execution, _| {
            stage.say(format!("post-execute {}", execution.name()));
            async { PostDecision::accept() }
        })
        .keep();
    let (stage, kept) = (log.clone(), Arc::clone(&parents));
    house
        .agent
        .on_result(move |execution, _| {
            stage.say(format!("result {}", execution.name()));
            kept.lock().unwrap().push(execution.clone());
        })
        .keep();
    assert!(!house.run().await.is_error());
    let stages = ["pre-execute", "guard", "execute", "post-execute", "result"];
    let mut expected: Vec<String> = stages[..3].iter().map(|stage| format!("{stage} run_code")).collect();
    expected.extend(stages.iter().map(|stage| format!("{stage} echo")));
    expected.extend(stages[3..].iter().map(|stage| format!("{stage} run_code")));
    assert_eq!(log.take(), expected);
    let parents = parents.lock().unwrap();
    let [inner, outer] = parents.as_slice() else { panic!("{parents:?}") };
    assert_eq!((inner.call_id(), inner.parent()), ("call:code:1", Some(outer.token())));
    assert_eq!((outer.call_id(), outer.parent()), ("call", None));
}

#[tokio::test]
async fn denials_reach_the_program_as_messages_that_it_can_catch() {
    let script =
        Script::new().try_parallel([call("denied", 1), call("guarded", 2), call("blocked", 3), call("echo", 4)]);
    let house = House::of(messages(script, 4)).echo("denied").echo("guarded").echo("blocked").echo("echo");
    house
        .agent
        .on_pre_execute(
            async |execution, so_far| {
                if execution.name() == "denied" { PreDecision::deny("not that one") } else { so_far }
            },
        )
        .keep();
    house.agent.guard(|execution| (execution.name() == "guarded").then(|| "never".to_owned())).keep();
    house
        .agent
        .on_post_execute(async |execution, _| match execution.name() {
            "blocked" => PostDecision::block("it holds a secret"),
            _ => PostDecision::accept(),
        })
        .keep();
    let outcome = house.run().await;
    let said: Vec<String> = outcome.result.unwrap().get("result").unwrap().deserialize().unwrap();
    assert_eq!(
        said,
        [
            "`denied` may not run: not that one",
            "`guarded` may not run: never",
            "the result of `blocked` was withheld: it holds a secret",
            "ok",
        ]
    );
}

#[tokio::test]
async fn somebody_can_be_asked_about_a_call_of_a_program() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let questions = Arc::clone(&asked);
    let registry = Registry::builder()
        .config(config())
        .code_runtime(scripted(messages(Script::new().try_parallel([call("yes", 1), call("no", 2)]), 2)))
        .approval(move |request: ApprovalRequest| {
            let name = request.execution().name().to_owned();
            questions.lock().unwrap().push(format!("{} {}: {}", request.execution().call_id(), name, request.reason()));
            async move { if name == "yes" { request.allow_once() } else { request.reject("better not") } }
        })
        .build()
        .unwrap();
    let house = House::built(registry).echo("yes").echo("no");
    house
        .agent
        .on_pre_execute(
            async |execution, so_far| {
                if execution.name() == "run_code" { so_far } else { PreDecision::ask("may it?") }
            },
        )
        .keep();
    assert_eq!(result(&house.run().await), r#"["ok","the call of `no` was rejected: better not"]"#);
    assert_eq!(*asked.lock().unwrap(), ["call:code:1 yes: may it?", "call:code:2 no: may it?"]);
}

#[tokio::test]
async fn contexts_of_calls_follow_the_result_of_run_code_in_their_order_also_when_the_program_fails() {
    for fails in [false, true] {
        let script = Script::new().try_parallel([call("reads", 1), call("reads", 2), call("broken", 3)]);
        let script = if fails { script.throws("Error", "oh") } else { script.returns(1) };
        let defers = |run: &RunContext| {
            run.defer_context(Context::text("tool", format!("from {}", run.execution().call_id())));
        };
        let slow_first = crate::support::declared("reads").concurrency_safe(|_| true).execute(
            move |arguments: dayfly_tools::Json, run: RunContext| async move {
                defers(&run);
                // The first call ends last.
                let turns = if arguments.get("n").and_then(|n| n.as_i64()) == Some(1) { 50 } else { 0 };
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
                Ok(arguments)
            },
        );
        let house = House::of(script).add(slow_first.unwrap()).tool("broken", move |_, run: RunContext| {
            defers(&run);
            std::future::ready(Err(dayfly_tools::ToolFailure::new("broken")))
        });
        house
            .agent
            .on_post_execute(async |execution, _| {
                PostDecision::accept().with_context(Context::text("policy", format!("after {}", execution.call_id())))
            })
            .keep();
        let outcome = house.run().await;
        assert_eq!(outcome.is_error(), fails);
        let said: Vec<&str> = outcome.contexts.iter().map(|context| context.content[0].as_text().unwrap()).collect();
        assert_eq!(
            said,
            [
                "from call:code:1",
                "after call:code:1",
                "from call:code:2",
                "after call:code:2",
                "from call:code:3",
                "after call:code:3",
                "after call",
            ]
        );
        assert_eq!(outcome.contexts[0].source, "tool");
    }
}

#[tokio::test]
async fn a_blocked_run_code_discards_the_contexts_of_its_calls() {
    let house = House::of(Script::new().call("tools", "says", arguments(1))).tool(
        "says",
        async |arguments, run: RunContext| {
            run.defer_context(Context::text("tool", "from inside"));
            Ok(arguments)
        },
    );
    house
        .agent
        .on_post_execute(async |execution, _| match execution.name() {
            "run_code" => PostDecision::block("not today").with_context(Context::text("policy", "why")),
            _ => PostDecision::accept(),
        })
        .keep();
    let outcome = house.run().await;
    assert_failed(&outcome, "POST_EXECUTE_BLOCKED");
    assert_eq!(outcome.contexts, [Context::text("policy", "why")]);
}

#[tokio::test]
async fn arguments_of_run_code_are_checked_like_any_others() {
    let house = House::of(Script::new());
    for (arguments, says) in [
        (r#"{"code":"program"}"#, "description"),
        (r#"{"description":"Do it"}"#, "code"),
        (r#"{"code":"program","description":"Do it","timeout":1}"#, "timeout"),
        (r#"{"code":1,"description":"Do it"}"#, "code"),
        (
            r#"{"code":" \n\t","description":"Do it"}"#,
            "`code` is blank, so nothing was run; give it the text of a TypeScript program",
        ),
        ("{\"code\":\"```ts\\n\\n```\",\"description\":\"Do it\"}", "`code` is blank"),
    ] {
        let outcome = house.agent.execute(ToolCall::new("call", "run_code", json(arguments))).await;
        assert_failed(&outcome, "INVALID_ARGS");
        assert!(outcome.text().contains(says), "{arguments}: {}", outcome.text());
    }
    assert!(!house.agent.execute(run_code("call", "program")).await.is_error());
}

#[tokio::test]
async fn what_run_code_says_of_itself_is_of_the_runtimes_language_alone() {
    let second = std::time::Duration::from_secs(1);
    let (python, typescript) = (["python", "print("], ["typescript", "console.log"]);
    for (language, own, foreign) in [(Language::Python, python, typescript), (Language::TypeScript, typescript, python)]
    {
        let problem = || "found none".to_owned();
        let runtime = ScriptedRuntime::new(language)
            .then_refuse(RunError::Interpreter { language, problem: problem() })
            .then_refuse(RunError::NotReady { language, deadline: second, reason: problem() });
        let house = House::with(runtime, config());
        let tool = house.agent.get("run_code").unwrap();
        let mut texts = vec![format!("{} {}", tool.schema().description, tool.schema().input)];
        for code in ["", " \n", "```\n```", "program", "program"] {
            texts.push(house.agent.execute(run_code("call", code)).await.text());
        }
        for text in texts.iter().map(|text| text.to_lowercase()) {
            assert!(text.contains(own[0]), "{language}: {text}");
            assert!(!foreign.iter().any(|word| text.contains(word)), "{language}: {text}");
        }
    }
}
