//! The compute budget from both sides, and the wall.

use std::time::{Duration, Instant};

use dayfly::{Budget, Failure, Fault, Json, Namespace, Outcome, RunRequest, RunResult};
use dayfly_tests::patience::with_more_time;
use dayfly_tests::table::LATE;
use dayfly_tests::{Both, Host, tools};

use crate::{in_both, outcomes, printed};

const COMPUTE: Duration = Duration::from_millis(500);

/// Asserts that the run was ended by its compute budget, and that the figures say so.
#[track_caller]
fn spent(result: &RunResult) {
    match &result.failure {
        Some(Failure { fault: Fault::Timeout { budget: Budget::Compute, limit, used }, .. }) => {
            assert_eq!(*limit, COMPUTE);
            let ended = COMPUTE..COMPUTE + LATE;
            assert!(ended.contains(used), "ended at {used:?}");
            assert!(ended.contains(&result.usage.cpu), "{:?}", result.usage);
        }
        other => panic!("the run should have spent its compute budget: {other:?}"),
    }
}

#[tokio::test]
async fn a_loop_that_never_ends_is_ended_by_compute_with_its_logs() {
    // The loops of one thread are situation P7 of the table; these have timers, and a thread beside one that sleeps.
    let program = Both::new(
        "console.log('before');\nsetInterval(() => { const until = Date.now() + 5; while (Date.now() < until); }, 1);\nawait new Promise(() => {})",
        "import threading, time\nprint('before')\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()\ntime.sleep(300)",
    );
    let host = Host::with(|config| config.compute(COMPUTE));
    in_both(async |language| {
        let result = host.run_text(language, program).await;
        spent(&result);
        assert_eq!(printed(&result), "before", "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn a_loop_behind_a_call_that_nobody_awaits_is_ended_by_compute() {
    let programs = Both::new(
        "void tools.slow({});\nawait tools.ping();\nwhile (true) {}",
        "import asyncio\ndecoy = asyncio.ensure_future(tools.slow())\nawait asyncio.sleep(0)\nawait tools.ping()\nwhile True: pass",
    );
    let host = Host::with(|config| config.compute(COMPUTE));
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
        spent(&result);
        assert_eq!(outcomes(&result), [("slow", Outcome::Cancelled), ("ping", Outcome::Succeeded)], "{language}");
        host.still_serves(language).await;
    })
    .await;
}

#[tokio::test]
async fn waiting_for_a_tool_for_ten_times_the_compute_budget_costs_nothing() {
    // The budget leaves room for what a loaded machine adds to a program of one call.
    with_more_time(async |times| {
        let wait = Duration::from_secs(5) * times;
        let idle = || {
            Namespace::tools().async_fn("idle", move |_| async move {
                tokio::time::sleep(wait).await;
                Ok(Json::from("rested"))
            })
        };
        let host = Host::with(|config| config.compute(wait / 10));
        let programs = Both::new("return await tools.idle()", "return await tools.idle()");
        in_both(async |language| {
            let result = host.run(language, RunRequest::new(*programs.of(language)).bind(idle())).await;
            assert_eq!(result.failure, None, "{language}");
            assert_eq!(result.value, Some(Json::from("rested")), "{language}");
            assert!(result.usage.wall >= wait && result.usage.cpu < wait / 10, "{language}: {:?}", result.usage);
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_program_that_idles_on_a_tool_outlives_compute_and_dies_of_the_wall_alone() {
    with_more_time(async |times| {
        let (wall, compute) = (Duration::from_secs(3) * times, COMPUTE * times);
        let programs = Both::new("return await tools.stuck({})", "return await tools.stuck()");
        let host = Host::with(|config| config.compute(compute).wall(wall).drain_grace(Duration::from_millis(200)));
        in_both(async |language| {
            let result = host.run(language, RunRequest::new(*programs.of(language)).bind(tools())).await;
            let Some(Failure { fault: Fault::Timeout { budget: Budget::Wall, limit, used }, .. }) = result.failure
            else {
                panic!("{language}: {:?}", result.failure)
            };
            assert!(limit == wall && used >= wall, "{language}: {used:?} of {limit:?}");
            assert!(result.usage.wall > 5 * compute && result.usage.cpu < compute, "{language}: {:?}", result.usage);
            assert_eq!(outcomes(&result), [("stuck", Outcome::Abandoned)], "{language}");
            host.still_serves(language).await;
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn the_wall_ends_a_run_that_sleeps_in_the_kernel_long_before_its_sleep_ends() {
    const WALL: Duration = Duration::from_secs(1);
    let programs = Both::new(
        "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300_000)",
        "import time\ntime.sleep(300)",
    );
    let host = Host::with(|config| config.wall(WALL));
    in_both(async |language| {
        let started = Instant::now();
        let result = host.run_text(language, programs).await;
        assert!(started.elapsed() < Duration::from_secs(150), "{language}: {:?}", started.elapsed());
        let Some(Failure { fault: Fault::Timeout { budget: Budget::Wall, limit, used }, .. }) = result.failure else {
            panic!("{language}: {:?}", result.failure)
        };
        assert!(limit == WALL && used >= WALL, "{language}: {used:?} of {limit:?}");
        assert!(result.usage.wall >= WALL, "{language}: {:?}", result.usage);
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_the_program_rewrites_does_not_change_its_budget() {
    let programs = Both::new(
        "Date.now = () => 0;\nObject.defineProperty(performance, 'now', { value: () => 0 });\n(process as any).cpuUsage = () => ({ user: 0, system: 0 });\nprocess.title = ') R 1 1 1 1 1';\nwhile (true) {}",
        "import time, ctypes\ntime.time = time.monotonic = time.process_time = lambda: 0\nctypes.CDLL(None).prctl(15, b') R 1 1 1 1 1', 0, 0, 0)\nwhile True: pass",
    );
    let host = Host::with(|config| config.compute(COMPUTE));
    in_both(async |language| spent(&host.run_text(language, programs).await)).await;
}

#[tokio::test]
async fn cpu_that_children_of_the_program_burn_is_the_programs() {
    let programs = Both::new(
        "const { spawn } = require('node:child_process');\nspawn('/bin/sh', ['-c', 'while :; do :; done']);\nawait new Promise(resolve => setTimeout(resolve, 300_000))",
        "import asyncio, subprocess\nsubprocess.Popen(['/bin/sh', '-c', 'while :; do :; done'])\nawait asyncio.sleep(300)",
    );
    let host = Host::with(|config| config.compute(COMPUTE));
    in_both(async |language| {
        spent(&host.run_text(language, programs).await);
        host.still_serves(language).await;
    })
    .await;
}
