//! What is thrown at the wire. Nothing here knows what should come of it.

use dayfly_runtime::json::JsonBuilder;
use dayfly_runtime::{Json, Language, LogEntry, LogLevel, LogSource};
use dayfly_wire::{
    Decoder, Header, HostMessage, Kind, ProgramFailure, ProgramFailureKind, Side, Start, StartNamespace, WireLimits,
    WorkerMessage,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Small enough for every cap to be met by chance.
pub(crate) const TIGHT: WireLimits = {
    let mut limits = WireLimits::DEFAULT;
    limits.max_frame_bytes = 300;
    limits.max_decoded_bytes = 700;
    limits.max_depth = 5;
    limits
};

/// Any text: empty, ASCII, control characters, every plane.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z_]{1,8}", ".{0,12}", vec(any::<char>(), 0..12).prop_map(String::from_iter)]
}

/// Any lossless value: wide, deep, with integers that no double holds and doubles of every bit pattern.
pub(crate) fn json() -> impl Strategy<Value = Json> {
    let float = any::<u64>().prop_map(f64::from_bits).prop_filter_map("lossless", |float| Json::try_from(float).ok());
    let scalar = prop_oneof![
        Just(Json::null()),
        any::<bool>().prop_map(Json::from),
        any::<i128>().prop_map(Json::from),
        (-3_i32..3).prop_map(Json::from),
        float,
        text().prop_map(Json::from),
    ];
    let wide = scalar.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![vec(inner.clone(), 0..6).prop_map(Json::array), vec((text(), inner), 0..6).prop_map(Json::object),]
    });
    prop_oneof![4 => wide, 1 => (0_usize..10_000).prop_map(nested)]
}

/// Arrays and objects inside one another.
pub(crate) fn nested(levels: usize) -> Json {
    let mut builder = JsonBuilder::new();
    for level in 0..levels {
        if level % 3 == 0 {
            builder.begin_object().key("k");
        } else {
            builder.begin_array();
        }
    }
    builder.null();
    for _ in 0..levels {
        builder.end();
    }
    builder.finish().unwrap()
}

pub(crate) fn worker_message() -> impl Strategy<Value = WorkerMessage> {
    let language = prop_oneof![Just(Language::TypeScript), Just(Language::Python)];
    prop_oneof![
        (language, text()).prop_map(|(language, version)| WorkerMessage::Ready { language, version }),
        (prop_oneof![1_u32..6, Just(u32::MAX)], text(), text(), json())
            .prop_map(|(id, global, name, args)| WorkerMessage::Call { id, global, name, args: Ok(args) }),
        log_entry().prop_map(WorkerMessage::Log),
        proptest::option::of(json()).prop_map(|value| WorkerMessage::Done { value: Ok(value) }),
        failure().prop_map(WorkerMessage::Failed),
    ]
}

fn log_entry() -> impl Strategy<Value = LogEntry> {
    let source = prop_oneof![Just(LogSource::Console), Just(LogSource::Stdout), Just(LogSource::Stderr)];
    let level = prop_oneof![
        Just(LogLevel::Debug),
        Just(LogLevel::Log),
        Just(LogLevel::Info),
        Just(LogLevel::Warn),
        Just(LogLevel::Error)
    ];
    (source, level, text()).prop_map(|(source, level, text)| LogEntry::new(source, level, text))
}

fn failure() -> impl Strategy<Value = ProgramFailure> {
    let kind = proptest::sample::select(ProgramFailureKind::ALL.to_vec());
    let texts = [(); 3].map(|()| proptest::option::of(text()));
    let numbers = [(); 2].map(|()| proptest::option::of(1..=u32::MAX));
    (kind, text(), texts, numbers).prop_map(|(kind, message, [name, stack, path], [line, column])| {
        let mut failure = ProgramFailure::new(kind, message);
        failure.name = name;
        failure.stack = stack;
        failure.path = path;
        failure.line = line;
        failure.column = column;
        failure
    })
}

pub(crate) fn host_message() -> impl Strategy<Value = HostMessage> {
    let namespace =
        (text(), vec(text(), 0..4), proptest::option::of((text(), text()))).prop_map(|(global, functions, error)| {
            match error {
                None => StartNamespace::new(global, functions),
                Some((class, property)) => StartNamespace::new(global, functions).error_class(class, property),
            }
        });
    let start = (text(), vec(namespace, 0..3), any::<(u32, u32)>(), proptest::option::of(text())).prop_map(
        |(program, namespaces, (bytes, depth), modules)| {
            let mut start = Start::new(program, &WireLimits::DEFAULT);
            start.namespaces = namespaces;
            start.max_value_bytes = bytes;
            start.max_depth = depth;
            start.modules = modules;
            HostMessage::Start(start)
        },
    );
    let outcome = prop_oneof![json().prop_map(Ok), text().prop_map(Err)];
    prop_oneof![1 => start, 2 => (1..=u32::MAX, outcome).prop_map(|(id, outcome)| HostMessage::Reply { id, outcome })]
}

/// Frames of the right form around payloads of any form.
fn framed_bytes() -> impl Strategy<Value = Vec<u8>> {
    let payload = prop_oneof![
        vec(any::<u8>(), 0..40),
        json_like().prop_map(String::into_bytes),
        worker_message().prop_map(|message| payload_of(&message)),
    ];
    (proptest::sample::select(Kind::ALL.to_vec()), payload).prop_map(|(kind, payload)| {
        let id = match kind {
            Kind::Call | Kind::Reply => 1,
            Kind::Ready | Kind::Log | Kind::Done | Kind::Failed | Kind::Start => 0,
        };
        let header = Header { kind, flags: 0, id, length: u32::try_from(payload.len()).unwrap() };
        [header.encode().unwrap().to_vec(), payload].concat()
    })
}

fn payload_of(message: &WorkerMessage) -> Vec<u8> {
    let mut decoder = Decoder::of(Side::Worker, WireLimits::DEFAULT);
    decoder.feed(&message.encode().unwrap());
    decoder.next().unwrap().unwrap().payload.to_vec()
}

/// Text from the pieces of JSON and of the protocol, in any order.
fn json_like() -> impl Strategy<Value = String> {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "d800",
        "null",
        "true",
        "-0",
        "1e400",
        "1",
        ".5",
        "NaN",
        " ",
        "\"args\":",
        "\"name\":\"f\",",
        "\"global\":\"tools\",",
        "\"value\":",
        "\"text\":",
        "\"kind\":\"exception\",",
        "\"message\":\"m\",",
        "\"line\":",
        "\"source\":\"console\",",
        "\"level\":\"log\",",
        "é",
        "\u{0}",
    ];
    vec(proptest::sample::select(pieces.to_vec()), 0..24).prop_map(|pieces| pieces.concat())
}

/// Streams: of noise, of frames, and of frames with some bytes changed, left out or put in.
pub(crate) fn stream() -> impl Strategy<Value = Vec<u8>> {
    let honest = vec(worker_message().prop_map(|message| message.encode().unwrap().to_vec()), 0..5);
    let frames = prop_oneof![honest, vec(framed_bytes(), 0..5)].prop_map(|frames| frames.concat());
    prop_oneof![
        1 => vec(any::<u8>(), 0..200),
        3 => frames.clone(),
        3 => (frames, vec(edit(), 1..4)).prop_map(|(mut bytes, edits)| {
            for edit in edits {
                edit.apply(&mut bytes);
            }
            bytes
        }),
    ]
}

#[derive(Debug, Clone)]
enum Edit {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Cut(prop::sample::Index),
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Set(at, byte) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Self::Insert(at, byte) => bytes.insert(at.index(bytes.len() + 1), *byte),
            Self::Cut(at) => bytes.truncate(at.index(bytes.len() + 1)),
            Self::Set(..) => {}
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let byte = prop_oneof![any::<u8>(), Just(0), Just(1), Just(0x82), Just(b'"')];
    prop_oneof![
        3 => (any::<prop::sample::Index>(), byte.clone()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        1 => (any::<prop::sample::Index>(), byte).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        1 => any::<prop::sample::Index>().prop_map(Edit::Cut),
    ]
}

/// Lengths of the pieces in which a stream arrives; the last one is used for what is left.
pub(crate) fn pieces() -> impl Strategy<Value = Vec<usize>> {
    vec(prop_oneof![Just(1), 1_usize..20, 1_usize..2_000], 1..40)
}
