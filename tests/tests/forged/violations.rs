//! Frames that break the protocol while a program runs, each in one way.

use dayfly_tests::forged::{frame, header};

use crate::dice::Dice;
use crate::frames::{CALL, DONE, FAILED, LOG};
use crate::host::{DEEPEST, LONGEST};

/// One of the violations, and the name by which the host must know it.
pub(crate) fn forge(dice: &mut Dice) -> (Vec<u8>, &'static str) {
    if dice.once_in(2) { broken_header(dice) } else { broken_payload(dice) }
}

/// A header that is refused, and an honest payload behind it.
fn broken_header(dice: &mut Dice) -> (Vec<u8>, &'static str) {
    let mut bytes = header(DONE, 0, 0, 2).to_vec();
    let name = match dice.below(7) {
        0 => {
            bytes[dice.below(4)] ^= 1 << dice.below(8);
            "magic"
        }
        1 => {
            bytes[4..6].copy_from_slice(&dice.pick(&[0_u16, 2, 256, u16::MAX]).to_le_bytes());
            "version"
        }
        2 => {
            bytes[6] = dice.pick(&[0, 6, 0x7f, 0x80, 0x83, 0xff]);
            "unknown-kind"
        }
        3 => {
            bytes[6] = dice.pick(&[0x81, 0x82]);
            "wrong-side"
        }
        4 => {
            bytes[7] = 1 << dice.below(8);
            "flags"
        }
        5 => {
            let (kind, id) = dice.pick(&[(CALL, 0), (0x01, 1), (LOG, 1), (DONE, u32::MAX), (FAILED, 7)]);
            bytes = header(kind, 0, id, 2).to_vec();
            "id"
        }
        _ => {
            let most = u32::try_from(LONGEST).unwrap();
            bytes[12..].copy_from_slice(&dice.pick(&[most + 1, 1 << 28, 1 << 31, u32::MAX]).to_le_bytes());
            "too-long"
        }
    };
    bytes.extend(b"{}");
    (bytes, name)
}

/// An honest header, and a payload that is refused.
fn broken_payload(dice: &mut Dice) -> (Vec<u8>, &'static str) {
    let deep = format!(r#"{{"text":{}{}}}"#, "[".repeat(DEEPEST + 2), "]".repeat(DEEPEST + 2));
    let nothing_ends = "[".repeat(200_000);
    let of_any_kind: &[(&[u8], &str)] = &[
        (b"", "not-json"),
        (b" ", "not-json"),
        (b"{", "not-json"),
        (b"{} {}", "not-json"),
        (b"{}\0", "not-json"),
        (b"\xef\xbb\xbf{}", "not-json"),
        (b"[]", "not-an-object"),
        (b"null", "not-an-object"),
        (b"1", "not-an-object"),
        (b"\"{}\"", "not-an-object"),
        (b"{\"a\":}", "not-json"),
        (b"{'a':1}", "not-json"),
        (b"{\"a\":01}", "not-json"),
        (b"{\"a\":NaN}", "not-json"),
        (b"{\"a\":\"\n\"}", "not-json"),
        (b"{\"\\x\":1}", "not-json"),
        (b"{\"\xff\":1}", "not-utf8"),
        (b"{\"a\":\"\xed\xa0\x80\"}", "not-utf8"),
        (nothing_ends.as_bytes(), "not-json"),
    ];
    let calls = [
        ("{}", "missing-field"),
        (r#"{"global":"tools"}"#, "missing-field"),
        (r#"{"name":"turns"}"#, "missing-field"),
        (r#"{"global":"tools","name":7}"#, "field-type"),
        (r#"{"global":["tools"],"name":"turns"}"#, "field-type"),
        (r#"{"global":"tools","name":"\ud800"}"#, "not-lossless"),
        (r#"{"global":"tools","name":"turns","other":-0}"#, "not-lossless"),
        (r#"{"global":"tools","name":"turns","args.x":-0}"#, "not-lossless"),
    ];
    let logs = [
        ("{}", "missing-field"),
        (r#"{"source":"console","level":"log"}"#, "missing-field"),
        (r#"{"source":"console","level":"log","text":null}"#, "field-type"),
        (r#"{"source":"console","level":"fatal","text":""}"#, "field-value"),
        (r#"{"source":"","level":"log","text":""}"#, "field-value"),
        (r#"{"source":"console","level":"log","text":"\udfff"}"#, "not-lossless"),
        (r#"{"source":"console","level":"log","text":"","more":1e400}"#, "not-lossless"),
        (&*deep, "not-lossless"),
    ];
    let failures = [
        ("{}", "missing-field"),
        (r#"{"kind":"exception"}"#, "missing-field"),
        (r#"{"kind":"timeout","message":""}"#, "field-value"),
        (r#"{"kind":"exception","message":"","line":0}"#, "field-value"),
        (r#"{"kind":"exception","message":"","line":4294967296}"#, "field-value"),
        (r#"{"kind":"exception","message":"","column":1.5}"#, "field-value"),
        (r#"{"kind":"exception","message":"","column":"1"}"#, "field-type"),
        (r#"{"kind":"exception","message":"","name":null}"#, "field-type"),
        (r#"{"kind":"exception","message":"","stack":"\ud800"}"#, "not-lossless"),
    ];
    let of_this_kind = |kind, id, (payload, name): (&str, &'static str)| (frame(kind, id, payload.as_bytes()), name);
    match dice.below(5) {
        0 => {
            let (kind, id) = dice.pick(&[(CALL, 9), (LOG, 0), (DONE, 0), (FAILED, 0)]);
            let (payload, name) = dice.pick(of_any_kind);
            (frame(kind, id, payload), name)
        }
        1 => of_this_kind(CALL, 9, dice.pick(&calls)),
        2 => of_this_kind(LOG, 0, dice.pick(&logs)),
        3 => of_this_kind(FAILED, 0, dice.pick(&failures)),
        // A second `ready`.
        _ => of_this_kind(0x01, 0, (r#"{"language":"python","version":"3"}"#, "unexpected")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::{End, Model};

    /// All that the protocol knows but `truncated`, which is of the end of a stream.
    const NAMES: [&str; 15] = [
        "field-type",
        "field-value",
        "flags",
        "id",
        "magic",
        "missing-field",
        "not-an-object",
        "not-json",
        "not-lossless",
        "not-utf8",
        "too-long",
        "unexpected",
        "unknown-kind",
        "version",
        "wrong-side",
    ];

    #[test]
    fn every_forged_violation_is_the_one_that_it_is_meant_to_be() {
        let (mut forged, mut others) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..1_500 {
            let (bytes, name) = forge(&mut Dice::new(seed));
            let mut model = Model::new();
            model.read(&bytes);
            if model.prediction.end != End::Violation(name) {
                let shown = bytes.get(..120).unwrap_or(&bytes).escape_ascii();
                others.insert(format!("{name}, but {:?}: {shown}", model.prediction.end));
            }
            forged.insert(name);
        }
        assert!(others.is_empty(), "{others:#?}");
        assert!(forged.iter().eq(&NAMES), "{forged:?}");
    }
}
