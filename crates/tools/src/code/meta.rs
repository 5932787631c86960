//! The cards of `run_code`: what is durable of a run beside what the model is shown.

use dayfly_runtime::Json;
use dayfly_runtime::json::JsonBuilder;

use crate::present::{CallView, DurableResult, ResultView};
use crate::{Content, Execution};

/// The printed text that is kept for the card, in bytes.
const MOST_LOGS: usize = 16 * 1_024;

/// `{ logs }`: what was printed, as far as the cap goes; what is left out is said in the last entry.
pub(super) fn of(value: &Json) -> Json {
    let entries: Vec<&str> =
        value.get("logs").into_iter().flat_map(|logs| logs.items()).filter_map(|entry| entry.as_str()).collect();
    let mut json = JsonBuilder::new();
    json.begin_object().key("logs").begin_array();
    let mut room = MOST_LOGS;
    let mut whole = 0;
    for entry in &entries {
        // What parts an entry from the next one costs as well: there may be many empty ones.
        let Some(left) = room.checked_sub(entry.len() + 1) else { break };
        json.string(entry);
        (room, whole) = (left, whole + 1);
    }
    if let Some(first) = entries.get(whole) {
        let shown = first.floor_char_boundary(room);
        if shown > 0 {
            json.string(&first[..shown]);
        }
        let bytes = entries[whole..].iter().map(|entry| entry.len()).sum::<usize>() - shown;
        json.string(&format!("[{bytes} bytes left out]"));
    }
    json.end().end();
    // The events are balanced, and no double is among them.
    json.finish().unwrap_or_default()
}

/// The metadata with the count of dispatches, of an execution that made some of a program's.
pub(crate) fn with_dispatches(meta: Json, execution: &Execution) -> Json {
    let Some(dispatches) = execution.dispatches() else { return meta };
    let mut json = JsonBuilder::new();
    json.begin_object();
    for (key, value) in meta.entries() {
        json.key(key).value_ref(value);
    }
    json.key("dispatches").u64(dispatches).end();
    json.finish().unwrap_or(meta)
}

/// The description as title, the program as input.
pub(super) fn present_call(arguments: &Json) -> Option<CallView> {
    let description = arguments.get("description")?;
    let title = description.as_str()?.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("Run a program");
    Some(CallView::Generic {
        title: title.to_owned(),
        kind: Some("execute".to_owned()),
        raw_input: arguments.get("code").map(Json::from),
        content: None,
        locations: None,
    })
}

/// What was printed; where nothing was, and of a failure, what the model was shown.
pub(super) fn present_result(_arguments: &Json, result: &DurableResult) -> Option<ResultView> {
    let meta = result.meta.as_ref()?;
    let logs: Vec<&str> = meta.get("logs")?.items().filter_map(|entry| entry.as_str()).collect();
    let content = (!logs.is_empty()).then(|| vec![Content::Text(logs.join("\n"))]);
    Some(ResultView::Generic { title: None, content })
}
