//! How events are written and read back.

use dayfly_runtime::Json;
use dayfly_runtime::json::{ConvertError, JsonBuilder};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::event::{
    CALL, CODE_DISPATCH, CODE_DISPATCH_START, CallEvent, CodeDispatchEvent, CodeDispatchStartEvent, RESULT,
    ResultEvent, SessionEvent,
};
use crate::DurableResult;

/// An object that is not an event of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The type is not one of this crate's.
    #[error(
        "`type` is {found}, and events of tools are `tool/call`, `tool/result`, `tool/code-dispatch-start` and \
         `tool/code-dispatch`; leave others to what wrote them"
    )]
    UnknownType {
        /// What stands there.
        found: String,
    },
    /// A member is missing or of another kind.
    #[error("`{member}` is missing or is not {expected}")]
    Member {
        /// The member.
        member: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// The durable result is not one.
    #[error("`result` is not a durable result: {source}")]
    Result {
        /// Why.
        source: ConvertError,
    },
}

impl SessionEvent {
    /// The event as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let call = self.call();
        let mut json = JsonBuilder::new();
        json.begin_object().key("type").string(self.kind()).key("time").u64(call.time);
        match self.parent_call_id() {
            None => json.key("callId"),
            Some(parent) => json.key("parentCallId").string(parent).key("subCallId"),
        };
        json.string(&call.call_id).key("name").string(&call.name);
        if !call.scope.is_empty() {
            json.key("scope").string(&call.scope);
        }
        json.key("arguments").value(&call.arguments);
        if let Some(result) = self.result() {
            json.key("result").begin_object().key("isError").bool(result.is_error).key("content");
            // Blocks are flat: there is nothing in them that conversion refuses.
            json.value(&Json::from_serialize(&result.content).unwrap_or_else(|_| Json::array::<Json>([])));
            if let Some(meta) = &result.meta {
                json.key("meta").value(meta);
            }
            json.end();
        }
        json.end();
        json.finish().unwrap_or_else(|_| Json::null())
    }

    /// The event that an object is.
    ///
    /// # Errors
    ///
    /// [`EventError`]: another type of event, or a member that is missing or wrong.
    pub fn from_json(json: &Json) -> Result<Self, EventError> {
        let kind = json.get("type");
        match kind.and_then(|kind| kind.as_str()) {
            Some(CALL) => Ok(Self::Call(call(json, "callId")?)),
            Some(RESULT) => Ok(Self::Result(ResultEvent { call: call(json, "callId")?, result: durable(json)? })),
            Some(CODE_DISPATCH_START) => {
                let parent_call_id = text(json, "parentCallId")?;
                Ok(Self::CodeDispatchStart(CodeDispatchStartEvent { parent_call_id, call: call(json, "subCallId")? }))
            }
            Some(CODE_DISPATCH) => {
                let parent_call_id = text(json, "parentCallId")?;
                let (call, result) = (call(json, "subCallId")?, durable(json)?);
                Ok(Self::CodeDispatch(CodeDispatchEvent { parent_call_id, call, result }))
            }
            Some(_) | None => {
                let found =
                    kind.map_or_else(|| "missing".to_owned(), |kind| kind.to_string().chars().take(64).collect());
                Err(EventError::UnknownType { found })
            }
        }
    }
}

fn text(event: &Json, member: &'static str) -> Result<String, EventError> {
    let found = event.get(member).and_then(|value| value.as_str().map(str::to_owned));
    found.ok_or(EventError::Member { member, expected: "text" })
}

fn call(event: &Json, id: &'static str) -> Result<CallEvent, EventError> {
    let time = event.get("time").and_then(|time| time.as_u64());
    Ok(CallEvent {
        time: time.ok_or(EventError::Member { member: "time", expected: "a number of milliseconds" })?,
        call_id: text(event, id)?,
        name: text(event, "name")?,
        scope: if event.get("scope").is_some() { text(event, "scope")? } else { String::new() },
        arguments: event
            .get("arguments")
            .map(Json::from)
            .ok_or(EventError::Member { member: "arguments", expected: "a value" })?,
    })
}

fn durable(event: &Json) -> Result<DurableResult, EventError> {
    let result = event.get("result").ok_or(EventError::Member { member: "result", expected: "an object" })?;
    let is_error = result.get("isError").and_then(|is_error| is_error.as_bool());
    let is_error = is_error.ok_or(EventError::Member { member: "result.isError", expected: "true or false" })?;
    let content = result.get("content").ok_or(EventError::Member { member: "result.content", expected: "an array" })?;
    let content = content.deserialize().map_err(|source| EventError::Result { source })?;
    Ok(DurableResult::new(is_error, content, result.get("meta").map(Json::from)))
}

impl Serialize for SessionEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SessionEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(&<Json as Deserialize>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
