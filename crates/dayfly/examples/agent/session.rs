//! The log of a conversation, and the messages that follow from it.

use std::fmt;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use dayfly::Json;
use dayfly::tools::{Assembly, Content, Context, Scope, SessionEvent, SessionEvents};

use crate::model::{Message, Reply, definition};

/// One entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entry {
    User(String),
    /// What the model was shown; only when it differs from before.
    Header(Assembly),
    Assistant(Reply),
    /// What the registry says of a call.
    Tool(SessionEvent),
    Context(Context),
}

/// The log; clones share it. It prints what it keeps, and the cards that a user interface makes of it.
#[derive(Clone)]
pub(crate) struct Session {
    log: Arc<Mutex<Vec<Entry>>>,
    agent: Scope,
}

impl Session {
    pub(crate) fn of(agent: Scope) -> Self {
        Self { log: Arc::default(), agent }
    }

    pub(crate) fn events(&self) -> Vec<Entry> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn user(&self, text: &str) {
        say(format_args!("-- user\n{text}\n"));
        self.keep(Entry::User(text.to_owned()));
    }

    pub(crate) fn header(&self, assembly: &Assembly) {
        let header = Entry::Header(assembly.clone());
        let last = self.events().into_iter().rev().find(|entry| matches!(entry, Entry::Header(_)));
        if last.as_ref() == Some(&header) {
            return;
        }
        let tools: Vec<&str> = assembly.tools.iter().map(|tool| tool.name.as_str()).collect();
        say(format_args!("-- tools of the request: {}", tools.join(", ")));
        for tool in &assembly.tools {
            say(format_args!("{}", definition(tool)));
        }
        say(format_args!("-- prompt\n{}\n", assembly.text()));
        self.keep(header);
    }

    pub(crate) fn assistant(&self, reply: &Reply) {
        say(format_args!("-- assistant"));
        if !reply.text.is_empty() {
            say(format_args!("{}", reply.text));
        }
        for call in &reply.calls {
            say(format_args!("calls {} as {}", call.name, call.id));
            match call.arguments.get("code").and_then(|code| code.as_str()) {
                Some(code) => say(format_args!("{code}")),
                None => say(format_args!("{}", call.arguments)),
            }
        }
        say(format_args!(""));
        self.keep(Entry::Assistant(reply.clone()));
    }

    pub(crate) fn contexts(&self, contexts: &[Context]) {
        for context in contexts {
            say(format_args!("-- context of {}\n{}\n", context.source, text_of(&context.content)));
            self.keep(Entry::Context(context.clone()));
        }
    }

    fn keep(&self, entry: Entry) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }

    /// The card of an event, of a tool that has its own.
    fn card(&self, event: &SessionEvent) -> Option<Json> {
        let call = event.call();
        let tool = self.agent.get(&call.name)?;
        let card = match event.result() {
            None => tool.present_call(&call.arguments).map(|view| Json::from_serialize(&view)),
            Some(result) => tool.present_result(&call.arguments, result).map(|view| Json::from_serialize(&view)),
        };
        card?.ok()
    }
}

impl SessionEvents for Session {
    fn record(&self, event: SessionEvent) {
        let call = event.call();
        say(format_args!("-- event {}: {} as {}", event.kind(), call.name, call.call_id));
        match event.result() {
            // Of a program the assistant's turn shows the text.
            None if call.name == dayfly::tools::RUN_CODE => {}
            None => say(format_args!("{}", call.arguments)),
            Some(result) => say(format_args!("{}", text_of(&result.content))),
        }
        if let Some(card) = self.card(&event) {
            say(format_args!("-- card\n{card}"));
        }
        say(format_args!(""));
        self.keep(Entry::Tool(event));
    }
}

/// The conversation as a model is shown it: what programs called is in the log, and not in here.
pub(crate) fn derive_messages(events: &[Entry]) -> Vec<Message> {
    let mut messages = Vec::new();
    for entry in events {
        match entry {
            Entry::User(text) => messages.push(Message::User(text.clone())),
            Entry::Assistant(reply) => messages.push(Message::Assistant(reply.clone())),
            Entry::Context(context) => messages.push(Message::User(text_of(&context.content))),
            Entry::Tool(SessionEvent::Result(result)) => messages
                .push(Message::Tool { call_id: result.call.call_id.clone(), text: text_of(&result.result.content) }),
            Entry::Header(_) | Entry::Tool(_) => {}
        }
    }
    messages
}

fn text_of(content: &[Content]) -> String {
    content.iter().map(|block| block.as_text().unwrap_or("[an image]")).collect::<Vec<_>>().join("\n")
}

/// Prints a line. Whoever reads no further misses it, and the conversation goes on.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
