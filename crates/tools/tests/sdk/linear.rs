//! Time and text in proportion to the schema, whatever schemas multiply, and to the tools, whatever they are called.
//!
//! What is held against the time is the time of as much work in `TIMES` parts: what takes the square takes `TIMES` times as long
//! as them, and what is linear may take ten times as long, for a machine whose memory is busy.

use std::fmt::Write as _;
use std::time::Duration;

use dayfly_runtime::Language;
use dayfly_tools::Tool;
use dayfly_tools::sdk::{declare, python_type, typescript_type};
use nix::time::{ClockId, clock_gettime};

use crate::tools::{json, tool};

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
    ("oneOf of objects with a tag", |n| {
        let tagged = |i| format!(r#"{{"type": "object", "required": ["k"], "properties": {{"k": {{"const": {i}}}}}}}"#);
        format!(r#"{{"oneOf": [{}]}}"#, list(n, tagged))
    }),
    ("oneOf of objects that are no other by any of their members", |n| {
        let members = || list(n / 2, |i| format!(r#""p{i}": {{"const": {i}}}"#));
        format!(r#"{{"oneOf": [{{"properties": {{{}}}}}, {{"properties": {{{}}}}}]}}"#, members(), members())
    }),
    ("oneOf of references", |n| {
        let target = |i| format!(r#""d{i}": {{"enum": ["v{i}"]}}"#);
        let referred = list(n, |i| format!(r##"{{"$ref": "#/$defs/d{i}"}}"##));
        format!(r#"{{"oneOf": [{referred}], "$defs": {{{}}}}}"#, list(n, target))
    }),
    ("anchors", |n| {
        let anchored = list(n, |i| format!(r#""d{i}": {{"$anchor": "a{i}", "type": "string"}}"#));
        format!(
            r##"{{"prefixItems": [{}], "$defs": {{{anchored}}}}}"##,
            list(n, |i| format!(r##"{{"$ref": "#a{i}"}}"##))
        )
    }),
];

/// How many times as large the large one is.
const TIMES: u32 = 32;
/// How many times as long it may take as `TIMES` small ones, which are as much work.
const MOST: f64 = 10.0;

/// How many times as long as `TIMES` small ones one takes that is as large as they are together. Both are about as long, so that a
/// machine that is busy is no more in the way of one than of the other; still it is the best of so many tries of both.
fn growth(tries: u32, small: usize, mut time: impl FnMut(usize) -> Duration) -> f64 {
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    for _ in 0..tries {
        short = short.min((0..TIMES).map(|_| time(small)).sum());
        long = long.min(time(small * usize::try_from(TIMES).unwrap()));
    }
    long.as_secs_f64() / short.as_secs_f64().max(1e-6)
}

/// The same, with further tries only while it is too much.
fn least_growth(small: usize, mut time: impl FnMut(usize) -> Duration) -> f64 {
    (1..6).map(|tries| growth(tries, small, &mut time)).find(|grown| *grown < MOST).unwrap_or(f64::INFINITY)
}

/// What this thread has used of a CPU: it stands still while others have it.
fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap().into()
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = cpu_time();
    let done = work();
    (cpu_time() - start, done)
}

/// How much text may be made of so many bytes: what is said, some of it again where it is shared, on lines that are indented.
const fn most_text(schemas: usize) -> usize {
    12 * schemas + 4_096
}

fn hold_types(language: Language) {
    for (family, make) in FAMILIES {
        let grown = least_growth(200, |parts| {
            let schema = json(&make(parts));
            let (time, text) = timed(|| match language {
                Language::TypeScript => typescript_type(&schema),
                Language::Python => python_type(&schema),
                other => panic!("{other} is new: measure it too"),
            });
            let size = schema.serialized_len();
            assert!(text.len() < most_text(size), "{language}: {family}: {} bytes from {size}", text.len());
            time
        });
        assert!(grown < MOST, "{language}: {family}: {grown:.1} times as long as in {TIMES} parts");
    }
}

/// A tool that gives what fits a schema, if a registry takes it.
fn giving(schema: &str) -> Option<Tool> {
    let tool = Tool::raw("t", json(r#"{"type": "object"}"#)).output_plain(json(schema));
    tool.execute(|arguments, _| async move { Ok(arguments) }).ok()
}

fn hold_declarations(language: Language) {
    const SMALL: usize = 60;
    let large = |make: &Family| make(SMALL * usize::try_from(TIMES).unwrap());
    // The others have more patterns than a tool may, or refer to what is no schema.
    let taken: Vec<_> = FAMILIES.iter().filter(|(_, make)| giving(&large(make)).is_some()).collect();
    assert!(taken.len() + 4 > FAMILIES.len(), "a registry takes only {} of the families", taken.len());
    for (family, make) in taken {
        let grown = least_growth(SMALL, |parts| {
            let schema = make(parts);
            // What was declared before is kept with the tool.
            let tools = [giving(&schema).unwrap()];
            let (time, sdk) = timed(|| declare(language, &tools).unwrap());
            let (size, bytes) = (schema.len(), sdk.text.len());
            assert!(bytes < most_text(size), "{language}: {family}: {bytes} bytes from {size}");
            time
        });
        assert!(grown < MOST, "{language}: {family}: {grown:.1} times as long as in {TIMES} parts");
    }
}

#[test]
fn typescript_takes_time_and_text_in_proportion_to_the_schema() {
    hold_types(Language::TypeScript);
    hold_declarations(Language::TypeScript);
}

#[test]
fn python_takes_time_and_text_in_proportion_to_the_schema() {
    hold_types(Language::Python);
    hold_declarations(Language::Python);
}

/// All of one name but for what is no letter, which is the worst for names of types.
fn alike(count: usize) -> Vec<Tool> {
    let schema = r##"{"type": "object", "properties": {"one": {"$ref": "#/$defs/Node"}, "other": {"$ref": "#/$defs/Node"}}, "$defs":
        {"Node": {"type": "object", "properties": {"value": {"type": "string"}}}}}"##;
    let name = |nth: usize| format!("tool{}{}", "-".repeat(nth % 100), ".".repeat(nth / 100));
    (0..count).map(|nth| tool(&name(nth), "", json(schema), json(schema))).collect()
}

#[test]
fn declarations_take_time_and_text_in_proportion_to_the_tools_however_alike_their_names() {
    for language in Language::ALL {
        let grown = least_growth(20, |count| {
            let tools = alike(count);
            let (time, sdk) = timed(|| declare(language, &tools).unwrap());
            assert_eq!(sdk.bytes.len(), count);
            assert!(sdk.text.len() < 1_200 * count + 4_096, "{language}: {} bytes of {count} tools", sdk.text.len());
            time
        });
        assert!(grown < MOST, "{language}: {grown:.1} times as long as in {TIMES} sets");
    }
}

/// A name is looked for among all that were given before, as it must not be.
#[test]
fn what_takes_the_square_would_be_noticed() {
    let grown = growth(5, 200, |parts| {
        let naive = || {
            let mut given: Vec<usize> = Vec::new();
            for name in 0..parts {
                if !given.iter().any(|known| *known == std::hint::black_box(name)) {
                    given.push(name);
                }
            }
            given.len()
        };
        let (time, count) = timed(naive);
        assert_eq!(count, parts);
        time
    });
    assert!(grown > MOST, "{grown:.1} times as long as in {TIMES} parts");
}
