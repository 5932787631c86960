//! A run from a host with 4 GiB allocated, beside one from a small host.

use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use dayfly::{Language, ProcessConfig, RunRequest};
use dayfly_benches::{Host, Standing};

const HEAP: usize = 4 << 30;
const PAGE: usize = 4 << 10;
const BLOCKS: usize = 6;
const RUNS: usize = 8;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let host = Host::new(ProcessConfig::default());
    let mut times: [[Vec<Duration>; 2]; 2] = Default::default();
    for language in Language::ALL {
        host.run(language, RunRequest::new("return 1"));
    }
    // Blocks alternate, so that the machine's drift meets both hosts alike.
    for block in 0..BLOCKS * 2 {
        let large = block % 2 == 1;
        let heap = large.then(touched);
        for (language, times) in Language::ALL.into_iter().zip(&mut times) {
            for _ in 0..RUNS {
                let started = Instant::now();
                host.run(language, RunRequest::new("return 1"));
                times[usize::from(large)].push(started.elapsed());
            }
        }
        drop(black_box(heap));
    }
    for (language, [small, large]) in Language::ALL.into_iter().zip(times) {
        writeln!(out, "\n{language}: {} runs from each host, medians (10th – 90th percentile)", small.len())?;
        for standing in Standing::of([
            (format!("small host ({} MiB resident)", resident() >> 20), small),
            ("host with 4 GiB more, every page of it touched".to_owned(), large),
        ]) {
            writeln!(out, "  {standing}")?;
        }
    }
    Ok(())
}

/// Memory that is really there.
fn touched() -> Vec<u8> {
    let mut heap = vec![0u8; HEAP];
    for page in heap.chunks_mut(PAGE) {
        page[0] = 1;
    }
    assert!(resident() >= HEAP as u64, "the pages are not resident");
    heap
}

/// Bytes that this process has in memory.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * PAGE as u64
}
