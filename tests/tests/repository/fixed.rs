//! The record of what is fixed says what the code says.

use crate::{none, root};

const RECORD: &str = "docs/decisions/0017-what-is-fixed-and-not-configured.md";

#[test]
fn what_is_fixed_is_what_the_record_says() {
    let record = std::fs::read_to_string(root().join(RECORD)).unwrap();
    let rows: Vec<&str> = record.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 15, "only {} constants", rows.len());
    let mut offences = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [name, value, path, reason] = *cells.as_slice() else { panic!("not four cells: {row}") };
        let code = std::fs::read_to_string(root().join(path)).unwrap_or_default();
        let declared = code.lines().filter_map(|line| line.split_once(&format!("const {name}: "))?.1.split_once(" = "));
        let mut values = declared.map(|(_, value)| value.trim_end_matches(';'));
        if !values.any(|declared| declared == value) {
            offences.push(format!("{path}: {name} = {value}"));
        }
        if reason.len() < 40 {
            offences.push(format!("{name} has no reason"));
        }
    }
    none(&format!("{RECORD} says otherwise than the code"), &offences);
}
