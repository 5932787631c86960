//! Tests of this package by their names, as lists of situations refer to them.

use std::fs;
use std::path::Path;

/// Says whether `binary::module::function`, or `binary::function`, is a test of this package.
///
/// # Errors
///
/// Why it is none.
pub fn is_a_test(name: &str) -> Result<(), String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let parts: Vec<&str> = name.split("::").collect();
    let (files, function) = match *parts.as_slice() {
        [binary, function] => {
            (vec![tests.join(binary).with_extension("rs"), tests.join(binary).join("main.rs")], function)
        }
        [binary, module, function] => (vec![tests.join(binary).join(module).with_extension("rs")], function),
        _ => return Err(format!("{name} is not binary::module::function")),
    };
    let found = files.iter().find_map(|file| fs::read_to_string(file).ok());
    let text = found.ok_or_else(|| format!("{name}: there is no {}", files[0].display()))?;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = |line: &str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.strip_prefix("fn ").and_then(|rest| rest.strip_prefix(function)).is_some_and(|rest| rest.starts_with('('))
    };
    let at = lines.iter().position(|line| declared(line)).ok_or_else(|| format!("{name}: nothing has this name"))?;
    let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
    let is_test = attributes.clone().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"));
    if is_test { Ok(()) } else { Err(format!("{name} is not a test")) }
}
