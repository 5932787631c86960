//! What two hundred runs that wait on a tool cost the host, in percent of one core.

use std::future::pending;
use std::io::Write as _;
use std::time::{Duration, Instant};

use dayfly::{CancellationToken, CodeRuntime as _, Language, Namespace, ProcessConfig, RunRequest, Supervisor};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// All of them together cost at most this much of one core.
const PROMISE: f64 = 1.0;

const RUNS: usize = 200;
const WATCHED: Duration = Duration::from_secs(10);

/// Few enough that their CPU time is spent in a minute.
const SPENT_RUNS: usize = 20;

/// The compute budget of runs that spend nearly all of it before they wait, and what they leave.
const SPENT: Duration = Duration::from_secs(2);

const WAIT: &str = "await tools.wait()";

/// Programs that use all but a few milliseconds of their budget, and wait then.
fn spent(language: Language) -> String {
    let most = SPENT.as_millis() - 20;
    if language == Language::Python {
        format!(
            "import time\nuntil = time.process_time() + {most} / 1000\nwhile time.process_time() < until: pass\n{WAIT}"
        )
    } else {
        format!(
            "const used = () => {{ const u = process.cpuUsage(); return (u.user + u.system) / 1000 }};\n\
             const until = used() + {most};\nwhile (used() < until);\n{WAIT}"
        )
    }
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let tokio = Runtime::new()?;
    for language in Language::ALL {
        let percent = watched(&tokio, RUNS, ProcessConfig::default(), language, WAIT);
        let holds = if percent <= PROMISE { "holds" } else { "DOES NOT HOLD" };
        writeln!(
            out,
            "\n{language}: {RUNS} runs wait on a tool for {WATCHED:?}: {percent:.3} % of a core; at most {PROMISE} %: {holds}"
        )?;
        let percent = watched(&tokio, SPENT_RUNS, ProcessConfig::default().compute(SPENT), language, &spent(language));
        writeln!(out, "  {SPENT_RUNS} that have nearly spent their compute budget before: {percent:.3} %")?;
    }
    Ok(())
}

/// Percent of a core that the host spends while `runs` runs wait.
fn watched(tokio: &Runtime, runs: usize, config: ProcessConfig, language: Language, program: &str) -> f64 {
    // They all start at once, on however few cores.
    let config =
        config.max_concurrent_runs(runs).ready_deadline(Duration::from_secs(600)).wall(Duration::from_secs(3_600));
    let supervisor = Supervisor::new(config).unwrap_or_else(|error| panic!("{error}"));
    let (told, mut news) = mpsc::unbounded_channel();
    let cancel = CancellationToken::new();
    let mut waiting = JoinSet::new();
    for _ in 0..runs {
        let told = told.clone();
        let tools = Namespace::tools().async_fn("wait", move |_| {
            let _ = told.send(());
            pending()
        });
        let runtime = supervisor.runtime(language);
        let request = RunRequest::new(program).bind(tools).cancel_with(cancel.clone());
        waiting.spawn_on(async move { runtime.run(request).await }, tokio.handle());
    }
    drop(told);
    tokio.block_on(async {
        for run in 0..runs {
            assert!(news.recv().await.is_some(), "{language}: {run} of {runs} runs wait");
        }
        // What the last ones stirred up comes to rest.
        tokio::time::sleep(Duration::from_secs(1)).await;
    });
    let (began, before) = (Instant::now(), host_time());
    std::thread::sleep(WATCHED);
    let (took, after) = (began.elapsed(), host_time());
    assert_eq!(waiting.len(), runs);
    assert!(waiting.try_join_next().is_none(), "{language}: a run has ended");
    cancel.cancel();
    tokio.block_on(async { while waiting.join_next().await.is_some() {} });
    tokio.block_on(supervisor.shutdown());
    (after - before).as_secs_f64() / took.as_secs_f64() * 100.0
}

/// CPU time of this process, all its threads together.
fn host_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap_or_else(|error| panic!("no usage: {error}"));
    duration(usage.user_time()) + duration(usage.system_time())
}

fn duration(time: TimeVal) -> Duration {
    let seconds = u64::try_from(time.tv_sec()).unwrap_or_default();
    let micros = u64::try_from(time.tv_usec()).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
