//! Time and text in proportion to the schema, whatever schemas multiply.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use dayfly_runtime::{Json, Language};
use dayfly_tools::sdk::{python_type, typescript_type};

use crate::tools::json;

/// A schema of so many parts.
type Family = fn(usize) -> String;

fn list(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(",")
}

const FAMILIES: &[(&str, Family)] = &[
    ("wide", |n| format!(r#"{{"properties": {{{}}}}}"#, list(n, |i| format!(r#""p{i}": {{"type": "string"}}"#)))),
    ("enum", |n| format!(r#"{{"enum": [{}]}}"#, list(n, |i| format!(r#""v{i}""#)))),
    ("anyOf", |n| format!(r#"{{"anyOf": [{}]}}"#, list(n, |i| format!(r#"{{"const": {i}}}"#)))),
    ("nested choices", |n| {
        format!(
            r#"{{"anyOf": [{}]}}"#,
            list(n / 4, |i| format!(r#"{{"anyOf": [{{"const": {i}}}, {{"type": "array"}}]}}"#))
        )
    }),
    ("allOf that each multiply", |n| {
        format!(
            r#"{{"allOf": [{}]}}"#,
            list(n / 2, |i| format!(
                r#"{{"properties": {{"p{i}": true}}, "additionalProperties": {{"type": "string"}}}}"#
            ))
        )
    }),
    ("tuples that each multiply", |n| {
        format!(
            r#"{{"allOf": [{}]}}"#,
            list(n / 4, |_| r#"{"prefixItems": [true, true, true], "items": {"type": "string"}}"#.to_owned())
        )
    }),
    ("a ladder of references", |n| {
        let rung = |i: usize| {
            let next = i + 1;
            format!(
                r##""d{i}": {{"properties": {{"l": {{"$ref": "#/$defs/d{next}"}}, "r": {{"$ref": "#/$defs/d{next}"}}}}}}"##
            )
        };
        format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d{n}": {{"type": "string"}}}}}}"##, list(n, rung))
    }),
    ("a ladder of choices", |n| {
        let rung = |i: usize| {
            let next = i + 1;
            format!(
                r##""d{i}": {{"anyOf": [{{"$ref": "#/$defs/d{next}"}}, {{"$ref": "#/$defs/d{next}"}}, {{"type": "null"}}]}}"##
            )
        };
        format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d{n}": {{"type": "string"}}}}}}"##, list(n, rung))
    }),
    ("a chain of references", |n| {
        let link = |i: usize| format!(r##""d{i}": {{"$ref": "#/$defs/d{}"}}"##, i + 1);
        format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d{n}": {{"type": "string"}}}}}}"##, list(n, link))
    }),
    ("references into a list", |n| {
        let all = list(n, |i| format!(r#"{{"const": {i}}}"#));
        format!(
            r##"{{"prefixItems": [{}], "$defs": {{"l": [{all}]}}}}"##,
            list(n, |i| format!(r##"{{"$ref": "#/$defs/l/{i}"}}"##))
        )
    }),
    ("references that are lost", |n| {
        format!(r#"{{"properties": {{{}}}}}"#, list(n, |i| format!(r##""p{i}": {{"$ref": "#/$defs/lost{i}"}}"##)))
    }),
    ("names that collide", |n| {
        let reference = |i: usize| format!(r##"{{"$ref": "#/$defs/d{i}/x"}}, {{"$ref": "#/$defs/d{i}/x"}}"##);
        let target = |i: usize| format!(r#""d{i}": {{"x": {{"properties": {{"p": {{"const": {i}}}}}}}}}"#);
        format!(r#"{{"prefixItems": [{}], "$defs": {{{}}}}}"#, list(n, reference), list(n, target))
    }),
    ("required", |n| format!(r#"{{"required": [{}]}}"#, list(n, |i| format!(r#""r{i}""#)))),
    ("patterns", |n| {
        format!(r#"{{"patternProperties": {{{}}}}}"#, list(n, |i| format!(r#""^p{i}": {{"type": "string"}}"#)))
    }),
    ("dependent", |n| format!(r#"{{"dependentRequired": {{{}}}}}"#, list(n, |i| format!(r#""a{i}": ["b"]"#)))),
    ("words", |n| {
        let mut text = String::from(r#"{"description": ""#);
        for line in 0..n {
            let _ = write!(text, "line {line} */\\n");
        }
        text + r#""}"#
    }),
    ("anchors", |n| {
        let anchored = list(n, |i| format!(r#""d{i}": {{"$anchor": "a{i}", "type": "string"}}"#));
        format!(
            r##"{{"prefixItems": [{}], "$defs": {{{anchored}}}}}"##,
            list(n, |i| format!(r##"{{"$ref": "#a{i}"}}"##))
        )
    }),
];

fn written(language: Language, schema: &Json) -> usize {
    match language {
        Language::TypeScript => typescript_type(schema).len(),
        Language::Python => python_type(schema).len(),
        other => panic!("{other} is new: measure it too"),
    }
}

/// The least time of some, and the bytes that were written.
fn time(language: Language, schema: &Json, tries: u32) -> (Duration, usize) {
    let times = (0..tries).map(|_| {
        let start = Instant::now();
        let bytes = written(language, schema);
        (start.elapsed(), bytes)
    });
    times.min().unwrap()
}

fn hold(language: Language) {
    const TIMES: u32 = 16;
    for (family, make) in FAMILIES {
        let (small, large) = (json(&make(200)), json(&make(200 * 16)));
        let (short, _) = time(language, &small, 3);
        let (long, bytes) = time(language, &large, 1);
        // What takes the square takes more than is allowed for a machine that is busy.
        let most = (short.max(Duration::from_micros(100)) * TIMES * 10).max(Duration::from_millis(500));
        assert!(long < most, "{language}: {family}: {short:?} became {long:?}");
        let size = large.serialized_len();
        assert!(bytes < size * 40 + (64 << 10), "{language}: {family}: {size} bytes of schema became {bytes}");
    }
}

#[test]
fn typescript_takes_time_and_text_in_proportion_to_the_schema() {
    hold(Language::TypeScript);
}
