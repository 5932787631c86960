//! From canonical values to content.

use dayfly_runtime::Json;

use crate::Content;

/// What a `render` may return.
pub trait IntoContent {
    /// The blocks, in order.
    fn into_content(self) -> Vec<Content>;
}

impl IntoContent for Vec<Content> {
    fn into_content(self) -> Vec<Content> {
        self
    }
}

impl IntoContent for Content {
    fn into_content(self) -> Vec<Content> {
        vec![self]
    }
}

impl IntoContent for String {
    fn into_content(self) -> Vec<Content> {
        vec![Content::Text(self)]
    }
}

impl IntoContent for &str {
    fn into_content(self) -> Vec<Content> {
        vec![Content::text(self)]
    }
}

/// The rendering for those who ask for no other: a string as it is, everything else as indented JSON.
pub(super) fn plain(value: &Json) -> Vec<Content> {
    let text = value.as_str().map_or_else(|| value.to_pretty(), str::to_owned);
    vec![Content::Text(text)]
}
