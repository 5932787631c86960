//! Unit tests of parsing, printing and equality.

use super::*;

fn parsed(text: &str, limits: &ParseLimits) -> (String, Option<(RefusalKind, String)>) {
    let parsed = Json::parse_with(text.as_bytes(), limits).unwrap();
    (parsed.json.to_string(), parsed.refusal.map(|refusal| (refusal.kind, refusal.path)))
}

#[test]
fn printing_gives_back_what_was_read() {
    for text in [
        "null",
        "true",
        "0",
        "-12",
        "1.0",
        "1e300",
        "123456789012345678901234567890",
        r#""a\"\\\n\u0001é\u2028""#.replace("\\u2028", "\u{2028}").as_str(),
        "[]",
        "{}",
        "[[],{},[1,[2]],{\"a\":{\"b\":[]}}]",
    ] {
        assert_eq!(Json::parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn of_duplicate_keys_the_last_counts_and_stands_where_it_was_written() {
    let json = Json::parse(r#"{"a":{"x":1,"x":2},"b":[{"y":0,"y":1}],"a":{"z":3,"w":1,"z":4}}"#).unwrap();
    assert_eq!(json.to_string(), r#"{"b":[{"y":1}],"a":{"w":1,"z":4}}"#);
    assert_eq!(json.len(), 2);
    let many: String = (0..100).map(|n| format!("\"k{}\":{n},", n % 10)).collect();
    let json = Json::parse(&format!("{{{}\"end\":[1]}}", many)).unwrap();
    assert_eq!(json.len(), 11);
    assert_eq!(json.get("k3").and_then(|value| value.as_i64()), Some(93));
}

#[test]
fn what_is_not_acceptable_is_refused_by_its_path_and_the_rest_is_read() {
    let limits = ParseLimits { max_depth: 3, max_decoded_bytes: 1 << 20, max_number_digits: 5 };
    let cases = [
        (r#"{"a":[1,-0]}"#, r#"{"a":[1,null]}"#, RefusalKind::NegativeZero, "a[1]"),
        (r#"{"a":[1,-0.0e5]}"#, r#"{"a":[1,null]}"#, RefusalKind::NegativeZero, "a[1]"),
        (r#"{"odd-name":[1e999]}"#, r#"{"odd-name":[null]}"#, RefusalKind::Infinite, "[\"odd-name\"][0]"),
        ("[123456]", "[null]", RefusalKind::TooManyDigits, "[0]"),
        (r#"["\ud800x","\ude00"]"#, "[null,null]", RefusalKind::LoneSurrogate, "[0]"),
        (r#"{"x\ud800":[[1]],"y":2}"#, "{\"x\u{FFFD}\":null,\"y\":2}", RefusalKind::LoneSurrogate, "[\"x\u{FFFD}\"]"),
        ("[[[[[1]],2]],3]", "[[[null,2]],3]", RefusalKind::TooDeep, "[0][0][0]"),
        (r#"{"a":{"b":{"c":{"d":1}},"e":-0}}"#, r#"{"a":{"b":{"c":null},"e":null}}"#, RefusalKind::TooDeep, "a.b.c"),
    ];
    for (text, json, kind, path) in cases {
        assert_eq!(parsed(text, &limits), (json.to_owned(), Some((kind, path.to_owned()))), "{text}");
    }
}
