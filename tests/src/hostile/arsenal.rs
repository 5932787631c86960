//! The host functions that hostile programs meet.

use std::sync::Arc;

use dayfly::{Call, CallError, Json, Namespace};

use super::frame::nested;
use crate::tools;

/// The namespace `tools` of all tests, and:
///
/// - `big` answers a text of 1 MiB
/// - `scream` fails with a text of 100 MB, `bell` with one full of control characters
/// - `abyss` answers 100,000 arrays in each other
/// - `inspect` clones, compares, prints and drops its argument, and answers how long it is printed
pub(super) fn tools_of_hosts() -> Namespace {
    let big: Arc<str> = "x".repeat(1 << 20).into();
    tools()
        .async_fn("big", move |_| {
            let big = Json::from(&*big);
            async move { Ok(big) }
        })
        .async_fn("scream", |_| async { Err(CallError::new("a".repeat(100_000_000))) })
        .async_fn("bell", |_| async { Err(CallError::new(BELL)) })
        .async_fn("abyss", |_| async { Ok(Json::parse(&nested(100_000)).expect("it is JSON")) })
        .async_fn("inspect", inspect)
}

/// An error text that would break a line, a terminal, or a frame that is not escaped.
pub(super) const BELL: &str = "bell \u{7} \u{1b}[2J nul \0 \"},{\" \u{202e} \r\n DAYF";

async fn inspect(call: Call) -> Result<Json, CallError> {
    let copy = call.arguments.clone();
    let same = copy == call.arguments;
    let (printed, shown) = (copy.to_string(), format!("{copy:?}"));
    drop(copy);
    drop(call.arguments);
    if !same || shown.is_empty() {
        return Err(CallError::new("a copy is not what it was copied from"));
    }
    Ok(Json::from(printed.len()))
}

/// A namespace whose members have the names of what every object of JavaScript has.
pub(super) fn prototypes() -> Namespace {
    ["__proto__", "constructor", "toString"].into_iter().fold(Namespace::new("odd"), |odd, name| {
        odd.async_fn(name, move |_| async move { Ok(Json::from(format!("called {name}"))) })
    })
}
