//! What a model is asked, and what it replies.

use dayfly::Json;
use dayfly::tools::{Assembly, ToolSchema};

/// One question to a model.
pub(crate) struct Request<'a> {
    /// The prompt and the tools.
    pub(crate) assembly: &'a Assembly,
    /// The conversation until now.
    pub(crate) messages: &'a [Message],
}

/// A tool as a model is given it.
pub(crate) fn definition(tool: &ToolSchema) -> Json {
    Json::object([
        ("name", Json::from(tool.name.as_str())),
        ("description", Json::from(tool.description.as_str())),
        ("parameters", tool.input.clone()),
    ])
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message {
    /// What a person said, or the harness in a person's place.
    User(String),
    /// What the model said, and what it asked to call.
    Assistant(Reply),
    /// What a call came to.
    Tool { call_id: String, text: String },
}

/// What a model replies.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) calls: Vec<AskedCall>,
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: Json,
}

/// Whatever replies.
pub(crate) trait Model {
    /// Asks once.
    async fn reply(&self, request: Request<'_>) -> Result<Reply, ModelError>;
}

/// A model that did not reply.
#[derive(Debug)]
pub(crate) struct ModelError(pub(crate) String);

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the model did not reply: {}", self.0)
    }
}

impl std::error::Error for ModelError {}
