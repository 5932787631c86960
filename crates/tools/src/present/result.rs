//! The cards of results.

use serde::{Deserialize, Serialize};

use super::Diff;
use crate::Content;

/// How a result is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ResultView {
    /// Content under a title.
    Generic {
        /// Replaces the call's title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Replaces the result's content.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Vec<Content>>,
    },
    /// What a command printed and how it ended.
    Terminal {
        /// Replaces the call's title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// What it printed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<String>,
        /// Its exit code, when it exited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        /// The signal that ended it, such as `SIGKILL`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<String>,
    },
    /// Changes to files.
    Diff {
        /// Replaces the call's title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The changes.
        diffs: Vec<Diff>,
    },
    /// A completed search of files. There is no such card of a call.
    Search(SearchView),
    /// A completed read of a file.
    Read(ReadView),
    /// A completed retrieval from the web.
    Web(WebView),
}

/// What a search of files found; no result text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    /// Replaces the call's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether there was more than is listed, so that a capped result is never shown as complete.
    pub truncated: bool,
    /// How much there was in all.
    pub total: u64,
    /// What was found.
    #[serde(flatten)]
    pub hits: SearchHits,
}

/// What a search of files lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "camelCase")]
#[non_exhaustive]
pub enum SearchHits {
    /// Lines, grouped by file.
    Matches {
        /// The files, each with its lines.
        files: Vec<FileMatches>,
    },
    /// Paths.
    Paths {
        /// The paths.
        paths: Vec<String>,
    },
}

/// One file's matching lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMatches {
    /// The file.
    pub path: String,
    /// Its lines.
    pub matches: Vec<Match>,
}

/// One matching line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// The line's number, from 1.
    pub line: u64,
    /// The line.
    pub text: String,
}

/// A part of a file, with the numbers of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadView {
    /// Replaces the call's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The file.
    pub path: String,
    /// The first line that was asked for, from 1; kept also when there are no lines.
    pub offset: u64,
    /// The lines, each with its number in the file.
    pub lines: Vec<ReadLine>,
    /// How many lines the file has.
    pub total_lines: u64,
    /// The language, for highlighting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The text alone, for a user interface without this card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// One line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLine {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its text.
    pub text: String,
}

/// What came from the web. A user interface without this card shows the result's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebView {
    /// Replaces the call's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What was retrieved.
    #[serde(flatten)]
    pub hits: WebHits,
}

/// What was retrieved from the web.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[non_exhaustive]
pub enum WebHits {
    /// The sources that a search named.
    Search {
        /// The sources, best first.
        sources: Vec<WebSource>,
    },
    /// One fetched page.
    Fetch(FetchSummary),
}

/// One source that a search named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSource {
    /// Its address.
    pub url: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The passage that matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

/// How the fetch of one page went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FetchSummary {
    /// The address that answered.
    pub url: String,
    /// The status code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// How many bytes came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Whether there was more than was kept.
    pub truncated: bool,
}
