//! Ordinary runs beside hostile ones.

use std::time::Duration;

use dayfly::{CancellationToken, CodeRuntime as _, FailureKind, Language, RunRequest};

use super::arsenal::tools_of_hosts;
use super::hold::{Hosts, NEVER, program};
use super::{Case, Peer, Row, Sides, forged};

/// Far behind everything that happens here.
const WALL: Duration = Duration::from_secs(3_600);

/// Plays every case of `row` by every peer once more, beside ordinary runs that must complete while it is at it. No
/// clock decides: the hostile run would go on for an hour, and is cancelled when the others are done.
pub(super) async fn undisturbed(row: &Row) -> Vec<String> {
    let hosts = Hosts::with(|config| (row.config)(config).wall(WALL));
    let mut failures = Vec::new();
    for case in &row.cases {
        for peer in case.peers() {
            let title = format!("{} by {peer}, beside ordinary runs: {}", row.id, case.name);
            let outcome = beside(case, peer, &hosts).await;
            failures.extend(outcome.err().map(|problem| format!("{title}\n  {problem}")));
        }
    }
    hosts.end().await;
    failures
}

async fn beside(case: &Case, peer: Peer, hosts: &Hosts) -> Result<(), String> {
    let cancel = CancellationToken::new();
    let request = |text: String| RunRequest::new(text).bind(tools_of_hosts()).cancel_with(cancel.clone());
    let ordinary = async {
        // The first starts together with the hostile one, the second when that has had the time to start.
        for _ in 0..2 {
            hosts.ordinary.still_serves(Language::Python).await;
        }
        cancel.cancel();
    };
    let hostile = async {
        match (peer, &case.sides) {
            (Peer::Program(language), _) => match program(case, language) {
                Some(text) => Some(hosts.ordinary.runtime(language).run(request(text)).await),
                None => None,
            },
            (Peer::Forged, Sides::Script(script)) => {
                let host = hosts.forged.lock().await;
                Some(host.play(Language::Python, &forged::script(script), request(String::new())).await)
            }
            (Peer::Forged, Sides::Programs(_)) => None,
        }
    };
    let both = tokio::time::timeout(NEVER, async { tokio::join!(hostile, ordinary) });
    let (outcome, ()) = both.await.map_err(|_| format!("an ordinary run did not complete within {NEVER:?}"))?;
    match outcome {
        None => Ok(()),
        Some(Ok(result)) if result.failure.as_ref().is_some_and(|end| end.kind() == FailureKind::Abort) => Ok(()),
        Some(other) => Err(format!("it was over before the ordinary runs were: {other:?}")),
    }
}
