//! CPU time, clocks that a program has changed, and neighbours.

use std::time::Duration;

use dayfly::{CancellationToken, FailureKind, Json, Namespace, RunRequest};
use dayfly_tests::hostile::{Ends, Row, Seen};
use dayfly_tests::{Both, Host};
use tokio::sync::mpsc;

rows! {
    h34_threads_that_live_for_moments_are_charged_in_full: h34,
    h34_threads_that_live_for_moments_are_ended_by_compute: h34_endless,
    h36_a_clock_that_the_program_has_changed_does_not_move_the_wall: h36_wall,
    h36_a_clock_that_the_program_has_changed_is_not_the_meters: h36_compute,
}

/// What the program measured of itself, in seconds, was charged.
fn charged(seen: &Seen) -> Result<(), String> {
    let measured = seen.result.value.as_ref().and_then(Json::as_f64).unwrap_or_default();
    let charged = seen.result.usage.cpu.as_secs_f64();
    seen.must("the program did some work", measured > 0.3)?;
    // The kernel counts in ticks; and beside the program there are only its start and its end.
    seen.must(&format!("{charged} s of {measured} s were charged"), charged > 0.9 * measured - 0.05)?;
    seen.must(&format!("{charged} s are not far from {measured} s"), charged < 2.0 * measured + 2.0)
}

fn h34() -> Row {
    // A thread of Node's needs some 20 ms of CPU to start: fifty are as much work as two thousand of Python's.
    let typescript = "const { Worker } = require('node:worker_threads');
const live = () => new Promise(resolve => new Worker('const until = performance.now() + 5; while (performance.now() < until);', { eval: true }).on('exit', resolve));
for (let i = 0; i < 25; i++) await Promise.all([live(), live()]);
const { user, system } = process.cpuUsage(atStart);
return (user + system) / 1e6";
    let python = "import threading, time
at_start = time.process_time()
def live():
    until = time.thread_time() + 0.0003
    while time.thread_time() < until: pass
for i in range(500):
    threads = [threading.Thread(target=live) for j in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
return time.process_time() - at_start";
    let typescript = format!("const atStart = process.cpuUsage();\n{typescript}");
    Row::new("H34")
        .config(|config| config.compute(Duration::from_secs(30)))
        .programs("their sum is the run's", &typescript, python, Ends::Completed)
        .also(charged)
}

fn h34_endless() -> Row {
    // None of the threads uses a fourth of the budget, and at the end of most of them nobody looks.
    let typescript = "const { Worker } = require('node:worker_threads');
const live = () => new Promise(resolve => new Worker('const until = performance.now() + 5; while (performance.now() < until);', { eval: true }).on('exit', resolve));
for (;;) await Promise.all([live(), live()])";
    let python = "import threading, time
def live():
    until = time.thread_time() + 0.0003
    while time.thread_time() < until: pass
while True:
    threads = [threading.Thread(target=live) for j in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()";
    Row::new("H34").config(|config| config.compute(Duration::from_millis(400))).programs(
        "they trip the budget together",
        typescript,
        python,
        Ends::Compute,
    )
}

/// Takes every clock and timer away, and keeps one of each.
const CLOCKS: Both<&str> = Both::new(
    "const real = setTimeout;
Date.now = () => 0;
Object.defineProperty(performance, 'now', { value: () => 0 });
process.hrtime = Object.assign(() => [0, 0], { bigint: () => 0n }) as any;
process.uptime = process.cpuUsage = (() => 0) as any;
globalThis.setTimeout = globalThis.setInterval = globalThis.setImmediate = (() => { throw new Error('no timers') }) as any;
globalThis.clearTimeout = globalThis.clearInterval = (() => {}) as any;
",
    "import asyncio, threading, time
real = time.sleep
for name in ['time', 'monotonic', 'perf_counter', 'process_time', 'thread_time']: setattr(time, name, lambda: 0)
time.sleep = threading.Timer = lambda *a: None
asyncio.get_running_loop().time = lambda: 0
",
);

fn h36_wall() -> Row {
    let Both { typescript, python } = CLOCKS;
    Row::new("H36").config(|config| config.wall(Duration::from_secs(1))).programs(
        "the wall",
        &format!("{typescript}real(() => {{}}, 300_000);\nawait new Promise(() => {{}})"),
        &format!("{python}real(300)"),
        Ends::Wall,
    )
}

fn h36_compute() -> Row {
    let Both { typescript, python } = CLOCKS;
    Row::new("H36").config(|config| config.compute(Duration::from_millis(300))).programs(
        "the compute budget",
        &format!("{typescript}for (;;);"),
        &format!("{python}while True: pass"),
        Ends::Compute,
    )
}

const SPIN: Both<&str> = Both::new("await tools.started({});\nfor (;;);", "await tools.started()\nwhile True: pass");

#[tokio::test]
async fn p9_a_run_that_spins_does_not_delay_its_neighbour() {
    // What the one that spins uses until its neighbour is done says by how much it may have delayed it, however busy the
    // machine is with other things: the neighbour's start alone takes a three hundredth of this.
    let host = Host::with(|config| config.compute(Duration::from_secs(30)));
    for language in dayfly::Language::ALL {
        let (started, mut starts) = mpsc::unbounded_channel();
        let bindings = Namespace::tools().async_fn("started", move |_| {
            started.send(()).unwrap();
            async { Ok(Json::null()) }
        });
        let cancel = CancellationToken::new();
        let request = RunRequest::new(*SPIN.of(language)).bind(bindings).cancel_with(cancel.clone());
        let spinning = host.run(language, request);
        let neighbour = async {
            starts.recv().await.unwrap();
            // It waits for nothing but its own worker: the other spins until it is told to stop, which comes after, or
            // until its budget is spent.
            host.still_serves(language).await;
            cancel.cancel();
        };
        let (spun, ()) = tokio::join!(spinning, neighbour);
        println!("{language}: {:?} were spun beside its neighbour", spun.usage.cpu);
        assert_eq!(spun.failure.map(|failure| failure.kind()), Some(FailureKind::Abort), "{language}");
    }
}
