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

#[test]
fn a_shared_part_is_the_part_in_every_way() {
    let whole = Json::parse(r#"{"a": {"b": [1, {"c": "x"}]}, "d": -0.5}"#).unwrap();
    let part = whole.share(whole.get("a").and_then(|value| value.get("b")).unwrap());
    assert_eq!(part.memory_size(), whole.memory_size());
    assert_eq!(part.to_string(), r#"[1,{"c":"x"}]"#);
    assert_eq!(part, Json::parse(r#"[1, {"c": "x"}]"#).unwrap());
    assert_eq!((part.len(), part.depth(), part.at(0).and_then(|item| item.as_i64())), (2, 2, Some(1)));
    assert_eq!(Json::array([part.clone()]).to_string(), r#"[[1,{"c":"x"}]]"#);
    assert_eq!(Json::object([("k", part.clone())]).to_string(), r#"{"k":[1,{"c":"x"}]}"#);
    assert_eq!(part.to_value().unwrap().to_string(), part.to_string());
    let owned = part.root().to_owned();
    assert_eq!(owned.share(part.root()), owned);
    assert!(owned.memory_size() < part.memory_size());
    let mut builder = JsonBuilder::new();
    builder.begin_array().value(&part).value_ref(whole.root()).end();
    assert_eq!(builder.finish().unwrap().to_string(), format!("[{part},{whole}]"));
}

#[test]
fn the_first_misuse_of_a_builder_is_its_answer() {
    type Misuse = fn(&mut JsonBuilder);
    let cases: [(Misuse, BuildError); 10] = [
        (|_| (), BuildError::Incomplete),
        (|builder| _ = builder.begin_array().null(), BuildError::Incomplete),
        (|builder| _ = builder.end(), BuildError::UnexpectedEnd),
        (|builder| _ = builder.null().null(), BuildError::SecondValue),
        (|builder| _ = builder.key("k"), BuildError::UnexpectedKey),
        (|builder| _ = builder.begin_array().key("k"), BuildError::UnexpectedKey),
        (|builder| _ = builder.begin_object().key("k").key("l"), BuildError::UnexpectedKey),
        (|builder| _ = builder.begin_object().bool(true), BuildError::MissingKey),
        (|builder| _ = builder.begin_object().key("k").end(), BuildError::MissingValue),
        (|builder| _ = builder.float(f64::NAN).end(), BuildError::Number(NumberError::NotANumber)),
    ];
    for (misuse, error) in cases {
        let mut builder = JsonBuilder::new();
        misuse(&mut builder);
        assert_eq!(builder.finish().unwrap_err(), error);
    }
}

#[test]
fn numbers_are_what_they_say_and_no_more() {
    let number = |text: &str| Json::parse(text).unwrap();
    assert_eq!(number("1"), number("1.0"));
    assert_eq!(number("1e2"), number("100"));
    assert_ne!(number("9007199254740993"), number("9007199254740992.0"));
    assert_eq!(number("9007199254740992"), number("9007199254740992.0"));
    assert_eq!(number("1e300").to_string(), "1e300");
    assert_eq!(number(&format!("{:.0}", 1e300)), number("1e300"));
    assert_ne!(number(&format!("1{}", "0".repeat(300))), number("1e300"));
    assert_eq!(number("1E+2").to_string(), "100.0");
    assert_eq!(number("1e-400").to_string(), "0.0");
    assert_eq!(number("5e-324").as_f64(), Some(5e-324));
    assert_eq!(number(&format!("0.{}1", "0".repeat(4_000))).to_string(), "0.0");
    assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(number("18446744073709551616").as_u64(), None);
    assert_eq!(number("-9.0").as_i64(), Some(-9));
    assert_eq!(number("0.5").as_i64(), None);
    let most = "9".repeat(MAX_NUMBER_DIGITS);
    assert_eq!(number(&most).number_text(), Some(most.as_str()));
    assert_eq!(number(&most).as_f64(), None);
    for text in ["-0", "-0.0", "-0e5", "-1e-400", "1e309", "-1e309", &format!("{most}9"), &format!("1e{most}")] {
        let error = Json::parse(text).unwrap_err();
        assert!(matches!(error, ParseError::Refused(_)), "{text}: {error}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let error = |text: &str| Json::parse(text).unwrap_err().to_string();
    assert_eq!(
        error("{\n  \"é\": 1,}"),
        "not JSON at line 2, column 10 (byte 12): expected a key in double quotes, found `}`"
    );
    assert_eq!(error(""), "not JSON at line 1, column 1 (byte 0): expected a value, found the end of the text");
    assert_eq!(
        error("[1 2]"),
        "not JSON at line 1, column 4 (byte 3): expected `,` or the end of the array or object, found a number"
    );
    assert_eq!(
        error("[NaN]"),
        "not JSON at line 1, column 2 (byte 1): NaN and infinities are not JSON; use null or a string"
    );
    assert_eq!(error("\"\\q\""), "not JSON at line 1, column 2 (byte 1): the escape is none of JSON's");
    assert_eq!(error("\"a"), "not JSON at line 1, column 3 (byte 2): the string does not end");
    assert_eq!(
        error("[-0]"),
        "not acceptable JSON: at [0]: a number is negative zero, which does not survive JSON; use 0"
    );
    assert_eq!(Json::parse_with(b"\"\xff\"", &ParseLimits::default()).unwrap_err(), ParseError::NotUtf8 { offset: 1 });
}

#[test]
fn pretty_text_is_indented_by_two_up_to_ten() {
    let json = Json::parse(r#"{"a":[],"b":[1,{"c":[[[{"d":[2]},{}]]]}]}"#).unwrap();
    let pretty = r#"{
  "a": [],
  "b": [
    1,
    {
      "c": [
        [
          [{"d":[2]},{}]
        ]
      ]
    }
  ]
}"#;
    assert_eq!(json.to_pretty(), pretty);
}

#[test]
fn debug_is_bounded() {
    assert_eq!(format!("{:?}", Json::from("é\n")), r#""é\n""#);
    let long = format!("{:?}", Json::from("é".repeat(1_000_000)));
    assert_eq!((long.chars().count(), long.ends_with('…')), (501, true));
}

#[test]
fn objects_are_equal_in_any_order_and_by_every_entry() {
    let object = |text: &str| Json::parse(text).unwrap();
    let base = object(r#"{"a":1,"b":[2],"c":{"d":3,"e":4}}"#);
    for same in [r#"{"c":{"e":4,"d":3},"b":[2],"a":1}"#, r#"{"a":1,"c":{"d":3,"e":4.0},"b":[2]}"#] {
        assert_eq!(base, object(same));
    }
    for other in [
        r#"{"a":1,"b":[2],"x":{"d":3,"e":4}}"#,
        r#"{"a":1,"b":[2],"c":{"d":3,"e":5}}"#,
        r#"{"a":1,"c":{"d":3,"e":4},"b":[3]}"#,
        r#"{"a":1,"c":{"d":3,"f":4},"b":[2]}"#,
        r#"{"a":1,"b":[2]}"#,
        r#"{"a":1,"b":[2],"c":{"d":3,"e":4},"f":5}"#,
    ] {
        assert_ne!(base, object(other), "{other}");
    }
}
