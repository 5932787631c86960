//! What Dayfly makes of a program against what amaro, the stripper inside Node, makes of it.
//!
//! Needs Node and a `node_modules` directory with amaro (`tests/npm` has the lock file); its path is in
//! `DAYFLY_DEV_NODE_MODULES`. Without it the tests say so and pass, unless `DAYFLY_REQUIRE_DEV_TOOLS=1`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "all of this file is a test"
)]

#[path = "differential/bodies.rs"]
mod bodies;
#[path = "differential/generator/mod.rs"]
mod generator;

use dayfly_strip::{StripError, StripErrorKind, StripLimits, Stripped, strip};
use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const PROGRAMS: u64 = 10_000;

fn node_modules() -> Option<PathBuf> {
    let found = std::env::var_os("DAYFLY_DEV_NODE_MODULES").map(PathBuf::from);
    let found = found.filter(|directory| directory.join("amaro/package.json").is_file());
    if found.is_none() {
        let required = std::env::var("DAYFLY_REQUIRE_DEV_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "DAYFLY_DEV_NODE_MODULES must name a node_modules directory with amaro in it");
        eprintln!(
            "SKIPPED: comparison with amaro; set DAYFLY_DEV_NODE_MODULES to a node_modules directory (see tests/npm)"
        );
    }
    found
}

struct Compared {
    source: String,
    ours: Result<Stripped, StripError>,
    /// The text, or the error's code and message.
    theirs: Result<String, String>,
    /// What V8 said about our text.
    compiled: String,
}

fn compare(node_modules: &Path, sources: Vec<String>) -> Vec<Compared> {
    let ours: Vec<_> = sources.iter().map(|source| strip(source, &StripLimits::default())).collect();
    let mut input = Vec::new();
    for (source, ours) in sources.iter().zip(&ours) {
        let code = ours.as_ref().map(|ours| ours.code.as_str());
        let length = code.map_or(-1, |code| i64::try_from(code.len()).unwrap());
        write!(input, "{} {length}\n{source}{}", source.len(), code.unwrap_or_default()).unwrap();
    }
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/amaro.cjs");
    let mut node = Command::new("node")
        .arg("--no-warnings")
        .arg(driver)
        .arg(node_modules)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut stdin = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the driver failed: {}", output.status);

    let mut rest = output.stdout.as_slice();
    let mut take = |length: usize| {
        let (head, tail) = rest.split_at(length);
        rest = tail;
        String::from_utf8(head.to_vec()).unwrap()
    };
    let mut compared = Vec::new();
    for (source, ours) in sources.into_iter().zip(ours) {
        let mut header = String::new();
        loop {
            match take(1).as_str() {
                "\n" => break,
                byte => header.push_str(byte),
            }
        }
        let mut fields = header.split(' ');
        let (state, text, compiled) = (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap());
        let text = take(text.parse().unwrap());
        let compiled = take(compiled.parse().unwrap());
        let theirs = if state == "ok" { Ok(text) } else { Err(format!("{state}: {text}")) };
        compared.push(Compared { source, ours, theirs, compiled });
    }
    compared
}

/// Ways in which the two may differ. Everything else is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// The same text.
    Same,
    /// Neither takes it.
    BothRefuse,
    /// Ours has a `;` where amaro's leaves a blank, before a token that would continue what stands before: amaro loses the
    /// end of a statement when a declaration and what follows it share a line, behind `as const`, and between the members
    /// of a class.
    KeptApart,
    /// Ours refuses by name what amaro hands to Node to refuse: decorators, and what only a module has.
    Refused,
    /// Ours refuses what TypeScript's own grammar checks refuse, and amaro does not check.
    Grammar,
    /// Ours refuses a `/` at the start of a line, or behind a `}`, that could be either.
    Slash,
    /// amaro's text is another program: ours refuses, because without its types the program cannot be told apart.
    Changed,
    /// amaro does not parse what is TypeScript; V8 takes what we made of it.
    TheirParser,
}

/// The grammar checks of TypeScript that the parser makes and amaro does not.
const GRAMMAR: [&str; 6] = [
    "Declaration cannot appear in a single-statement context",
    "A definite assignment assertion '!' is not permitted in this context",
    "A required parameter cannot follow an optional parameter",
    "An instantiation expression cannot be followed by a property access",
    "A constructor cannot have a `this` parameter",
    "`await` is only allowed within async functions",
];

fn judge(compared: &Compared) -> Result<Verdict, String> {
    let Compared { source, ours, theirs, compiled } = compared;
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            let verdict = difference(source, &ours.code, theirs)?;
            if compiled == "ok" { Ok(verdict) } else { Err(format!("V8 refuses the result: {compiled}")) }
        }
        (Err(ours), _) if matches!(ours.kind, StripErrorKind::Limit | StripErrorKind::Internal) => {
            Err(format!("a program of this size is not to be refused: {ours}"))
        }
        (Err(_), Err(_)) => Ok(Verdict::BothRefuse),
        (Ok(_), Err(_)) if compiled == "ok" => Ok(Verdict::TheirParser),
        (Ok(_), Err(_)) => Err(format!("only amaro refuses, and V8 does: {compiled}")),
        (Err(ours), Ok(_)) => {
            let says = |text: &str| ours.message.contains(text);
            match ours.kind {
                StripErrorKind::Syntax if GRAMMAR.iter().any(|check| says(check)) => Ok(Verdict::Grammar),
                StripErrorKind::Unsupported
                    if ["decorators", "`export", "static `import`", "`import.meta`"].iter().any(|name| says(name)) =>
                {
                    Ok(Verdict::Refused)
                }
                StripErrorKind::Unsupported if says("divides or begins a regular expression") => Ok(Verdict::Slash),
                StripErrorKind::Unsupported if says("without its types") => Ok(Verdict::Changed),
                StripErrorKind::Syntax | StripErrorKind::Unsupported | _ => {
                    Err(format!("only ours refuses: {}", ours.message))
                }
            }
        }
    }
}

/// Compares two texts made of the same program, UTF-16 unit by unit.
fn difference(source: &str, ours: &str, theirs: &str) -> Result<Verdict, String> {
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    let (source, ours, theirs) = (units(source), units(ours), units(theirs));
    if ours.len() != theirs.len() || ours.len() != source.len() {
        return Err(format!("{} units became {} here and {} there", source.len(), ours.len(), theirs.len()));
    }
    let mut verdict = Verdict::Same;
    for (index, (&ours_unit, &theirs_unit)) in ours.iter().zip(&theirs).enumerate() {
        // amaro writes one space for a character of several bytes, we white space of as many bytes.
        let wide = matches!(ours_unit, 0xa0 | 0x2002 | 0xfeff) && theirs_unit == 0x20;
        if ours_unit == theirs_unit || wide {
            continue;
        }
        let next = String::from_utf16_lossy(&ours[index + 1..]);
        let next = next.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if ours_unit == u16::from(b';') && theirs_unit == 0x20 && next.starts_with(['(', '[', '`', '+', '-', '/', '*'])
        {
            verdict = Verdict::KeptApart;
        } else {
            return Err(format!("unit {index}: {ours_unit:#x} here, {theirs_unit:#x} there"));
        }
    }
    Ok(verdict)
}

fn judge_all(node_modules: &Path, sources: Vec<String>) -> BTreeMap<Verdict, usize> {
    let mut counts = BTreeMap::new();
    let mut failures = Vec::new();
    for compared in compare(node_modules, sources) {
        match judge(&compared) {
            Ok(verdict) => *counts.entry(verdict).or_default() += 1,
            Err(reason) => failures.push((compared.source.len(), reason, compared)),
        }
    }
    failures.sort_by_key(|failure| failure.0);
    for (_, reason, Compared { source, ours, theirs, .. }) in failures.iter().take(5) {
        let ours = ours.as_ref().map_or_else(ToString::to_string, |ours| ours.code.clone());
        let theirs = theirs.as_ref().unwrap_or_else(|refusal| refusal);
        println!("=== {reason}\n{source}\n--- ours\n{ours}\n--- amaro's\n{theirs}");
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{} of the programs differ; the shortest are above", failures.len());
    counts
}

#[test]
fn ten_thousand_generated_programs_strip_to_what_amaro_gives_or_are_refused_by_both() {
    let Some(node_modules) = node_modules() else { return };
    let counts = judge_all(&node_modules, (0..PROGRAMS).map(generator::program).collect());
    let same = counts.get(&Verdict::Same).copied().unwrap_or_default();
    assert!(same > 7_000, "only {same} programs gave the same text: {counts:?}");
    let theirs = counts.get(&Verdict::TheirParser).copied().unwrap_or_default();
    assert!(theirs < 20, "amaro refused {theirs} programs that we took: {counts:?}");
}

#[test]
fn the_sources_of_npm_packages_cut_into_bodies_strip_to_what_amaro_gives_or_are_refused_by_both() {
    let Some(node_modules) = node_modules() else { return };
    let mut sources = Vec::new();
    for package in bodies::PACKAGES {
        let found = bodies::of_package(&node_modules.join(package));
        assert!(found.len() > 20, "{package} has only {} bodies", found.len());
        sources.extend(found);
    }
    println!("{} bodies", sources.len());
    let counts = judge_all(&node_modules, sources);
    let same = counts.get(&Verdict::Same).copied().unwrap_or_default();
    assert!(same > 5_000, "only {same} bodies gave the same text: {counts:?}");
}
