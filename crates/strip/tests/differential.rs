//! What Dayfly makes of a program against what amaro, the stripper inside Node, makes of it.
//!
//! Needs Node and a `node_modules` directory with amaro (`tests/npm` has the lock file); its path is in
//! `DAYFLY_DEV_NODE_MODULES`. Without it the tests say so and pass, unless `DAYFLY_REQUIRE_DEV_TOOLS=1`.

#[path = "differential/generator.rs"]
mod generator;

use dayfly_strip::{StripError, StripLimits, Stripped, strip};
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

#[test]
fn explore() {
    let Some(node_modules) = node_modules() else { return };
    let mut counts: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for c in compare(&node_modules, (0..PROGRAMS).map(generator::program).collect()) {
        let class = match (&c.ours, &c.theirs) {
            (Ok(o), Ok(t)) if same(&c.source, &o.code, t) => {
                if c.compiled == "ok" {
                    "same".into()
                } else {
                    format!("same, V8: {}", c.compiled)
                }
            }
            (Ok(o), Ok(t)) => {
                let o: Vec<u16> = o.code.encode_utf16().collect();
                let t: Vec<u16> = t.encode_utf16().collect();
                let mut cl = std::collections::BTreeSet::new();
                for i in 0..o.len().min(t.len()) {
                    if o[i] != t[i] && !(matches!(o[i], 0xa0 | 0x2002 | 0xfeff) && t[i] == 0x20) {
                        let next = String::from_utf16_lossy(&o[i + 1..]).trim_start().chars().next();
                        cl.insert(format!(
                            "{:?}->{:?} next {next:?}",
                            char::from_u32(t[i] as u32),
                            char::from_u32(o[i] as u32)
                        ));
                    }
                }
                format!("DIFFERENT {cl:?} {}", o.len() == t.len())
            }
            (Err(_), Err(_)) => "both refuse".into(),
            (Ok(_), Err(t)) => format!("ours ok; theirs {t}; v8 {}", c.compiled),
            (Err(o), Ok(_)) => format!("theirs ok; ours {:?} {}", o.kind, o.message),
        };
        let show = format!(
            "{}\n--- ours {}\n--- theirs {}",
            c.source,
            match &c.ours {
                Ok(o) => o.code.clone(),
                Err(e) => e.to_string(),
            },
            match &c.theirs {
                Ok(o) => o.clone(),
                Err(e) => e.to_string(),
            }
        );
        let e = counts.entry(class).or_insert((0, show.clone()));
        e.0 += 1;
        if show.len() < e.1.len() {
            e.1 = show;
        }
    }
    for (k, (n, s)) in &counts {
        println!("=== {n} {k}");
        if k != "same" && k != "both refuse" {
            println!("{s}");
        }
    }
}

/// Equal but for the white space that stands for a character of several bytes: amaro writes one space per UTF-16 unit, we
/// white space of as many bytes too.
fn same(source: &str, ours: &str, theirs: &str) -> bool {
    let (mut ours, mut theirs) = (ours.encode_utf16(), theirs.encode_utf16());
    for unit in source.encode_utf16() {
        let (ours, theirs) = (ours.next(), theirs.next());
        let wide = matches!(ours, Some(0xa0 | 0x2002 | 0xfeff)) && theirs == Some(0x20) && unit != 0x20;
        if ours != theirs && !wide {
            return false;
        }
    }
    ours.next().is_none() && theirs.next().is_none()
}
