//! Cards: how a user interface shows calls and results, without knowing any tool by name.

mod call;
mod durable;
mod result;

pub use call::{CallView, Diff, Location};
pub use durable::DurableResult;
pub use result::{
    FetchSummary, FileMatches, Match, ReadLine, ReadView, ResultView, SearchHits, SearchView, WebHits, WebSource,
    WebView,
};
