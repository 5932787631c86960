//! Tools that are commands: from files to functions that a program may call.

mod command;
mod entry;
mod excerpt;
mod gate;
mod load;
mod running;
mod schema;
mod tool;

use std::sync::Arc;

use dayfly::{HostFunction, Namespace};

use gate::Gate;
use tool::Tool;

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

    /// The global object `tools`.
    pub(crate) fn namespace(&self) -> Namespace {
        self.tools
            .iter()
            .fold(Namespace::tools(), |namespace, tool| namespace.function(&tool.name, self.function(tool)))
    }

    fn function(&self, tool: &Arc<Tool>) -> HostFunction {
        let (tool, gate, commands) = (Arc::clone(tool), Arc::clone(&self.gate), Arc::clone(&self.commands));
        HostFunction::new(move |call| {
            // Here and not in the future: the order of the queue is the order of the calls.
            let ticket = gate.ticket(tool.concurrency_safe);
            let (tool, commands) = (Arc::clone(&tool), Arc::clone(&commands));
            async move { tool.call(call, ticket, &commands).await }
        })
    }
}
