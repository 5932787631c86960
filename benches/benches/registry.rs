//! What the registry adds to a call: its body returns at once, so everything measured is the registry's own.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has failed")]

use std::future::Future;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dayfly::Json;
use dayfly::tools::schema::{Parameters, ValueSpec};
use dayfly::tools::{
    Content, Dispatch, JsonLines, Next, PostDecision, Registry, RegistryBuilder, Tool, ToolCall, ToolOutcome,
};
use tokio::runtime::{Builder, Runtime};

/// The runtimes that a harness may have: on one thread nothing but the registry is measured, on two a call also wakes
/// threads.
fn runtimes() -> [(&'static str, Runtime); 2] {
    let build = |mut builder: Builder| builder.enable_time().build().expect("a runtime");
    let mut two = Builder::new_multi_thread();
    two.worker_threads(2);
    [("one thread", build(Builder::new_current_thread())), ("two threads", build(two))]
}

fn tool(name: String) -> Tool {
    let parameters = Parameters::new().required("path", ValueSpec::string()).optional("limit", ValueSpec::integer());
    Tool::raw(name, parameters)
        .description("Reads a file.")
        .output(ValueSpec::string(), |_, value| vec![Content::text(value.as_str().unwrap_or_default())])
        .concurrency_safe(|_| true)
        .finalize_content(|_, _| None)
        .execute(|_, _| std::future::ready(Ok(Json::from("the text of the file"))))
        .expect("a tool")
}

/// A registry of so many tools, each a little different in name alone.
fn fill(builder: RegistryBuilder, tools: usize) -> Registry {
    let registry = builder.build().expect("a registry");
    for number in 0..tools {
        registry.register(tool(format!("read_file_{number}"))).expect("a name of its own").keep();
    }
    registry
}

/// One listener at each stage.
fn with_policy(tools: usize) -> Registry {
    let around = |dispatch: Dispatch, next: Next| async move { next.run(dispatch).await };
    let registry = fill(Registry::builder().around(around), tools);
    registry.on_pre_execute(|_, so_far| std::future::ready(so_far)).keep();
    registry.guard(|_| None).keep();
    registry.on_post_execute(|_, _| std::future::ready(PostDecision::accept())).keep();
    registry
        .on_result(|_, outcome: &ToolOutcome| {
            black_box(outcome.is_error());
        })
        .keep();
    registry
}

fn call(arguments: &Json) -> ToolCall {
    ToolCall::new("call-1", "read_file_5", arguments.clone())
}

fn arguments() -> Json {
    Json::object([("path", Json::from("src/lib.rs")), ("limit", Json::from(200))])
}

/// The time of so many rounds, one after the other, on a task of the runtime.
fn time<F, Fut>(runtime: &Runtime, rounds: u64, round: F) -> Duration
where
    F: Fn() -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send,
{
    let task = runtime.spawn(async move {
        let start = Instant::now();
        for _ in 0..rounds {
            round().await;
        }
        start.elapsed()
    });
    runtime.block_on(task).expect("rounds do not panic")
}

fn one_call(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one call");
    let quiet = fill(Registry::builder(), 10);
    let recorded = with_policy(10);
    recorded.record(JsonLines::new(Nowhere)).keep();
    let registries = [
        ("no policy", quiet),
        ("a listener at each stage", with_policy(10)),
        ("a listener at each stage, of 10,000 tools", with_policy(10_000)),
        ("a listener at each stage, kept as lines", recorded),
    ];
    for (threads, runtime) in runtimes() {
        for (what, registry) in &registries {
            group.bench_function(BenchmarkId::new(*what, threads), |bencher| {
                bencher.iter_custom(|rounds| {
                    let (registry, arguments) = (registry.clone(), arguments());
                    time(&runtime, rounds, move || {
                        let (registry, call) = (registry.clone(), call(&arguments));
                        async move {
                            assert!(!registry.execute(call).await.is_error());
                        }
                    })
                });
            });
        }
    }
    group.finish();
}

fn batch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a batch of ten");
    group.throughput(Throughput::Elements(10));
    let registry = with_policy(10);
    for (threads, runtime) in runtimes() {
        group.bench_function(BenchmarkId::from_parameter(threads), |bencher| {
            bencher.iter_custom(|rounds| {
                let (registry, arguments) = (registry.clone(), arguments());
                time(&runtime, rounds, move || {
                    let (registry, calls) = (registry.clone(), vec![call(&arguments); 10]);
                    async move {
                        assert_eq!(registry.execute_batch(calls).await.len(), 10);
                    }
                })
            });
        });
    }
    group.finish();
}

/// Takes everything and keeps nothing: what is measured is the making of lines.
struct Nowhere;

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(black_box(bytes).len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

criterion_group!(benches, one_call, batch);
criterion_main!(benches);
