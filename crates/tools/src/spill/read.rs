//! The tool that reads parts of what is kept.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::SpillStore;
use crate::{RunContext, Tool, ToolFailure};

/// The tool's name.
pub const READ_SPILLED: &str = "read_spilled";

/// The most bytes of one part: a program that wants more reads on.
const MOST: u64 = 1 << 20;

const fn default_length() -> u64 {
    4_096
}

// What the tool takes; a comment of its documentation would be a comment of its declaration.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Part {
    /// The name that the shortened result gives, such as `spill-1`.
    locator: String,
    /// The byte at which the part begins.
    #[serde(default)]
    offset: u64,
    /// The most bytes of the part, up to 1048576. 4096 unless given.
    #[serde(default = "default_length")]
    #[schemars(range(min = 1, max = 1_048_576))]
    length: u64,
}

// What it gives.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Found {
    text: String,
    /// The byte at which the text begins.
    offset: u64,
    /// Where to read on; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    /// The bytes of the whole.
    total: u64,
}

/// The tool over a store.
pub(super) fn tool(store: Arc<dyn SpillStore>) -> Tool {
    let declared = Tool::typed::<Part, Found>(READ_SPILLED)
        .description(
            "Reads a part of a result that was too long to show. A shortened result names its locator. Offsets are bytes; \
             read on at `next` until it is absent.",
        )
        .render(|_, found| match found.next {
            Some(next) => format!("{}\n[{} of {} bytes; read on at offset {next}]", found.text, found.text.len(), found.total),
            None => found.text.clone(),
        })
        .concurrency_safe(|_| true)
        .execute(move |part: Part, _: RunContext| {
            let store = Arc::clone(&store);
            async move {
                // The longest character has four bytes: a part of fewer might never get past one.
                let length = part.length.clamp(4, MOST);
                let reading = tokio::task::spawn_blocking(move || store.read(&part.locator, part.offset, length));
                let read = reading.await.map_err(ToolFailure::from_error)?;
                let slice = read.map_err(|error| ToolFailure::new(error.to_string()))?;
                Ok(Found { next: slice.next(), offset: slice.offset, total: slice.total, text: slice.text })
            }
        });
    #[expect(clippy::expect_used, reason = "the declaration is a constant, and a test makes it")]
    declared.expect("the tool that reads what is kept can be declared")
}
