//! A directory that goes with its test, and tools with long answers.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use dayfly_tools::{Json, NoArguments, Tool, ToolCall};

/// A directory of one test.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("dayfly-spill-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(name))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // A test that never opened it leaves nothing.
        let _ = std::fs::remove_dir_all(&self.0);
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
