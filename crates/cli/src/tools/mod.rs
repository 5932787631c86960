//! Tools that are commands: from files to tools of a registry.

mod command;
mod entry;
mod excerpt;
mod load;
mod running;
mod schema;
mod tool;
mod values;

use std::sync::Arc;

use dayfly::tools::Tool;

#[cfg(test)]
pub(crate) use entry::TOOL_KEYS;
pub(crate) use load::ToolsError;
pub(crate) use running::Commands;

/// All tools of a run.
#[derive(Debug)]
pub(crate) struct Toolbox {
    tools: Vec<Tool>,
    commands: Arc<Commands>,
}

impl Toolbox {
    /// Every command that was started for these tools.
    pub(crate) const fn commands(&self) -> &Arc<Commands> {
        &self.commands
    }

    /// The tools, in the order of their files.
    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }
}
