//! A run that ends from outside while its calls run: they are asked to stop, kept, and only then `run_code` returns.

use std::time::Duration;

use dayfly::tools::RunContext;
use dayfly::{CancellationToken, Json, Language};
use dayfly_tests::code_mode::{run_code, safe_tool, tool, waiting_tool};
use dayfly_tests::patience::with_more_time;
use dayfly_tests::{Both, CodeMode, Host};

/// Answers when the token is cancelled.
fn tells(name: &str, what: CancellationToken) -> dayfly::tools::Tool {
    safe_tool(name, move |_, _| {
        let what = what.clone();
        async move {
            what.cancelled().await;
            Ok(Json::null())
        }
    })
}

/// The first call is answered when the second one runs, so what follows happens while it does.
const WHILE_IT_RUNS: Both<&str> = Both::new(
    "const begun = tools.begun();\nvoid tools.waits({ left: true });\nawait begun;\nconsole.log('it runs');\n",
    "import asyncio\nbegun = asyncio.ensure_future(tools.begun())\nleft = asyncio.ensure_future(tools.waits(left=True))\nawait begun\nprint('it runs')\n",
);

const KEPT: [&str; 6] = [
    "call run_code",
    "start 1 begun",
    "start 2 waits",
    "end 1 begun ok",
    "end 2 waits failed",
    "result run_code failed",
];

const STOPPED: &str = "\nCalls: 1 completed (begun); 1 stopped while running (waits). What they have done is not undone.\nCaptured output:\nit runs";

#[tokio::test]
async fn a_compute_budget_that_expires_while_a_tool_runs_stops_the_tool_and_keeps_its_call() {
    let host = Host::with(|config| config.compute(Duration::from_secs(2)));
    for language in Language::ALL {
        let (waits, begun, asked) = waiting_tool("waits");
        let mode = CodeMode::new(&host, language).with_tool(waits).with_tool(tells("begun", begun));
        let spin = Both::new("while (true) {}", "while True: pass");
        let outcome = mode.run(&format!("{}{}", WHILE_IT_RUNS.of(language), spin.of(language))).await;
        let text = outcome.text();
        let start = "Error: code run failed (timeout): the program used its compute budget of 2.000 s: ";
        assert!(text.starts_with(start) && text.ends_with(STOPPED), "{language}: {text}");
        assert!(asked.is_cancelled(), "{language}");
        assert_eq!(mode.kept.told(), KEPT, "{language}");
        host.still_serves(language).await;
    }
    host.supervisor.shutdown().await;
}

#[tokio::test]
async fn a_wall_that_is_reached_while_a_tool_runs_stops_the_tool_and_never_starts_what_is_queued() {
    let programs = Both::new(
        "await Promise.all([tools.waits(), tools.write({ n: 1 }), tools.write({ n: 2 })])",
        "await asyncio.gather(tools.waits(), tools.write(n=1), tools.write(n=2))",
    );
    with_more_time(async |times| {
        let wall = 2 * times;
        let host = Host::with(|config| config.wall(Duration::from_secs(wall.into())));
        for language in Language::ALL {
            let (waits, begun, asked) = waiting_tool("waits");
            // Exclusive: they wait behind what never ends.
            let write = tool("write", |_, _| async { panic!("it must never start") });
            let mode = CodeMode::new(&host, language).with_tool(waits).with_tool(write);
            let import = Both::new("", "import asyncio\n");
            let outcome = mode.run(&format!("{}{}", import.of(language), programs.of(language))).await;
            let text = outcome.text();
            let ends =
                "\nCalls: 1 stopped while running (waits); 2 never started (write ×2). What they have done is not undone.";
            let start = format!("Error: code run failed (timeout): the program ran into its wall ceiling of {wall}.000 s");
            assert!(text.starts_with(&start) && text.ends_with(ends), "{language}: {text}");
            assert!(begun.is_cancelled() && asked.is_cancelled(), "{language}");
            let kept = ["call run_code", "start 1 waits", "end 1 waits failed", "result run_code failed"];
            assert_eq!(mode.kept.told(), kept, "{language}");
        }
        host.supervisor.shutdown().await;
    })
    .await;
}

#[tokio::test]
async fn a_cancel_from_outside_in_the_middle_of_a_program_stops_it_and_its_tool_and_says_what_became_of_the_calls() {
    let host = Host::new();
    for language in Language::ALL {
        let (waits, begun, asked) = waiting_tool("waits");
        let (cancel, stop) = (CancellationToken::new(), CancellationToken::new());
        let stops = stop.clone();
        let mode = CodeMode::new(&host, language).with_tool(waits).with_tool(tells("begun", begun)).with_tool(
            safe_tool("stop_me", move |_, run: RunContext| {
                stops.cancel();
                async move {
                    run.cancel().cancelled().await;
                    Err(dayfly::tools::ToolFailure::new("was asked to stop"))
                }
            }),
        );
        let rest = Both::new("await tools.stop_me()", "await tools.stop_me()");
        let program = format!("{}{}", WHILE_IT_RUNS.of(language), rest.of(language));
        let runs = mode.agent.execute(run_code("call", &program).cancel_with(cancel.clone()));
        let cancels = async {
            stop.cancelled().await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(runs, cancels);
        assert_eq!(
            outcome.text(),
            "Error: code run failed (abort): the run was cancelled\nCalls: 1 completed (begun); 2 stopped while running (stop_me, \
             waits). What they have done is not undone.\nCaptured output:\nit runs",
            "{language}"
        );
        assert!(asked.is_cancelled(), "{language}");
        let told = mode.kept.told();
        assert_eq!(told.last().map(String::as_str), Some("result run_code failed"), "{language}: {told:?}");
        assert_eq!(mode.kept.dispatches().unwrap().len(), 3, "{language}");
        host.still_serves(language).await;
    }
    host.supervisor.shutdown().await;
}
