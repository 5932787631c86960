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

#[test]
fn the_shape_of_a_result_is_the_one_that_its_method_documents() {
    let (_, source) = include_str!("../../runtime/src/report.rs").split_once("/// ```text\n").expect("the shape");
    let documented: Vec<&str> =
        source.lines().map_while(|line| line.trim().strip_prefix("///")).take_while(|line| *line != " ```").collect();
    let documented: Vec<&str> = documented.into_iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let (_, after) = README.split_once("```text\nlogs ").expect("the shape of a result");
    let (shape, _) = after.split_once("```").expect("its end");
    assert_eq!(format!("logs {shape}").lines().collect::<Vec<_>>(), documented);
}

#[test]
fn links_lead_somewhere_from_every_place_where_the_readme_is_shown() {
    // Rustdoc and `crates/dayfly` show it as well, where a path of the repository leads nowhere.
    for link in README.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let heading = |line: &str| line.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-");
        let found = |anchor: &str| README.lines().any(|line| line.starts_with("## ") && heading(line) == anchor);
        assert!(link.starts_with("https://") || link.strip_prefix('#').is_some_and(found), "{link}");
    }
}
