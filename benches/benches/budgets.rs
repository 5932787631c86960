//! How late a hot loop ends: what it got beyond its compute budget, in CPU time and on the clock.

use std::future::pending;
use std::io::Write as _;
use std::time::{Duration, Instant};

use dayfly::{Budget, CodeRuntime as _, Fault, Json, Language, Namespace, ProcessConfig, RunRequest, Supervisor};
use tokio::runtime::Runtime;

/// A hot loop ends this soon after its budget is spent.
const PROMISE: Duration = Duration::from_millis(100);

const COMPUTE: Duration = Duration::from_millis(300);
const WARM_UP: usize = 2;
const RUNS: usize = 20;

/// A way to be busy: its name, the CPUs that it keeps busy, and its programs in TypeScript and in Python.
struct Loop {
    name: &'static str,
    cpus: u32,
    typescript: &'static str,
    python: &'static str,
}

const LOOPS: [Loop; 3] = [
    Loop { name: "a loop", cpus: 1, typescript: "for (;;);", python: "while True: pass" },
    Loop {
        name: "a loop beside a call that is pending",
        cpus: 1,
        typescript: "void tools.stuck();\nawait tools.ping();\nfor (;;);",
        python: "import asyncio\nleft = asyncio.ensure_future(tools.stuck())\nawait asyncio.sleep(0)\nawait tools.ping()\nwhile True: pass",
    },
    Loop {
        name: "two busy threads",
        cpus: 2,
        typescript: "const { Worker } = require('node:worker_threads');\nnew Worker('for (;;);', { eval: true });\nfor (;;);",
        // What it computes without the lock of the interpreter is what keeps two CPUs busy.
        python: "import hashlib, threading\nbusy = lambda: hashlib.pbkdf2_hmac('sha256', b'x', b'y', 10**9)\nthreading.Thread(target=busy, daemon=True).start()\nbusy()",
    },
];

fn tools() -> Namespace {
    Namespace::tools().async_fn("stuck", |_| pending()).async_fn("ping", |_| async { Ok(Json::null()) })
}

/// What a run got beyond its budget: CPU time, and time on the clock until it had returned.
#[derive(Clone, Copy)]
struct Late {
    cpu: Duration,
    clock: Duration,
}

fn late(tokio: &Runtime, supervisor: &Supervisor, language: Language, busy: &Loop) -> Late {
    let program = if language == Language::Python { busy.python } else { busy.typescript };
    let request = RunRequest::new(program).bind(tools());
    let began = Instant::now();
    let outcome = tokio.block_on(supervisor.runtime(language).run(request));
    let took = began.elapsed();
    let result = outcome.unwrap_or_else(|error| panic!("{language}: {error}"));
    match result.failure.as_ref().map(|failure| &failure.fault) {
        Some(Fault::Timeout { budget: Budget::Compute, .. }) => {}
        other => panic!("{language}: a loop that never ends ended with {other:?}"),
    }
    Late {
        cpu: result.usage.cpu.saturating_sub(COMPUTE),
        clock: took.saturating_sub(result.usage.startup + COMPUTE / busy.cpus),
    }
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let config = ProcessConfig::default().compute(COMPUTE).drain_grace(Duration::from_millis(1));
    let tokio = Runtime::new()?;
    let supervisor = Supervisor::new(config).unwrap_or_else(|error| panic!("{error}"));
    for language in Language::ALL {
        writeln!(out, "\n{language}: {RUNS} runs each with a compute budget of {COMPUTE:?}: median, most")?;
        for busy in &LOOPS {
            let lates: Vec<Late> =
                (0..WARM_UP + RUNS).map(|_| late(&tokio, &supervisor, language, busy)).skip(WARM_UP).collect();
            let (median, most) = spread(lates.iter().map(|late| late.cpu));
            let (clock_median, clock_most) = spread(lates.iter().map(|late| late.clock));
            let holds = if most <= PROMISE { "holds" } else { "DOES NOT HOLD" };
            writeln!(
                out,
                "  {:<38} CPU beyond it {median:>9.1?}, {most:>9.1?}   returned {clock_median:>9.1?}, {clock_most:>9.1?} \
                 late   at most {PROMISE:?}: {holds}",
                busy.name
            )?;
        }
    }
    tokio.block_on(supervisor.shutdown());
    Ok(())
}

fn spread(times: impl Iterator<Item = Duration>) -> (Duration, Duration) {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    (times.get(times.len() / 2).copied().unwrap_or_default(), times.last().copied().unwrap_or_default())
}
