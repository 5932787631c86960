//! Many sessions of forged peers, one after the other, against one supervisor.

use std::cell::RefCell;

use dayfly::Language;
use dayfly_tests::alone::{again, alone, in_scenario};
use dayfly_tests::forged::ForgedHost;
use dayfly_tests::leftovers::{Possessions, settles_to};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::{Builder, Runtime};

use crate::compile::compile;
use crate::strategy::Plan;
use crate::tally::Tally;
use crate::{MEMORY, host, oracle, session, strategy};

/// How many messages the host is to look at.
const MESSAGES: &str = "DAYFLY_FORGED_MESSAGES";

/// As many as a run of all tests has time for, and frames in one of its sessions.
const FEW: (u64, usize) = (4_000, 400);

/// Frames in a session when more are wanted.
const LONGEST_SESSION: usize = 6_000;

/// Sessions in a row before the host has to prove that it still serves.
const SESSIONS_TO_A_SERVICE: u64 = 10;

/// What may be left over from any number of sessions, in bytes: what grows once, such as the test's own counts.
const MOST_LEFT: usize = 1 << 20;

const TEST: &str = "sessions::no_forged_peer_breaks_a_promise";

#[test]
fn no_forged_peer_breaks_a_promise() {
    if std::env::var_os(MESSAGES).is_none() || in_scenario(TEST) {
        return alone(TEST, forge);
    }
    // What it counts is to be seen.
    assert!(again(TEST).status().unwrap().success(), "see above");
}

fn runtime() -> Runtime {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async { tokio::task::spawn_blocking(|| ()).await.unwrap() });
    runtime
}

fn forge() {
    let (wanted, longest) = std::env::var(MESSAGES).map_or(FEW, |text| (text.parse().unwrap(), LONGEST_SESSION));
    session::count_panics();
    let runtime = runtime();
    let before = Possessions::now();
    let forged = ForgedHost::with(host::limits);
    runtime.block_on(serves(&forged));
    let (began, served) = (MEMORY.current_usage(), Possessions::now());
    let tally = RefCell::new(Tally::default());
    let play = |plan: Plan| {
        let session = compile(&plan);
        let observed = runtime.block_on(session::play(&forged, plan.language, &session));
        let complaints = oracle::complaints(&session, &observed);
        let sessions = tally.borrow_mut().count(&session, &observed);
        if sessions % SESSIONS_TO_A_SERVICE == 0 {
            runtime.block_on(serves(&forged));
        }
        if complaints.is_empty() { Ok(()) } else { Err(TestCaseError::fail(complaints.join("; "))) }
    };
    loop {
        let missing = wanted.saturating_sub(tally.borrow().read);
        if missing == 0 {
            break;
        }
        let config = Config {
            // The host looks at about one message in five of the most.
            cases: u32::try_from(5 * missing / u64::try_from(longest).unwrap()).unwrap() + 1,
            max_shrink_iters: 400,
            max_shrink_time: 60_000,
            source_file: Some(file!()),
            ..Config::default()
        };
        if let Err(problem) = TestRunner::new(config).run(&strategy::plan(longest), play) {
            tally.borrow().print();
            panic!("{problem}");
        }
    }
    tally.borrow().print();
    settles_to(&served, || runtime.block_on(async { tokio::task::yield_now().await }));
    let left = MEMORY.current_usage().saturating_sub(began);
    assert!(left < MOST_LEFT, "{left} bytes are left of {} sessions", tally.borrow().sessions);
    runtime.block_on(forged.host.supervisor.shutdown());
    drop(forged);
    settles_to(&before, || runtime.block_on(async { tokio::task::yield_now().await }));
}

async fn serves(forged: &ForgedHost) {
    for language in Language::ALL {
        forged.still_serves(language).await;
    }
}
