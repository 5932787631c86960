//! Calls whose `await` the program forgot, in words.

use std::collections::{HashMap, HashSet};

/// Calls that a note names.
const MOST_NAMED: usize = 3;

/// A call that nothing awaits, and whose promise the program uses like its answer.
#[derive(Debug)]
pub(super) struct Forgotten {
    /// The object whose member is called; none for a function of the program's own.
    pub(super) namespace: Option<String>,
    /// The exact name of the member or function.
    pub(super) function: String,
    /// What is called, as it is written.
    pub(super) callee: String,
    pub(super) line: u32,
}

/// The note for the reader, if there is anything to say; `made` tells which members the run has called.
///
/// A call that the program never came to has done no harm, and a member of any other object may give no promise.
pub(super) fn note(calls: &[Forgotten], made: impl Fn(&str, &str) -> bool) -> Option<String> {
    // There may be very many calls, and `made` looks through all that the run has called.
    let mut known: HashMap<(&str, &str), bool> = HashMap::new();
    let mut seen: HashSet<(&str, u32)> = HashSet::new();
    let mut first = None;
    let mut named: Vec<String> = Vec::new();
    for call in calls {
        let gave_promise = match call.namespace.as_deref() {
            Some("Promise") => matches!(call.function.as_str(), "all" | "allSettled" | "any" | "race"),
            Some(namespace) => {
                let function = call.function.as_str();
                *known.entry((namespace, function)).or_insert_with(|| made(namespace, function))
            }
            // Only those are found that stand outside of every function.
            None => true,
        };
        if !gave_promise || !seen.insert((&call.callee, call.line)) {
            continue;
        }
        first.get_or_insert(call);
        if named.len() < MOST_NAMED {
            named.push(format!("{}(…) in line {}", call.callee, call.line));
        }
    }
    let first = first?;
    let more = seen.len() - named.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Some(format!(
        "note: the program uses a promise as if it were the answer, because `await` is missing before {}{more}; write \
         `await {}(…)`",
        named.join(", "),
        first.callee,
    ))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use nix::time::{ClockId, clock_gettime};

    use super::*;

    fn call(namespace: Option<&str>, function: &str, line: u32) -> Forgotten {
        let callee = namespace.map_or_else(|| function.to_owned(), |namespace| format!("{namespace}.{function}"));
        Forgotten { namespace: namespace.map(str::to_owned), function: function.to_owned(), callee, line }
    }

    #[test]
    fn calls_that_were_made_functions_of_the_programs_own_and_promises_together_are_named() {
        let calls = [
            call(Some("tools"), "search", 1),
            call(Some("tools"), "never", 2),
            call(Some("rows"), "map", 3),
            call(Some("Promise"), "resolve", 3),
            call(Some("Promise"), "all", 4),
            call(None, "load", 5),
            call(None, "load", 5),
            call(None, "load", 6),
            call(None, "load", 7),
        ];
        let made = |namespace: &str, function: &str| namespace == "tools" && function == "search";
        assert_eq!(
            note(&calls, made).as_deref(),
            Some(
                "note: the program uses a promise as if it were the answer, because `await` is missing before \
                 tools.search(…) in line 1, Promise.all(…) in line 4, load(…) in line 5 and 2 more; write \
                 `await tools.search(…)`"
            )
        );
        assert_eq!(note(&calls[1..4], made), None);
        assert_eq!(note(&[], made), None);
    }

    #[test]
    fn very_many_calls_take_no_time_and_each_member_is_looked_up_once() {
        let calls: Vec<Forgotten> = (0..100_000)
            .flat_map(|line| [call(None, "load", line), call(Some("tools"), "search", line), call(None, "load", line)])
            .collect();
        let asked = Cell::new(0);
        let made = |_: &str, _: &str| {
            asked.set(asked.get() + 1);
            true
        };
        let cpu_time = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
        let start = cpu_time();
        let note = note(&calls, made).unwrap();
        let taken = cpu_time() - start;
        assert!(taken < Duration::from_secs(10), "{taken:?}");
        assert!(note.contains("load(…) in line 1 and 199997 more; write `await load(…)`"), "{note}");
        assert_eq!(asked.get(), 1);
    }
}
