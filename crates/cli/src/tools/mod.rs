//! Tools that are commands: from files to functions that a program may call.

mod command;
mod entry;
mod excerpt;
mod gate;
mod load;
mod running;
mod schema;
mod tool;
mod values;
mod vocabulary;

use std::sync::Arc;

use dayfly::{HostFunction, Namespace, RunRequest};

use gate::Gate;
use tool::Tool;

#[cfg(test)]
pub(crate) use entry::TOOL_KEYS;
pub(crate) use load::ToolsError;
pub(crate) use running::Commands;

/// All tools of a run.
#[derive(Debug)]
pub(crate) struct Toolbox {
    tools: Vec<Arc<Tool>>,
    gate: Arc<Gate>,
    commands: Arc<Commands>,
}

impl Toolbox {
    /// Every command that was started for these tools.
    pub(crate) fn commands(&self) -> &Arc<Commands> {
        &self.commands
    }

    /// Whether there is a tool at all.
    pub(crate) fn any(&self) -> bool {
        !self.tools.is_empty()
    }

    /// Lets a program call the tools.
    pub(crate) fn offer(&self, request: RunRequest) -> RunRequest {
        let namespace = self
            .tools
            .iter()
            .fold(Namespace::tools(), |namespace, tool| namespace.function(&tool.name, self.function(tool)));
        request.bind(namespace)
    }

    fn function(&self, tool: &Arc<Tool>) -> HostFunction {
        let (tool, gate, commands) = (Arc::clone(tool), Arc::clone(&self.gate), Arc::clone(&self.commands));
        HostFunction::new(move |call| {
            // Here, and not in the future: the calls arrive here in order, and their futures start in any.
            let ticket = gate.ticket(tool.concurrency_safe);
            let (tool, commands) = (Arc::clone(&tool), Arc::clone(&commands));
            async move { tool.call(call, ticket, &commands).await }
        })
    }
}
