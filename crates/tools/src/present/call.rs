//! The cards of calls.

use dayfly_runtime::Json;
use serde::{Deserialize, Serialize};

use crate::Content;

/// How a call is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum CallView {
    /// A title, and whatever the tool wants to add.
    Generic {
        /// One line.
        title: String,
        /// What sort of thing it does, such as `execute`, `read` or `edit`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        /// The input as the user should see it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw_input: Option<Json>,
        /// Content to show before there is a result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Vec<Content>>,
        /// The files it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        locations: Option<Vec<Location>>,
    },
    /// A command.
    Terminal {
        /// The command line.
        title: String,
        /// What it is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The directory it runs in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
    },
    /// Changes to files.
    Diff {
        /// One line.
        title: String,
        /// The changes.
        diffs: Vec<Diff>,
        /// The files it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        locations: Option<Vec<Location>>,
    },
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub path: String,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// One file's change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// The file.
    pub path: String,
    /// The text before; absent when the file is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_text: Option<String>,
    /// The text after.
    pub new_text: String,
}
