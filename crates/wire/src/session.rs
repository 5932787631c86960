//! Which message may come when.

use std::fmt;

use dayfly_runtime::json::Refusal;
use dayfly_runtime::{Json, Language, LogEntry};

use crate::{Kind, ProgramFailure, Violation, WorkerMessage};

/// Where a run stands, as far as the wire can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new state must break the build wherever it is not handled")]
pub enum SessionState {
    /// The worker has not said `ready`.
    AwaitingReady,
    /// The worker is ready and the host has not sent `start`.
    AwaitingStart,
    /// The program runs.
    Running,
    /// The run is over, whoever ended it.
    Settled,
}

impl fmt::Display for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AwaitingReady => "before ready",
            Self::AwaitingStart => "before start",
            Self::Running => "while the program runs",
            Self::Settled => "after the run has settled",
        })
    }
}

/// What the host does with a message that its state allows.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a new message must break the build wherever it is not handled")]
pub enum Accepted {
    /// Send `start`, then tell [`Session::started`].
    Ready {
        /// What the worker speaks.
        language: Language,
        /// The interpreter's version, in its own words.
        version: String,
    },
    /// Look the name up, run the function, reply under this id, which has not been seen before.
    Call {
        /// The call's id, greater than all before it.
        id: u32,
        /// The namespace's global name, as the worker claims.
        global: String,
        /// The member's name, as the worker claims.
        name: String,
        /// The argument, or why and where it is refused: reply with that.
        args: Result<Json, Refusal>,
    },
    /// Charge and keep it.
    Log(LogEntry),
    /// The run is over. A session says so at most once.
    Settled(Settlement),
    /// Do nothing.
    Ignored(Ignored),
}

/// How the program says that it ended.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a new ending must break the build wherever it is not handled")]
pub enum Settlement {
    /// It completed with this value, with none, or with one that is refused as `invalid-output`.
    Done(Result<Option<Json>, Refusal>),
    /// It failed.
    Failed(ProgramFailure),
}

/// Why a message changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a new reason must break the build wherever it is not handled")]
pub enum Ignored {
    /// A call whose id is not greater than every id before it.
    OldId {
        /// Its id.
        id: u32,
        /// The greatest id before it.
        last: u32,
    },
    /// A message that came when the run was over.
    AfterSettlement {
        /// What it was.
        kind: Kind,
    },
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OldId { id, last } => write!(f, "a call has the id {id}, but {last} has been used already"),
            Self::AfterSettlement { kind } => write!(f, "a {kind} frame came after the run had settled"),
        }
    }
}

/// The order of PROTOCOL.md for one worker: which message may come when, and which ids are used up.
///
/// It holds 8 bytes however many calls there were.
#[derive(Debug)]
pub struct Session {
    state: SessionState,
    last_id: u32,
}

impl Session {
    /// The session of a worker that has not said anything.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: SessionState::AwaitingReady, last_id: 0 }
    }

    /// Where the run stands.
    #[must_use]
    pub const fn state(&self) -> SessionState {
        self.state
    }

    /// Says that the host is about to send `start`. In every state but [`SessionState::AwaitingStart`] it does nothing.
    ///
    /// Call it before the first byte of `start` leaves: the worker may answer before the write returns.
    pub const fn started(&mut self) {
        if matches!(self.state, SessionState::AwaitingStart) {
            self.state = SessionState::Running;
        }
    }

    /// Says that the host has ended the run, by a budget, a cap or a cancel: what comes later is ignored.
    pub const fn settle(&mut self) {
        self.state = SessionState::Settled;
    }

    /// Takes the next message.
    ///
    /// # Errors
    ///
    /// [`Violation::Unexpected`] when the state does not allow it. The run has settled then.
    pub fn accept(&mut self, message: WorkerMessage) -> Result<Accepted, Violation> {
        match self.state {
            SessionState::AwaitingReady => self.accept_ready(message),
            SessionState::AwaitingStart => Err(self.refuse(message.kind())),
            SessionState::Running => self.accept_running(message),
            SessionState::Settled => Ok(Accepted::Ignored(Ignored::AfterSettlement { kind: message.kind() })),
        }
    }

    fn accept_ready(&mut self, message: WorkerMessage) -> Result<Accepted, Violation> {
        match message {
            WorkerMessage::Ready { language, version } => {
                self.state = SessionState::AwaitingStart;
                Ok(Accepted::Ready { language, version })
            }
            WorkerMessage::Call { .. }
            | WorkerMessage::Log(_)
            | WorkerMessage::Done { .. }
            | WorkerMessage::Failed(_) => Err(self.refuse(message.kind())),
        }
    }

    fn accept_running(&mut self, message: WorkerMessage) -> Result<Accepted, Violation> {
        match message {
            WorkerMessage::Ready { .. } => Err(self.refuse(Kind::Ready)),
            WorkerMessage::Call { id, global, name, args } => {
                if id <= self.last_id {
                    return Ok(Accepted::Ignored(Ignored::OldId { id, last: self.last_id }));
                }
                self.last_id = id;
                Ok(Accepted::Call { id, global, name, args })
            }
            WorkerMessage::Log(entry) => Ok(Accepted::Log(entry)),
            WorkerMessage::Done { value } => {
                self.settle();
                Ok(Accepted::Settled(Settlement::Done(value)))
            }
            WorkerMessage::Failed(failure) => {
                self.settle();
                Ok(Accepted::Settled(Settlement::Failed(failure)))
            }
        }
    }

    /// A violation ends the run as surely as `done` does.
    const fn refuse(&mut self, kind: Kind) -> Violation {
        let state = self.state;
        self.settle();
        Violation::Unexpected { kind, state }
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}
