//! What a harness may hear while a run is under way.

use std::time::Duration;

use crate::{Json, LogEntry, Outcome};

/// Hears of logs and calls as they happen.
///
/// The methods run on the run's own task: they must be quick, and a panic in one is contained and ends the
/// notifications of that run. Nothing that an observer does can change the run.
pub trait Observer: Send + Sync {
    /// The program printed.
    fn log(&self, entry: &LogEntry) {
        let _ = entry;
    }

    /// The program called a host function.
    fn call_started(&self, call: &CallStart<'_>) {
        let _ = call;
    }

    /// A call ended.
    fn call_ended(&self, call: &CallEnd<'_>) {
        let _ = call;
    }
}

/// A call as it begins.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CallStart<'a> {
    /// The call's id.
    pub id: u32,
    /// The namespace's global name.
    pub global: &'a str,
    /// The member's exact name.
    pub name: &'a str,
    /// The argument.
    pub arguments: &'a Json,
}

impl<'a> CallStart<'a> {
    /// A call as it begins.
    #[must_use]
    pub const fn new(id: u32, global: &'a str, name: &'a str, arguments: &'a Json) -> Self {
        Self { id, global, name, arguments }
    }
}

/// A call as it ends.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CallEnd<'a> {
    /// The call's id.
    pub id: u32,
    /// The namespace's global name.
    pub global: &'a str,
    /// The member's exact name.
    pub name: &'a str,
    /// How it ended.
    pub outcome: Outcome,
    /// How long the host worked on it.
    pub took: Duration,
}

impl<'a> CallEnd<'a> {
    /// A call as it ends.
    #[must_use]
    pub const fn new(id: u32, global: &'a str, name: &'a str, outcome: Outcome, took: Duration) -> Self {
        Self { id, global, name, outcome, took }
    }
}
