//! A script as the forged worker plays it.

use dayfly::Language;

use super::frame::{Frame, done};
use super::program::payload;
use super::script::{Act, Script, Then};
use crate::forged;

/// Calls that a forged worker makes in place of any larger number: its script is a file, and the host takes fewer.
const MOST_CALLS: u32 = 100_000;

/// The forged worker's script. It completes with `[]`, for it does not look into the replies.
pub(super) fn script(script: &Script) -> forged::Script {
    use forged::{Ending, Step};
    let mut played = forged::Script::honest(Language::Python);
    let mut replies = 0;
    for act in &script.acts {
        played = match act {
            Act::Send(bytes) => played.send(bytes.clone()),
            Act::Repeat(bytes, times) => (0..*times).fold(played, |played, _| played.send(bytes.clone())),
            Act::Trickle(bytes, pause) => {
                bytes.iter().fold(played, |played, byte| played.send([*byte]).step(Step::Pause(*pause)))
            }
            Act::Calls(name, first, count) => {
                let ids = *first..first.saturating_add((*count).min(MOST_CALLS));
                let calls = ids.flat_map(|id| Frame::new(2, id, payload(name)).bytes());
                played.send(calls.collect::<Vec<_>>())
            }
            Act::AwaitReply => {
                replies += 1;
                played.await_replies(replies)
            }
            Act::StopReading => played.step(Step::StopReading),
            Act::CloseWriting => played.step(Step::HalfClose),
            Act::CloseReading => played.step(Step::HalfCloseReading),
            Act::Close => played.end(Ending::CloseAndSpin),
        };
    }
    match script.then {
        Then::Return => played.send(done("[]")).end(Ending::Linger),
        Then::Sleep | Then::Spin => played.end(Ending::Linger),
        Then::Exit(code) => played.end(Ending::Exit(code)),
    }
}
