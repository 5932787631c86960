//! The events, and how they are written.

use std::time::{SystemTime, UNIX_EPOCH};

use dayfly_runtime::Json;
use dayfly_runtime::json::{ConvertError, JsonBuilder};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{DurableResult, Execution, ToolOutcome};

/// One thing that a session keeps.
///
/// In JSON an object whose `type` is `tool/call` or `tool/result`. [`to_json`](Self::to_json) and
/// [`from_json`](Self::from_json) take values of any depth; serde takes the same objects, up to the depth that
/// conversions have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// `tool/call`: a call entered the pipeline.
    Call(CallEvent),
    /// `tool/result`: a call has its outcome, which every observer has heard.
    Result(ResultEvent),
}

/// A call that entered the pipeline.
///
/// In JSON `{"type":"tool/call","time":…,"callId":…,"name":…,"scope":…,"arguments":…}`, without `scope` in the global one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CallEvent {
    /// When, in milliseconds since 1970.
    pub time: u64,
    /// The caller's own id of the call.
    pub call_id: String,
    /// The tool's exact name, as it was asked for.
    pub name: String,
    /// The name of the scope that calls; empty for the global one.
    pub scope: String,
    /// The arguments.
    pub arguments: Json,
}

/// What a call came to: all that its card needs, and never the canonical value.
///
/// In JSON as a [`CallEvent`] of `"type":"tool/result"` with `"result":{"isError":…,"content":[…],"meta":…}`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResultEvent {
    /// The call, at the time of its outcome.
    pub call: CallEvent,
    /// The durable part of the outcome.
    pub result: DurableResult,
}

/// An object that is not an event of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The type is not one of this crate's.
    #[error(
        "`type` is {found}, and events of tools are `tool/call` and `tool/result`; leave others to what wrote them"
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

const CALL: &str = "tool/call";
const RESULT: &str = "tool/result";

impl SessionEvent {
    pub(crate) fn of_call(execution: &Execution) -> Self {
        Self::Call(CallEvent::now(execution))
    }

    pub(crate) fn of_result(execution: &Execution, outcome: &ToolOutcome) -> Self {
        Self::Result(ResultEvent { call: CallEvent::now(execution), result: outcome.into() })
    }

    /// Its type: `tool/call` or `tool/result`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Call(_) => CALL,
            Self::Result(_) => RESULT,
        }
    }

    /// The call that it is about.
    #[must_use]
    pub const fn call(&self) -> &CallEvent {
        match self {
            Self::Call(call) => call,
            Self::Result(result) => &result.call,
        }
    }

    /// The event as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let call = self.call();
        let mut json = JsonBuilder::new();
        json.begin_object().key("type").string(self.kind()).key("time").u64(call.time);
        json.key("callId").string(&call.call_id).key("name").string(&call.name);
        if !call.scope.is_empty() {
            json.key("scope").string(&call.scope);
        }
        json.key("arguments").value(&call.arguments);
        if let Self::Result(ResultEvent { result, .. }) = self {
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
        let text = |member: &'static str| {
            let found = json.get(member).and_then(|value| value.as_str().map(str::to_owned));
            found.ok_or(EventError::Member { member, expected: "text" })
        };
        let call = || -> Result<CallEvent, EventError> {
            let time = json.get("time").and_then(|time| time.as_u64());
            Ok(CallEvent {
                time: time.ok_or(EventError::Member { member: "time", expected: "a number of milliseconds" })?,
                call_id: text("callId")?,
                name: text("name")?,
                scope: if json.get("scope").is_some() { text("scope")? } else { String::new() },
                arguments: json
                    .get("arguments")
                    .map(Json::from)
                    .ok_or(EventError::Member { member: "arguments", expected: "a value" })?,
            })
        };
        match kind.and_then(|kind| kind.as_str()) {
            Some(CALL) => Ok(Self::Call(call()?)),
            Some(RESULT) => Ok(Self::Result(ResultEvent { call: call()?, result: durable(json)? })),
            Some(_) | None => {
                let found =
                    kind.map_or_else(|| "missing".to_owned(), |kind| kind.to_string().chars().take(64).collect());
                Err(EventError::UnknownType { found })
            }
        }
    }
}

fn durable(event: &Json) -> Result<DurableResult, EventError> {
    let result = event.get("result").ok_or(EventError::Member { member: "result", expected: "an object" })?;
    let is_error = result.get("isError").and_then(|is_error| is_error.as_bool());
    let is_error = is_error.ok_or(EventError::Member { member: "result.isError", expected: "true or false" })?;
    let content = result.get("content").ok_or(EventError::Member { member: "result.content", expected: "an array" })?;
    let content = content.deserialize().map_err(|source| EventError::Result { source })?;
    Ok(DurableResult::new(is_error, content, result.get("meta").map(Json::from)))
}

impl CallEvent {
    fn now(execution: &Execution) -> Self {
        // A clock before 1970 reads as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            call_id: execution.call_id().to_owned(),
            name: execution.name().to_owned(),
            scope: execution.scope().to_owned(),
            arguments: execution.arguments().clone(),
        }
    }
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
