//! The README says what the code says.

use dayfly::ProcessConfig;

const README: &str = include_str!("../README.md");

#[test]
fn the_table_of_limits_is_the_configuration() {
    let rows: String = ProcessConfig::limit_keys()
        .into_iter()
        .map(|limit| {
            let parts = [limit.what, limit.unit, &limit.default, limit.enforcer, limit.effect];
            format!("| `{}` | {} |\n", limit.key, parts.join(" | "))
        })
        .collect();
    let (_, after) = README.split_once("| key | what is limited |").expect("the table of limits");
    let table: String =
        after.lines().skip(2).take_while(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    assert_eq!(table, rows, "the README's table of limits should be:\n{rows}");
}

#[test]
fn the_library_example_is_short() {
    let (_, after) = README.split_once("```rust\n").expect("the library example");
    let (example, _) = after.split_once("```").expect("its end");
    assert!(example.lines().count() <= 17, "{example}");
}
