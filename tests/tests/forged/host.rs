//! The host that forged peers attack: its limits, its functions, and what they see.

use std::collections::HashMap;
use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayfly::{
    ByteSize, Call, CallEnd, CallError, CallStart, HostFunction, Json, LogEntry, Namespace, Observer, Outcome,
    ProcessConfig,
};
use dayfly_wire::WireLimits;

/// The longest payload, in bytes: beyond what is decoded at once.
pub(crate) const LONGEST: usize = 512 << 10;

/// The deepest value.
pub(crate) const DEEPEST: usize = 64;

/// Memory that one decoded payload may take, in bytes.
pub(crate) const MOST_DECODED: usize = 2 << 20;

/// Logs and completion together, in bytes.
pub(crate) const MOST_OUTPUT: usize = 2 << 20;

/// Calls in flight.
pub(crate) const MOST_PENDING: usize = 32;

/// Arguments and results in flight, in bytes.
pub(crate) const MOST_PENDING_BYTES: usize = 1 << 20;

/// Receipts in full.
pub(crate) const MOST_RECEIPTS: usize = 200;

/// A panic that is meant.
pub(crate) const MEANT: &str = "a host function that panics, as it should";

/// The same as the wire counts.
pub(crate) fn wire_limits() -> WireLimits {
    WireLimits::new(u32::try_from(LONGEST).unwrap(), MOST_DECODED, DEEPEST)
}

/// Small enough for every cap to be met.
pub(crate) fn limits(config: ProcessConfig) -> ProcessConfig {
    let bytes = |bytes: usize| ByteSize::bytes(u64::try_from(bytes).unwrap());
    config
        .max_frame_bytes(bytes(LONGEST))
        .max_decoded_bytes(bytes(MOST_DECODED))
        .max_depth(DEEPEST)
        .max_output_bytes(bytes(MOST_OUTPUT))
        .max_pending_calls(MOST_PENDING)
        .max_pending_bytes(bytes(MOST_PENDING_BYTES))
        .max_receipts(MOST_RECEIPTS)
        .wall(Duration::from_secs(300))
        .drain_grace(Duration::from_millis(10))
}

/// The most memory that a session may take beside what was there before it, in bytes. Every term is a limit of the
/// configuration, times what the code promises; nothing in it is a claim of the peer.
pub(crate) const fn most_memory() -> usize {
    // The decoder: eight times what waits, which is a frame and one turn's reading (8 reads of 64 KiB), and 640 KiB.
    let reading = 8 * (LONGEST + (512 << 10)) + (640 << 10);
    // One payload while it is decoded, and once more what it was decoded to.
    let decoding = LONGEST + 2 * MOST_DECODED;
    // Arguments and replies in flight, and the one that goes beyond.
    let pending = MOST_PENDING_BYTES + MOST_DECODED + LONGEST;
    // Each call's task, and what `big` makes.
    let calls = MOST_PENDING * (64 << 10);
    // An entry takes less than twice what it costs, and the list of them grows by doubling.
    let output = 4 * MOST_OUTPUT;
    // Receipts in full, counts by name (at most 1,001), and as many again when they are sorted into lists.
    let receipts = 2 * (MOST_RECEIPTS + 1_001) * 1_024;
    // What the test itself remembers, and tokio's own.
    let slack = 2 << 20;
    reading + decoding + pending + calls + output + receipts + slack
}

/// What functions and observer saw of one run.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    settled: AtomicBool,
    pub(crate) late: AtomicUsize,
    pub(crate) logs: AtomicUsize,
    /// How often a function ran, by the call's id.
    pub(crate) ran: Mutex<HashMap<u32, u32>>,
    /// How often a call was said to have started and to have ended.
    pub(crate) told: Mutex<HashMap<u32, Told>>,
}

/// What the observer was told of one call.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) started: u32,
    pub(crate) ended: u32,
    pub(crate) outcome: Option<Outcome>,
}

impl Seen {
    /// The run has returned: from now on nothing may run.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::SeqCst);
    }

    fn run(&self, call: &Call) {
        // The token of a run that has settled is cancelled.
        if self.settled.load(Ordering::SeqCst) || call.cancel.is_cancelled() {
            self.late.fetch_add(1, Ordering::SeqCst);
        }
        *self.ran.lock().unwrap().entry(call.id).or_default() += 1;
    }
}

/// Hears of a run.
pub(crate) struct Witness(pub(crate) Arc<Seen>);

impl Observer for Witness {
    fn log(&self, _: &LogEntry) {
        self.0.logs.fetch_add(1, Ordering::SeqCst);
    }

    fn call_started(&self, call: &CallStart<'_>) {
        self.0.told.lock().unwrap().entry(call.id).or_default().started += 1;
    }

    fn call_ended(&self, call: &CallEnd<'_>) {
        let mut told = self.0.told.lock().unwrap();
        let told = told.entry(call.id).or_default();
        told.ended += 1;
        told.outcome = Some(call.outcome);
    }
}

/// What a function does, as far as a run that nothing disturbs can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    Succeeds,
    Fails,
    /// It answers when the run has settled.
    Waits,
    /// It never answers.
    Stays,
}

/// The functions of `tools`.
pub(crate) const FUNCTIONS: [(&str, Does); 11] = [
    ("echo", Does::Succeeds),
    ("odd-name", Does::Succeeds),
    ("turns", Does::Succeeds),
    ("big", Does::Succeeds),
    ("fail", Does::Fails),
    ("crash", Does::Fails),
    ("crash early", Does::Fails),
    ("deep", Does::Fails),
    ("huge", Does::Fails),
    ("slow", Does::Waits),
    ("stuck", Does::Stays),
];

/// What the function `tools.name` does, if there is one.
pub(crate) fn does(global: &str, name: &str) -> Option<Does> {
    FUNCTIONS.iter().find(|(known, _)| global == "tools" && *known == name).map(|(_, does)| *does)
}

/// The namespace `tools`, whose functions tell `seen` when they are called.
pub(crate) fn tools(seen: &Arc<Seen>) -> Namespace {
    FUNCTIONS.iter().fold(Namespace::tools(), |namespace, (name, _)| {
        let seen = Arc::clone(seen);
        let function = HostFunction::new(move |call: Call| {
            seen.run(&call);
            assert!(*name != "crash early", "{MEANT}");
            body(name, call)
        });
        namespace.function(*name, function)
    })
}

async fn body(name: &str, call: Call) -> Result<Json, CallError> {
    match name {
        "echo" | "odd-name" => Ok(call.arguments),
        "turns" => {
            for _ in 0..call.id % 4 {
                tokio::task::yield_now().await;
            }
            Ok(Json::null())
        }
        "big" => Ok(Json::from("b".repeat(16 << 10))),
        "fail" => Err(CallError::new("as it should")),
        "crash" => panic!("{MEANT}"),
        "deep" => Ok(Json::parse(&format!("{}{}", "[".repeat(DEEPEST + 1), "]".repeat(DEEPEST + 1))).unwrap()),
        "huge" => Ok(Json::from("h".repeat(LONGEST))),
        "slow" => {
            call.cancel.cancelled().await;
            Ok(Json::null())
        }
        _ => pending().await,
    }
}
