//! What one call costs, and how fast 64 MiB cross one, in each language.
//!
//! Times are taken where the calls arrive, from the first to the last, so that starting and ending a worker is not in
//! them.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dayfly::{Json, Language, Namespace, ProcessConfig, RunRequest};
use dayfly_benches::Host;

const LARGE: usize = 64 << 20;

/// Runs a program that calls `mark`, does something, and calls `mark` again; gives the time between the two.
fn between_marks(host: &Host, language: Language, body: &str) -> Duration {
    let marks: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let noted = Arc::clone(&marks);
    let tools = Namespace::tools()
        .async_fn("mark", move |_| {
            noted.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(Instant::now());
            async { Ok(Json::null()) }
        })
        .async_fn("echo", |call| async move { Ok(call.arguments) });
    let program = format!("await tools.mark()\n{body}\nawait tools.mark()");
    host.run(language, RunRequest::new(program).bind(tools));
    let marks = marks.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let [first, last] = marks.as_slice() else { panic!("{language}: {} marks", marks.len()) };
    *last - *first
}

fn host() -> Host {
    let hour = Duration::from_secs(3_600);
    Host::new(ProcessConfig::default().compute(hour).wall(hour).max_receipts(0))
}

fn sequential(criterion: &mut Criterion) {
    let host = host();
    let mut group = criterion.benchmark_group("sequential calls");
    group.throughput(Throughput::Elements(1));
    for language in Language::ALL {
        group.bench_function(BenchmarkId::from_parameter(language), |bencher| {
            bencher.iter_custom(|calls| {
                let body = if language == Language::Python {
                    format!("for i in range({calls}): await tools.echo(i=i)")
                } else {
                    format!("for (let i = 0; i < {calls}; i++) await tools.echo({{ i }})")
                };
                between_marks(&host, language, &body)
            });
        });
    }
    group.finish();
}

fn large(criterion: &mut Criterion) {
    let host = host();
    let mut group = criterion.benchmark_group("64 MiB there and back");
    group.throughput(Throughput::Bytes(2 * LARGE as u64));
    group.sample_size(10);
    for language in Language::ALL {
        group.bench_function(BenchmarkId::from_parameter(language), |bencher| {
            bencher.iter_custom(|calls| {
                let body = if language == Language::Python {
                    format!("text = 'x' * {LARGE}\nfor i in range({calls}): await tools.echo(text=text)")
                } else {
                    format!(
                        "const text = 'x'.repeat({LARGE});\nfor (let i = 0; i < {calls}; i++) await tools.echo({{ text }})"
                    )
                };
                between_marks(&host, language, &body)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sequential, large);
criterion_main!(benches);
