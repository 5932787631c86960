//! A directory that goes with its test, and tools with long answers.

use std::path::{Path, PathBuf};

use dayfly_tools::{Json, NoArguments, Tool, ToolCall};
use tempfile::TempDir;

/// A directory of one test, which a store makes.
pub(crate) struct Directory {
    path: PathBuf,
    _around: TempDir,
}

impl Directory {
    pub(crate) fn new() -> Self {
        let around = tempfile::tempdir().unwrap();
        Self { path: around.path().join("spill"), _around: around }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.path).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A tool that answers with this text.
pub(crate) fn says(name: &str, text: &str) -> Tool {
    let text = text.to_owned();
    let tool = Tool::typed::<NoArguments, String>(name).render_plain();
    tool.execute(move |_, _| std::future::ready(Ok(text.clone()))).unwrap()
}

pub(crate) fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new("call", name, Json::parse(arguments).unwrap())
}
