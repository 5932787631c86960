//! What a worker says.

use bytes::Bytes;
use dayfly_runtime::json::Refusal;
use dayfly_runtime::{Json, JsonRef, Language, LogEntry, LogLevel, LogSource};

use crate::encode::{frame, object};
use crate::payload::{Fields, Payload};
use crate::{EncodeError, Frame, Kind, ProgramFailure, ProgramFailureKind, Side, Violation, WireLimits};

/// The fields of a call: `global`, `name`, `args`.
const CALL_FIELDS: usize = 3;
/// The field of a completion: `value`.
const DONE_FIELDS: usize = 1;

const LOG_SOURCES: [LogSource; 3] = [LogSource::Console, LogSource::Stdout, LogSource::Stderr];
const LOG_LEVELS: [LogLevel; 5] = [LogLevel::Debug, LogLevel::Log, LogLevel::Info, LogLevel::Warn, LogLevel::Error];

/// A message of a worker. Its form has been checked, its claims have not.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a new message must break the build wherever it is not handled")]
pub enum WorkerMessage {
    /// The worker can take a program.
    Ready {
        /// What it speaks.
        language: Language,
        /// The interpreter's version, in its own words.
        version: String,
    },
    /// The program calls a function of the host.
    Call {
        /// The call's id, from 1.
        id: u32,
        /// The namespace's global name.
        global: String,
        /// The member's name: any text.
        name: String,
        /// The argument (`{}` when there is none), or where under `args` it is refused.
        args: Result<Json, Refusal>,
    },
    /// The program printed something.
    Log(LogEntry),
    /// The program completed.
    Done {
        /// The value, `None` when it returned nothing, or where under `result` it is refused.
        value: Result<Option<Json>, Refusal>,
    },
    /// The program failed.
    Failed(ProgramFailure),
}

impl WorkerMessage {
    /// The kind of its frame.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Ready { .. } => Kind::Ready,
            Self::Call { .. } => Kind::Call,
            Self::Log(_) => Kind::Log,
            Self::Done { .. } => Kind::Done,
            Self::Failed(_) => Kind::Failed,
        }
    }

    /// Reads a frame of a worker.
    ///
    /// What is decoded takes at most `limits.max_decoded_bytes`, and less than that again while it is being read.
    ///
    /// # Errors
    ///
    /// A [`Violation`] when the payload is not what PROTOCOL.md says. A value that is not lossless is not one: it comes
    /// as the `Err` inside [`WorkerMessage::Call`] or [`WorkerMessage::Done`].
    pub fn decode(frame: &Frame, limits: &WireLimits) -> Result<Self, Violation> {
        match frame.header.kind {
            Kind::Ready => decode_ready(frame, limits),
            Kind::Call => decode_call(frame, limits),
            Kind::Log => decode_log(frame, limits),
            Kind::Done => decode_done(frame, limits),
            Kind::Failed => decode_failed(frame, limits),
            kind @ (Kind::Start | Kind::Reply) => Err(Violation::WrongSide { kind, from: Side::Worker }),
        }
    }

    /// The frame that says this, as an honest worker would write it: for tests and forged peers.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Refused`] for a message that holds a refusal instead of a value, [`EncodeError::TooLong`] for a
    /// payload of more than 2<sup>32</sup> - 1 bytes.
    pub fn encode(&self) -> Result<Bytes, EncodeError> {
        let (id, payload) = match self {
            Self::Ready { language, version } => {
                (0, object(&[("language", Some(language.name().into())), ("version", Some(version.into()))]))
            }
            Self::Call { id, global, name, args } => {
                let args = args.as_ref().map_err(EncodeError::refused)?;
                (
                    *id,
                    object(&[
                        ("global", Some(global.into())),
                        ("name", Some(name.into())),
                        ("args", Some(args.clone())),
                    ]),
                )
            }
            Self::Log(entry) => (
                0,
                object(&[
                    ("source", Some(entry.source.name().into())),
                    ("level", Some(entry.level.name().into())),
                    ("text", Some(entry.text.as_str().into())),
                ]),
            ),
            Self::Done { value } => {
                (0, object(&[("value", value.clone().map_err(|refusal| EncodeError::refused(&refusal))?)]))
            }
            Self::Failed(failure) => (
                0,
                object(&[
                    ("kind", Some(failure.kind.name().into())),
                    ("message", Some(failure.message.as_str().into())),
                    ("name", failure.name.as_deref().map(Json::from)),
                    ("line", failure.line.map(Json::from)),
                    ("column", failure.column.map(Json::from)),
                    ("stack", failure.stack.as_deref().map(Json::from)),
                    ("path", failure.path.as_deref().map(Json::from)),
                ]),
            ),
        };
        frame(self.kind(), 0, id, &payload, u32::MAX)
    }
}

fn decode_ready(frame: &Frame, limits: &WireLimits) -> Result<WorkerMessage, Violation> {
    let json = Payload::parse(frame, limits, 1)?.lossless()?;
    let fields = Fields::of(Kind::Ready, json.root())?;
    Ok(WorkerMessage::Ready {
        language: fields.choice("language", &Language::ALL, Language::name)?,
        version: fields.text("version")?.to_owned(),
    })
}

fn decode_log(frame: &Frame, limits: &WireLimits) -> Result<WorkerMessage, Violation> {
    let json = Payload::parse(frame, limits, 1)?.lossless()?;
    let fields = Fields::of(Kind::Log, json.root())?;
    let source = fields.choice("source", &LOG_SOURCES, LogSource::name)?;
    let level = fields.choice("level", &LOG_LEVELS, LogLevel::name)?;
    Ok(WorkerMessage::Log(LogEntry::new(source, level, fields.text("text")?)))
}

fn decode_failed(frame: &Frame, limits: &WireLimits) -> Result<WorkerMessage, Violation> {
    let json = Payload::parse(frame, limits, 1)?.lossless()?;
    let fields = Fields::of(Kind::Failed, json.root())?;
    Ok(WorkerMessage::Failed(ProgramFailure {
        kind: fields.choice("kind", &ProgramFailureKind::ALL, ProgramFailureKind::name)?,
        message: fields.text("message")?.to_owned(),
        name: fields.optional_text("name")?,
        line: fields.optional_integer("line", 1)?,
        column: fields.optional_integer("column", 1)?,
        stack: fields.optional_text("stack")?,
        path: fields.optional_text("path")?,
    }))
}

fn decode_call(frame: &Frame, limits: &WireLimits) -> Result<WorkerMessage, Violation> {
    let Payload { json, refusal, .. } = Payload::parse(frame, limits, 1)?;
    let refusal = refusal.map(|refusal| refusal_under(refusal, "args", "args", Kind::Call)).transpose()?;
    let fields = Fields::of(Kind::Call, json.root())?;
    let args = match refusal {
        None => Ok(fields.any("args").map_or_else(empty_object, |args| part_of(&json, args, CALL_FIELDS))),
        Some(refusal) => Err(refusal),
    };
    let (global, name) = (fields.text("global")?.to_owned(), fields.text("name")?.to_owned());
    Ok(WorkerMessage::Call { id: frame.header.id, global, name, args })
}

fn decode_done(frame: &Frame, limits: &WireLimits) -> Result<WorkerMessage, Violation> {
    let Payload { json, refusal, .. } = Payload::parse(frame, limits, 1)?;
    // A program's author knows the completion as its result.
    let refusal = refusal.map(|refusal| refusal_under(refusal, "value", "result", Kind::Done)).transpose()?;
    let fields = Fields::of(Kind::Done, json.root())?;
    let value = match refusal {
        None => Ok(fields.any("value").map(|value| part_of(&json, value, DONE_FIELDS))),
        Some(refusal) => Err(refusal),
    };
    Ok(WorkerMessage::Done { value })
}

/// The value of a field. It shares the message's memory when the message has no fields but the known ones: what else a
/// peer put there must not live as long as the value does.
fn part_of(message: &Json, value: JsonRef<'_>, known: usize) -> Json {
    if message.len() <= known { message.share(value) } else { value.to_owned() }
}

fn empty_object() -> Json {
    Json::object::<&str, Json>([])
}

/// The refusal of something under `field`, whose path then begins with `shown`; anywhere else it is a violation.
fn refusal_under(mut refusal: Refusal, field: &str, shown: &str, kind: Kind) -> Result<Refusal, Violation> {
    // A key that only looks like a path is quoted in one, so the text after the field's name decides.
    match refusal.path.strip_prefix(field) {
        Some(rest) if rest.is_empty() || rest.starts_with(['.', '[']) => {
            refusal.path = format!("{shown}{rest}");
            Ok(refusal)
        }
        Some(_) | None => Err(Violation::NotLossless { kind, refusal }),
    }
}
