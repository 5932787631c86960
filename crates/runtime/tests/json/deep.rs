//! Depth costs no stack: everything here runs on a thread with 128 KiB, in debug builds too.

use std::fmt::Write as _;

use dayfly_runtime::Json;
use dayfly_runtime::json::{ConvertProblem, JsonBuilder, ParseLimits, RefusalKind};

const LEVELS: usize = 100_000;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(128 * 1024).spawn(test).unwrap().join().unwrap();
}

fn deep_text(open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(LEVELS), close.repeat(LEVELS))
}

fn check(text: String) {
    on_a_small_stack(move || {
        let json = Json::parse(&text).unwrap();
        assert_eq!(json.depth(), LEVELS);
        assert_eq!(json.to_string(), text);
        assert_eq!(json.serialized_len(), text.len());
        assert!(json.to_pretty().len() > text.len());
        let other = Json::parse(&text).unwrap();
        assert!(json == other);
        assert!(json != Json::parse(&text.replace('1', "2")).unwrap());
        drop(other);
        let clone = json.clone();
        drop(json);
        let mut debug = String::new();
        write!(debug, "{clone:?}").unwrap();
        assert_eq!(debug.chars().count(), 501);
        let wrapped = Json::array([clone.clone(), clone.root().to_owned()]);
        assert_eq!(wrapped.depth(), LEVELS + 1);
        assert!(wrapped.at(1).unwrap() == clone);
        let error = clone.to_value().unwrap_err();
        assert_eq!(error.problem, ConvertProblem::TooDeep { limit: 128 });
        assert!(clone.deserialize::<serde_json::Value>().is_err());
        assert!(Json::from_serialize(&clone).is_err());
        assert!(clone.check_depth(LEVELS - 1).is_err());
        assert!(clone.check_doubles().is_ok());
    });
}

#[test]
fn deep_arrays_are_handled_without_a_frame_per_level() {
    check(deep_text("[", "1", "]"));
}

#[test]
fn deep_objects_are_handled_without_a_frame_per_level() {
    check(deep_text("{\"k\":", "1", "}"));
}

#[test]
fn deep_mixtures_are_handled_without_a_frame_per_level() {
    let text = format!("{}{}{}", "[0,{\"k\":".repeat(LEVELS / 2), 1, "}]".repeat(LEVELS / 2));
    check(text);
}

#[test]
fn deep_values_with_duplicates_are_handled_without_a_frame_per_level() {
    on_a_small_stack(|| {
        let text = deep_text("{\"k\":[0],\"k\":", "1", "}");
        let json = Json::parse(&text).unwrap();
        assert_eq!(json.to_string(), deep_text("{\"k\":", "1", "}"));
    });
}

#[test]
fn deep_values_are_built_without_a_frame_per_level() {
    on_a_small_stack(|| {
        let mut builder = JsonBuilder::new();
        for _ in 0..LEVELS {
            builder.begin_array();
        }
        for _ in 0..LEVELS {
            builder.end();
        }
        assert_eq!(builder.finish().unwrap().depth(), LEVELS);
    });
}

#[test]
fn what_is_deeper_than_the_limit_is_refused_by_path_and_skipped() {
    on_a_small_stack(|| {
        let text = format!("{{\"args\":{},\"name\":\"f\"}}", deep_text("[{\"k\":", "1", "}]"));
        let limits = ParseLimits { max_depth: 10_001, ..ParseLimits::default() };
        let parsed = Json::parse_with(text.as_bytes(), &limits).unwrap();
        let refusal = parsed.refusal.unwrap();
        assert_eq!(refusal.kind, RefusalKind::TooDeep);
        assert!(refusal.path.starts_with("args[0].k[0].k") && refusal.path.len() < 100, "{}", refusal.path);
        assert_eq!(parsed.json.depth(), 10_001);
        assert_eq!(parsed.json.get("name").and_then(|name| name.as_str()), Some("f"));
    });
}

#[test]
fn deep_text_that_never_ends_is_an_error_and_not_a_crash() {
    on_a_small_stack(|| {
        for open in ["[", "{\"\":", "[{\"a\":"] {
            assert!(Json::parse(&open.repeat(LEVELS)).is_err());
            assert!(Json::parse_with(open.repeat(LEVELS).as_bytes(), &ParseLimits::default()).is_err());
        }
    });
}
