//! Runtimes that cannot, or that break their own rules.

use std::time::Duration;

use dayfly_runtime::testing::{Script, ScriptedRuntime};
use dayfly_runtime::{BoxFuture, Language, RunError, RunRequest, RunResult};
use dayfly_tools::CancellationToken;

use crate::bridging::By;
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
        "Error: the program was not started: no usable interpreter for python: looked for `python3` in PATH; install CPython \
         3.10 or later. Another program will not help: whoever runs this host has to mend it",
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

#[tokio::test]
async fn a_runtime_that_panics_fails_that_run_and_its_tools_are_stopped() {
    for late in [false, true] {
        let runtime = By(move |request: RunRequest| {
            let slow = request.bindings[0].functions[0].1.clone();
            if !late {
                panic!("at once");
            }
            Box::pin(async move {
                let call = dayfly_runtime::Call::new(1, "slow", arguments(1), CancellationToken::new());
                let answer = slow.call(call);
                tokio::task::yield_now().await;
                let _answer = &answer;
                if true {
                    panic!("later");
                }
                Ok(RunResult::default())
            }) as BoxFuture<'static, Result<RunResult, RunError>>
        });
        let (house, _begun) = House::with(runtime, config()).waits("slow");
        let outcome = house.run().await;
        assert_failed(&outcome, "CODE_RUNTIME_FAILED");
        assert!(outcome.text().contains(if late { "later" } else { "at once" }), "{}", outcome.text());
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
