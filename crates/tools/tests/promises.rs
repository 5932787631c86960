//! The table of promises names tests and records that exist, and it misses no part of a promise.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PROMISES: &str = include_str!("../PROMISES.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The names of all tests in the sources, of this crate, of the front door and end to end: functions that stand under an
/// attribute of a test, and those that `rows!` makes. Tests that are ignored are none.
fn tests() -> BTreeSet<String> {
    let mut paths = Vec::new();
    for directory in ["src", "tests", "../dayfly/tests", "../../tests/tests"] {
        files(&root().join(directory), &mut paths);
    }
    let mut tests = BTreeSet::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        let (mut is_test, mut is_ignored, mut is_row) = (false, false, false);
        for line in text.lines().map(str::trim) {
            if line == "rows! {" {
                is_row = true;
            } else if is_row {
                is_row = line != "}";
                tests.extend(line.split_once(": ").map(|(name, _)| name.to_owned()));
            } else if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_test = true;
            } else if line.starts_with("#[ignore") {
                is_ignored = true;
            } else if let Some((_, rest)) = line.split_once("fn ")
                && !line.starts_with("//")
                && std::mem::take(&mut is_test)
                && !std::mem::take(&mut is_ignored)
            {
                tests.extend(rest.split_once('(').map(|(name, _)| name.to_owned()));
            }
        }
    }
    tests
}

/// Every row: the promise and what is said to hold it.
fn rows() -> Vec<(&'static str, Vec<&'static str>)> {
    let heads = ["| promise | held by |", "|---|---|"];
    PROMISES
        .lines()
        .filter(|line| line.starts_with('|') && !heads.contains(line))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [promise, holders] = cells.as_slice() else { panic!("not two cells: {line}") };
            (*promise, holders.split(", ").collect())
        })
        .collect()
}

#[test]
fn everything_that_the_table_of_promises_names_exists() {
    let tests = tests();
    let records: BTreeSet<String> = std::fs::read_dir(root().join("../../docs/decisions"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.split_once('-').map(|(number, _)| number.to_owned()))
        .collect();
    let mut missing = Vec::new();
    for (promise, holders) in rows() {
        for holder in holders {
            let exists = match holder.strip_prefix('`').and_then(|holder| holder.strip_suffix('`')) {
                Some(name) if name.starts_with("ui/") => {
                    ["rs", "stderr"].iter().all(|kind| root().join("tests").join(format!("{name}.{kind}")).exists())
                }
                Some(name) => tests.contains(name),
                None => records.contains(holder),
            };
            if !exists {
                missing.push(format!("{holder}: {promise}"));
            }
        }
    }
    assert!(missing.is_empty(), "these hold nothing, because they are not there:\n  {}", missing.join("\n  "));
}

#[test]
fn the_table_of_promises_is_whole() {
    let rows = rows();
    assert!(rows.len() >= 180, "only {} promises", rows.len());
    let promises: BTreeSet<&str> = rows.iter().map(|(promise, _)| *promise).collect();
    assert_eq!(promises.len(), rows.len(), "a promise stands there twice");
}

#[test]
fn names_of_tests_are_found_where_tests_are() {
    let tests = tests();
    assert!(tests.contains("names_of_tests_are_found_where_tests_are"));
    assert!(tests.contains("after_every_step_just_those_bodies_run_that_should"), "also within proptest!");
    assert!(tests.contains("p13_what_is_not_lossless_is_refused_with_its_path"), "also within rows!");
    assert!(tests.contains("under_both_native_calls_and_programs_go_together"), "also those of other crates");
    assert!(!tests.contains("rows"));
}
