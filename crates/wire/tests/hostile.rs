//! What a hostile worker tries, one attempt a test.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use dayfly_runtime::Json;
use dayfly_runtime::json::RefusalKind;
use dayfly_wire::{Decoder, Frame, HEADER_BYTES, Header, Kind, ProgramFailure, Violation, WireLimits, WorkerMessage};

const LIMITS: WireLimits = WireLimits::DEFAULT;

#[test]
fn a_length_of_exactly_the_limit_is_taken_and_one_more_is_not() {
    let limits = WireLimits::new(64, LIMITS.max_decoded_bytes, LIMITS.max_depth);
    let mut exact = Decoder::new(limits);
    exact.feed(&framed(Kind::Done, 0, &"{}".to_owned().repeat(32)));
    assert_eq!(exact.next().unwrap().unwrap().payload.len(), 64);

    let mut over = Decoder::new(limits);
    over.feed(&framed(Kind::Done, 0, &" ".repeat(65))[..HEADER_BYTES]);
    let violation = Violation::TooLong { kind: Kind::Done, length: 65, limit: 64 };
    assert_eq!(over.next(), Err(violation.clone()));
    over.feed(&framed(Kind::Done, 0, "{}"));
    assert_eq!(over.next(), Err(violation), "an honest frame after a broken one is not looked at");
}

#[test]
fn an_argument_keeps_nothing_alive_that_the_protocol_does_not_name() {
    let held = |more: &str| {
        let text = format!(r#"{{"global":"tools","name":"f","args":{{"a":[1,"x"]}}{more}}}"#);
        let mut decoder = Decoder::new(LIMITS);
        decoder.feed(&framed(Kind::Call, 1, &text));
        let message = WorkerMessage::decode(&decoder.next().unwrap().unwrap(), &LIMITS).unwrap();
        let WorkerMessage::Call { args: Ok(args), .. } = message else { panic!("{message:?}") };
        assert_eq!(args.to_string(), r#"{"a":[1,"x"]}"#);
        args.memory_size()
    };
    let copied = Json::parse(r#"{"a":[1,"x"]}"#).unwrap().memory_size();
    assert_eq!(held(&format!(r#","more":"{}""#, "x".repeat(1 << 20))), copied);
    // An honest call's argument is not copied: it shares the little that stands around it.
    assert!((copied + 1..copied + 200).contains(&held("")), "{copied} {}", held(""));
}

#[test]
fn an_announced_quarter_gibibyte_takes_no_memory_until_it_arrives() {
    let mut decoder = Decoder::new(LIMITS);
    let header = Header { kind: Kind::Call, flags: 0, id: 1, length: LIMITS.max_frame_bytes };
    decoder.feed(&header.encode().unwrap());
    assert_eq!(decoder.next(), Ok(None));
    drop(decoder.read_buffer());
    assert!(decoder.capacity() <= 128 * 1024, "{}", decoder.capacity());
}

#[test]
fn the_buffer_of_a_large_frame_is_given_back_whatever_follows_it() {
    let small = framed(Kind::Done, 0, "{}").repeat(20_000);
    let large = framed(Kind::Done, 0, &" ".repeat(10_000_000));
    for after in [&[][..], &small[..], &small[..100]] {
        let mut decoder = Decoder::new(LIMITS);
        decoder.feed(&[&large, after].concat());
        assert_eq!(decoder.next().unwrap().unwrap().payload.len(), 10_000_000);
        while decoder.next().unwrap().is_some() {}
        drop(decoder.read_buffer());
        assert!(decoder.capacity() <= 128 * 1024, "{}", decoder.capacity());
    }
}

#[test]
fn a_payload_is_handed_out_where_it_was_read() {
    let mut decoder = Decoder::new(LIMITS);
    decoder.feed(&[framed(Kind::Done, 0, "{}"), framed(Kind::Done, 0, r#"{"value":1}"#)].concat());
    let first = decoder.next().unwrap().unwrap().payload;
    let second = decoder.next().unwrap().unwrap().payload;
    assert_eq!(second.as_ptr() as usize - first.as_ptr() as usize, first.len() + HEADER_BYTES);
}

#[test]
fn a_stream_that_ends_between_frames_has_ended_and_one_that_ends_inside_is_truncated() {
    let bytes = framed(Kind::Done, 0, "{}");
    for length in 0..bytes.len() {
        let mut decoder = Decoder::new(LIMITS);
        decoder.feed(&bytes[..length]);
        assert_eq!(decoder.next(), Ok(None));
        let expected = if length < HEADER_BYTES { HEADER_BYTES } else { bytes.len() };
        let truncated = Err(Violation::Truncated { received: length, expected });
        assert_eq!(decoder.finish(), if length == 0 { Ok(()) } else { truncated });
    }
}

#[test]
fn an_argument_of_the_limit_passes_and_a_level_more_fails_that_call_alone() {
    let args = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let (name, taken) = call(&args(LIMITS.max_depth));
    assert_eq!((name.as_str(), taken.unwrap().depth()), ("f", LIMITS.max_depth));

    for levels in [LIMITS.max_depth + 1, 100_000, 10_000_000] {
        let (name, refused) = call(&args(levels));
        let refusal = refused.unwrap_err();
        assert_eq!((name.as_str(), refusal.kind), ("f", RefusalKind::TooDeep));
        assert!(refusal.path.starts_with("args[0][0]"), "{}", refusal.path);
        assert!(refusal.reason.contains("limit of 10000 levels"), "{}", refusal.reason);
    }
}

#[test]
fn a_completion_that_is_too_deep_is_refused_and_a_log_that_is_too_deep_is_a_violation() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let done = decode(Kind::Done, 0, &format!(r#"{{"value":{{"a":{deep}}}}}"#)).unwrap();
    let WorkerMessage::Done { value: Err(refusal) } = done else { panic!("taken as {done:?}") };
    assert!(refusal.path.starts_with("result.a[0]"), "{}", refusal.path);

    let violation = decode(Kind::Log, 0, &format!(r#"{{"text":{deep}}}"#)).unwrap_err();
    assert_eq!(violation.name(), "not-lossless");
    assert!(violation.to_string().len() < 600);
}

#[test]
fn an_argument_that_decodes_to_more_than_the_budget_fails_that_call_alone() {
    // Two bytes on the wire become sixteen in memory.
    let limits = WireLimits::new(LIMITS.max_frame_bytes, 100_000, LIMITS.max_depth);
    let args = format!("[{}0]", "0,".repeat(20_000));
    for payload in [
        format!(r#"{{"args":{args},"global":"tools","name":"f"}}"#),
        format!(r#"{{"global":"tools","name":"f","args":{args}}}"#),
    ] {
        let message = WorkerMessage::decode(&frame(Kind::Call, 1, &payload), &limits).unwrap();
        let WorkerMessage::Call { name, args: Err(refusal), .. } = message else { panic!("taken as {message:?}") };
        assert_eq!((name.as_str(), refusal.kind), ("f", RefusalKind::TooLarge));
        assert!(refusal.path.starts_with("args"), "{}", refusal.path);
    }
    let log = format!(r#"{{"source":"console","level":"log","text":"{}"}}"#, "x".repeat(100_000));
    let violation = WorkerMessage::decode(&frame(Kind::Log, 0, &log), &limits).unwrap_err();
    assert_eq!(violation.name(), "not-lossless");
}

#[test]
fn numbers_that_a_double_loses_are_refused_or_kept_whole() {
    assert_eq!(call("9007199254740993").1.unwrap().to_string(), "9007199254740993");
    let million = "7".repeat(1_000_000);
    for (args, kind, path) in [
        (r#"{"a":1e400}"#, RefusalKind::Infinite, "args.a"),
        (r#"{"a":[-0]}"#, RefusalKind::NegativeZero, "args.a[0]"),
        (million.as_str(), RefusalKind::TooManyDigits, "args"),
    ] {
        let refusal = call(args).1.unwrap_err();
        assert_eq!((refusal.kind, refusal.path.as_str()), (kind, path));
    }
}

#[test]
fn a_key_that_looks_like_the_path_of_an_argument_is_not_one() {
    for payload in [
        r#"{"global":"tools","name":"f","args.x":-0}"#,
        r#"{"global":"tools","name":"f","args[0]":-0}"#,
        r#"{"global":"tools","name":"f","argsx":-0}"#,
        r#"{"global":"tools","name":"f","value":-0}"#,
        r#"{"global":"tools","name":"f","args":1,"":-0}"#,
    ] {
        assert_eq!(decode(Kind::Call, 1, payload).unwrap_err().name(), "not-lossless", "{payload}");
    }
}

#[test]
fn names_that_mean_something_to_a_language_are_ordinary() {
    let payload = r#"{"global":"constructor","name":"__proto__","args":{"__proto__":{"toString":1}}}"#;
    let message = decode(Kind::Call, 1, payload).unwrap();
    let WorkerMessage::Call { global, name, args: Ok(args), .. } = message else { panic!("taken as {message:?}") };
    assert_eq!((global.as_str(), name.as_str()), ("constructor", "__proto__"));
    assert_eq!(args.to_string(), r#"{"__proto__":{"toString":1}}"#);
}

#[test]
fn a_million_keys_cost_no_more_than_their_size() {
    let fields: String = (0..1_000_000).map(|key| format!(r#""{key}":0,"#)).collect();
    let payload = format!(r#"{{{fields}"kind":"exception","message":"m"}}"#);
    let message = decode(Kind::Failed, 0, &payload).unwrap();
    let WorkerMessage::Failed(failure) = message else { panic!("taken as {message:?}") };
    assert_eq!(failure, ProgramFailure::new(dayfly_wire::ProgramFailureKind::Exception, "m"));
}

#[test]
fn what_a_person_reads_of_a_violation_is_short_and_escaped() {
    let shown = |violation: Violation| violation.to_string();
    let header = |bytes: [u8; HEADER_BYTES]| {
        let mut decoder = Decoder::new(LIMITS);
        decoder.feed(&bytes);
        shown(decoder.next().unwrap_err())
    };
    assert_eq!(header(*b"GET / HTTP/1.1\r\n"), r#"a frame begins with "GET " instead of "DAYF""#);
    assert_eq!(header(*b"\x1b[31mred........"), r#"a frame begins with "\x1b[31" instead of "DAYF""#);
    assert_eq!(header(*b"DAYF\x02\0\x01\0\0\0\0\0\0\0\0\0"), "the frame is of protocol version 2, not 1");
    assert_eq!(header(*b"DAYF\x01\0\x7f\0\0\0\0\0\0\0\0\0"), "there is no kind 0x7f of frame in protocol version 1");
    assert_eq!(
        header(*b"DAYF\x01\0\x81\0\0\0\0\0\0\0\0\0"),
        "a start frame came from the worker, which never sends one"
    );
    assert_eq!(
        header(*b"DAYF\x01\0\x04\0\0\0\0\0\xff\xff\xff\xff"),
        "a done frame announces 4294967295 bytes, more than the limit of 268435456"
    );
    let language = format!(r#"{{"language":"\u001b[2J\u202e{}","version":""}}"#, "x".repeat(1_000_000));
    assert_eq!(
        shown(decode(Kind::Ready, 0, &language).unwrap_err()),
        format!(
            r#"the field "language" of a ready frame is "\u{{1b}}[2J\u{{202e}}{}… (1000007 bytes in all)", which is not among its values"#,
            "x".repeat(59)
        )
    );
    assert_eq!(
        shown(decode(Kind::Call, 1, r#"{"global":"tools","name":["f"]}"#).unwrap_err()),
        r#"the field "name" of a call frame is of type array, not string"#
    );
}

/// The name and the argument of a call with this argument.
fn call(args: &str) -> (String, Result<dayfly_runtime::Json, dayfly_runtime::json::Refusal>) {
    let message = decode(Kind::Call, 1, &format!(r#"{{"global":"tools","args":{args},"name":"f"}}"#)).unwrap();
    let WorkerMessage::Call { name, args, .. } = message else { panic!("taken as {message:?}") };
    (name, args)
}

fn decode(kind: Kind, id: u32, payload: &str) -> Result<WorkerMessage, Violation> {
    WorkerMessage::decode(&frame(kind, id, payload), &LIMITS)
}

fn frame(kind: Kind, id: u32, payload: &str) -> Frame {
    let mut decoder = Decoder::new(LIMITS);
    decoder.feed(&framed(kind, id, payload));
    decoder.next().unwrap().unwrap()
}

fn framed(kind: Kind, id: u32, payload: &str) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap();
    let header = Header { kind, flags: 0, id, length };
    [&header.encode().unwrap(), payload.as_bytes()].concat()
}
