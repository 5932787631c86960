//! Which message may come when: the rows of PROTOCOL.md, one a test.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use dayfly_runtime::{Json, Language, LogEntry, LogLevel, LogSource};
use dayfly_wire::{
    Accepted, Ignored, Kind, ProgramFailure, ProgramFailureKind, Session, SessionState, Settlement, Violation,
    WorkerMessage,
};

#[test]
fn a_run_goes_from_ready_over_start_to_its_end() {
    let mut session = Session::new();
    assert_eq!(session.state(), SessionState::AwaitingReady);
    let version = "20.20.2".to_owned();
    let accepted = session.accept(ready()).unwrap();
    assert_eq!(accepted, Accepted::Ready { language: Language::TypeScript, version });
    assert_eq!(session.state(), SessionState::AwaitingStart);
    session.started();
    assert_eq!(session.state(), SessionState::Running);
    assert_eq!(session.accept(call(1)).unwrap(), accepted_call(1));
    assert_eq!(session.accept(log()).unwrap(), Accepted::Log(entry()));
    assert_eq!(session.accept(call(7)).unwrap(), accepted_call(7));
    assert_eq!(session.accept(done()).unwrap(), Accepted::Settled(Settlement::Done(Ok(None))));
    assert_eq!(session.state(), SessionState::Settled);
}

#[test]
fn nothing_comes_before_ready() {
    for message in [call(1), log(), done(), failed()] {
        assert_violation(Session::new(), message, SessionState::AwaitingReady);
    }
}

#[test]
fn nothing_comes_between_ready_and_start() {
    for message in [ready(), call(1), log(), done(), failed()] {
        let mut session = Session::new();
        session.accept(ready()).unwrap();
        assert_violation(session, message, SessionState::AwaitingStart);
    }
}

#[test]
fn ready_comes_once() {
    assert_violation(running(), ready(), SessionState::Running);
}

#[test]
fn start_counts_only_after_ready() {
    let mut session = Session::new();
    session.started();
    assert_eq!(session.state(), SessionState::AwaitingReady);
    let mut session = running();
    session.settle();
    session.started();
    assert_eq!(session.state(), SessionState::Settled);
}

#[test]
fn an_id_that_is_not_greater_than_all_before_it_is_ignored() {
    let mut session = running();
    session.accept(call(5)).unwrap();
    for id in [1, 4, 5] {
        assert_eq!(session.accept(call(id)).unwrap(), Accepted::Ignored(Ignored::OldId { id, last: 5 }));
    }
    assert_eq!(session.accept(call(u32::MAX)).unwrap(), accepted_call(u32::MAX));
    let ignored = session.accept(call(u32::MAX)).unwrap();
    assert_eq!(ignored, Accepted::Ignored(Ignored::OldId { id: u32::MAX, last: u32::MAX }));
}

#[test]
fn everything_after_the_end_is_ignored_whoever_ended_the_run() {
    let by_worker = || {
        let mut session = running();
        let failure = session.accept(failed()).unwrap();
        assert_eq!(failure, Accepted::Settled(Settlement::Failed(failure_of())));
        session
    };
    let by_host = || {
        let mut session = running();
        session.settle();
        session
    };
    let by_violation = || {
        let mut session = Session::new();
        session.accept(done()).unwrap_err();
        session
    };
    for mut session in [by_worker(), by_host(), by_violation()] {
        for message in [ready(), call(1), log(), done(), failed()] {
            let kind = message.kind();
            assert_eq!(session.accept(message).unwrap(), Accepted::Ignored(Ignored::AfterSettlement { kind }));
        }
    }
}

#[test]
fn what_was_ignored_and_what_came_too_early_is_said_in_words() {
    let ignored = Ignored::OldId { id: 3, last: 5 };
    assert_eq!(ignored.to_string(), "a call has the id 3, but 5 has been used already");
    let ignored = Ignored::AfterSettlement { kind: Kind::Log };
    assert_eq!(ignored.to_string(), "a log frame came after the run had settled");
    let violation = Session::new().accept(done()).unwrap_err();
    assert_eq!(violation.to_string(), "a done frame came before ready");
    assert_eq!(running().accept(ready()).unwrap_err().to_string(), "a ready frame came while the program runs");
}

fn assert_violation(mut session: Session, message: WorkerMessage, state: SessionState) {
    let kind = message.kind();
    assert_eq!(session.accept(message), Err(Violation::Unexpected { kind, state }));
    assert_eq!(session.state(), SessionState::Settled);
}

fn running() -> Session {
    let mut session = Session::new();
    session.accept(ready()).unwrap();
    session.started();
    session
}

fn ready() -> WorkerMessage {
    WorkerMessage::Ready { language: Language::TypeScript, version: "20.20.2".into() }
}

fn call(id: u32) -> WorkerMessage {
    WorkerMessage::Call { id, global: "tools".into(), name: "f".into(), args: Ok(Json::from(id)) }
}

fn accepted_call(id: u32) -> Accepted {
    Accepted::Call { id, global: "tools".into(), name: "f".into(), args: Ok(Json::from(id)) }
}

fn log() -> WorkerMessage {
    WorkerMessage::Log(entry())
}

fn entry() -> LogEntry {
    LogEntry::new(LogSource::Console, LogLevel::Log, "text")
}

fn done() -> WorkerMessage {
    WorkerMessage::Done { value: Ok(None) }
}

fn failed() -> WorkerMessage {
    WorkerMessage::Failed(failure_of())
}

fn failure_of() -> ProgramFailure {
    ProgramFailure::new(ProgramFailureKind::Exception, "boom")
}
