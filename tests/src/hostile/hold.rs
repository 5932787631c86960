//! Plays a row and checks what must be true of every row.

use std::sync::Arc;
use std::time::Duration;

use dayfly::{CodeRuntime as _, Json, Language, Namespace, ProcessConfig, RunError, RunRequest, RunResult};
use futures_util::{StreamExt as _, future, stream};
use tokio::sync::{Barrier, Mutex};

use super::arsenal::{prototypes, tools_of_hosts};
use super::check::differences;
use super::measure::{Panics, Peaks};
use super::witness::Witness;
use super::{Case, PLACES, Peer, Row, Sides, forged, program};
use crate::Host;
use crate::alone::alone_with;
use crate::forged::ForgedHost;
use crate::leftovers::{Possessions, eventually};

/// A run that has not settled by then never will.
const NEVER: Duration = Duration::from_secs(90);

/// Plays `row` in a process of its own. `test` is the path of the calling test, as the test binary lists it.
///
/// # Panics
///
/// With every difference, under the row's id, the peer and the case's name.
pub fn hold(test: &str, row: fn() -> Row) {
    alone_with(test, &Peaks::ENVIRONMENT, || {
        let panics = Panics::watch();
        let row = row();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime can be made").block_on(play(&row));
        assert_eq!(panics.count(), 0, "{}: something panicked in the host", row.id);
        eventually("the end of every child", || Possessions::now().children.is_empty());
    });
}

/// The hosts of one row: one with the interpreters, one whose interpreter is forged.
struct Hosts {
    ordinary: Host,
    /// Its worker's script is a file, so it plays one after the other.
    forged: Mutex<ForgedHost>,
}

async fn play(row: &Row) {
    let config = |config: ProcessConfig| {
        (row.config)(config.max_concurrent_runs(PLACES).drain_grace(Duration::from_millis(200)))
    };
    let hosts = Hosts { ordinary: Host::with(config), forged: Mutex::new(ForgedHost::with(config)) };
    for language in Language::ALL {
        hosts.ordinary.still_serves(language).await;
    }
    hosts.forged.lock().await.still_serves(Language::Python).await;
    let before = Peaks::now();
    let runs = row.cases.iter().flat_map(|case| case.peers().into_iter().map(move |peer| (case, peer)));
    // Two at a time: the machine that this must pass on has two cores.
    let played = stream::iter(runs).map(|(case, peer)| one(row, case, peer, &hosts)).buffer_unordered(2);
    let mut failures: Vec<String> = played.filter_map(|outcome| async { outcome.err() }).collect().await;
    failures.extend(Peaks::now().growth_since(before, row.growth).err());
    every_place_is_free(&hosts.ordinary).await;
    hosts.ordinary.supervisor.shutdown().await;
    hosts.forged.lock().await.host.supervisor.shutdown().await;
    assert!(failures.is_empty(), "{}: {} failed:\n\n{}", row.id, failures.len(), failures.join("\n\n"));
}

/// Plays one case by one peer.
async fn one(row: &Row, case: &Case, peer: Peer, hosts: &Hosts) -> Result<(), String> {
    let title = format!("{} by {peer}: {}", row.id, case.name);
    let witness = Witness::default();
    let request = |program: String| {
        RunRequest::new(program)
            .bind(witness.of(tools_of_hosts()))
            .bind(witness.of(prototypes()))
            .observe(witness.clone())
    };
    let outcome = match (peer, &case.sides) {
        (Peer::Program(language), sides) => {
            let program = match sides {
                Sides::Script(script) => program::text(script, language),
                Sides::Programs(programs) => programs.of(language).clone(),
            };
            let Ok(program) = program else { return Ok(()) };
            let host = &hosts.ordinary;
            let outcome = settled(row, host, host.runtime(language).run(request(program)), &witness).await;
            host.still_serves(language).await;
            outcome
        }
        (Peer::Forged, Sides::Script(script)) => {
            let host = hosts.forged.lock().await;
            let played = forged::script(script);
            let run = host.play(Language::Python, &played, request(String::new()));
            let outcome = settled(row, &hosts.ordinary, run, &witness).await;
            host.still_serves(Language::Python).await;
            outcome
        }
        (Peer::Forged, Sides::Programs(_)) => return Ok(()),
    };
    let result = outcome.map_err(|problem| format!("{title}\n  {problem}"))?;
    let seen = witness.seen(peer, result);
    let mut differences = differences(case, &seen);
    differences.extend(witness.offences());
    if differences.is_empty() { Ok(()) } else { Err(format!("{title}\n  {}", differences.join("\n  "))) }
}

/// Awaits the hostile run, and with a neighbour an ordinary one that must complete first.
async fn settled(
    row: &Row,
    neighbours: &Host,
    hostile: impl Future<Output = Result<RunResult, RunError>>,
    witness: &Witness,
) -> Result<RunResult, String> {
    let hostile = async {
        let outcome = tokio::time::timeout(NEVER, hostile).await;
        witness.returned();
        outcome
    };
    let hostile = std::pin::pin!(hostile);
    let outcome = if row.neighbour {
        let ordinary = std::pin::pin!(neighbours.still_serves(Language::Python));
        match future::select(ordinary, hostile).await {
            future::Either::Left(((), hostile)) => hostile.await,
            future::Either::Right((outcome, ordinary)) => {
                ordinary.await;
                let end = outcome.map(|outcome| outcome.map(|result| result.failure));
                return Err(format!("an ordinary run was delayed beyond the hostile one's end: {end:?}"));
            }
        }
    } else {
        hostile.await
    };
    let settled = outcome.map_err(|_| format!("it did not settle within {NEVER:?}"))?;
    settled.map_err(|error| format!("no program was started: {error}"))
}

/// As many runs as may run do run at the same time.
async fn every_place_is_free(host: &Host) {
    let barrier = Arc::new(Barrier::new(PLACES));
    let runs = (0..PLACES).map(|_| {
        let barrier = Arc::clone(&barrier);
        let meeting = Namespace::tools().async_fn("meet", move |_| {
            let barrier = Arc::clone(&barrier);
            async move {
                barrier.wait().await;
                Ok(Json::null())
            }
        });
        host.run(Language::Python, RunRequest::new("await tools.meet()").bind(meeting))
    });
    for result in future::join_all(runs).await {
        assert_eq!(result.failure, None, "a place is still taken");
    }
}
