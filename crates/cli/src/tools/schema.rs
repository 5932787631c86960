//! Schemas of arguments and results.

use std::fmt::Write as _;

use dayfly::{Json, JsonRef, json::JsonKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Number, Value};

use super::excerpt;
use super::vocabulary;

/// Validators recurse, and report in time that is quadratic in the depth.
const MAX_DEPTH: usize = 256;

/// More than this many violations say no more to a model.
const MAX_VIOLATIONS: usize = 8;

/// Characters of one violation: the library's text may quote keys and constants of any length.
const VIOLATION_LENGTH: usize = 300;

/// A compiled JSON Schema.
#[derive(Debug)]
pub(super) struct Schema(Validator);

/// What is wrong with a value, by path; one violation a line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub(super) struct Violations(Vec<String>);

impl Schema {
    /// Compiles a schema of any draft. References lead nowhere but into the schema itself, and patterns are matched
    /// in linear time.
    pub(super) fn compile(schema: &Value) -> Result<Self, String> {
        if let Some(problem) = vocabulary::read(schema).unknown_type {
            return Err(excerpt::head(problem.as_bytes(), VIOLATION_LENGTH));
        }
        let options = jsonschema::options().offline().with_pattern_options(PatternOptions::regex());
        options.build(schema).map(Self).map_err(|error| {
            let place = error.instance_path().as_str();
            let problem = excerpt::head(error.to_string().as_bytes(), VIOLATION_LENGTH);
            if place.is_empty() { problem } else { format!("at {place}: {problem}") }
        })
    }

    /// Checks a value; paths begin with `root`.
    pub(super) fn check(&self, value: &Json, root: &str) -> Result<(), Violations> {
        let value = to_value(value.root(), MAX_DEPTH).map_err(|()| {
            Violations(vec![format!("{root}: nested more than {MAX_DEPTH} levels deep; pass it flatter, or as text")])
        })?;
        let mut errors = self.0.iter_errors(&value);
        let mut violations: Vec<String> = errors
            .by_ref()
            .take(MAX_VIOLATIONS)
            .map(|error| {
                let mut path = root.to_owned();
                error.instance_path().segments().for_each(|segment| push_segment(&mut path, &segment));
                let problem = error.masked_with("the value").to_string();
                format!(
                    "{}: {}",
                    excerpt::head(path.as_bytes(), VIOLATION_LENGTH),
                    excerpt::head(problem.as_bytes(), VIOLATION_LENGTH)
                )
            })
            .collect();
        if errors.next().is_some() {
            violations.push("and more".to_owned());
        }
        if violations.is_empty() { Ok(()) } else { Err(Violations(violations)) }
    }
}

/// The value as the validator wants it. Numbers become what the validator can compare; what crosses is the exact one.
fn to_value(json: JsonRef<'_>, levels: usize) -> Result<Value, ()> {
    let inner = || levels.checked_sub(1).ok_or(());
    Ok(match json.kind() {
        JsonKind::Null => Value::Null,
        JsonKind::Bool => Value::Bool(json.as_bool().unwrap_or_default()),
        JsonKind::String => Value::String(json.as_str().unwrap_or_default().to_owned()),
        JsonKind::Number => number(json).map_or(Value::Null, Value::Number),
        JsonKind::Array => {
            let inner = inner()?;
            Value::Array(json.items().map(|item| to_value(item, inner)).collect::<Result<_, ()>>()?)
        }
        JsonKind::Object => {
            let inner = inner()?;
            let entries = json.entries().map(|(key, value)| Ok((key.to_owned(), to_value(value, inner)?)));
            Value::Object(entries.collect::<Result<Map<_, _>, ()>>()?)
        }
    })
}

fn number(json: JsonRef<'_>) -> Option<Number> {
    let integer = json.as_i64().map(Number::from).or_else(|| json.as_u64().map(Number::from));
    // An integer beyond 64 bits is compared as the nearest double, and one beyond all doubles as the largest.
    integer.or_else(|| Number::from_f64(json.as_f64().unwrap_or(f64::MAX)))
}

fn push_segment(path: &mut String, segment: &LocationSegment<'_>) {
    // Writing to a string cannot fail.
    let _ = match segment {
        LocationSegment::Index(index) => write!(path, "[{index}]"),
        LocationSegment::Property(key) if is_identifier(key) => write!(path, ".{key}"),
        LocationSegment::Property(key) => write!(path, "[{}]", Json::from(key.as_ref())),
    };
}

fn is_identifier(key: &str) -> bool {
    !key.starts_with(|first: char| first.is_ascii_digit())
        && !key.is_empty()
        && key.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(schema: &Value, value: &str) -> Result<(), String> {
        let value = Json::parse(value).unwrap();
        Schema::compile(schema).unwrap().check(&value, "arguments").map_err(|violations| violations.to_string())
    }

    #[test]
    fn every_violation_is_reported_by_its_path() {
        let schema = json!({
            "type": "object",
            "properties": { "path": { "type": "string" }, "items": { "items": { "properties": { "odd-name": { "minimum": 1 } } } } },
            "required": ["path"],
        });
        assert_eq!(check(&schema, r#"{"path": "a", "items": []}"#), Ok(()));
        let text = check(&schema, r#"{"items": [{}, {"odd-name": 0}]}"#).unwrap_err();
        assert!(text.contains(r#"arguments: "path" is a required property"#), "{text}");
        assert!(text.contains(r#"arguments.items[1]["odd-name"]: the value is less than"#), "{text}");
        assert_eq!(text.lines().count(), 2, "{text}");
    }

    #[test]
    fn the_report_is_bounded_whatever_the_value() {
        let schema = json!({ "items": { "type": "string" }, "additionalProperties": false });
        let many = format!("[{}]", vec!["1"; 100_000].join(","));
        assert_eq!(check(&schema, &many).unwrap_err().lines().count(), MAX_VIOLATIONS + 1);
        let long = format!("{{\"{}\": 1}}", "k".repeat(1_000_000));
        assert!(check(&schema, &long).unwrap_err().len() < 2_000);
    }

    #[test]
    fn depth_is_refused_before_the_validator_sees_it() {
        let schema = json!({ "$ref": "#/$defs/tree", "$defs": { "tree": { "items": { "$ref": "#/$defs/tree" } } } });
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(check(&schema, &nested(MAX_DEPTH)), Ok(()));
        let text = check(&schema, &nested(MAX_DEPTH + 1)).unwrap_err();
        assert!(text.contains("more than 256 levels"), "{text}");
    }

    #[test]
    fn numbers_are_judged_by_their_size() {
        let integer = json!({ "type": "integer", "minimum": 0 });
        assert_eq!(check(&integer, "3.0"), Ok(()));
        assert_eq!(check(&integer, "18446744073709551615"), Ok(()));
        assert_eq!(check(&integer, "340282366920938463463374607431768211456"), Ok(()));
        assert!(check(&integer, "-1").is_err());
        assert!(check(&integer, "0.5").is_err());
        assert_eq!(check(&integer, &"9".repeat(400)), Ok(()));
    }

    #[test]
    fn a_schema_that_is_none_or_leads_elsewhere_is_refused() {
        for schema in [
            json!({ "type": "sting" }),
            json!({ "$ref": "https://example.com/schema.json" }),
            json!({ "$ref": "file:///etc/passwd" }),
            json!({ "$ref": "#/$defs/missing" }),
            json!({ "pattern": "(" }),
            json!(3),
        ] {
            assert!(Schema::compile(&schema).is_err(), "{schema}");
        }
        assert!(Schema::compile(&json!(true)).is_ok());
    }
}
