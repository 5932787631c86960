//! Size costs no more than size: sixty-four times as much input takes less than ten times sixty-four times as long, on the clock
//! of the thread, which stands still while others have the CPU.

use std::hint::black_box;
use std::time::Duration;

use dayfly_runtime::Json;
use dayfly_runtime::json::ParseLimits;
use nix::time::{ClockId, clock_gettime};

const LARGE: usize = 1 << 20;
const RATIO: u32 = 64;

/// Quadratic work would take 4,096 times as long.
fn assert_linear<T>(name: &str, prepare: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let small = prepare(LARGE / RATIO as usize);
    let best = (0..3).map(|_| time(|| work(&small))).min().unwrap();
    let large = prepare(LARGE);
    // A floor of a millisecond, so that a lucky small run is not the measure.
    let allowed = best.max(Duration::from_millis(1)) * RATIO * 10;
    // A machine that stands still in the midst of one does so for no other.
    let taken = (0..3).map(|_| time(|| work(&large))).find(|taken| *taken < allowed);
    assert!(taken.is_some(), "{name}: never within {allowed:?} for {LARGE}, {best:?} for {}", LARGE / RATIO as usize);
}

fn time(work: impl FnOnce()) -> Duration {
    let begun = cpu_time();
    work();
    cpu_time() - begun
}

/// What this thread has used of a CPU.
fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap().into()
}

fn parse(text: &str) -> Json {
    Json::parse_with(text.as_bytes(), &ParseLimits::default()).unwrap().json
}

#[test]
fn a_million_equal_keys_are_read_in_linear_time() {
    assert_linear(
        "equal keys",
        |n| format!("{{{}\"k\":1}}", "\"k\":0,".repeat(n)),
        |text| {
            let json = parse(text);
            assert_eq!((json.len(), json.get("k").and_then(|value| value.as_i64())), (1, Some(1)));
        },
    );
}

#[test]
fn a_million_keys_each_given_twice_are_read_in_linear_time() {
    let entries = |n: usize, value: usize| (0..n / 2).map(|key| format!("\"key{key}\":{value},")).collect::<String>();
    assert_linear(
        "pairs of keys",
        |n| format!("{{{}{}\"end\":2}}", entries(n, 0), entries(n, 1)),
        |text| {
            let json = parse(text);
            assert!(json.entries().all(|(key, value)| value.as_i64() == Some(if key == "end" { 2 } else { 1 })));
        },
    );
}

#[test]
fn duplicates_inside_duplicates_are_read_in_linear_time() {
    assert_linear(
        "nested duplicates",
        |n| {
            let levels = n / 64;
            format!("{}{}{}", "{\"a\":[1],\"a\":".repeat(levels), "[0,1]", "}".repeat(levels))
        },
        |text| {
            black_box(Json::parse(text).unwrap());
        },
    );
}

#[test]
fn a_million_elements_are_read_printed_and_compared_in_linear_time() {
    assert_linear(
        "elements",
        |n| format!("[{}0]", "1,".repeat(n)),
        |text| {
            let json = parse(text);
            assert!(json == parse(text) && json.serialized_len() == text.len());
        },
    );
}

#[test]
fn a_million_keys_in_another_order_are_compared_in_linear_time() {
    let object = |keys: &mut dyn Iterator<Item = usize>| Json::object(keys.map(|key| (format!("key{key}"), key)));
    assert_linear(
        "orders",
        |n| (object(&mut (0..n)), object(&mut (0..n).rev())),
        |(left, right)| {
            assert!(left == right);
        },
    );
}

#[test]
fn a_million_open_brackets_beyond_the_limit_are_skipped_in_linear_time() {
    assert_linear(
        "brackets",
        |n| "[".repeat(n) + &"]".repeat(n),
        |text| {
            assert_eq!(parse(text).depth(), 10_000);
        },
    );
}
