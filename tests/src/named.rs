//! Tests and benches by their names, as lists of promises and of situations refer to them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The tests and benches of the workspace, found by reading its sources: Rust's, the workers' own in JavaScript and in
/// Python, and the benches by their files. Tests that are ignored are none.
#[derive(Debug)]
pub struct Named {
    /// Each as `package::file::name`: a package by its folder, a file by what lies below `src`, `tests` or `test`.
    paths: Vec<String>,
}

static WORKSPACE: LazyLock<Named> = LazyLock::new(Named::read);

impl Named {
    /// All of the workspace, read once.
    #[must_use]
    pub fn of_the_workspace() -> &'static Self {
        &WORKSPACE
    }

    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root is above this package").to_owned();
        let mut files = Vec::new();
        for folder in ["crates", "tests", "worker-node", "worker-python", "benches"] {
            below(&root.join(folder), &mut files);
        }
        files.sort();
        let mut paths = Vec::new();
        for file in files {
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let place = place(file.strip_prefix(&root).expect("it was found below the root"));
            let names = match file.extension().and_then(|extension| extension.to_str()) {
                Some("rs") if place.starts_with("benches::benches::") => {
                    paths.push(place);
                    continue;
                }
                Some("rs") => in_rust(&text),
                Some("js") => in_javascript(&text),
                Some("py") => in_python(&text),
                _ => continue,
            };
            paths.extend(names.into_iter().map(|name| format!("{place}::{name}")));
        }
        Self { paths }
    }

    /// The one test or bench that `name` means: its own name, or that name with parts of its path before it, which are needed
    /// where several have one name. A bench is `bench calls`.
    ///
    /// # Errors
    ///
    /// Why it means none.
    pub fn find(&self, name: &str) -> Result<&str, String> {
        let bench = name.strip_prefix("bench ").map(|bench| format!("benches::benches::{bench}"));
        let wanted: Vec<&str> = bench.as_deref().unwrap_or(name).split("::").collect();
        let found: Vec<&str> = self.paths.iter().map(String::as_str).filter(|path| is_meant(&wanted, path)).collect();
        match *found.as_slice() {
            [one] => Ok(one),
            [] => Err(format!("{name}: nothing has this name")),
            _ => Err(format!("{name}: which of {}?", found.join(", "))),
        }
    }
}

/// Says whether `binary::module::function`, or `binary::function`, is a test of this package.
///
/// # Errors
///
/// Why it is none.
pub fn is_a_test(name: &str) -> Result<(), String> {
    let path = format!("tests::{name}");
    let found = Named::of_the_workspace().paths.contains(&path);
    if found { Ok(()) } else { Err(format!("{name} is no test of this package")) }
}

/// Whether the last parts are the same and all others stand in the path, in their order.
fn is_meant(wanted: &[&str], path: &str) -> bool {
    let (Some((name, rest)), Some((parts, known))) = (wanted.split_last(), path.rsplit_once("::")) else {
        return false;
    };
    let mut parts = parts.split("::");
    *name == known && rest.iter().all(|part| parts.any(|known| known == *part))
}

/// Every file below a directory that belongs to the sources.
fn below(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let name = entry.file_name();
        if !path.is_dir() {
            found.push(path);
        } else if name != "target" && name != "node_modules" && name != "__pycache__" {
            below(&path, found);
        }
    }
}

/// `crates/tools/tests/code/main.rs` as `tools::code`.
fn place(file: &Path) -> String {
    let text = file.with_extension("");
    let text = text.to_str().expect("sources have names that are text");
    let text = text.strip_prefix("crates/").unwrap_or(text).trim_end_matches(".test");
    let mut parts = text.split('/');
    let package = parts.next().into_iter();
    let rest = parts.filter(|part| !["src", "tests", "test", "main", "mod", "lib"].contains(part));
    package.chain(rest).collect::<Vec<_>>().join("::")
}

/// Functions under an attribute of a test, within `proptest!` too, and those that `rows!` makes.
fn in_rust(text: &str) -> Vec<String> {
    let (mut names, mut test, mut ignored, mut rows) = (Vec::new(), false, false, false);
    for line in text.lines().map(str::trim) {
        let function = line.trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ");
        if line == "rows! {" {
            rows = true;
        } else if rows {
            rows = line != "}";
            names.extend(line.split_once(": ").and_then(|(name, _)| identifier(name)));
        } else if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            test = true;
        } else if line.starts_with("#[ignore") {
            ignored = true;
        } else if let Some((name, _)) = function.and_then(|function| function.split_once(['(', '<'])) {
            if test && !ignored {
                names.extend(identifier(name));
            }
            (test, ignored) = (false, false);
        }
    }
    names
}

fn identifier(name: &str) -> Option<String> {
    let is_one =
        !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    is_one.then(|| name.to_owned())
}

fn in_javascript(text: &str) -> Vec<String> {
    let titles =
        text.lines().filter_map(|line| line.strip_prefix("test(\"")?.split_once("\",").map(|(title, _)| title));
    titles.map(str::to_owned).collect()
}

fn in_python(text: &str) -> Vec<String> {
    let methods = text.lines().filter_map(|line| line.trim().strip_prefix("def ")?.split_once('('));
    methods.filter(|(name, _)| name.starts_with("test_")).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_what_the_harness_of_its_language_runs() {
        let rust = "#[test]\nfn one() {}\nfn helper() {}\n#[tokio::test(flavor = \"multi_thread\")]\nasync fn two() {}\n\
                    #[test]\n#[ignore = \"a role\"]\nfn role() {}\n#[test]\nfn $name() {}\n\
                    rows! {\n    three: \"P1\",\n}\n    #[test]\n    fn four(x in 0..1) {}\n";
        assert_eq!(in_rust(rust), ["one", "two", "three", "four"]);
        assert_eq!(
            in_javascript("test(\"a title, with a comma\", () => {});\nnot(\"one\", 1)"),
            ["a title, with a comma"]
        );
        assert_eq!(in_python("class A:\n    def test_it(self):\n    def helper(self):"), ["test_it"]);
    }

    #[test]
    fn a_name_means_one_test_by_as_much_of_its_path_as_that_takes() {
        let named = Named {
            paths: ["a::x::same", "b::y::z::same", "b::only", "benches::benches::calls"].map(str::to_owned).into(),
        };
        assert_eq!(named.find("only"), Ok("b::only"));
        assert_eq!(named.find("b::same"), Ok("b::y::z::same"));
        assert_eq!(named.find("y::z::same"), Ok("b::y::z::same"));
        assert_eq!(named.find("bench calls"), Ok("benches::benches::calls"));
        for wrong in ["same", "z::y::same", "only::b", "calls::nothing", "bench only", ""] {
            assert!(named.find(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_language_has_tests_that_are_found() {
        let named = Named::of_the_workspace();
        for name in [
            "bench start",
            "hostile::h1_a_length_over_the_cap_is_a_violation_and_allocates_nothing",
            "worker-node::a call resolves with the host's value",
            "test_a_call_may_be_awaited_twice",
            "programs::p24_an_exit_is_said_with_its_code",
            "no_stream_makes_the_wire_panic",
        ] {
            assert_eq!(named.find(name).err(), None);
        }
    }
}
