//! Interpreters started by themselves, as a worker is: an empty environment, nothing to read, output into pipes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dayfly::Language;

/// An interpreter with its arguments.
#[derive(Debug, Clone)]
pub struct Bare {
    interpreter: PathBuf,
    arguments: Vec<String>,
}

impl Bare {
    /// `interpreter` with these arguments.
    #[must_use]
    pub fn new(interpreter: &Path, arguments: impl IntoIterator<Item = String>) -> Self {
        Self { interpreter: interpreter.to_owned(), arguments: arguments.into_iter().collect() }
    }

    /// Starts it and waits for its end.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub fn once(&self) {
        let output = Command::new(&self.interpreter)
            .args(&self.arguments)
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.interpreter.display()));
        assert!(output.status.success(), "{}: {}", self.interpreter.display(), String::from_utf8_lossy(&output.stderr));
    }
}

/// A program that imports what the bootstrap imports and does nothing else. It is read from the bootstrap itself.
#[must_use]
pub fn imports(language: Language) -> String {
    match language {
        Language::Python => python_imports(dayfly_worker_python::BOOTSTRAP),
        _ => node_imports(dayfly_worker_node::BOOTSTRAP),
    }
}

/// The import statements of top level, as they stand.
fn python_imports(source: &str) -> String {
    let statements: BTreeSet<&str> =
        source.lines().filter(|line| line.starts_with("import ") || line.starts_with("from ")).collect();
    statements.into_iter().collect::<Vec<_>>().join("\n")
}

/// Every built-in module that is required by name, once.
fn node_imports(source: &str) -> String {
    let required = source.split("require(").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split_once(quote).map(|(name, _)| name)
    });
    let names: BTreeSet<&str> = required.collect();
    names.into_iter().map(|name| format!("require({name:?});")).collect()
}
