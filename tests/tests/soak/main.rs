//! Many runs in one process, a third of them hostile, after which the host has what it had before.
//!
//! 300 runs by default; the 2,000 that are promised take some minutes:
//!
//!     DAYFLY_SOAK_RUNS=2000 cargo test -p dayfly-tests --test soak -- --nocapture

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod honest;
mod hostile;

use std::fs;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use dayfly::{ByteSize, Language};
use dayfly_tests::Host;
use dayfly_tests::leftovers::{Possessions, names_in, settles_to};
use peak_alloc::PeakAlloc;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const DEFAULT_RUNS: usize = 300;

/// What the host functions say that panic on purpose.
const BROKEN: &str = "this host function is broken";

/// Runs at the same time.
const AT_ONCE: usize = 4;

/// Threads for what blocks; they are all there from the start.
const BLOCKING: usize = 4;

/// Live bytes of the heap that may be more at the end than after a quarter of the runs. Nothing of a run stays; what may
/// still grow are tables with room for the most that was ever in them at once, and the last lines that this test has
/// captured. A leak of one name of one call in each run is more than this over 1,500 runs.
const LIVE_SLACK: usize = 64 << 10;

/// Resident bytes that may be more. What was freed is not all given back: each thread's arena keeps what it fits into
/// the holes of its pages.
const RESIDENT_SLACK: usize = 24 << 20;

fn runtime() -> Runtime {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(BLOCKING)
        .thread_keep_alive(Duration::from_secs(24 * 3_600))
        .enable_all()
        .build()
        .unwrap();
    let all = Arc::new(Barrier::new(BLOCKING));
    runtime.block_on(async {
        let blocking: Vec<_> = (0..BLOCKING)
            .map(|_| {
                let all = Arc::clone(&all);
                tokio::task::spawn_blocking(move || {
                    all.wait();
                })
            })
            .collect();
        for one in blocking {
            one.await.unwrap();
        }
    });
    runtime
}

/// What the host weighs: live bytes of its heap, and resident bytes.
#[derive(Debug, Clone, Copy)]
struct Weight {
    live: usize,
    resident: usize,
}

fn weight() -> Weight {
    let statm = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = statm.split(' ').nth(1).unwrap().parse().unwrap();
    Weight { live: MEMORY.current_usage(), resident: pages * 4_096 }
}

/// Does runs `from..to`, several at a time: each third one is hostile, and the languages take turns.
async fn runs(host: &Arc<Host>, from: usize, to: usize) {
    let mut running = JoinSet::new();
    for number in from..to {
        while running.len() >= AT_ONCE {
            running.join_next().await.unwrap().unwrap();
        }
        let (host, turn) = (Arc::clone(host), number / 3);
        // Both languages meet every kind, whatever the numbers of kinds are.
        let language = Language::ALL[(number / 3 + number / 300) % 2];
        running.spawn(async move {
            if number % 3 == 0 {
                hostile::run(&host, language, turn / 2).await;
            } else {
                honest::run(&host, language, number).await;
            }
        });
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}

#[test]
fn the_host_has_after_many_runs_what_it_had_before() {
    // Some host functions panic on purpose. To print where costs tens of megabytes of symbols under RUST_BACKTRACE, which are kept.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<&str>().is_none_or(|text| *text != BROKEN) {
            usual(panic);
        }
    }));
    let total = std::env::var("DAYFLY_SOAK_RUNS").map_or(DEFAULT_RUNS, |runs| runs.parse().unwrap());
    let root = tempfile::tempdir().unwrap();
    let runtime = runtime();
    let host = Arc::new(Host::with(|config| {
        config
            .work_root(root.path())
            .max_concurrent_runs(AT_ONCE)
            .compute(Duration::from_millis(400))
            .wall(Duration::from_secs(20))
            .drain_grace(Duration::from_millis(20))
            .max_output_bytes(ByteSize::mib(1))
            // Node 24 and 26 take more than half of it to start.
            .memory(ByteSize::gib(1))
            .address_space(ByteSize::gib(1))
            .old_space(ByteSize::mib(32))
    }));
    let both = async || {
        for language in Language::ALL {
            host.still_serves(language).await;
        }
    };
    runtime.block_on(both());
    let before = Possessions::at_rest(|| ());
    assert_eq!(before.children, Vec::<i32>::new());

    // The first quarter fills what is filled once and for all.
    let (began, quarter) = (Instant::now(), total / 4);
    runtime.block_on(runs(&host, 0, quarter));
    settles_to(&before, || ());
    let early = weight();
    runtime.block_on(runs(&host, quarter, total));
    settles_to(&before, || ());
    let late = weight();
    runtime.block_on(both());
    assert_eq!(names_in(root.path()), Vec::<String>::new());

    println!(
        "{total} runs in {:?}: live bytes {} after {quarter}, {} at the end; resident MiB {:.1}, then {:.1}",
        began.elapsed(),
        early.live,
        late.live,
        mib(early.resident),
        mib(late.resident)
    );
    assert!(late.live <= early.live + LIVE_SLACK, "the heap grew: {early:?}, then {late:?}");
    assert!(late.resident <= early.resident + RESIDENT_SLACK, "the host grew: {early:?}, then {late:?}");
    runtime.block_on(host.supervisor.shutdown());
}

fn mib(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes >> 10).unwrap()) / 1_024.0
}
