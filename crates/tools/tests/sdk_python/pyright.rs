//! pyright, which checks the types of texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use dayfly_tools::Json;

/// Where pyright is, from the lock file in `tests/npm`; without it a test says so and passes, unless it is required.
fn pyright() -> Option<PathBuf> {
    let found =
        std::env::var_os("DAYFLY_DEV_NODE_MODULES").map(|modules| PathBuf::from(modules).join("pyright/index.js"));
    let found = found.filter(|script| script.is_file());
    if found.is_none() {
        let required = std::env::var("DAYFLY_REQUIRE_DEV_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "DAYFLY_DEV_NODE_MODULES must name a node_modules directory with pyright in it");
        eprintln!("SKIPPED: pyright; set DAYFLY_DEV_NODE_MODULES to a node_modules directory (see tests/npm)");
    }
    found
}

/// A file that pyright looks at; its marked lines are those that it must refuse.
#[derive(Debug, Default)]
pub(crate) struct Source {
    text: String,
    wrong: BTreeSet<u64>,
}

impl Source {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: format!("{text}\n"), wrong: BTreeSet::new() }
    }

    /// A line that pyright must take.
    pub(crate) fn right(&mut self, line: &str) {
        assert!(!line.contains('\n'), "one line: {line:?}");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A line that pyright must refuse.
    pub(crate) fn wrong(&mut self, line: &str) {
        self.wrong.insert(u64::try_from(self.text.lines().count()).unwrap());
        self.right(line);
    }
}

/// Holds files against what pyright says of their lines; one process for all.
pub(crate) fn agrees(sources: &[Source]) {
    let Some(script) = pyright() else { return };
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path();
    let config = r#"{"pythonVersion": "3.11", "typeCheckingMode": "standard", "include": ["."]}"#;
    std::fs::write(directory.join("pyrightconfig.json"), config).unwrap();
    for (number, source) in sources.iter().enumerate() {
        std::fs::write(directory.join(format!("sdk{number}.py")), &source.text).unwrap();
    }
    let found = run(&script, directory);
    let mut problems = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let said = found.get(&format!("sdk{number}.py")).cloned().unwrap_or_default();
        let lines: Vec<&str> = source.text.lines().collect();
        for (line, message) in &said {
            if !source.wrong.contains(line) {
                let text = lines.get(usize::try_from(*line).unwrap()).unwrap_or(&"");
                let shown: String = source.text.chars().take(4_000).collect();
                problems.push(format!("refused: {text}\n  {message}\nin\n{shown}"));
            }
        }
        let taken = source.wrong.iter().filter(|line| !said.contains_key(line));
        problems.extend(taken.map(|line| format!("taken: {}", lines[usize::try_from(*line).unwrap()])));
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// The first error of each line, by file.
fn run(script: &Path, directory: &Path) -> BTreeMap<String, BTreeMap<u64, String>> {
    let output =
        Command::new("node").arg(script).arg("--outputjson").current_dir(directory).output().expect("node runs");
    let text = String::from_utf8(output.stdout).unwrap();
    let report = Json::parse(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
    });
    let mut found: BTreeMap<String, BTreeMap<u64, String>> = BTreeMap::new();
    for diagnostic in report.get("generalDiagnostics").unwrap().items() {
        let file = Path::new(diagnostic.get("file").unwrap().as_str().unwrap());
        let range = diagnostic.get("range").and_then(|range| range.get("start")).and_then(|start| start.get("line"));
        let line = range.and_then(|line| line.as_u64()).unwrap_or(u64::MAX);
        let message = diagnostic.get("message").unwrap().as_str().unwrap().to_owned();
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        found.entry(name).or_default().entry(line).or_insert(message);
    }
    let analyzed =
        report.get("summary").and_then(|summary| summary.get("filesAnalyzed")).and_then(|files| files.as_u64());
    let files = std::fs::read_dir(directory).unwrap().count() - 1;
    assert_eq!(analyzed, Some(u64::try_from(files).unwrap()), "pyright looked at all files");
    found
}

#[test]
#[should_panic(expected = "2 problems")]
fn a_checker_that_says_nothing_would_be_noticed() {
    if pyright().is_none() {
        panic!("2 problems would be found, were there a checker");
    }
    let mut source = Source::new("");
    source.right("right: int = 1");
    source.right("refused: int = \"x\"");
    source.wrong("taken: int = 2");
    source.wrong("wrong: int = \"y\"");
    agrees(&[source]);
}
