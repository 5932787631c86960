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
///
/// # Panics
///
/// When the benches do not know the language.
#[must_use]
pub fn imports(language: Language) -> String {
    match language {
        Language::Python => python_imports(dayfly_worker_python::BOOTSTRAP),
        Language::TypeScript => node_imports(dayfly_worker_node::BOOTSTRAP),
        other => panic!("nobody has said what {other} imports"),
    }
}

/// Every module that an import statement of top level names, once.
fn python_imports(source: &str) -> String {
    let modules = source.lines().filter_map(|line| {
        let rest = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "))?;
        rest.split_whitespace().next()
    });
    let modules: BTreeSet<&str> = modules.collect();
    modules.into_iter().map(|module| format!("import {module}\n")).collect()
}

/// Every built-in module that is required at top level, once. What a function requires, a trivial run may never need.
fn node_imports(source: &str) -> String {
    let required = source.lines().filter(|line| line.starts_with("const ")).filter_map(|line| {
        let (_, rest) = line.split_once("require(\"")?;
        rest.split_once('"').map(|(name, _)| name)
    });
    let names: BTreeSet<&str> = required.collect();
    names.into_iter().map(|name| format!("require({name:?});")).collect()
}
