//! What is known of a run's calls when it has settled.

use std::time::Duration;

/// All receipts of a run: in full up to a configured count, then as counts per name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipts {
    /// The first calls, in the order of their ids.
    pub calls: Vec<Receipt>,
    /// Counts of the calls that are not listed in full, by name.
    pub rest: Vec<NameCounts>,
}

/// What became of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The call's id.
    pub id: u32,
    /// The namespace's global name.
    pub global: String,
    /// The member's exact name.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// When it arrived, counted from the run's `start`.
    pub started: Duration,
    /// How long the host worked on it; zero when it was not started.
    pub took: Duration,
}

impl Receipt {
    /// A receipt.
    #[must_use]
    pub fn new(
        id: u32,
        global: impl Into<String>,
        name: impl Into<String>,
        outcome: Outcome,
        started: Duration,
        took: Duration,
    ) -> Self {
        Self { id, global: global.into(), name: name.into(), outcome, started, took }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the set is closed: a consumer may match every outcome")]
pub enum Outcome {
    /// The host function returned a value.
    Succeeded,
    /// The host function failed, panicked, or was refused its arguments.
    Failed,
    /// The run settled first; the function saw its cancel token and returned within the grace.
    Cancelled,
    /// The run settled first; the function did not return within the grace and was dropped.
    Abandoned,
    /// The call arrived and its function was never started.
    NotStarted,
}

impl Outcome {
    /// The name in reports: `succeeded`, `failed`, `cancelled`, `abandoned`, `not-started`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Abandoned => "abandoned",
            Self::NotStarted => "not-started",
        }
    }
}

/// Counts of calls of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameCounts {
    /// The namespace's global name.
    pub global: String,
    /// The member's exact name.
    pub name: String,
    /// Calls that succeeded.
    pub succeeded: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls that were cancelled.
    pub cancelled: u64,
    /// Calls that were abandoned.
    pub abandoned: u64,
    /// Calls that were never started.
    pub not_started: u64,
}

impl NameCounts {
    /// No calls of this name yet.
    #[must_use]
    pub fn new(global: impl Into<String>, name: impl Into<String>) -> Self {
        Self { global: global.into(), name: name.into(), ..Self::default() }
    }

    /// Counts one call.
    pub const fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Succeeded => self.succeeded += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Cancelled => self.cancelled += 1,
            Outcome::Abandoned => self.abandoned += 1,
            Outcome::NotStarted => self.not_started += 1,
        }
    }
}
