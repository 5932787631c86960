//! Runtimes that cannot, or that break their own rules.

use std::time::Duration;

use dayfly_runtime::testing::{Script, ScriptedRuntime};
use dayfly_runtime::{BoxFuture, Language, RunError, RunRequest, RunResult};
use dayfly_tools::CancellationToken;

use crate::bridging::By;
use crate::operator::Log;
use crate::support::{House, arguments, assert_failed, config, run_code};

#[tokio::test]
async fn a_host_that_cannot_run_programs_says_so_and_who_can_mend_it() {
    let runtime = ScriptedRuntime::new(Language::Python)
        .then_refuse(RunError::Interpreter {
            language: Language::Python,
            problem: "looked for `python3` in PATH; install CPython 3.10 or later".to_owned(),
        })
        .then_refuse(RunError::QueueFull { limit: 8 })
        .then_refuse(RunError::ProgramTooLarge { bytes: 2_000_000, limit: 1_000_000 })
        .then_refuse(RunError::ShutDown)
        .then(Script::new().call("tools", "echo", arguments(1)).returns("served"));
    let house = House::with(runtime, config()).echo("echo");
    let expected = [
        "Error: the program was not started: this host has no usable interpreter for Python. Another program will not help: \
         whoever runs this host has to mend it, by installing one or by naming it in the configuration; its log says what was found, \
         and `dayfly doctor` looks again",
        "Error: the program was not started: 8 runs are waiting already; retry later, or raise `queue_length` or \
         `max_concurrent_runs`",
        "Error: the program was not started: the program has 2000000 bytes, more than the limit of 1000000; pass data through \
         a tool instead of the source",
        "Error: the program was not started: the runtime has been shut down; build a new one. Another program will not help: \
         whoever runs this host has to mend it",
    ];
    for expected in expected {
        let outcome = house.run().await;
        assert_failed(&outcome, "CODE_RUNTIME_UNAVAILABLE");
        assert_eq!(outcome.text(), expected);
    }
    assert_eq!(house.run().await.text(), "served");
}

/// Every way in which no program is started, with paths of the host wherever a text of the host's own may have some.
fn refusals() -> Vec<(RunError, &'static str)> {
    let path =
        || "/opt/secret/bin/python3: exits with 1: cannot open '/opt/secret/lib': see /var/log/secret".to_owned();
    let second = Duration::from_secs(1);
    let source = || std::io::Error::other(path());
    vec![
        (RunError::Interpreter { language: Language::Python, problem: path() }, "no usable interpreter for Python"),
        (
            RunError::Layer { layer: "landlock".to_owned(), errno: 95, remedy: path() },
            "refuses the layer \"landlock\" (errno 95)",
        ),
        (
            RunError::NotReady { language: Language::TypeScript, deadline: second, reason: path() },
            "to run TypeScript was not ready within 1s",
        ),
        (RunError::Host { action: "spawn a worker", source: source() }, "this host failed to spawn a worker"),
        (RunError::ShutDown, "has been shut down"),
        (RunError::QueueFull { limit: 1 }, "retry later"),
        (RunError::QueueTimeout { waited: second }, "retry later"),
        (RunError::NestedTooDeep { limit: 1 }, "do not run programs from tools"),
        (RunError::ProgramTooLarge { bytes: 2, limit: 1 }, "pass data through a tool"),
        (RunError::DuplicateNamespace { global: "tools".to_owned() }, "share the global name"),
        (RunError::DuplicateFunction { global: "tools".to_owned(), name: "a".to_owned() }, "two functions named"),
        (RunError::InvalidGlobal { global: "1".to_owned(), reason: "it is no identifier" }, "cannot be a global name"),
    ]
}

#[tokio::test]
async fn no_refusal_shows_a_model_a_path_of_the_host_and_each_is_logged_whole() {
    for (error, told) in refusals() {
        let full = error.to_string();
        let (log, _listening) = Log::listen();
        let runtime = ScriptedRuntime::new(Language::Python).then_refuse(error);
        let outcome = House::with(runtime, config()).run().await;
        assert_failed(&outcome, "CODE_RUNTIME_UNAVAILABLE");
        let text = outcome.text();
        assert!(text.contains(told), "{told}: {text}");
        let rooted = text.split(|c: char| c.is_whitespace() || "'\"`(:".contains(c)).find(|word| word.starts_with('/'));
        assert!(rooted.is_none() && !text.contains("secret"), "{rooted:?}: {text}");
        let logged = log.take();
        assert_eq!(logged.iter().filter(|line| line.contains(&full)).count(), 1, "{full}: {logged:?}");
    }
}

#[tokio::test]
async fn a_runtime_that_panics_fails_that_run_and_its_tools_are_stopped() {
    for late in [false, true] {
        let runtime = By(move |request: RunRequest| {
            let slow = request.bindings[0].functions[0].1.clone();
            if !late {
                panic!("at once /secret");
            }
            Box::pin(async move {
                let call = dayfly_runtime::Call::new(1, "slow", arguments(1), CancellationToken::new());
                let answer = slow.call(call);
                tokio::task::yield_now().await;
                let _answer = &answer;
                if true {
                    panic!("later /secret");
                }
                Ok(RunResult::default())
            }) as BoxFuture<'static, Result<RunResult, RunError>>
        });
        let (house, _begun) = House::with(runtime, config()).waits("slow");
        let (log, _listening) = Log::listen();
        let outcome = house.run().await;
        assert_failed(&outcome, "CODE_RUNTIME_FAILED");
        // The text of a panic is of the host's own source, and for those who run it.
        let said = if late { "later /secret" } else { "at once /secret" };
        assert!(!outcome.text().contains("/secret") && outcome.text().contains("its log"), "{}", outcome.text());
        let logged = log.take();
        assert!(logged.iter().any(|line| line.contains(said)), "{logged:?}");
        let told = house.events.told();
        assert_eq!(told.iter().filter(|told| told.starts_with("start")).count(), told.len() / 2 - 1, "{told:?}");
        house.registry.quiesce().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_runtime_that_does_not_end_a_cancelled_run_is_given_up() {
    let runtime =
        By(|_: RunRequest| Box::pin(std::future::pending()) as BoxFuture<'static, Result<RunResult, RunError>>);
    let house = House::with(runtime, config());
    let cancel = CancellationToken::new();
    let (agent, given) = (house.agent.clone(), cancel.clone());
    let running = tokio::spawn(async move { agent.execute(run_code("call", "program").cancel_with(given)).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    cancel.cancel();
    let outcome = running.await.unwrap();
    assert_failed(&outcome, "CODE_RUNTIME_FAILED");
    assert!(outcome.text().contains("did not end it within 60s"), "{}", outcome.text());
    house.registry.quiesce().await;
}
