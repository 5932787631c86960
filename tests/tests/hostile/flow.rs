//! Workers that send without end, never read, or close their socket.

use std::time::Duration;

use dayfly::{ByteSize, Outcome};
use dayfly_tests::hostile::{Act, Ends, Row, Script, Seen, Then, call};

rows! {
    h15_a_million_calls_are_in_flight_no_more_than_the_host_allows: h15,
    h16_replies_that_nobody_reads_block_nothing_and_are_bounded: h16,
    h17_a_worker_that_closes_its_socket_and_spins_is_ended: h17,
    h18_a_worker_that_closes_half_of_its_socket_is_ended: h18,
}

const IN_FLIGHT: usize = 64;

/// As many calls were started as may be; what else had left the worker was not.
fn in_flight(seen: &Seen) -> Result<(), String> {
    let counted = |outcome| seen.result.receipts.calls.iter().filter(|call| call.outcome == outcome).count();
    let (abandoned, not_started) = (counted(Outcome::Abandoned), counted(Outcome::NotStarted));
    seen.must("as many were in flight as may be", seen.most_at_once == IN_FLIGHT && abandoned == IN_FLIGHT)?;
    seen.must("no other was started", abandoned + not_started == seen.result.receipts.calls.len())?;
    seen.must("no more was read than the host was going to take at once", seen.result.usage.bytes_in < 2 << 20)
}

fn h15() -> Row {
    let million = Script::of([Act::Calls("stuck", 1, 1_000_000)], Then::Sleep);
    Row::new("H15")
        .config(|config| config.wall(Duration::from_secs(4)).max_pending_calls(IN_FLIGHT))
        .neighbour()
        .script("calls that are never answered", million, Ends::Wall)
        .also(in_flight)
        .programs(
            "from the language",
            "await Promise.all(Array.from({ length: 2_000 }, () => tools.stuck()))",
            "import asyncio\nawait asyncio.gather(*[tools.stuck() for i in range(2_000)])",
            Ends::Wall,
        )
        .also(in_flight)
}

fn h16() -> Row {
    let deaf = Script::of([Act::StopReading, Act::Calls("big", 1, 300)], Then::Sleep);
    Row::new("H16")
        .config(|config| config.wall(Duration::from_secs(4)).max_pending_calls(4).max_pending_bytes(ByteSize::mib(4)))
        .growth(ByteSize::mib(96))
        .neighbour()
        .script("three hundred megabytes of them", deaf, Ends::Wall)
        .also(|seen| seen.must("most calls were not taken", (4..16).contains(&seen.ran.len())))
}

fn h17() -> Row {
    Row::new("H17").script(
        "closed, and spinning",
        Script::of([Act::Send(call(1, "slow", "{}")), Act::Close], Then::Spin),
        Ends::Closed("closed descriptor 3"),
    )
}

fn h18() -> Row {
    let half = |act| Script::of([act, Act::Send(call(1, "ping", "{}"))], Then::Sleep);
    Row::new("H18")
        .script(
            "the half that the host reads from",
            Script::of([Act::CloseWriting], Then::Sleep),
            Ends::Closed("closed descriptor 3"),
        )
        .script("the half that the host writes to", half(Act::CloseReading), Ends::Closed("closed descriptor 3"))
}
