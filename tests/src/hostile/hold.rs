//! Plays a row and checks what must be true of every row.

use std::sync::Arc;
use std::time::Duration;

use dayfly::{CodeRuntime as _, Json, Language, Namespace, Outcome, ProcessConfig, RunError, RunRequest, RunResult};
use futures_util::{StreamExt as _, future, stream};
use tokio::sync::{Barrier, Mutex};

use super::arsenal::{prototypes, tools_of_hosts};
use super::check::differences;
use super::measure::{Panics, Peaks};
use super::neighbour::undisturbed;
use super::witness::Witness;
use super::{Case, PLACES, Peer, Row, Sides, forged};
use crate::Host;
use crate::alone::alone_with;
use crate::forged::ForgedHost;
use crate::leftovers::{Possessions, eventually};
use crate::patience::LONGER;

/// A run that has not settled by then never will. It is longer than any wall here, sixteen times as long included.
pub(super) const NEVER: Duration = Duration::from_secs(150);

/// How long the functions of a run that has settled are awaited.
const GRACE: Duration = Duration::from_millis(200);

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
pub(super) struct Hosts {
    pub(super) ordinary: Host,
    /// Its worker's script is a file, so it plays one after the other.
    pub(super) forged: Mutex<ForgedHost>,
}

impl Hosts {
    pub(super) fn with(change: impl Fn(ProcessConfig) -> ProcessConfig) -> Self {
        let config = |config: ProcessConfig| change(config.max_concurrent_runs(PLACES).drain_grace(GRACE));
        Self { ordinary: Host::with(config), forged: Mutex::new(ForgedHost::with(config)) }
    }

    /// Those of a row whose times are so many times as long.
    fn longer(row: &Row, times: u32) -> Self {
        Self::with(|config| {
            let config = (row.config)(config);
            let wall = config.wall * times;
            config.wall(wall).drain_grace(GRACE * times)
        })
    }

    /// Every place must be free.
    pub(super) async fn end(&self) {
        every_place_is_free(&self.ordinary).await;
        self.ordinary.supervisor.shutdown().await;
        self.forged.lock().await.host.supervisor.shutdown().await;
    }
}

async fn play(row: &Row) {
    let hosts = Hosts::with(row.config);
    for language in Language::ALL {
        hosts.ordinary.still_serves(language).await;
    }
    hosts.forged.lock().await.still_serves(Language::Python).await;
    let before = Peaks::now();
    let runs = row.cases.iter().flat_map(|case| case.peers().into_iter().map(move |peer| (case, peer)));
    // Two at a time: the machine that this must pass on has two cores.
    let played = stream::iter(runs).map(|(case, peer)| patiently(row, case, peer, &hosts)).buffer_unordered(2);
    let mut failures: Vec<String> = played.filter_map(|outcome| async { outcome.err() }).collect().await;
    if row.neighbour {
        failures.extend(undisturbed(row).await);
    }
    failures.extend(Peaks::now().growth_since(before, row.growth).err());
    hosts.end().await;
    assert!(failures.is_empty(), "{}: {} failed:\n\n{}", row.id, failures.len(), failures.join("\n\n"));
}

/// What is wrong with a case.
struct Wrong {
    text: String,
    /// Whether a machine that stood still for a moment could have done it: what the peer does comes before a wall, what
    /// listens to its cancel ends within a grace.
    spoilt: bool,
}

/// Plays one case by one peer, and once or twice more with more time where that may be all that it wants: what is wrong with
/// the host is wrong with any.
async fn patiently(row: &Row, case: &Case, peer: Peer, hosts: &Hosts) -> Result<(), String> {
    let mut outcome = one(row, case, peer, hosts).await;
    for times in LONGER {
        if !matches!(outcome, Err(Wrong { spoilt: true, .. })) {
            break;
        }
        let longer = Hosts::longer(row, times);
        outcome = one(row, case, peer, &longer).await;
        longer.end().await;
    }
    outcome.map_err(|wrong| wrong.text)
}

/// Whether a case is played against the clock: a wall that is near, or a grace beside which something ends in time.
fn has_a_clock(row: &Row, case: &Case) -> bool {
    let near = (row.config)(ProcessConfig::default()).wall < ProcessConfig::default().wall;
    near || case.calls.iter().flatten().any(|(_, outcome)| *outcome == Outcome::Abandoned)
}

/// Plays one case by one peer.
async fn one(row: &Row, case: &Case, peer: Peer, hosts: &Hosts) -> Result<(), Wrong> {
    let title = format!("{} by {peer}: {}", row.id, case.name);
    let witness = Witness::default();
    let request = |program: String| {
        RunRequest::new(program)
            .bind(witness.of(tools_of_hosts()))
            .bind(witness.of(prototypes()))
            .observe(witness.clone())
    };
    let outcome = match (peer, &case.sides) {
        (Peer::Program(language), _) => {
            let Some(program) = program(case, language) else { return Ok(()) };
            let host = &hosts.ordinary;
            let outcome = settled(host.runtime(language).run(request(program)), &witness).await;
            host.still_serves(language).await;
            outcome
        }
        (Peer::Forged, Sides::Script(script)) => {
            let host = hosts.forged.lock().await;
            let played = forged::script(script);
            let run = host.play(Language::Python, &played, request(String::new()));
            let outcome = settled(run, &witness).await;
            host.still_serves(Language::Python).await;
            outcome
        }
        (Peer::Forged, Sides::Programs(_)) => return Ok(()),
    };
    let wrong = |spoilt, problem: &str| Wrong { text: format!("{title}\n  {problem}"), spoilt };
    let result = outcome.map_err(|problem| wrong(false, &problem))?;
    let seen = witness.seen(peer, result);
    let mut differences = differences(case, &seen);
    let offences = witness.offences();
    let spoilt = offences.is_empty() && has_a_clock(row, case);
    differences.extend(offences);
    if differences.is_empty() { Ok(()) } else { Err(wrong(spoilt, &differences.join("\n  "))) }
}

/// The program by which `language` plays the case, where it has one.
pub(super) fn program(case: &Case, language: Language) -> Option<String> {
    match &case.sides {
        Sides::Script(script) => super::program::text(script, language).ok(),
        Sides::Programs(programs) => programs.of(language).clone().ok(),
    }
}

/// Awaits the hostile run.
async fn settled(
    hostile: impl Future<Output = Result<RunResult, RunError>>,
    witness: &Witness,
) -> Result<RunResult, String> {
    let outcome = tokio::time::timeout(NEVER, hostile).await;
    witness.returned();
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
