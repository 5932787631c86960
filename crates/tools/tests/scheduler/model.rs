//! What a scheduler should be doing, said in the plainest way, and what must hold of any record.

use crate::hall::{Kind, Moment};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Queued,
    Running,
    Over,
    Committed,
    Abandoned,
}

/// The state of every call, by number.
pub(crate) struct Model {
    max_parallel: usize,
    closed: bool,
    calls: Vec<(Kind, Stage)>,
}

impl Model {
    pub(crate) const fn new(max_parallel: usize) -> Self {
        Self { max_parallel, closed: false, calls: Vec::new() }
    }

    pub(crate) fn submit(&mut self, kind: Kind) {
        self.calls.push((kind, if self.closed { Stage::Abandoned } else { Stage::Queued }));
        self.advance();
    }

    /// A body has ended, or will never be.
    pub(crate) fn end(&mut self, number: usize) {
        let stage = &mut self.calls[number].1;
        if *stage == Stage::Running {
            *stage = Stage::Over;
        }
        self.advance();
    }

    /// A call is cancelled: a queued one has no body when its turn comes.
    pub(crate) fn cancel(&mut self, number: usize) {
        if self.calls[number].1 == Stage::Queued {
            let kind = &mut self.calls[number].0;
            *kind = if kind.overlaps() { Kind::Denied } else { Kind::Unknown };
        }
        self.end(number);
    }

    pub(crate) fn close(&mut self) {
        self.closed = true;
        for (_, stage) in &mut self.calls {
            *stage = match stage {
                Stage::Queued => Stage::Abandoned,
                Stage::Running => Stage::Over,
                Stage::Over | Stage::Committed | Stage::Abandoned => *stage,
            };
        }
        self.advance();
    }

    /// Everything that can happen by itself does.
    fn advance(&mut self) {
        while self.step() {}
    }

    fn step(&mut self) -> bool {
        let first = self.calls.iter_mut().map(|(_, stage)| stage).find(|stage| **stage != Stage::Committed);
        if let Some(stage) = first.filter(|stage| **stage == Stage::Over) {
            *stage = Stage::Committed;
            return true;
        }
        let Some(next) = self.calls.iter().position(|(_, stage)| *stage == Stage::Queued) else { return false };
        let kind = self.calls[next].0;
        let running: Vec<Kind> =
            self.calls.iter().filter(|(_, stage)| *stage == Stage::Running).map(|(kind, _)| *kind).collect();
        let may_start = if kind.overlaps() {
            running.iter().all(|running| running.overlaps()) && running.len() < self.max_parallel
        } else {
            self.calls[..next].iter().all(|(_, stage)| *stage == Stage::Committed)
        };
        if may_start {
            self.calls[next].1 = if kind.has_body() { Stage::Running } else { Stage::Over };
        }
        may_start
    }

    fn at(&self, wanted: Stage) -> Vec<usize> {
        (0..self.calls.len()).filter(|number| self.calls[*number].1 == wanted).collect()
    }

    pub(crate) fn running(&self) -> Vec<usize> {
        self.at(Stage::Running)
    }

    pub(crate) fn committed(&self) -> Vec<usize> {
        self.at(Stage::Committed)
    }

    pub(crate) fn abandoned(&self) -> Vec<usize> {
        self.at(Stage::Abandoned)
    }
}

/// Fails unless a whole record keeps every rule; `kinds` by number.
pub(crate) fn check(moments: &[Moment], kinds: &[Kind], max_parallel: usize) {
    let (mut policy, mut bodies, mut commit) = (None, Vec::new(), None);
    let mut alone = None;
    let mut begun: Vec<usize> = Vec::new();
    let mut committed: Vec<usize> = Vec::new();
    for (place, moment) in moments.iter().enumerate() {
        let told = || format!("moment {place} ({moment:?}) of {moments:?}");
        match *moment {
            Moment::PolicyBegins(number) => {
                assert_eq!((policy, commit), (None, None), "policy overlaps: {}", told());
                assert_eq!(alone, None, "an exclusive call bars those behind it: {}", told());
                assert!(begun.last().is_none_or(|last| *last < number), "out of order: {}", told());
                if !kinds[number].overlaps() || max_parallel == 1 {
                    let all = begun.iter().all(|number| committed.contains(number));
                    assert!(all, "an exclusive call, or any with one place, waits for all before it: {}", told());
                    alone = Some(number);
                }
                policy = Some(number);
                begun.push(number);
            }
            Moment::PolicyEnds(number) => {
                assert_eq!(policy.take(), Some(number), "{}", told());
            }
            Moment::BodyBegins(number) => {
                bodies.push(number);
                assert!(bodies.len() <= max_parallel, "too many bodies: {}", told());
                assert!(alone.is_none() || bodies == [number], "an exclusive body overlaps: {}", told());
            }
            Moment::BodyEnds(number) => bodies.retain(|body| *body != number),
            Moment::CommitBegins(number) => {
                assert_eq!((policy, commit), (None, None), "a commit overlaps: {}", told());
                commit = Some(number);
            }
            Moment::Committed(number) => {
                assert!(commit.take().is_none_or(|commit| commit == number), "{}", told());
                assert_eq!(policy, None, "a commit overlaps: {}", told());
                assert!(committed.last().is_none_or(|last| *last < number), "out of order: {}", told());
                assert!(!bodies.contains(&number), "committed while its body runs: {}", told());
                committed.push(number);
                alone = alone.filter(|alone| *alone != number);
            }
        }
    }
    assert!(bodies.is_empty() && policy.is_none() && commit.is_none() && alone.is_none(), "not drained: {moments:?}");
    // Unknown and cancelled calls are committed without policy; nothing has policy without a commit.
    assert!(begun.iter().all(|number| committed.contains(number)), "lost: {moments:?}");
}
