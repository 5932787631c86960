//! Receipts as they are collected.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use dayfly_runtime::{NameCounts, Outcome, Receipt, Receipts};
use tokio::time::Instant;

/// Keeps the receipts of the first calls whole and counts the others by name.
///
/// The first calls are those with the smallest ids, however late they end: a call that never ends must not lose its
/// receipt to a thousand that came after it.
#[derive(Debug)]
pub(super) struct ReceiptBook {
    max: usize,
    whole: BTreeMap<u32, (Receipt, Instant)>,
    rest: HashMap<(String, String), NameCounts>,
}

/// Names that a hostile program may invent before their counts are put together.
const MOST_NAMES: usize = 1_000;

impl ReceiptBook {
    pub(super) fn new(max: usize) -> Self {
        Self { max, whole: BTreeMap::new(), rest: HashMap::new() }
    }

    pub(super) fn add(&mut self, id: u32, global: &str, name: &str, outcome: Outcome, at: Instant, took: Duration) {
        if self.whole.len() >= self.max {
            match self.whole.last_entry() {
                Some(last) if *last.key() > id => {
                    let (receipt, _) = last.remove();
                    self.count(&receipt.global, &receipt.name, receipt.outcome);
                }
                Some(_) | None => return self.count(global, name, outcome),
            }
        }
        self.whole.insert(id, (Receipt::new(id, global, name, outcome, Duration::ZERO, took), at));
    }

    /// Whether a call of this function has been added, among all that are told apart.
    pub(super) fn names(&self, global: &str, name: &str) -> bool {
        self.whole.values().any(|(receipt, _)| receipt.global == global && receipt.name == name)
            || self.rest.contains_key(&(global.to_owned(), name.to_owned()))
    }

    fn count(&mut self, global: &str, name: &str, outcome: Outcome) {
        let key = (global.to_owned(), name.to_owned());
        let key = if self.rest.len() < MOST_NAMES || self.rest.contains_key(&key) {
            key
        } else {
            (global.to_owned(), "(other names)".to_owned())
        };
        let counts = self.rest.entry(key).or_insert_with_key(|(global, name)| NameCounts::new(global, name));
        counts.count(outcome);
    }

    /// All receipts, with times counted from `start`.
    pub(super) fn close(self, start: Instant) -> Receipts {
        let mut receipts = Receipts::default();
        receipts.calls = self
            .whole
            .into_values()
            .map(|(mut receipt, at)| {
                receipt.started = at.saturating_duration_since(start);
                receipt
            })
            .collect();
        receipts.rest = self.rest.into_values().collect();
        receipts.rest.sort_by(|left, right| (&left.global, &left.name).cmp(&(&right.global, &right.name)));
        receipts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_receipts_are_whole_in_order_of_id_and_the_rest_are_counted() {
        let start = Instant::now();
        let mut book = ReceiptBook::new(2);
        for (id, name) in [(2, "b"), (1, "a"), (3, "a"), (4, "c"), (5, "c")] {
            book.add(id, "tools", name, Outcome::Succeeded, start, Duration::ZERO);
        }
        let receipts = book.close(start);
        let ids: Vec<_> = receipts.calls.iter().map(|receipt| receipt.id).collect();
        assert_eq!(ids, [1, 2]);
        let counts: Vec<_> = receipts.rest.iter().map(|counts| (counts.name.as_str(), counts.succeeded)).collect();
        assert_eq!(counts, [("a", 1), ("c", 2)]);
    }

    #[test]
    fn a_call_that_ends_last_keeps_its_receipt() {
        let start = Instant::now();
        let mut book = ReceiptBook::new(2);
        for id in 2..=5 {
            book.add(id, "tools", "quick", Outcome::Succeeded, start, Duration::ZERO);
        }
        book.add(1, "tools", "slow", Outcome::Abandoned, start, Duration::ZERO);
        let receipts = book.close(start);
        let calls: Vec<_> = receipts.calls.iter().map(|receipt| (receipt.id, receipt.outcome)).collect();
        assert_eq!(calls, [(1, Outcome::Abandoned), (2, Outcome::Succeeded)]);
        assert_eq!(receipts.rest.iter().map(|counts| counts.succeeded).sum::<u64>(), 3);
    }

    #[test]
    fn invented_names_take_bounded_memory() {
        let start = Instant::now();
        let mut book = ReceiptBook::new(0);
        for id in 0..10_000 {
            book.add(id, "tools", &id.to_string(), Outcome::Failed, start, Duration::ZERO);
        }
        let receipts = book.close(start);
        assert_eq!(receipts.rest.len(), MOST_NAMES + 1);
        assert_eq!(receipts.rest.iter().map(|counts| counts.failed).sum::<u64>(), 10_000);
    }
}
