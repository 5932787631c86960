//! What became of a program's calls, by the names of the tools.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dayfly_runtime::{Outcome, Receipts};

use super::excerpt;

/// So many tools are named in one list; the others are counted.
const MOST_NAMED: usize = 8;

/// Counts of calls by name. The names are those of bindings, so there are not many.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    names: BTreeMap<String, Counts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    submitted: u64,
    /// Calls that entered the pipeline.
    entered: u64,
    completed: u64,
    failed: u64,
    stopped: u64,
    /// Calls that arrived and of which the bridge never heard.
    unheard: u64,
}

/// One of the counts.
type Count = fn(&Counts) -> u64;

/// How a call that entered the pipeline ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Completed,
    Failed,
    /// Cancelled while its tool ran.
    Stopped,
    /// Cancelled before its tool ran.
    NeverStarted,
}

impl Tally {
    pub(super) fn submitted(&mut self, name: &str) {
        self.of(name).submitted += 1;
    }

    pub(super) fn ended(&mut self, name: &str, ended: Ended) {
        let counts = self.of(name);
        counts.entered += 1;
        match ended {
            Ended::Completed => counts.completed += 1,
            Ended::Failed => counts.failed += 1,
            Ended::Stopped => counts.stopped += 1,
            Ended::NeverStarted => {}
        }
    }

    fn of(&mut self, name: &str) -> &mut Counts {
        if !self.names.contains_key(name) {
            self.names.insert(name.to_owned(), Counts::default());
        }
        self.names.entry(name.to_owned()).or_default()
    }

    /// Counts the calls that the runtime received and whose functions it never started.
    pub(super) fn with_receipts(mut self, receipts: &Receipts, global: &str) -> Self {
        let of_ours = receipts.calls.iter().filter(|receipt| receipt.global == global);
        for receipt in of_ours.filter(|receipt| receipt.outcome == Outcome::NotStarted) {
            self.of(&receipt.name).unheard += 1;
        }
        for counts in receipts.rest.iter().filter(|counts| counts.global == global && counts.not_started > 0) {
            self.of(&counts.name).unheard += counts.not_started;
        }
        self
    }

    /// How many calls entered the pipeline.
    pub(super) fn dispatches(&self) -> u64 {
        self.names.values().map(|counts| counts.entered).sum()
    }

    /// Whether a call did not come to an end of its own.
    pub(super) fn cut_short(&self) -> bool {
        self.names.values().any(|counts| counts.stopped + counts.never_started() > 0)
    }

    /// Whether a tool ran, in whole or in part.
    pub(super) fn did_something(&self) -> bool {
        self.names.values().any(|counts| counts.completed + counts.failed + counts.stopped > 0)
    }

    /// One line, bounded whatever the program did; nothing when it made no call.
    pub(super) fn line(&self) -> Option<String> {
        let mut line = String::new();
        let groups: [(&str, Count); 4] = [
            ("completed", |counts| counts.completed),
            ("failed", |counts| counts.failed),
            ("stopped while running", |counts| counts.stopped),
            ("never started", Counts::never_started),
        ];
        for (what, count) in groups {
            let named: Vec<(&str, u64)> =
                self.names.iter().map(|(name, counts)| (name.as_str(), count(counts))).collect();
            let named: Vec<(&str, u64)> = named.into_iter().filter(|(_, count)| *count > 0).collect();
            let total: u64 = named.iter().map(|(_, count)| count).sum();
            if total == 0 {
                continue;
            }
            let separator = if line.is_empty() { "Calls: " } else { "; " };
            // Writing to a string cannot fail.
            let _ = write!(line, "{separator}{total} {what} ({})", list(&named));
        }
        (!line.is_empty()).then_some(line)
    }
}

impl Counts {
    const fn never_started(&self) -> u64 {
        self.submitted.saturating_sub(self.completed + self.failed + self.stopped) + self.unheard
    }
}

/// `grep ×3, read_file and 2 other tools`.
fn list(named: &[(&str, u64)]) -> String {
    let shown = named.iter().take(MOST_NAMED).map(|(name, count)| {
        let name = excerpt::name(name);
        if *count == 1 { name } else { format!("{name} ×{count}") }
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    match named.len().saturating_sub(MOST_NAMED) {
        0 => {}
        1 => text.push_str(" and another tool"),
        others => {
            let _ = write!(text, " and {others} other tools");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::{NameCounts, Receipt};

    use super::*;

    #[test]
    fn the_line_says_what_became_of_every_call() {
        assert_eq!(Tally::default().line(), None);
        let mut tally = Tally::default();
        for name in ["write", "read", "read", "slow", "queued", "queued", "bad", "early"] {
            tally.submitted(name);
        }
        for (name, ended) in [
            ("read", Ended::Completed),
            ("read", Ended::Completed),
            ("write", Ended::Completed),
            ("bad", Ended::Failed),
            ("slow", Ended::Stopped),
            ("early", Ended::NeverStarted),
        ] {
            tally.ended(name, ended);
        }
        assert_eq!((tally.dispatches(), tally.cut_short(), tally.did_something()), (6, true, true));
        assert_eq!(
            tally.line().unwrap(),
            "Calls: 3 completed (read ×2, write); 1 failed (bad); 1 stopped while running (slow); \
             3 never started (early, queued ×2)"
        );
    }

    #[test]
    fn what_the_runtime_never_started_is_counted_from_its_receipts() {
        let mut receipts = Receipts::default();
        let zero = std::time::Duration::ZERO;
        for (global, outcome) in
            [("tools", Outcome::NotStarted), ("tools", Outcome::Succeeded), ("files", Outcome::NotStarted)]
        {
            receipts.calls.push(Receipt::new(1, global, "read", outcome, zero, zero));
        }
        let mut rest = NameCounts::new("tools", "write");
        rest.count(Outcome::NotStarted);
        rest.count(Outcome::NotStarted);
        receipts.rest.push(rest);
        let tally = Tally::default().with_receipts(&receipts, "tools");
        assert_eq!(tally.line().unwrap(), "Calls: 3 never started (read, write ×2)");
        assert!(tally.cut_short() && !tally.did_something());
    }

    #[test]
    fn the_line_is_bounded() {
        let mut tally = Tally::default();
        for nth in 0..1_000 {
            let name = format!("{nth:04}{}", "x\n".repeat(1_000));
            tally.submitted(&name);
            tally.ended(&name, Ended::Completed);
        }
        let line = tally.line().unwrap();
        assert!(line.starts_with("Calls: 1000 completed (0000x") && line.ends_with("… and 992 other tools)"), "{line}");
        assert!(line.len() < 1_000 && !line.contains('\n'));
    }
}
