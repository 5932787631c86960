//! Any schedule, in any order of ends, cancelled at any point.

use dayfly_tools::{Abandoned, CancellationToken, Scheduler, Submission, ToolOutcome, pipeline::code};
use proptest::prelude::*;

use crate::hall::{Hall, Kind, Moment, call, idle};
use crate::model::{Model, check};

#[derive(Debug, Clone)]
enum Step {
    Submit(Kind),
    /// The running body that stands at this place among them ends.
    Settle(prop::sample::Index),
    /// This call is cancelled, whatever has become of it.
    Cancel(prop::sample::Index),
    /// The future of this call is dropped.
    Forget(prop::sample::Index),
    Close,
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![6 => Just(Kind::Safe), 3 => Just(Kind::Exclusive), 1 => Just(Kind::Denied), 1 => Just(Kind::Unknown)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        10 => kind().prop_map(Step::Submit),
        8 => any::<prop::sample::Index>().prop_map(Step::Settle),
        2 => any::<prop::sample::Index>().prop_map(Step::Cancel),
        1 => any::<prop::sample::Index>().prop_map(Step::Forget),
        1 => Just(Step::Close),
    ]
}

struct Play {
    hall: Hall,
    model: Model,
    max_parallel: usize,
    scheduler: Scheduler,
    kinds: Vec<Kind>,
    submissions: Vec<Option<Submission>>,
    cancels: Vec<CancellationToken>,
    closed: bool,
}

impl Play {
    fn new(max_parallel: usize) -> Self {
        let hall = Hall::new(max_parallel);
        let scheduler = Scheduler::new(hall.registry.global());
        Self {
            model: Model::new(max_parallel),
            hall,
            max_parallel,
            scheduler,
            kinds: Vec::new(),
            submissions: Vec::new(),
            cancels: Vec::new(),
            closed: false,
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Submit(kind) => {
                let call = call(self.kinds.len(), *kind);
                self.cancels.push(call.cancel.clone());
                self.kinds.push(*kind);
                self.submissions.push(Some(self.scheduler.submit(call)));
                self.model.submit(*kind);
            }
            Step::Settle(among) => {
                let running = self.hall.running();
                if !running.is_empty() {
                    let number = running[among.index(running.len())];
                    self.hall.settle(number);
                    self.model.end(number);
                }
            }
            Step::Cancel(among) if !self.kinds.is_empty() => {
                let number = among.index(self.kinds.len());
                self.cancels[number].cancel();
                self.model.cancel(number);
            }
            Step::Forget(among) if !self.kinds.is_empty() => {
                let number = among.index(self.kinds.len());
                if self.submissions[number].take().is_some() {
                    self.model.cancel(number);
                }
            }
            Step::Cancel(_) | Step::Forget(_) => {}
            Step::Close => self.close(),
        }
    }

    fn close(&mut self) {
        self.scheduler.close();
        self.model.close();
        self.closed = true;
    }

    fn compare(&self) {
        assert_eq!(self.hall.running(), self.model.running(), "bodies that run: {:?}", self.hall.moments());
        assert_eq!(self.hall.committed(), self.model.committed(), "commits: {:?}", self.hall.moments());
    }

    async fn end(mut self) {
        while let Some(first) = self.hall.running().first().copied() {
            self.hall.settle(first);
            self.model.end(first);
            idle().await;
            self.compare();
        }
        self.scheduler.drain().await;
        let abandoned = self.model.abandoned();
        assert!(self.closed || abandoned.is_empty());
        for (number, submission) in self.submissions.into_iter().enumerate() {
            let Some(submission) = submission else { continue };
            assert_eq!(usize::try_from(submission.number()).unwrap(), number + 1);
            match submission.await {
                Ok(outcome) => {
                    assert!(!abandoned.contains(&number));
                    assert_outcome(&outcome, self.kinds[number]);
                }
                Err(Abandoned { .. }) => assert!(abandoned.contains(&number)),
            }
        }
        check(&self.hall.moments(), &self.kinds, self.max_parallel);
        self.hall.registry.quiesce().await;
    }
}

/// What this kind of call comes to, if it was not cancelled.
#[track_caller]
fn assert_outcome(outcome: &ToolOutcome, kind: Kind) {
    let code = outcome.failure().map(|failure| failure.code().unwrap());
    if code.is_some_and(|code| [code::ABORTED, code::ABORTED_BEFORE_DISPATCH].contains(&code)) {
        return;
    }
    let expected = match kind {
        Kind::Safe | Kind::Exclusive => None,
        Kind::Denied => Some(code::GUARD_DENIED),
        Kind::Unknown => Some(code::UNKNOWN_TOOL),
    };
    assert_eq!(code, expected);
}

fn paused() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn after_every_step_just_those_bodies_run_that_should(
        max_parallel in 1_usize..5,
        steps in prop::collection::vec(step(), 0..40),
    ) {
        paused().block_on(async {
            let mut play = Play::new(max_parallel);
            for step in &steps {
                play.take(step);
                idle().await;
                play.compare();
            }
            play.end().await;
        });
    }

    #[test]
    fn steps_that_come_before_the_last_ones_had_their_effect_break_no_rule(
        max_parallel in 1_usize..5,
        steps in prop::collection::vec((step(), 0_usize..12), 0..40),
    ) {
        paused().block_on(async {
            let mut play = Play::new(max_parallel);
            let mut started_at_close = None;
            for (step, turns) in &steps {
                let closes = matches!(step, Step::Close) && !play.closed;
                play.take(step);
                if closes {
                    started_at_close = Some(play.hall.moments().len());
                }
                for _ in 0..*turns {
                    tokio::task::yield_now().await;
                }
            }
            play.close();
            play.scheduler.drain().await;
            assert!(play.hall.running().is_empty());
            let moments = play.hall.moments();
            check(&moments, &play.kinds, max_parallel);
            let begins = |moment: &Moment| matches!(moment, Moment::PolicyBegins(_) | Moment::BodyBegins(_));
            let late = started_at_close.is_some_and(|place| moments[place..].iter().any(begins));
            assert!(!late, "something began after the end: {moments:?}");
            for submission in play.submissions.into_iter().flatten() {
                let _outcome_or_abandoned = submission.await;
            }
        });
    }
}
