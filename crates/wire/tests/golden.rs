//! The frames of `tests/vectors/frames.json`, which the workers' own tests read as well.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use std::collections::HashSet;

use dayfly_runtime::{Json, JsonRef};
use dayfly_wire::{
    Decoder, Frame, HEADER_BYTES, HostMessage, Kind, ProgramFailure, Side, Start, Violation, WireLimits, WorkerMessage,
};

const FRAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/frames.json");
const PROTOCOL: &str = include_str!("../PROTOCOL.md");

#[test]
fn every_golden_message_decodes_to_what_it_says() {
    for vector in vectors("message") {
        let (frame, message) = read(&vector).unwrap_or_else(|violation| panic!("{}: {violation}", vector.name));
        assert_eq!(frame.header.kind.name(), vector.text("kind"), "{}", vector.name);
        assert_eq!(u64::from(frame.header.flags), vector.number("flags"), "{}", vector.name);
        assert_eq!(u64::from(frame.header.id), vector.number("id"), "{}", vector.name);
        assert_eq!(frame.payload, vector.text("payload").as_bytes(), "{}", vector.name);
        assert_eq!(&describe(&message), &vector.field("message").to_owned(), "{}", vector.name);
    }
}

#[test]
fn every_canonical_message_encodes_to_exactly_its_bytes() {
    let canonical: Vec<_> = vectors("message").into_iter().filter(|vector| vector.flag("canonical")).collect();
    assert!(canonical.len() > 30);
    for vector in canonical {
        let (_, message) = read(&vector).unwrap_or_else(|violation| panic!("{}: {violation}", vector.name));
        let encoded = match message {
            Message::Worker(message) => message.encode(),
            Message::Host(message) => message.encode(),
        };
        assert_eq!(hex_of(&encoded.unwrap()), vector.text("hex"), "{}", vector.name);
    }
}

#[test]
fn a_value_that_is_not_lossless_is_refused_with_its_path_and_is_no_violation() {
    for vector in vectors("refusal") {
        let (_, message) = read(&vector).unwrap_or_else(|violation| panic!("{}: {violation}", vector.name));
        let refusal = match message {
            Message::Worker(WorkerMessage::Call { args: Err(refusal), .. })
            | Message::Worker(WorkerMessage::Done { value: Err(refusal) }) => refusal,
            other @ (Message::Worker(_) | Message::Host(_)) => panic!("{}: not refused: {other:?}", vector.name),
        };
        assert_eq!(refusal.path, vector.text("path"), "{}", vector.name);
    }
}

#[test]
fn every_golden_violation_is_found_and_named() {
    for vector in vectors("violation") {
        let violation = match read(&vector) {
            Ok((_, message)) => panic!("{}: taken as {message:?}", vector.name),
            Err(violation) => violation,
        };
        assert_eq!(violation.name(), vector.text("violation"), "{}: {violation}", vector.name);
        let text = violation.to_string();
        assert!(text.len() < 600 && !text.contains(char::is_control), "{}: {text:?}", vector.name);
    }
}

#[test]
fn the_vectors_cover_every_kind_and_every_violation_of_a_frame() {
    let messages = vectors("message");
    let kinds: HashSet<String> = messages.iter().map(|vector| vector.text("kind")).collect();
    assert_eq!(kinds, Kind::ALL.into_iter().map(|kind| kind.name().to_owned()).collect());
    let found: HashSet<String> = vectors("violation").iter().map(|vector| vector.text("violation")).collect();
    let named = [
        "magic",
        "version",
        "unknown-kind",
        "wrong-side",
        "flags",
        "id",
        "too-long",
        "truncated",
        "not-utf8",
        "not-json",
        "not-an-object",
        "missing-field",
        "field-type",
        "field-value",
        "not-lossless",
    ];
    assert_eq!(found, named.into_iter().map(str::to_owned).collect());
}

#[test]
fn the_worked_example_in_the_protocol_is_a_frame() {
    let (_, rest) = PROTOCOL.split_once("```hex\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let bytes = bytes_of(&example.split_whitespace().collect::<String>());
    let mut decoder = Decoder::new(WireLimits::DEFAULT);
    decoder.feed(&bytes);
    let frame = decoder.next().unwrap().unwrap();
    assert_eq!(decoder.finish(), Ok(()));
    assert_eq!(&frame.payload[..], br#"{"global":"tools","name":"add","args":{"a":1,"b":2}}"#);
    let message = WorkerMessage::decode(&frame, &WireLimits::DEFAULT).unwrap();
    let args = Json::object([("a", 1), ("b", 2)]);
    let expected = WorkerMessage::Call { id: 1, global: "tools".into(), name: "add".into(), args: Ok(args) };
    assert_eq!(message, expected);
    assert_eq!(message.encode().unwrap(), bytes);
}

#[test]
fn the_table_of_kinds_in_the_protocol_is_the_code() {
    let rows: Vec<Vec<&str>> = PROTOCOL
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).skip(1).take(3).collect())
        .collect();
    let kinds: Vec<Vec<String>> = Kind::ALL
        .into_iter()
        .map(|kind| vec![format!("{:02x}", kind.code()), kind.name().to_owned(), kind.sender().to_string()])
        .collect();
    assert_eq!(rows, kinds);
}

/// One entry of the file.
struct Vector {
    name: String,
    entry: Json,
}

impl Vector {
    fn field(&self, name: &str) -> JsonRef<'_> {
        self.entry.get(name).unwrap_or_else(|| panic!("{}: no field {name}", self.name))
    }

    fn text(&self, name: &str) -> String {
        self.field(name).as_str().unwrap().to_owned()
    }

    fn number(&self, name: &str) -> u64 {
        self.field(name).as_u64().unwrap()
    }

    fn flag(&self, name: &str) -> bool {
        self.field(name).as_bool().unwrap()
    }
}

#[derive(Debug)]
enum Message {
    Worker(WorkerMessage),
    Host(HostMessage),
}

fn vectors(expect: &str) -> Vec<Vector> {
    let file = Json::parse(&std::fs::read_to_string(FRAMES).unwrap()).unwrap();
    assert_eq!(file.get("protocol").and_then(JsonRef::as_u64), Some(u64::from(dayfly_wire::VERSION)));
    let entries: Vec<Vector> = file
        .get("frames")
        .unwrap()
        .items()
        .filter(|entry| entry.get("expect").and_then(JsonRef::as_str) == Some(expect))
        .map(|entry| Vector { name: entry.get("name").unwrap().as_str().unwrap().to_owned(), entry: entry.to_owned() })
        .collect();
    assert!(!entries.is_empty(), "no vector expects a {expect}");
    entries
}

/// Takes the bytes of a vector as a stream of one frame.
fn read(vector: &Vector) -> Result<(Frame, Message), Violation> {
    let from = match vector.text("from").as_str() {
        "worker" => Side::Worker,
        "host" => Side::Host,
        other => panic!("{}: from {other}", vector.name),
    };
    let limits = WireLimits::DEFAULT;
    let mut decoder = Decoder::of(from, limits);
    decoder.feed(&bytes_of(&vector.text("hex")));
    let Some(frame) = decoder.next()? else {
        return Err(decoder.finish().unwrap_err());
    };
    assert_eq!(frame.payload.len() + HEADER_BYTES, vector.text("hex").len() / 2, "{}", vector.name);
    assert_eq!(decoder.next(), Ok(None), "{}", vector.name);
    decoder.finish()?;
    let message = match from {
        Side::Worker => Message::Worker(WorkerMessage::decode(&frame, &limits)?),
        Side::Host => Message::Host(HostMessage::decode(&frame, &limits)?),
    };
    Ok((frame, message))
}

/// A message in the form of the vectors' `message`.
fn describe(message: &Message) -> Json {
    match message {
        Message::Worker(WorkerMessage::Ready { language, version }) => {
            described("ready", [("language", language.name().into()), ("version", version.into())])
        }
        Message::Worker(WorkerMessage::Call { id, global, name, args }) => {
            let args = args.clone().unwrap();
            described("call", [("id", (*id).into()), ("global", global.into()), ("name", name.into()), ("args", args)])
        }
        Message::Worker(WorkerMessage::Log(entry)) => described(
            "log",
            [
                ("source", entry.source.name().into()),
                ("level", entry.level.name().into()),
                ("text", (&entry.text).into()),
            ],
        ),
        Message::Worker(WorkerMessage::Done { value }) => {
            described("done", value.clone().unwrap().map(|value| ("value", value)))
        }
        Message::Worker(WorkerMessage::Failed(failure)) => describe_failure(failure),
        Message::Host(HostMessage::Start(start)) => describe_start(start),
        Message::Host(HostMessage::Reply { id, outcome: Ok(value) }) => {
            described("reply", [("id", (*id).into()), ("value", value.clone())])
        }
        Message::Host(HostMessage::Reply { id, outcome: Err(error) }) => {
            described("reply", [("id", (*id).into()), ("error", error.into())])
        }
    }
}

fn describe_failure(failure: &ProgramFailure) -> Json {
    let present = [
        ("kind", Some(failure.kind.name().into())),
        ("message", Some((&failure.message).into())),
        ("name", failure.name.as_ref().map(Json::from)),
        ("line", failure.line.map(Json::from)),
        ("column", failure.column.map(Json::from)),
        ("stack", failure.stack.as_ref().map(Json::from)),
        ("path", failure.path.as_ref().map(Json::from)),
    ];
    described("failed", present.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))))
}

fn describe_start(start: &Start) -> Json {
    let namespaces = Json::array(start.namespaces.iter().map(|namespace| {
        let mut entries =
            vec![("global", Json::from(&namespace.global)), ("functions", Json::array(&namespace.functions))];
        if let Some(error) = &namespace.error {
            entries.push(("error", Json::object([("class", &error.class), ("property", &error.property)])));
        }
        Json::object(entries)
    }));
    let mut entries = vec![
        ("program", Json::from(&start.program)),
        ("namespaces", namespaces),
        ("max_value_bytes", start.max_value_bytes.into()),
        ("max_depth", start.max_depth.into()),
    ];
    entries.extend(start.modules.as_ref().map(|modules| ("modules", Json::from(modules))));
    described("start", entries)
}

fn described(kind: &str, fields: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::object(std::iter::once(("type", Json::from(kind))).chain(fields))
}

fn bytes_of(hex: &str) -> Vec<u8> {
    hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
