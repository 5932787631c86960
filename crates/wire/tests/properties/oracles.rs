//! What must hold whatever is thrown at the wire.

use dayfly_wire::{
    Accepted, Decoder, Frame, HEADER_BYTES, Session, SessionState, Side, Violation, WireLimits, WorkerMessage,
};

/// The most memory a decoder may hold for `waiting` bytes that it could not hand out, when it has handed out none.
pub(crate) const fn most_at_first(waiting: usize) -> usize {
    4 * waiting + 128 * 1024
}

/// The most it may hold for them later, when its buffer has held frames already.
const fn most_later(waiting: usize) -> usize {
    8 * waiting + 640 * 1024
}

/// All frames of a stream that arrives in `pieces`, and how it ends. Checks the decoder's memory at every step.
pub(crate) fn read(stream: &[u8], pieces: &[usize], limits: WireLimits) -> (Vec<Frame>, Result<(), Violation>) {
    let mut decoder = Decoder::of(Side::Worker, limits);
    let mut frames = Vec::new();
    let mut taken = 0;
    let mut given = 0;
    for piece in cut(stream, pieces) {
        decoder.feed(piece);
        given += piece.len();
        loop {
            match decoder.next() {
                Ok(Some(frame)) => {
                    taken += HEADER_BYTES + frame.payload.len();
                    frames.push(frame);
                }
                Ok(None) => {
                    let waiting = given - taken;
                    assert!(decoder.capacity() <= most_later(waiting), "{} for {waiting}", decoder.capacity());
                    break;
                }
                Err(violation) => {
                    assert_eq!(decoder.next(), Err(violation.clone()), "a violation is for ever");
                    assert_eq!(decoder.finish(), Err(violation.clone()));
                    return (frames, Err(violation));
                }
            }
        }
    }
    (frames, decoder.finish())
}

fn cut<'a>(stream: &'a [u8], pieces: &[usize]) -> Vec<&'a [u8]> {
    let mut rest = stream;
    let mut cut = Vec::new();
    for piece in pieces {
        let (now, later) = rest.split_at((*piece).min(rest.len()));
        cut.push(now);
        rest = later;
    }
    cut.push(rest);
    cut
}

/// Every text that could reach a person is short and without control characters.
pub(crate) fn assert_presentable(violation: &Violation) {
    let text = violation.to_string();
    assert!(text.chars().count() < 2_500, "{} characters", text.chars().count());
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.starts_with(|first: char| first.is_lowercase()) && !text.ends_with('.'), "{text:?}");
}

/// Runs messages and the host's own steps through a session, and checks what it may never do.
pub(crate) fn drive(steps: Vec<Step>) {
    let mut session = Session::new();
    let (mut endings, mut last_id, mut readies) = (0, 0, 0);
    for step in steps {
        let before = session.state();
        match step {
            Step::Started => {
                session.started();
                assert!(session.state() == before || before == SessionState::AwaitingStart);
            }
            Step::Settle => {
                session.settle();
                assert_eq!(session.state(), SessionState::Settled);
            }
            Step::Message(message) => {
                let kind = message.kind();
                match session.accept(message) {
                    Ok(Accepted::Ready { .. }) => {
                        readies += 1;
                        assert_eq!(
                            (before, session.state()),
                            (SessionState::AwaitingReady, SessionState::AwaitingStart)
                        );
                    }
                    Ok(Accepted::Call { id, .. }) => {
                        assert!(before == SessionState::Running && id > last_id);
                        last_id = id;
                    }
                    Ok(Accepted::Log(_)) => assert_eq!(before, SessionState::Running),
                    Ok(Accepted::Settled(_)) => {
                        endings += 1;
                        assert_eq!((before, session.state()), (SessionState::Running, SessionState::Settled));
                    }
                    Ok(Accepted::Ignored(_)) => assert_eq!(before, session.state()),
                    Err(violation) => {
                        endings += 1;
                        assert_eq!(violation, Violation::Unexpected { kind, state: before });
                        assert_eq!(session.state(), SessionState::Settled);
                    }
                }
            }
        }
    }
    assert!(endings <= 1 && readies <= 1, "{endings} endings, {readies} times ready");
}

/// What happens to a session.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Message(WorkerMessage),
    Started,
    Settle,
}
