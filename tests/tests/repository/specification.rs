//! `docs/SPECIFICATION.md` names tests, benches and records that exist, leaves no limit out, and says what is pending.

use std::collections::BTreeSet;

use dayfly::ProcessConfig;
use dayfly_tests::named::Named;

use crate::{none, root};

/// A line of a table: what is promised, and what is said to hold it.
struct Row {
    promise: String,
    holders: Vec<Holder>,
}

enum Holder {
    /// A test or a bench, by name.
    Test(String),
    /// A record of a decision, by number.
    Record(String),
    /// Nothing yet, and what is missing.
    Pending(String),
}

fn text() -> String {
    std::fs::read_to_string(root().join("docs/SPECIFICATION.md")).unwrap()
}

/// Every row of every table.
fn rows(text: &str) -> Vec<Row> {
    const HEADS: [&str; 2] = ["| promise | held by |", "|---|---|"];
    let lines = text.lines().filter(|line| line.starts_with('|') && !HEADS.contains(line));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [promise, holders] = *cells.as_slice() else { panic!("not two cells: {line}") };
            Row { promise: promise.to_owned(), holders: holders_of(holders) }
        })
        .collect()
}

/// `a test`, `bench calls`, 0007 and pending: what is missing, the last to the end of the cell. A test with backticks in its
/// title stands, as Markdown has it, between two of them and a space.
fn holders_of(cell: &str) -> Vec<Holder> {
    let (mut holders, mut rest) = (Vec::new(), cell);
    while !rest.is_empty() {
        rest = rest.trim_start_matches([',', ' ']);
        let (holder, after) = if let Some(missing) = rest.strip_prefix("pending: ") {
            (Holder::Pending(missing.to_owned()), "")
        } else if let Some((name, after)) = rest.strip_prefix("`` ").and_then(|rest| rest.split_once(" ``")) {
            (Holder::Test(name.to_owned()), after)
        } else if let Some((name, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            (Holder::Test(name.to_owned()), after)
        } else {
            let (number, after) = rest.split_once(',').unwrap_or((rest, ""));
            (Holder::Record(number.to_owned()), after)
        };
        holders.push(holder);
        rest = after;
    }
    holders
}

#[test]
fn everything_that_the_specification_names_exists() {
    let records: BTreeSet<String> = std::fs::read_dir(root().join("docs/decisions"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.split_once('-').map(|(number, _)| number.to_owned()))
        .collect();
    let mut offences = Vec::new();
    for Row { promise, holders } in rows(&text()) {
        if holders.is_empty() {
            offences.push(format!("nothing holds: {promise}"));
        }
        for holder in holders {
            let problem = match holder {
                Holder::Test(name) => Named::of_the_workspace().find(&name).err(),
                Holder::Record(number) => (!records.contains(&number)).then(|| format!("{number} is no record")),
                Holder::Pending(missing) => (missing.len() < 10).then(|| "pending, and nobody says what".to_owned()),
            };
            offences.extend(problem.map(|problem| format!("{problem}: {promise}")));
        }
    }
    none("the specification names what is not there", &offences);
}

#[test]
fn the_specification_promises_each_thing_once_and_misses_no_limit() {
    let text = text();
    let rows = rows(&text);
    assert!(rows.len() >= 150, "only {} promises", rows.len());
    let mut seen = BTreeSet::new();
    let twice: Vec<String> =
        rows.iter().filter(|row| !seen.insert(&row.promise)).map(|row| row.promise.clone()).collect();
    none("promised twice", &twice);
    let limits = ProcessConfig::limit_keys().into_iter().map(|limit| limit.key.to_owned());
    let missing: Vec<String> =
        limits.filter(|key| !rows.iter().any(|row| row.promise.contains(&format!("`{key}`")))).collect();
    none("a limit without a promise", &missing);
}

#[test]
fn a_cell_is_read_into_what_holds_and_what_is_missing() {
    let cell = "`a title, with a comma`, `` one with `ticks` ``, `bench calls`, 0007, `x::y`, pending: the rest, which takes a `host`";
    let read: Vec<String> = holders_of(cell)
        .into_iter()
        .map(|holder| match holder {
            Holder::Test(name) => format!("test {name}"),
            Holder::Record(number) => format!("record {number}"),
            Holder::Pending(missing) => format!("pending {missing}"),
        })
        .collect();
    let wanted = [
        "test a title, with a comma",
        "test one with `ticks`",
        "test bench calls",
        "record 0007",
        "test x::y",
        "pending the rest, which takes a `host`",
    ];
    assert_eq!(read, wanted);
}
