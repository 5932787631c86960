//! Random programs against a model of what must become of their calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use dayfly_runtime::Language;
use dayfly_runtime::testing::{Script, ScriptedCall, ScriptedRuntime};
use dayfly_tools::{
    CancellationToken, Context, DurableResult, Json, Registry, RunContext, SessionEvent, ToolFailure, ToolOutcome,
};
use proptest::prelude::*;

use crate::support::{arguments, config, declared, run_code};

/// What one call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Safe,
    Exclusive,
    Fails,
    Panics,
    Denied,
    /// Its arguments are refused.
    Invalid,
    /// It waits to be cancelled, so the program never gets past it.
    Endless,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Safe, Self::Exclusive, Self::Fails, Self::Panics, Self::Denied, Self::Invalid, Self::Endless];

    const fn tool(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Exclusive => "exclusive",
            Self::Fails => "fails",
            Self::Panics => "panics",
            Self::Denied => "denied",
            Self::Invalid => "exclusive",
            Self::Endless => "endless",
        }
    }
}

/// How the program ends, when it comes to that.
#[derive(Debug, Clone, Copy)]
enum End {
    Returns,
    Throws,
}

#[derive(Debug, Clone)]
struct Program {
    /// Each group is made at once and awaited.
    groups: Vec<Vec<Kind>>,
    /// Calls that nothing awaits.
    unawaited: Vec<Kind>,
    end: End,
    max_parallel: usize,
    slow_log: bool,
    cancelled: bool,
    threads: bool,
}

fn programs() -> impl Strategy<Value = Program> {
    let kind = || prop::sample::select(Kind::ALL.to_vec());
    let groups = prop::collection::vec(prop::collection::vec(kind(), 1..6), 0..4);
    let end = prop_oneof![Just(End::Returns), Just(End::Throws)];
    (groups, prop::collection::vec(kind(), 0..3), end, 1_usize..4, any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(groups, unawaited, end, max_parallel, slow_log, cancelled, threads)| {
            // Something has to end a program that waits for ever.
            let endless = groups.iter().flatten().any(|kind| *kind == Kind::Endless);
            Program { groups, unawaited, end, max_parallel, slow_log, cancelled: cancelled || endless, threads }
        })
}

/// What happened to the calls of a program.
struct Seen {
    outcome: ToolOutcome,
    events: Vec<SessionEvent>,
    /// Bodies that began and that ended, by the number of the call.
    bodies: BTreeMap<i64, (usize, usize)>,
}

async fn run(program: &Program) -> Seen {
    let numbered = |first: usize, kinds: &[Kind]| -> Vec<ScriptedCall> {
        let call = |(nth, kind): (usize, &Kind)| {
            let n = i64::try_from(first + nth).unwrap();
            let arguments = if *kind == Kind::Invalid { Json::from(n) } else { arguments(n) };
            ScriptedCall::new("tools", kind.tool(), arguments)
        };
        kinds.iter().enumerate().map(call).collect()
    };
    let mut script = Script::new();
    let mut made = 1;
    for group in &program.groups {
        script = script.try_parallel(numbered(made, group));
        made += group.len();
    }
    for kind in &program.unawaited {
        let arguments = if *kind == Kind::Invalid { Json::from(0) } else { arguments(i64::try_from(made).unwrap()) };
        script = script.start("tools", kind.tool(), arguments);
        made += 1;
    }
    script = match program.end {
        End::Returns => script.returns("done"),
        End::Throws => script.throws("Error", "oh"),
    };
    let runtime = ScriptedRuntime::new(Language::Python).on("program", script);
    let registry = Registry::builder()
        .config(config().max_parallel_sub_calls(program.max_parallel))
        .code_runtime(runtime)
        .build()
        .unwrap();
    let events: Arc<Mutex<Vec<SessionEvent>>> = Arc::default();
    let keeper = Arc::clone(&events);
    registry.record(move |event| keeper.lock().unwrap().push(event)).keep();
    if program.slow_log {
        registry
            .on_code_dispatch_log(async |execution, result: DurableResult| {
                let turns = execution.call_id().len() * 7 % 11;
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
                result
            })
            .keep();
    }
    registry.guard(|execution| (execution.name() == "denied").then(|| "never".to_owned())).keep();
    let bodies: Arc<Mutex<BTreeMap<i64, (usize, usize)>>> = Arc::default();
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Invalid) {
        let bodies = Arc::clone(&bodies);
        let declared = declared(kind.tool());
        let declared = if kind == Kind::Exclusive { declared } else { declared.concurrency_safe(|_| true) };
        let tool = declared.execute(move |arguments, run: RunContext| {
            let bodies = Arc::clone(&bodies);
            async move { body(kind, &arguments, &run, &bodies).await }
        });
        registry.register(tool.unwrap()).unwrap().keep();
    }
    let cancel = CancellationToken::new();
    let running = tokio::spawn({
        let (registry, cancel) = (registry.clone(), cancel.clone());
        async move { registry.execute(run_code("call", "program").cancel_with(cancel)).await }
    });
    if program.cancelled {
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    }
    let outcome = running.await.unwrap();
    // At this moment, and not later: whatever a run does, it has done when `run_code` returns.
    let (events, bodies) = (events.lock().unwrap().clone(), bodies.lock().unwrap().clone());
    registry.quiesce().await;
    Seen { outcome, events, bodies }
}

async fn body(
    kind: Kind,
    arguments: &Json,
    run: &RunContext,
    bodies: &Mutex<BTreeMap<i64, (usize, usize)>>,
) -> Result<Json, ToolFailure> {
    let n = arguments.get("n").and_then(|n| n.as_i64()).unwrap();
    bodies.lock().unwrap().entry(n).or_default().0 += 1;
    run.defer_context(Context::text("tool", run.execution().call_id()));
    for _ in 0..n % 3 {
        tokio::task::yield_now().await;
    }
    if kind == Kind::Endless {
        run.cancel().cancelled().await;
    }
    bodies.lock().unwrap().entry(n).or_default().1 += 1;
    match kind {
        Kind::Fails => Err(ToolFailure::new("no")),
        Kind::Panics => panic!("of no consequence"),
        Kind::Safe | Kind::Exclusive | Kind::Denied | Kind::Invalid | Kind::Endless => Ok(Json::null()),
    }
}

fn check(program: &Program, seen: &Seen) {
    let kinds: Vec<Kind> = program.groups.iter().flatten().chain(&program.unawaited).copied().collect();
    let number =
        |event: &SessionEvent| event.call().call_id.strip_prefix("call:code:").unwrap().parse::<usize>().unwrap();
    let [first, inner @ .., last] = seen.events.as_slice() else { panic!("{:?}", seen.events) };
    assert_eq!((first.kind(), last.kind()), ("tool/call", "tool/result"));
    let of = |kind: &str| -> Vec<&SessionEvent> { inner.iter().filter(|event| event.kind() == kind).collect() };
    let (starts, ends) = (of("tool/code-dispatch-start"), of("tool/code-dispatch"));
    assert_eq!(starts.len() + ends.len(), inner.len());
    // Paired, each once, in the order of submission, from the first on without a gap.
    let numbers: Vec<usize> = starts.iter().map(|event| number(event)).collect();
    assert_eq!(numbers, (1..=starts.len()).collect::<Vec<_>>());
    assert_eq!(ends.iter().map(|event| number(event)).collect::<Vec<_>>(), numbers);
    assert!(starts.len() <= kinds.len());
    for (start, end) in starts.iter().zip(&ends) {
        assert_eq!(
            (start.call().arguments.clone(), start.call().name.as_str()),
            (end.call().arguments.clone(), end.call().name.as_str())
        );
        assert!(inner.iter().position(|event| event == *start) < inner.iter().position(|event| event == *end));
        assert_eq!(start.call().name, kinds[number(start) - 1].tool());
    }
    // Every body ended, and none began twice or without being kept.
    for (n, (began, ended)) in &seen.bodies {
        assert_eq!((*began, *ended), (1, 1), "call {n}");
        assert!(numbers.contains(&usize::try_from(*n).unwrap()), "call {n} ran and is not kept");
    }
    for number in &numbers {
        let kind = kinds[number - 1];
        let refused = matches!(kind, Kind::Denied | Kind::Invalid);
        let ran = seen.bodies.contains_key(&i64::try_from(*number).unwrap());
        assert!(!(refused && ran), "call {number} ran although it was refused");
        let failed = ends[number - 1].result().unwrap().is_error;
        assert!(failed || matches!(kind, Kind::Safe | Kind::Exclusive), "call {number} of {kind:?} succeeded");
        assert!(ran || failed, "call {number} succeeded without a body");
    }
    // The contexts of bodies that ran, in the same order; a call that was cancelled keeps them too.
    let contexts: Vec<String> =
        seen.outcome.contexts.iter().map(|context| context.content[0].as_text().unwrap().to_owned()).collect();
    let ran = numbers.iter().filter(|number| seen.bodies.contains_key(&i64::try_from(**number).unwrap()));
    assert_eq!(contexts, ran.map(|number| format!("call:code:{number}")).collect::<Vec<_>>());
    // A program that nothing cut short made all its awaited calls.
    if !program.cancelled {
        let awaited: usize = program.groups.iter().map(Vec::len).sum();
        assert!(starts.len() >= awaited, "{} of {awaited}", starts.len());
        assert_eq!(seen.outcome.is_error(), matches!(program.end, End::Throws), "{:?}", seen.outcome);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn every_call_is_settled_once_kept_in_order_and_over_when_run_code_returns(program in programs()) {
        let mut builder = if program.threads {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            builder.worker_threads(2);
            builder
        } else {
            tokio::runtime::Builder::new_current_thread()
        };
        let runtime = builder.enable_time().build().unwrap();
        let seen = runtime.block_on(run(&program));
        check(&program, &seen);
    }
}
