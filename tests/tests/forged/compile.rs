//! From a plan to the script that a worker plays and what must come of it.

use std::time::Duration;

use dayfly::Language;
use dayfly_tests::forged::{Ending, Script, Step, frame};

use crate::dice::Dice;
use crate::frames::{Class, Forge, Forged, beginning, object};
use crate::model::{End, Model, Prediction};
use crate::strategy::{Last, Move, Opening, Plan, Writing};

/// The text of a line that is printed natively.
pub(crate) const NATIVE: &str = "printed natively\n";

/// Pauses between the pieces of one session.
const MOST_PAUSES: usize = 3;

/// Pieces of one session; what is left is written whole.
const MOST_PIECES: usize = 2_000;

/// Whether a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Starts {
    Surely,
    /// It depends on which the host reads first.
    Perhaps,
    Never,
}

/// When the host cancels a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cancel {
    Never,
    /// After this time, whatever happens.
    After(Duration),
    /// Some time after its worker has come, because nothing else would end it.
    WhenItStays,
}

/// A session that can be played, and what is known of its end.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) language: Language,
    pub(crate) opening: Opening,
    pub(crate) script: Script,
    pub(crate) starts: Starts,
    /// What comes after `start`.
    pub(crate) prediction: Prediction,
    /// Every call has been answered before the end, if nothing disturbs the run.
    pub(crate) settled: bool,
    pub(crate) ending: Ending,
    pub(crate) half_closed: bool,
    pub(crate) native: usize,
    pub(crate) cancel: Cancel,
    /// What was forged.
    pub(crate) classes: Vec<Class>,
    pub(crate) bytes: usize,
}

pub(crate) fn compile(plan: &Plan) -> Compiled {
    let mut forge = Forge::default();
    let mut forged = |(class, seed): &(Class, u64)| forge.forge(*class, *seed);
    let mut body: Vec<Forged> = plan.body.iter().map(&mut forged).collect();
    plan.moves.iter().for_each(|change| apply(change, &mut body));
    let (mut tail, ending) = match plan.last {
        Last::Frame(class, seed) => (vec![forged(&(class, seed))], Ending::Linger),
        Last::FrameThen(class, seed, ending) => (vec![forged(&(class, seed))], ending),
        Last::Beginning(..) | Last::HalfClose => (Vec::new(), Ending::Linger),
        Last::Nothing(ending) => (Vec::new(), ending),
    };
    if matches!(plan.last, Last::Frame(..) | Last::FrameThen(..)) {
        tail.extend(plan.after.iter().map(&mut forged));
    }
    let (mut tail_bytes, mut ending) = (concat(&tail), ending);
    if let Last::Beginning(seed, then) = plan.last {
        (tail_bytes, ending) = (beginning(&mut Dice::new(seed)), then);
    }
    let half_closed = plan.last == Last::HalfClose;
    let body_bytes = concat(&body);
    let opening = open(plan);
    let mut model = Model::new();
    if opening.ending.is_none() {
        model.read(&body_bytes);
    }
    let (calls, answered) = (model.prediction.calls.len(), model.prediction.answered());
    let waits = plan.waits && !plan.deaf && model.prediction.end == End::Stream && opening.starts == Starts::Surely;
    if opening.ending.is_none() {
        model.read(&tail_bytes);
    }
    let prediction = model.prediction;

    let mut script = opening.script;
    if plan.deaf {
        script = script.step(Step::StopReading);
    }
    for seed in &plan.native {
        let text = NATIVE.as_bytes().to_vec();
        script = script.step(if seed % 2 == 0 { Step::Stdout(text) } else { Step::Stderr(text) });
    }
    script = write(script, &[&*opening.before, &*body_bytes].concat(), &plan.writing);
    if waits {
        script = script.await_replies(answered);
    }
    script = write(script, &tail_bytes, &plan.writing);
    if half_closed {
        script = script.step(Step::HalfClose);
    }
    script = script.end(ending);

    // Nothing else ends a worker that stays.
    let stays = (prediction.end == End::Stream && ending == Ending::Linger && !half_closed)
        || prediction.stalls
        || plan.deaf
        || plan.opening.0 == Opening::Silent;
    let classes = body.iter().chain(&tail).map(|forged| forged.class).collect();
    let cancel = plan.cancel.map_or(if stays { Cancel::WhenItStays } else { Cancel::Never }, Cancel::After);
    Compiled {
        language: plan.language,
        opening: plan.opening.0,
        settled: waits && calls == prediction.calls.len(),
        starts: opening.starts,
        ending: opening.ending.unwrap_or(ending),
        half_closed,
        native: plan.native.len(),
        cancel,
        classes,
        bytes: body_bytes.len() + tail_bytes.len(),
        prediction,
        script,
    }
}

fn concat(frames: &[Forged]) -> Vec<u8> {
    frames.iter().flat_map(|frame| frame.bytes.iter().copied()).collect()
}

fn apply(change: &Move, frames: &mut Vec<Forged>) {
    if frames.is_empty() {
        return;
    }
    match change {
        Move::Twice(at) => {
            let at = at.index(frames.len());
            frames.insert(at, frames[at].clone());
        }
        Move::Swap(one, other) => {
            let (one, other) = (one.index(frames.len()), other.index(frames.len()));
            frames.swap(one, other);
        }
        Move::Drop(at) => drop(frames.remove(at.index(frames.len()))),
    }
}

struct Opened {
    script: Script,
    starts: Starts,
    /// Bytes that stand before the body, in one piece with it.
    before: Vec<u8>,
    /// The end of a worker that comes no further.
    ending: Option<Ending>,
}

fn open(plan: &Plan) -> Opened {
    let (opening, seed) = plan.opening;
    let mut dice = Dice::new(seed);
    let language = format!("\"{}\"", plan.language.name());
    let members = || vec![("language", language.clone()), ("version", "\"99\"".to_owned())];
    let honest = Script::new().ready(plan.language);
    let ready = match &*honest.steps {
        [Step::Send(bytes)] => bytes.clone(),
        _ => unreachable!("ready is one frame"),
    };
    let surely = |script: Script| Opened {
        script: script.step(Step::AwaitStart),
        starts: Starts::Surely,
        before: Vec::new(),
        ending: None,
    };
    let never = |script: Script| Opened { script, starts: Starts::Never, before: Vec::new(), ending: None };
    match opening {
        Opening::Honest => surely(honest),
        Opening::Pieces => {
            let pause = Duration::from_micros(300);
            let pieces = ready.chunks(1 + dice.below(20));
            surely(pieces.fold(Script::new(), |script, piece| script.send(piece).step(Step::Pause(pause))))
        }
        Opening::Odd => surely(Script::new().send(frame(1, 0, object(&mut dice, members()).as_bytes()))),
        Opening::Long => {
            let padding = format!("\"{}\"", "p".repeat(300 << 10));
            let payload = object(&mut dice, [members(), vec![("padding", padding)]].concat());
            surely(Script::new().send(frame(1, 0, payload.as_bytes())))
        }
        Opening::Eager => Opened { script: Script::new(), starts: Starts::Perhaps, before: ready, ending: None },
        Opening::Unready(class) => {
            let first = Forge::default().forge(class, seed).bytes;
            let starts = if first.get(6) == Some(&1) { Starts::Perhaps } else { Starts::Never };
            Opened { starts, before: [first, ready].concat(), ..never(Script::new()) }
        }
        Opening::Beginning => never(Script::new().send(&ready[..dice.below(ready.len())]).end(Ending::Exit(3))),
        Opening::Exit => never(Script::new().end(Ending::Exit(4))),
        Opening::HalfClose => never(Script::new().step(Step::HalfClose).end(Ending::Linger)),
        Opening::Quits => {
            let ending = Ending::Exit(5);
            Opened { script: honest.end(ending), starts: Starts::Surely, before: Vec::new(), ending: Some(ending) }
        }
        Opening::Silent => never(Script::new().end(Ending::Linger)),
    }
}

/// Writes these bytes as the plan says.
fn write(mut script: Script, bytes: &[u8], writing: &Writing) -> Script {
    let mut rest = bytes;
    if let Writing::Pieces(lengths, pause) = writing {
        for (index, length) in lengths.iter().cycle().take(MOST_PIECES).enumerate() {
            let (piece, after) = rest.split_at((*length).min(rest.len()));
            if after.is_empty() {
                break;
            }
            script = script.send(piece);
            if index < MOST_PAUSES {
                script = script.step(Step::Pause(*pause));
            }
            rest = after;
        }
    }
    if rest.is_empty() { script } else { script.send(rest) }
}
