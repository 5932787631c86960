//! Many sessions of forged peers, up to four at a time, against one supervisor.

use std::cell::RefCell;

use dayfly::Language;
use dayfly_tests::alone::{again, alone, in_scenario};
use dayfly_tests::forged::ForgedHost;
use dayfly_tests::leftovers::{Possessions, settles_to};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::{Builder, Runtime};

use crate::compile::compile;
use crate::coverage::one_of_each;
use crate::strategy::{AT_A_TIME, Plan, plans};
use crate::tally::Tally;
use crate::{MEMORY, host, oracle, session};

/// How many messages the host is to look at.
const MESSAGES: &str = "DAYFLY_FORGED_MESSAGES";

/// As many as a run of all tests has time for, and frames in one of its sessions.
const FEW: (u64, usize) = (4_000, 800);

/// Frames in a session when more are wanted.
const LONGEST_SESSION: usize = 6_000;

/// Sessions before the host has to prove in both languages that it still serves when all are gone.
const SESSIONS_TO_A_SERVICE: u64 = 30;

/// Cases in a row in which the host may have looked at nothing.
const MOST_IDLE: u64 = 30;

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
    let turn = || runtime.block_on(async { tokio::task::yield_now().await });
    let before = Possessions::at_rest(turn);
    let forged = ForgedHost::with(host::limits);
    runtime.block_on(serves(&forged));
    let (began, served) = (MEMORY.current_usage(), Possessions::at_rest(turn));
    let tally = RefCell::new(Tally::default());
    let play = |plans: Vec<Plan>| {
        let sessions: Vec<_> = plans.iter().map(compile).collect();
        let played = runtime.block_on(session::play(&forged, &sessions));
        let complaints = oracle::complaints(&sessions, &played);
        let services = tally.borrow().sessions / SESSIONS_TO_A_SERVICE;
        tally.borrow_mut().count(&sessions, &played);
        if tally.borrow().sessions / SESSIONS_TO_A_SERVICE > services {
            runtime.block_on(serves(&forged));
        }
        if complaints.is_empty() { Ok(()) } else { Err(TestCaseError::fail(complaints.join("; "))) }
    };
    // Each pass draws on from where the one before ended: a fixed seed would make all of them the same.
    let mut passes = TestRunner::new(Config::default());
    for each in one_of_each().chunks(AT_A_TIME) {
        pass(&mut passes, 1, &each.to_vec(), &tally, play);
    }
    let mut idle = 0;
    loop {
        let read = tally.borrow().read;
        let missing = wanted.saturating_sub(read);
        if missing == 0 {
            break;
        }
        // The host looks at about one message in five of the most.
        let sessions = 5 * missing / u64::try_from(longest).unwrap();
        let cases = sessions / u64::try_from(AT_A_TIME).unwrap() + 1;
        pass(&mut passes, u32::try_from(cases).unwrap(), &plans(longest), &tally, play);
        // The few cases of a last pass may all be such that no program starts.
        idle = if tally.borrow().read > read { 0 } else { idle + cases };
        assert!(idle < MOST_IDLE, "{idle} cases in a row in which the host looked at nothing");
    }
    tally.borrow().print();
    let missing = tally.borrow().missing();
    assert!(missing.is_empty(), "{}", missing.join("; "));
    settles_to(&served, turn);
    let left = MEMORY.current_usage().saturating_sub(began);
    assert!(left < MOST_LEFT, "{left} bytes are left of {} sessions", tally.borrow().sessions);
    runtime.block_on(forged.host.supervisor.shutdown());
    drop(forged);
    settles_to(&before, turn);
}

/// Plays so many cases of what the strategy makes.
fn pass<S: Strategy>(
    passes: &mut TestRunner,
    cases: u32,
    strategy: &S,
    tally: &RefCell<Tally>,
    play: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config {
        cases,
        max_shrink_iters: 400,
        max_shrink_time: 60_000,
        source_file: Some(file!()),
        ..Config::default()
    };
    if let Err(problem) = TestRunner::new_with_rng(config, passes.new_rng()).run(strategy, play) {
        tally.borrow().print();
        panic!("{problem}");
    }
}

async fn serves(forged: &ForgedHost) {
    for language in Language::ALL {
        forged.still_serves(language).await;
    }
}
