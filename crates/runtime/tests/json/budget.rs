//! Decoded memory is bounded, whatever the bytes say.

use dayfly_runtime::Json;
use dayfly_runtime::json::{ParseLimits, RefusalKind};
use proptest::prelude::*;

use crate::strategies::model;

/// What a `Json` of one node takes, which no budget goes below.
const LEAST: usize = 48;

fn limits(max_decoded_bytes: usize) -> ParseLimits {
    ParseLimits { max_decoded_bytes, ..ParseLimits::default() }
}

#[test]
fn brackets_cost_what_they_decode_to_and_not_what_they_are_on_the_wire() {
    let text = format!("{{\"args\":[{}0],\"name\":\"f\"}}", "[],".repeat(100_000));
    let parsed = Json::parse_with(text.as_bytes(), &limits(1 << 20)).unwrap();
    let refusal = parsed.refusal.unwrap();
    assert_eq!(refusal.kind, RefusalKind::TooLarge);
    // 16 bytes each, less what stands before them: 32 at once, 16 for the object, 24 + 4 for the key, 16 for the array.
    assert_eq!(refusal.path, format!("args[{}]", ((1 << 20) - 92) / 16));
    assert_eq!(parsed.json.to_string(), r#"{"args":null,"name":"f"}"#);
    assert!(parsed.json.memory_size() < 200);
}

#[test]
fn what_follows_something_too_large_is_kept_while_it_fits() {
    let large = format!("[{}0]", "0,".repeat(1_000));
    let string = "x".repeat(2_000);
    let text = format!(r#"{{"a":1,"b":{large},"c":"{string}","d":{{"{string}":1}},"e":[[2]],"{string}":3,"f":4}}"#);
    let parsed = Json::parse_with(text.as_bytes(), &limits(1_000)).unwrap();
    assert_eq!(parsed.json.to_string(), r#"{"a":1,"b":null,"c":null,"d":null,"e":[[2]],"f":4}"#);
    assert_eq!(parsed.refusal.map(|refusal| refusal.path), Some("b[51]".to_owned()));
}

#[test]
fn too_small_a_budget_leaves_null() {
    for text in ["[1]", "\"some text\"", "{\"a\":[]}", "1"] {
        let parsed = Json::parse_with(text.as_bytes(), &limits(0)).unwrap();
        assert!(parsed.json.is_null());
        assert_eq!(parsed.refusal.map(|refusal| refusal.path), Some(String::new()));
    }
}

#[test]
fn syntax_is_still_checked_after_the_budget_is_spent() {
    for text in ["[[1,2,3]", "[[1,2,3}]", "{\"a\":[1,2],\"b\"}", "[\"x\",01]"] {
        assert!(Json::parse_with(text.as_bytes(), &limits(70)).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn a_value_stays_within_any_budget_and_is_whole_when_it_fits(model in model(), budget in 0_usize..3_000) {
        let text = model.text();
        let whole = Json::parse(&text).unwrap();
        let parsed = Json::parse_with(text.as_bytes(), &limits(budget)).unwrap();
        prop_assert!(parsed.json.memory_size() <= budget.max(LEAST));
        prop_assert_eq!(parsed.refusal.is_some(), 32 + model.charge() > budget);
        if parsed.refusal.is_none() {
            prop_assert_eq!(parsed.json.to_string(), whole.to_string());
        }
    }

    #[test]
    fn a_value_stays_within_any_depth(model in model(), max_depth in 0_usize..5) {
        let text = model.text();
        let whole = Json::parse(&text).unwrap();
        let parsed = Json::parse_with(text.as_bytes(), &ParseLimits { max_depth, ..ParseLimits::default() }).unwrap();
        prop_assert!(parsed.json.depth() <= max_depth);
        if parsed.refusal.is_none() {
            prop_assert_eq!(parsed.json.to_string(), whole.to_string());
        }
        if whole.depth() > max_depth {
            prop_assert_eq!(parsed.refusal.map(|refusal| refusal.kind), Some(RefusalKind::TooDeep));
        }
    }
}
