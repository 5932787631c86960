//! Frames that break the protocol while a program runs, each in one way.

use dayfly_tests::forged::{frame, header};

use crate::dice::Dice;
use crate::frames::{CALL, DONE, FAILED, LOG};
use crate::host::{DEEPEST, LONGEST};

const CALL_FIELDS: &str = r#""global":"tools","name":"turns""#;

/// One of the violations.
pub(crate) fn forge(dice: &mut Dice) -> Vec<u8> {
    if dice.once_in(2) { broken_header(dice) } else { broken_payload(dice) }
}

/// A header that is refused, and an honest payload behind it.
fn broken_header(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = header(DONE, 0, 0, 2).to_vec();
    match dice.below(7) {
        0 => bytes[dice.below(4)] ^= 1 << dice.below(8),
        1 => bytes[4..6].copy_from_slice(&dice.pick(&[0_u16, 2, 256, u16::MAX]).to_le_bytes()),
        2 => bytes[6] = dice.pick(&[0, 6, 0x7f, 0x80, 0x83, 0xff]),
        3 => bytes[6] = dice.pick(&[0x81, 0x82]),
        4 => bytes[7] = 1 << dice.below(8),
        5 => {
            let (kind, id) = dice.pick(&[(CALL, 0), (0x01, 1), (LOG, 1), (DONE, u32::MAX), (FAILED, 7)]);
            bytes = header(kind, 0, id, 2).to_vec();
        }
        _ => {
            let most = u32::try_from(LONGEST).unwrap();
            bytes[12..].copy_from_slice(&dice.pick(&[most + 1, 1 << 28, 1 << 31, u32::MAX]).to_le_bytes());
        }
    }
    bytes.extend(b"{}");
    bytes
}

/// An honest header, and a payload that is refused.
fn broken_payload(dice: &mut Dice) -> Vec<u8> {
    let deep = format!(r#"{{"text":{}{}}}"#, "[".repeat(DEEPEST + 2), "]".repeat(DEEPEST + 2));
    let nothing_ends = "[".repeat(200_000);
    let of_any_kind: &[&[u8]] = &[
        b"",
        b" ",
        b"{",
        b"{} {}",
        b"{}\0",
        b"\xef\xbb\xbf{}",
        b"[]",
        b"null",
        b"1",
        b"\"{}\"",
        b"{\"a\":}",
        b"{'a':1}",
        b"{\"a\":01}",
        b"{\"a\":NaN}",
        b"{\"a\":\"\n\"}",
        b"{\"\\x\":1}",
        b"{\"\xff\":1}",
        b"{\"a\":\"\xed\xa0\x80\"}",
        nothing_ends.as_bytes(),
    ];
    let calls = [
        "{}".to_owned(),
        r#"{"global":"tools"}"#.to_owned(),
        r#"{"name":"turns"}"#.to_owned(),
        r#"{"global":"tools","name":7}"#.to_owned(),
        r#"{"global":["tools"],"name":"turns"}"#.to_owned(),
        r#"{"global":"tools","name":"\ud800"}"#.to_owned(),
        format!(r#"{{{CALL_FIELDS},"other":-0}}"#),
        format!(r#"{{{CALL_FIELDS},"args.x":-0}}"#),
    ];
    let logs = [
        "{}",
        r#"{"source":"console","level":"log"}"#,
        r#"{"source":"console","level":"log","text":null}"#,
        r#"{"source":"console","level":"fatal","text":""}"#,
        r#"{"source":"","level":"log","text":""}"#,
        r#"{"source":"console","level":"log","text":"\udfff"}"#,
        r#"{"source":"console","level":"log","text":"","more":1e400}"#,
        &deep,
    ];
    let failures = [
        "{}",
        r#"{"kind":"exception"}"#,
        r#"{"kind":"timeout","message":""}"#,
        r#"{"kind":"exception","message":"","line":0}"#,
        r#"{"kind":"exception","message":"","line":4294967296}"#,
        r#"{"kind":"exception","message":"","column":1.5}"#,
        r#"{"kind":"exception","message":"","column":"1"}"#,
        r#"{"kind":"exception","message":"","name":null}"#,
        r#"{"kind":"exception","message":"","stack":"\ud800"}"#,
    ];
    match dice.below(5) {
        0 => {
            let (kind, id) = dice.pick(&[(CALL, 9), (LOG, 0), (DONE, 0), (FAILED, 0)]);
            frame(kind, id, dice.pick(of_any_kind))
        }
        1 => frame(CALL, 9, calls[dice.below(calls.len())].as_bytes()),
        2 => frame(LOG, 0, dice.pick(&logs).as_bytes()),
        3 => frame(FAILED, 0, dice.pick(&failures).as_bytes()),
        // A second `ready`.
        _ => frame(0x01, 0, br#"{"language":"python","version":"3"}"#),
    }
}
