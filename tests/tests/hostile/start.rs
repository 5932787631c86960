//! Interpreters that never become workers.

use std::time::Duration;

use dayfly::{ByteSize, CodeRuntime as _, Language, RunError, RunRequest, Supervisor};
use dayfly_tests::forged::{Ending, ForgedHost, Script};
use dayfly_tests::patience::with_more_time;
use dayfly_tests::silent::greedy_interpreter;
use dayfly_tests::{configured, tools};

const DEADLINE: Duration = Duration::from_millis(700);

#[tokio::test]
async fn an_interpreter_that_never_says_ready_is_named_with_its_deadline() {
    // The same deadline is the interpreter's for saying its version, which it does.
    with_more_time(async |times| {
        let wanted = DEADLINE * times;
        let host = ForgedHost::with(|config| config.ready_deadline(wanted).max_concurrent_runs(1));
        let silent = Script::new().end(Ending::Linger);
        let slow = Script::new().send(*b"DAYF\x01\x00\x01").end(Ending::Linger);
        for language in Language::ALL {
            for script in [&silent, &slow] {
                let outcome = host.play(language, script, RunRequest::new("return 1").bind(tools())).await;
                let Err(RunError::NotReady { language: named, deadline, reason }) = outcome else {
                    panic!("{language}: {outcome:?}")
                };
                assert_eq!((named, deadline), (language, wanted));
                assert!(reason.contains("it said nothing") && reason.contains("forged-worker"), "{language}: {reason}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_interpreter_that_breaks_the_protocol_before_ready_is_named() {
    let host = ForgedHost::with(|config| config.max_concurrent_runs(1));
    for language in Language::ALL {
        let broken: [(Script, &str); 5] = [
            (Script::new().send(*b"Welcome to Node!").end(Ending::Linger), "\"Welc\""),
            (Script::new().call(1, "echo", "1").end(Ending::Linger), "a call frame came before ready"),
            (Script::new().done("1").end(Ending::Linger), "a done frame came before ready"),
            (Script::new().end(Ending::Exit(7)), "exited with code 7"),
            (Script::new().step(dayfly_tests::forged::Step::HalfClose).end(Ending::Linger), "closed its socket"),
        ];
        for (script, says) in broken {
            let outcome = host.play(language, &script, RunRequest::new("return 1").bind(tools())).await;
            let Err(RunError::NotReady { reason, .. }) = outcome else { panic!("{language}: {outcome:?}") };
            assert!(reason.contains(says), "{language}: {reason}");
        }
        host.still_serves(language).await;
    }
}

#[tokio::test]
async fn an_interpreter_that_ends_for_want_of_memory_is_named_with_what_it_takes() {
    let directory = tempfile::tempdir().unwrap();
    let greedy = greedy_interpreter(directory.path());
    for (language, product) in [(Language::TypeScript, "Node.js 99.0.0"), (Language::Python, "CPython 3.99.0")] {
        let config = configured().node(&greedy).python(&greedy).memory(ByteSize::mib(64));
        let supervisor = Supervisor::new(config).unwrap();
        let outcome = supervisor.runtime(language).run(RunRequest::new("return 1")).await;
        let Err(RunError::Interpreter { problem, .. }) = outcome else { panic!("{language}: {outcome:?}") };
        // It says no word of memory itself: that it starts with more is what tells.
        let wanted = format!(
            "did not start within the `memory` of 64MiB: {product} takes up to 256MiB to start; set `memory` to that and \
             what programs need, such as 512MiB"
        );
        assert!(problem.ends_with(&wanted), "{problem}");
        supervisor.shutdown().await;
    }
}
