//! What every run of the sessions must contain, however few they are: sessions that are sure to have it, to be played
//! before all others, and the names under which it is counted.

use dayfly_tests::forged::Ending;
use dayfly_wire::ProgramFailureKind;
use proptest::prelude::*;

use crate::frames::{Class, Forge};
use crate::model::{End, Model, Prediction};
use crate::strategy::{Last, Opening, Plan, Writing, plan};

/// Frames of a session whose frames are not what matters.
const FEW_FRAMES: usize = 60;

/// Long logs that are surely more than the output cap.
const FLOOD: usize = 30;

/// Classes whose frames end no session.
const GOING_ON: [Class; 10] = [
    Class::Call,
    Class::FailingCall,
    Class::HeldCall,
    Class::UnknownCall,
    Class::RefusedCall,
    Class::LargeCall,
    Class::UsedId,
    Class::Log,
    Class::LargeLog,
    Class::LastId,
];

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
    // What ends no session fits into one; the last id leaves none for a call behind it.
    each.push(any_plan().prop_map(move |plan| plain(plan, going_on)).boxed());
    for class in Class::ALL.into_iter().filter(|class| !GOING_ON.contains(class)) {
        each.push(any_plan().prop_map(move |plan| plain(plan, |seed| vec![(class, looked_at(class, seed))])).boxed());
    }
    let lasts = [Last::Nothing(Ending::Kill(9)), Last::Nothing(Ending::Linger), Last::HalfClose];
    for (kind, last) in ProgramFailureKind::ALL.into_iter().zip(lasts) {
        let seed = failure(kind);
        let fails = move |plan| Plan { last, ..plain(plan, |_| vec![(Class::Failed, seed)]) };
        each.push(any_plan().prop_map(fails).boxed());
    }
    let flood = |seed: u64| (0..).map(|more| (Class::LargeLog, seed.wrapping_add(more))).take(FLOOD).collect();
    each.push(any_plan().prop_map(move |plan| plain(plan, flood)).boxed());
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
    seeds(0).find(|seed| read(&[(Class::Failed, *seed)]).end == End::Failed(kind)).unwrap()
}

/// A frame of each class that ends no session, of the first seed from this one with which none does: a log may be too long.
fn going_on(seed: u64) -> Vec<(Class, u64)> {
    let of = |seed| GOING_ON.map(|class| (class, seed));
    let all_read = |frames: &[(Class, u64); GOING_ON.len()]| read(frames).frames == GOING_ON.len();
    seeds(seed).map(of).find(all_read).unwrap().to_vec()
}

/// The first seed from this one whose frame is looked at: one that is edited or lies may keep the host waiting for more.
fn looked_at(class: Class, seed: u64) -> u64 {
    seeds(seed).find(|seed| read(&[(class, *seed)]).frames > 0).unwrap()
}

fn seeds(from: u64) -> impl Iterator<Item = u64> {
    (0..1_000).map(move |more| from.wrapping_add(more))
}

/// What the protocol makes of these frames alone.
fn read(frames: &[(Class, u64)]) -> Prediction {
    let (mut forge, mut model) = (Forge::default(), Model::new());
    frames.iter().for_each(|(class, seed)| model.read(&forge.forge(*class, *seed).bytes));
    model.prediction
}
