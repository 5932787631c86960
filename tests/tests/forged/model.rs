//! What the protocol says of a stream, read by the wire's own decoder: the supervisor must come to the same end.

use dayfly::Language;
use dayfly_wire::{Accepted, Decoder, HEADER_BYTES, ProgramFailureKind, Session, Settlement, WorkerMessage};

use crate::host::{Does, MOST_PENDING, MOST_PENDING_BYTES, does, wire_limits};

/// How a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Completed,
    InvalidOutput,
    Failed(ProgramFailureKind),
    /// The name of the violation.
    Violation(&'static str),
    /// The bytes end, between two frames or inside one.
    Stream,
}

/// A call that the protocol accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) id: u32,
    /// What its function does; `None` when it is refused without a function.
    pub(crate) does: Option<Does>,
}

/// What must come of a stream.
#[derive(Debug)]
pub(crate) struct Prediction {
    pub(crate) calls: Vec<Expected>,
    pub(crate) logs: usize,
    /// Calls whose id has been used.
    pub(crate) ignored: usize,
    /// Frames up to the end.
    pub(crate) frames: usize,
    pub(crate) end: End,
    /// What the output ledger is charged up to the end: at least, and at most.
    pub(crate) output: (u64, u64),
    /// The host stops to read before the end: calls in flight have reached their cap.
    pub(crate) stalls: bool,
}

impl Prediction {
    /// Calls that are answered while the run goes on.
    pub(crate) fn answered(&self) -> u32 {
        let held = |call: &&Expected| matches!(call.does, Some(Does::Waits | Does::Stays));
        u32::try_from(self.calls.len() - self.calls.iter().filter(held).count()).unwrap()
    }
}

/// Reads what a worker sends after its `ready`.
pub(crate) struct Model {
    decoder: Decoder,
    session: Session,
    held: usize,
    held_bytes: usize,
    ended: bool,
    pub(crate) prediction: Prediction,
}

impl Model {
    pub(crate) fn new() -> Self {
        let mut session = Session::new();
        let ready = WorkerMessage::Ready { language: Language::Python, version: String::new() };
        session.accept(ready).unwrap();
        session.started();
        let prediction = Prediction {
            calls: Vec::new(),
            logs: 0,
            ignored: 0,
            frames: 0,
            end: End::Stream,
            output: (0, 0),
            stalls: false,
        };
        Self { decoder: Decoder::new(wire_limits()), session, held: 0, held_bytes: 0, ended: false, prediction }
    }

    /// Reads more of the stream, up to its end.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        if self.ended {
            return;
        }
        self.decoder.feed(bytes);
        while !self.ended {
            let frame = match self.decoder.next() {
                Ok(Some(frame)) => frame,
                Ok(None) => return,
                Err(violation) => {
                    self.prediction.frames += 1;
                    return self.end(End::Violation(violation.name()));
                }
            };
            self.prediction.frames += 1;
            let bytes = u64::try_from(HEADER_BYTES + frame.payload.len()).unwrap();
            let message = WorkerMessage::decode(&frame, &wire_limits());
            match message.and_then(|message| self.session.accept(message)) {
                Ok(accepted) => self.take(accepted, bytes),
                Err(violation) => self.end(End::Violation(violation.name())),
            }
        }
    }

    fn end(&mut self, end: End) {
        self.prediction.end = end;
        self.ended = true;
    }

    fn charge(&mut self, least: u64, most: u64) {
        self.prediction.output.0 += least;
        self.prediction.output.1 += most;
    }

    fn take(&mut self, accepted: Accepted, bytes: u64) {
        match accepted {
            Accepted::Call { id, global, name, args } => {
                let does = does(&global, &name).filter(|_| args.is_ok());
                if matches!(does, Some(Does::Waits | Does::Stays)) {
                    self.held += 1;
                    self.held_bytes += args.map_or(0, |args| args.memory_size());
                    self.prediction.stalls |= self.held >= MOST_PENDING || self.held_bytes >= MOST_PENDING_BYTES;
                }
                self.prediction.calls.push(Expected { id, does });
            }
            Accepted::Log(entry) => {
                self.prediction.logs += 1;
                self.charge(u64::try_from(entry.text.len()).unwrap(), bytes + 64);
            }
            Accepted::Ignored(_) => {
                self.prediction.ignored += 1;
                self.charge(bytes, bytes);
            }
            Accepted::Settled(Settlement::Done(Ok(value))) => {
                let cost = u64::try_from(value.map_or(0, |value| value.serialized_len())).unwrap();
                self.charge(cost, cost);
                self.end(End::Completed);
            }
            Accepted::Settled(Settlement::Done(Err(_))) => self.end(End::InvalidOutput),
            Accepted::Settled(Settlement::Failed(failure)) => self.end(End::Failed(failure.kind)),
            Accepted::Ready { .. } => unreachable!("a session is ready once"),
        }
    }
}
