//! What the host says.

use bytes::Bytes;
use dayfly_runtime::Json;
use dayfly_runtime::json::JsonKind;

use crate::encode::{frame, object};
use crate::header::FLAG_FAILED;
use crate::payload::{Fields, Payload};
use crate::{EncodeError, Frame, Kind, Side, Violation, WireLimits};

/// A message of the host.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a new message must break the build wherever it is not handled")]
pub enum HostMessage {
    /// The program and all that it may call.
    Start(Start),
    /// The answer to one call.
    Reply {
        /// The call's id.
        id: u32,
        /// The value, or why the call failed, in words for the program.
        outcome: Result<Json, String>,
    },
}

/// The payload of a `start` frame.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Start {
    /// The source text that the interpreter is given: the body of an async function.
    pub program: String,
    /// The global objects that hold the functions.
    pub namespaces: Vec<StartNamespace>,
    /// The longest payload that the host takes, in bytes.
    pub max_value_bytes: u32,
    /// The deepest argument or completion value that the host takes.
    pub max_depth: u32,
    /// A directory of packages for the program.
    pub modules: Option<String>,
}

impl Start {
    /// A program that may call nothing, under the limits that `limits` gives the worker.
    #[must_use]
    pub fn new(program: impl Into<String>, limits: &WireLimits) -> Self {
        Self {
            program: program.into(),
            namespaces: Vec::new(),
            max_value_bytes: limits.max_frame_bytes,
            max_depth: u32::try_from(limits.max_depth).unwrap_or(u32::MAX),
            modules: None,
        }
    }

    /// Adds a global object of functions.
    #[must_use]
    pub fn namespace(mut self, namespace: StartNamespace) -> Self {
        self.namespaces.push(namespace);
        self
    }
}

/// One global object of functions, as a worker builds it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartNamespace {
    /// The object's global name.
    pub global: String,
    /// The members' names, in order: any text.
    pub functions: Vec<String>,
    /// The class of a failed call; without one it is the language's own error.
    pub error: Option<StartErrorClass>,
}

impl StartNamespace {
    /// An object of these functions, whose failed calls raise the language's own error.
    #[must_use]
    pub fn new(global: impl Into<String>, functions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { global: global.into(), functions: functions.into_iter().map(Into::into).collect(), error: None }
    }

    /// Names the class that a failed call raises and the property that carries the member's name.
    #[must_use]
    pub fn error_class(mut self, class: impl Into<String>, property: impl Into<String>) -> Self {
        self.error = Some(StartErrorClass { class: class.into(), property: property.into() });
        self
    }
}

/// The error class of a namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartErrorClass {
    /// The class's global name.
    pub class: String,
    /// The property that carries the member's name.
    pub property: String,
}

impl HostMessage {
    /// The kind of its frame.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Start(_) => Kind::Start,
            Self::Reply { .. } => Kind::Reply,
        }
    }

    /// The frame that says this, of any length that a header can name; see [`HostMessage::encode_within`].
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooLong`] for a payload of more than 2<sup>32</sup> - 1 bytes.
    pub fn encode(&self) -> Result<Bytes, EncodeError> {
        self.encode_within(u32::MAX)
    }

    /// The frame that says this, with a payload of at most `max_payload_bytes`. What is longer is measured, not built.
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooLong`] for a longer payload.
    pub fn encode_within(&self, max_payload_bytes: u32) -> Result<Bytes, EncodeError> {
        match self {
            Self::Start(start) => frame(Kind::Start, 0, 0, &encode_start(start), max_payload_bytes),
            Self::Reply { id, outcome: Ok(value) } => frame(Kind::Reply, 0, *id, value, max_payload_bytes),
            Self::Reply { id, outcome: Err(message) } => {
                let payload = object(&[("message", Some(message.into()))]);
                frame(Kind::Reply, FLAG_FAILED, *id, &payload, max_payload_bytes)
            }
        }
    }

    /// Reads a frame of a host: for tests and forged peers.
    ///
    /// # Errors
    ///
    /// A [`Violation`] when the payload is not what PROTOCOL.md says.
    pub fn decode(frame: &Frame, limits: &WireLimits) -> Result<Self, Violation> {
        match frame.header.kind {
            Kind::Start => decode_start(frame, limits),
            Kind::Reply => decode_reply(frame, limits),
            kind @ (Kind::Ready | Kind::Call | Kind::Log | Kind::Done | Kind::Failed) => {
                Err(Violation::WrongSide { kind, from: Side::Host })
            }
        }
    }
}

fn encode_start(start: &Start) -> Json {
    let namespaces = Json::array(start.namespaces.iter().map(|namespace| {
        let error = namespace.error.as_ref().map(|error| {
            object(&[("class", Some((&error.class).into())), ("property", Some((&error.property).into()))])
        });
        object(&[
            ("global", Some((&namespace.global).into())),
            ("functions", Some(Json::array(&namespace.functions))),
            ("error", error),
        ])
    }));
    object(&[
        ("program", Some((&start.program).into())),
        ("namespaces", Some(namespaces)),
        ("max_value_bytes", Some(start.max_value_bytes.into())),
        ("max_depth", Some(start.max_depth.into())),
        ("modules", start.modules.as_deref().map(Json::from)),
    ])
}

fn decode_start(frame: &Frame, limits: &WireLimits) -> Result<HostMessage, Violation> {
    let json = Payload::parse(frame, limits, 1)?.lossless()?;
    let fields = Fields::of(Kind::Start, json.root())?;
    let mut namespaces = Vec::new();
    for namespace in fields.required("namespaces", JsonKind::Array)?.items() {
        let namespace = fields.inner(namespace, "namespaces[]", "namespaces[].")?;
        let mut functions = Vec::new();
        for function in namespace.required("functions", JsonKind::Array)?.items() {
            namespace.expect_kind("functions[]", function, JsonKind::String)?;
            functions.push(function.as_str().unwrap_or_default().to_owned());
        }
        let error = match namespace.any("error") {
            None => None,
            Some(error) => {
                let error = namespace.inner(error, "error", "namespaces[].error.")?;
                Some(StartErrorClass {
                    class: error.text("class")?.to_owned(),
                    property: error.text("property")?.to_owned(),
                })
            }
        };
        namespaces.push(StartNamespace { global: namespace.text("global")?.to_owned(), functions, error });
    }
    Ok(HostMessage::Start(Start {
        program: fields.text("program")?.to_owned(),
        namespaces,
        max_value_bytes: fields.integer("max_value_bytes", 0)?,
        max_depth: fields.integer("max_depth", 0)?,
        modules: fields.optional_text("modules")?,
    }))
}

fn decode_reply(frame: &Frame, limits: &WireLimits) -> Result<HostMessage, Violation> {
    let failed = frame.header.flags & FLAG_FAILED != 0;
    let json = Payload::parse(frame, limits, usize::from(failed))?.lossless()?;
    let outcome =
        if failed { Err(Fields::of(Kind::Reply, json.root())?.text("message")?.to_owned()) } else { Ok(json) };
    Ok(HostMessage::Reply { id: frame.header.id, outcome })
}
