//! A model behind the OpenAI-compatible chat protocol.

use std::error::Error;
use std::time::Duration;

use dayfly::Json;
use dayfly::json::JsonBuilder;
use ureq::Agent;

use crate::model::{AskedCall, Message, Model, ModelError, Reply, Request, definition};

/// The most bytes of a reply.
const MOST: u64 = 16 << 20;

/// A model that is asked over the network.
pub(crate) struct HttpModel {
    agent: Agent,
    url: String,
    key: Option<String>,
    model: String,
}

impl HttpModel {
    /// The model that the environment names; none without a key or an address.
    pub(crate) fn from_environment() -> Result<Option<Self>, Box<dyn Error>> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let (key, base) = (variable("DAYFLY_MODEL_KEY"), variable("DAYFLY_MODEL_URL"));
        if key.is_none() && base.is_none() {
            return Ok(None);
        }
        let model = variable("DAYFLY_MODEL").ok_or("DAYFLY_MODEL is not set; say which model is asked")?;
        let base = base.unwrap_or_else(|| "https://api.openai.com/v1".to_owned());
        let url = format!("{}/chat/completions", base.trim_end_matches('/'));
        let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(300))).http_status_as_error(false);
        Ok(Some(Self { agent: config.build().into(), url, key, model }))
    }

    fn ask(agent: &Agent, url: &str, key: Option<&str>, body: &str) -> Result<Json, ModelError> {
        let failed = |error: ureq::Error| ModelError(format!("{url}: {error}"));
        let mut request = agent.post(url).header("content-type", "application/json");
        if let Some(key) = key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response = request.send(body).map_err(failed)?;
        let status = response.status();
        let text = response.body_mut().with_config().limit(MOST).read_to_string().map_err(failed)?;
        if !status.is_success() {
            return Err(ModelError(format!(
                "{url} answered {status}: {}",
                text.chars().take(1_000).collect::<String>()
            )));
        }
        Json::parse(&text).map_err(|error| ModelError(format!("{url} did not answer JSON: {error}")))
    }
}

impl Model for HttpModel {
    async fn reply(&self, request: Request<'_>) -> Result<Reply, ModelError> {
        let body = body(&self.model, &request)?;
        let (agent, url, key) = (self.agent.clone(), self.url.clone(), self.key.clone());
        let asking = tokio::task::spawn_blocking(move || Self::ask(&agent, &url, key.as_deref(), &body));
        let answer = asking.await.map_err(|error| ModelError(error.to_string()))??;
        read(&answer).ok_or_else(|| ModelError(format!("its answer has no message: {answer}")))
    }
}

/// The request as the protocol has it.
fn body(model: &str, request: &Request<'_>) -> Result<String, ModelError> {
    let mut json = JsonBuilder::new();
    json.begin_object().key("model").string(model).key("messages").begin_array();
    json.begin_object().key("role").string("system").key("content").string(&request.assembly.text()).end();
    for message in request.messages {
        json.begin_object();
        match message {
            Message::User(text) => {
                json.key("role").string("user").key("content").string(text);
            }
            Message::Tool { call_id, text } => {
                json.key("role").string("tool").key("tool_call_id").string(call_id).key("content").string(text);
            }
            Message::Assistant(reply) => assistant(&mut json, reply),
        }
        json.end();
    }
    json.end().key("tools").begin_array();
    for tool in &request.assembly.tools {
        json.begin_object().key("type").string("function").key("function").value(&definition(tool)).end();
    }
    json.end().end();
    json.finish().map(|body| body.to_string()).map_err(|error| ModelError(error.to_string()))
}

fn assistant(json: &mut JsonBuilder, reply: &Reply) {
    json.key("role").string("assistant").key("content").string(&reply.text);
    if reply.calls.is_empty() {
        return;
    }
    json.key("tool_calls").begin_array();
    for call in &reply.calls {
        json.begin_object().key("id").string(&call.id).key("type").string("function").key("function").begin_object();
        json.key("name").string(&call.name).key("arguments").string(&call.arguments.to_string()).end().end();
    }
    json.end();
}

/// The message of an answer.
fn read(answer: &Json) -> Option<Reply> {
    let message = answer.get("choices")?.at(0)?.get("message")?;
    let text = message.get("content").and_then(|content| content.as_str()).unwrap_or_default().to_owned();
    let mut calls = Vec::new();
    for call in message.get("tool_calls").into_iter().flat_map(|calls| calls.items()) {
        let function = call.get("function")?;
        let written = function.get("arguments")?.as_str()?;
        calls.push(AskedCall {
            id: call.get("id")?.as_str()?.to_owned(),
            name: function.get("name")?.as_str()?.to_owned(),
            // What is not JSON goes to the tool as text, which says that it wants an object: the model mends it.
            arguments: Json::parse(written).unwrap_or_else(|_| Json::from(written)),
        });
    }
    Some(Reply { text, calls })
}
