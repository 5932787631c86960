//! What every run of the sessions must contain, however few they are: sessions that are sure to have it, to be played
//! before all others, and the names under which it is counted.

use dayfly_tests::forged::Ending;
use dayfly_wire::ProgramFailureKind;
use proptest::prelude::*;

use crate::frames::{Class, Forge};
use crate::model::{End, Model};
use crate::strategy::{Last, Opening, Plan, Writing, plan};

/// Frames of a session whose frames are not what matters.
const FEW_FRAMES: usize = 60;

/// Long logs that are surely more than the output cap.
const FLOOD: usize = 30;

/// How runs can end here: nothing that a forged worker does lasts until a budget is spent.
pub(crate) const ENDINGS: [&str; 7] =
    ["abort", "completed", "exception", "invalid-output", "not ready", "output-limit", "worker-exit"];

/// How workers end.
pub(crate) const WORKERS: [&str; 4] = ["exit", "half-close", "kill", "linger"];

/// One session, at least, for each opening, each class of frames, each ending of a worker and each of a run.
pub(crate) fn one_of_each() -> Vec<BoxedStrategy<Plan>> {
    let any_plan = || plan(FEW_FRAMES);
    let mut each = Vec::new();
    for opening in Opening::ALL {
        let begins = move |plan: Plan| Plan { opening: (opening, plan.opening.1), deaf: false, cancel: None, ..plan };
        each.push(any_plan().prop_map(begins).boxed());
    }
    for class in Class::ALL {
        each.push(any_plan().prop_map(move |plan| plain(plan, |seed| vec![(class, seed)])).boxed());
    }
    for kind in ProgramFailureKind::ALL {
        let seed = failure(kind);
        each.push(any_plan().prop_map(move |plan| plain(plan, |_| vec![(Class::Failed, seed)])).boxed());
    }
    let flood = |seed: u64| (0..).map(|more| (Class::LargeLog, seed.wrapping_add(more))).take(FLOOD).collect();
    each.push(any_plan().prop_map(move |plan| plain(plan, flood)).boxed());
    for last in
        [Last::Nothing(Ending::Exit(3)), Last::Nothing(Ending::Kill(9)), Last::Nothing(Ending::Linger), Last::HalfClose]
    {
        each.push(any_plan().prop_map(move |plan| Plan { last, ..plain(plan, |_| Vec::new()) }).boxed());
    }
    each
}

/// The plan without what could keep the host from reading these frames.
fn plain(plan: Plan, frames: impl FnOnce(u64) -> Vec<(Class, u64)>) -> Plan {
    Plan {
        body: frames(plan.opening.1),
        opening: (Opening::Honest, 0),
        last: Last::Nothing(Ending::Exit(0)),
        after: Vec::new(),
        moves: Vec::new(),
        native: Vec::new(),
        writing: Writing::Whole,
        deaf: false,
        cancel: None,
        ..plan
    }
}

/// A seed whose `failed` frame is of this kind.
fn failure(kind: ProgramFailureKind) -> u64 {
    let is_one = |seed: &u64| {
        let mut model = Model::new();
        model.read(&Forge::default().forge(Class::Failed, *seed).bytes);
        model.prediction.end == End::Failed(kind)
    };
    (0..1_000).find(is_one).unwrap()
}
