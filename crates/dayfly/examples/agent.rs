//! A small agent: a model is asked, calls what it was given, and is asked again until it answers.
//!
//! `cargo run --release --example agent` plays a model that was written down, once in each language, under the mode `code`;
//! `-- both` under the mode `both`. No key is needed.
//!
//! With `DAYFLY_MODEL_KEY` set it asks a real model by the OpenAI-compatible chat protocol: `DAYFLY_MODEL` names it,
//! `DAYFLY_MODEL_URL` is the base of the address (`https://api.openai.com/v1` unless given; one of your own needs no key), and
//! `DAYFLY_TASK` may set another task.

#[path = "agent/http.rs"]
mod http;
#[path = "agent/model.rs"]
mod model;
#[path = "agent/scripted.rs"]
mod scripted;
#[path = "agent/session.rs"]
mod session;
#[path = "agent/shop.rs"]
mod shop;

use std::error::Error;

use dayfly::prelude::*;
use dayfly::tools::{Context, Presentation, Registry, RegistryConfig, Scope, ToolCall};

use http::HttpModel;
use model::{Model, Request};
use scripted::ScriptedModel;
use session::{Session, derive_messages, say};

const TASK: &str = "What is the stock of tea and cake worth in euros? Answer with one sentence.";

/// A model that has not answered after so many turns never will.
const TURNS: usize = 12;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mode = match std::env::args().nth(1).as_deref() {
        None | Some("code") => Presentation::Code,
        Some("both") => Presentation::Both,
        Some(other) => return Err(format!("there is no mode `{other}` in this example; say `code` or `both`").into()),
    };
    let supervisor = Supervisor::new(ProcessConfig::default().max_concurrent_runs(2))?;
    for language in [Language::TypeScript, Language::Python] {
        say(format_args!("######## {language}, mode {}\n", mode.name()));
        let registry = Registry::builder()
            .config(RegistryConfig::default().mode(mode))
            .code_runtime(supervisor.runtime(language))
            .build()?;
        shop::open(&registry)?;
        let agent = registry.scope("clerk");
        match HttpModel::from_environment()? {
            Some(model) => {
                let task = std::env::var("DAYFLY_TASK").unwrap_or_else(|_| TASK.to_owned());
                converse(&agent, &model, &task).await?;
            }
            None => converse(&agent, &ScriptedModel::new(language, mode), TASK).await?,
        }
    }
    supervisor.shutdown().await;
    Ok(())
}

/// Asks the model, makes the calls that it asks for, and tells it what came of them, until it makes none.
async fn converse(agent: &Scope, model: &impl Model, task: &str) -> Result<(), Box<dyn Error>> {
    let session = Session::of(agent.clone());
    let _recording = agent.record(session.clone());
    session.user(task);
    for _ in 0..TURNS {
        let assembly = agent.assemble().await?;
        session.header(&assembly);
        let messages = derive_messages(&session.events());
        let reply = model.reply(Request { assembly: &assembly, messages: &messages }).await?;
        session.assistant(&reply);
        if reply.calls.is_empty() {
            return Ok(());
        }
        let calls = reply.calls.into_iter().map(|call| ToolCall::new(call.id, call.name, call.arguments));
        let outcomes = agent.execute_batch(calls).await;
        // Only now: a message between a call and its result would tear them apart.
        let contexts: Vec<Context> = outcomes.into_iter().flat_map(|outcome| outcome.contexts).collect();
        session.contexts(&contexts);
    }
    Err(format!("the model did not come to an answer in {TURNS} turns").into())
}
