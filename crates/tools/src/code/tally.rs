//! What became of a program's calls, by the names of the tools.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use dayfly_runtime::{Outcome, Receipts};

use super::excerpt;

/// So many tools are named in one list; the others are counted.
const MOST_NAMED: usize = 8;

/// Counts of calls by name. The names are those of bindings, so there are not many.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    names: BTreeMap<String, Counts>,
    /// Calls that are over, by number, and of which the program has no answer yet: no more than it has in flight.
    unanswered: HashMap<u64, Became>,
}

#[derive(Debug, Clone, Default)]
struct Counts {
    submitted: u64,
    /// Calls that entered the pipeline.
    entered: u64,
    became: BTreeMap<Became, u64>,
    /// Calls that arrived and of which the bridge never heard.
    unheard: u64,
}

/// What became of a call, in the order in which it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Became {
    Completed,
    /// Completed, and the run ended before the program had the answer.
    CompletedUnanswered,
    /// Its tool gave a value although it had been asked to stop.
    CompletedLate,
    /// Its tool gave a value, and a policy withheld it.
    Withheld,
    Failed,
    /// Failed, and the run ended before the program had the message.
    FailedUnanswered,
    /// Turned away before its tool ran: by a policy, or for what it asked.
    Refused,
    /// Its tool was asked to stop while it ran, and ended without a value.
    Stopped,
    /// Its tool was asked to stop while it ran, and did not in time.
    Dropped,
    /// Cancelled before its tool ran, or still queued.
    NeverStarted,
}

impl Became {
    const ALL: [Self; 10] = [
        Self::Completed,
        Self::CompletedUnanswered,
        Self::CompletedLate,
        Self::Withheld,
        Self::Failed,
        Self::FailedUnanswered,
        Self::Refused,
        Self::Stopped,
        Self::Dropped,
        Self::NeverStarted,
    ];

    const fn words(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::CompletedUnanswered => "completed with the answer not delivered",
            Self::CompletedLate => "completed after being asked to stop",
            Self::Withheld => "completed with the result withheld",
            Self::Failed => "failed",
            Self::FailedUnanswered => "failed with the message not delivered",
            Self::Refused => "refused",
            Self::Stopped => "stopped while running",
            Self::Dropped => "dropped while running",
            Self::NeverStarted => "never started",
        }
    }

    /// The same before the program has been told.
    const fn unanswered(self) -> Self {
        match self {
            Self::Completed => Self::CompletedUnanswered,
            Self::Failed => Self::FailedUnanswered,
            Self::CompletedUnanswered
            | Self::CompletedLate
            | Self::Withheld
            | Self::FailedUnanswered
            | Self::Refused
            | Self::Stopped
            | Self::Dropped
            | Self::NeverStarted => self,
        }
    }

    /// Whether its tool ran, in whole or in part.
    const fn did_something(self) -> bool {
        !matches!(self, Self::Refused | Self::NeverStarted)
    }

    /// Whether the program does not know of it.
    const fn cut_short(self) -> bool {
        !matches!(self, Self::Completed | Self::Withheld | Self::Failed | Self::Refused)
    }
}

impl Tally {
    pub(super) fn submitted(&mut self, name: &str) {
        self.of(name).submitted += 1;
    }

    /// A call that entered the pipeline is over; its answer is on the way.
    pub(super) fn ended(&mut self, number: u64, name: &str, became: Became) {
        let unanswered = became.unanswered();
        if unanswered != became {
            self.unanswered.insert(number, became);
        }
        let counts = self.of(name);
        counts.entered += 1;
        counts.add(unanswered);
    }

    /// The program is given the answer of a call.
    pub(super) fn answered(&mut self, number: u64, name: &str) {
        if let Some(became) = self.unanswered.remove(&number) {
            let counts = self.of(name);
            counts.take(became.unanswered());
            counts.add(became);
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

    /// Whether a call did not come to an end of its own, or the program was not told of it.
    pub(super) fn cut_short(&self) -> bool {
        self.any(Became::cut_short)
    }

    /// Whether a tool ran, in whole or in part.
    pub(super) fn did_something(&self) -> bool {
        self.any(Became::did_something)
    }

    fn any(&self, of: fn(Became) -> bool) -> bool {
        let count = |became: Became| self.names.values().map(|counts| counts.of(became)).sum::<u64>();
        Became::ALL.into_iter().any(|became| of(became) && count(became) > 0)
    }

    /// One line, bounded whatever the program did; nothing when it made no call.
    pub(super) fn line(&self) -> Option<String> {
        let mut line = String::new();
        for became in Became::ALL {
            let counts = self.names.iter().map(|(name, counts)| (name.as_str(), counts.of(became)));
            let named: Vec<(&str, u64)> = counts.filter(|(_, count)| *count > 0).collect();
            let total: u64 = named.iter().map(|(_, count)| count).sum();
            if total == 0 {
                continue;
            }
            let separator = if line.is_empty() { "Calls: " } else { "; " };
            // Writing to a string cannot fail.
            let _ = write!(line, "{separator}{total} {} ({})", became.words(), list(&named));
        }
        (!line.is_empty()).then_some(line)
    }
}

impl Counts {
    fn add(&mut self, became: Became) {
        *self.became.entry(became).or_default() += 1;
    }

    fn take(&mut self, became: Became) {
        let count = self.became.entry(became).or_default();
        *count = count.saturating_sub(1);
    }

    fn of(&self, became: Became) -> u64 {
        let counted = self.became.get(&became).copied().unwrap_or_default();
        if became != Became::NeverStarted {
            return counted;
        }
        // Those that wait in the queue have no end that anybody counted.
        counted + self.submitted.saturating_sub(self.became.values().sum()) + self.unheard
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
        for (number, name, became) in [
            (1, "read", Became::Completed),
            (2, "read", Became::Completed),
            (3, "write", Became::Completed),
            (4, "bad", Became::Failed),
            (5, "slow", Became::Stopped),
            (6, "early", Became::NeverStarted),
        ] {
            tally.ended(number, name, became);
            tally.answered(number, name);
        }
        assert_eq!((tally.dispatches(), tally.cut_short(), tally.did_something()), (6, true, true));
        assert_eq!(
            tally.line().unwrap(),
            "Calls: 3 completed (read ×2, write); 1 failed (bad); 1 stopped while running (slow); \
             3 never started (early, queued ×2)"
        );
    }

    #[test]
    fn every_state_has_words_of_its_own_and_says_whether_something_was_done_and_is_known() {
        let mut words = std::collections::BTreeSet::new();
        for became in Became::ALL {
            let mut tally = Tally::default();
            tally.submitted("tool");
            tally.ended(1, "tool", became);
            tally.answered(1, "tool");
            assert_eq!(tally.line().unwrap(), format!("Calls: 1 {} (tool)", became.words()));
            assert_eq!(tally.did_something(), !matches!(became, Became::Refused | Became::NeverStarted), "{became:?}");
            assert!(words.insert(became.words()), "{became:?}");
        }
        let mut tally = Tally::default();
        for (number, became) in [(1, Became::Completed), (2, Became::Failed), (3, Became::Completed)] {
            tally.submitted("tool");
            tally.ended(number, "tool", became);
        }
        tally.answered(3, "tool");
        tally.answered(3, "tool");
        assert_eq!(
            tally.line().unwrap(),
            "Calls: 1 completed (tool); 1 completed with the answer not delivered (tool); 1 failed with the message not delivered (tool)"
        );
        assert!(tally.cut_short());
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
            tally.ended(nth, &name, Became::Completed);
            tally.answered(nth, &name);
        }
        let line = tally.line().unwrap();
        assert!(line.starts_with("Calls: 1000 completed (0000x") && line.ends_with("… and 992 other tools)"), "{line}");
        assert!(line.len() < 1_000 && !line.contains('\n'));
    }
}
