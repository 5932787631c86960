//! The examples do what they are for, and the README's first commands are among them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs the command at the top of the repository, as the README does.
fn dayfly(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dayfly")).args(arguments).current_dir(repository()).output().unwrap()
}

fn example(name: &str) -> Value {
    let program = format!("crates/dayfly/examples/{name}");
    let output = dayfly(&["run", &program, "--tools", "crates/dayfly/examples/tools.toml", "--json"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(output.status.code(), Some(0), "{result}");
    result
}

fn manifests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name) {
            found.extend(manifests(&path));
        } else if name == "Cargo.toml" {
            found.push(path);
        }
    }
    found
}

#[test]
fn walk_returns_one_row_for_each_package() {
    // All but the workspace's own.
    let packages = manifests(&repository()).len() - 1;
    for name in ["walk.ts", "walk.py"] {
        let result = example(name);
        let rows = result["value"].as_array().unwrap();
        assert_eq!(rows.len(), packages, "{result}");
        let cli = rows.iter().find(|row| row["package"] == "crates/cli").unwrap();
        assert_eq!(cli["says"], json!("The `dayfly` command."));
        assert!(cli["tests"].as_u64().unwrap() > 30 && cli["files"].as_u64().unwrap() > 20, "{cli}");
        let said = result["logs"][0]["text"].as_str().unwrap();
        assert!(said.starts_with("read ") && said.ends_with(&format!("in {packages} packages")), "{said}");
        assert_eq!(result["usage"]["calls"].as_u64().unwrap(), u64::try_from(packages).unwrap() + 3);
    }
}

#[test]
fn fan_out_returns_the_longest_three() {
    for name in ["fan_out.ts", "fan_out.py"] {
        let result = example(name);
        let rows = result["value"].as_array().unwrap();
        assert_eq!(rows.len(), 3, "{result}");
        for row in rows {
            let text = std::fs::read_to_string(repository().join(row["path"].as_str().unwrap())).unwrap();
            assert_eq!(row["lines"].as_u64().unwrap(), u64::try_from(text.matches('\n').count()).unwrap());
        }
        assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(row["lines"].as_u64())), "{result}");
    }
}

#[test]
fn failures_are_handled_and_the_program_completes() {
    let [typescript, python] = ["failures.ts", "failures.py"].map(|name| example(name)["value"].clone());
    assert_eq!(typescript, python);
    let expected = json!([
        {"what": "a file that is not there", "tool": "read_file", "failed": "no such file: no/such/file.rs"},
        {"what": "an argument of the wrong type", "tool": "read_file", "failed":
            "the arguments of `read_file` do not match its schema; correct them and call again: lines: must be an integer, not the string \"ten\""},
        {"what": "a tool that takes too long", "tool": "wait", "failed": "the tool did not answer within its timeout of 200ms"},
        {"what": "the file after those", "result": "# Dayfly\n"},
    ]);
    assert_eq!(typescript, expected);
}

#[test]
fn the_first_commands_of_the_readme_do_what_it_says() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("cargo run --release -- ")).collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let output = dayfly(&command.split_whitespace().collect::<Vec<_>>());
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{stdout}");
        assert!(stdout.starts_with("read ") && stdout.contains("\"package\": \"crates/cli\""), "{stdout}");
    }
}
