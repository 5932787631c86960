//! What of a registry can be tuned.

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Presentation;

/// The limits of a registry; durations are written as `5s` or `2m 30s`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct RegistryConfig {
    /// How long a body that was asked to stop may take before it is dropped where it stands. Default 5 s; zero drops it at
    /// once. The outcome says so.
    #[serde(with = "text")]
    pub cancel_grace: Duration,
    /// How long an approval may take before nobody's answer counts as a denial. Default 5 minutes.
    #[serde(with = "text")]
    pub approval_deadline: Duration,
    /// How many bodies of one batch may run at a time. Default 10; 1 makes one call after the other.
    pub max_parallel: usize,
    /// How many bodies of the calls of one program may run at a time. Default 10; 1 makes one call after the other.
    pub max_parallel_sub_calls: usize,
    /// The form in which tools are presented to models, of scopes that do not choose one. Default `native`.
    pub mode: Presentation,
    /// The names of the tools that come first in what a model is shown, in this order; the others follow by name. Default none.
    /// An assembly that does not contribute one of them is refused.
    pub tool_order: Vec<String>,
}

impl Default for RegistryConfig {
    fn default() -> Self {
        Self {
            cancel_grace: Duration::from_secs(5),
            approval_deadline: Duration::from_secs(300),
            max_parallel: 10,
            max_parallel_sub_calls: 10,
            mode: Presentation::Native,
            tool_order: Vec::new(),
        }
    }
}

impl RegistryConfig {
    /// Sets [`cancel_grace`](Self::cancel_grace).
    #[must_use]
    pub const fn cancel_grace(mut self, grace: Duration) -> Self {
        self.cancel_grace = grace;
        self
    }

    /// Sets [`approval_deadline`](Self::approval_deadline).
    #[must_use]
    pub const fn approval_deadline(mut self, deadline: Duration) -> Self {
        self.approval_deadline = deadline;
        self
    }

    /// Sets [`max_parallel`](Self::max_parallel).
    #[must_use]
    pub const fn max_parallel(mut self, most: usize) -> Self {
        self.max_parallel = most;
        self
    }

    /// Sets [`max_parallel_sub_calls`](Self::max_parallel_sub_calls).
    #[must_use]
    pub const fn max_parallel_sub_calls(mut self, most: usize) -> Self {
        self.max_parallel_sub_calls = most;
        self
    }

    /// Sets [`mode`](Self::mode).
    #[must_use]
    pub const fn mode(mut self, mode: Presentation) -> Self {
        self.mode = mode;
        self
    }

    /// Sets [`tool_order`](Self::tool_order).
    #[must_use]
    pub fn tool_order<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.tool_order = names.into_iter().map(Into::into).collect();
        self
    }

    /// Checks every limit.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] with every problem at once, by key.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        let mut check = |key: &'static str, value: Duration, least: Duration| {
            // A year: `Instant` arithmetic stays far from overflow.
            let most = Duration::from_secs(365 * 24 * 3_600);
            if value < least || value > most {
                problems.push(format!("`{key}` is {value:?}; it must be from {least:?} to a year"));
            }
        };
        check("cancel_grace", self.cancel_grace, Duration::ZERO);
        check("approval_deadline", self.approval_deadline, Duration::from_millis(1));
        problems.extend(check_max_parallel("max_parallel", self.max_parallel));
        problems.extend(check_max_parallel("max_parallel_sub_calls", self.max_parallel_sub_calls));
        let mut named = HashSet::new();
        for name in &self.tool_order {
            if !named.insert(name) {
                problems.push(format!("`tool_order` names `{name}` twice; leave one of them"));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(ConfigError { problems }) }
    }
}

/// What is wrong with a limit of bodies at a time, if anything is.
pub(crate) fn check_max_parallel(key: &str, most: usize) -> Option<String> {
    // Each of them is a task with a body; more of them than this is no limit at all.
    const MOST: usize = 1_024;
    (most == 0 || most > MOST).then(|| format!("`{key}` is {most}; it must be from 1 to {MOST}"))
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the registry's configuration cannot be used: {}", problems.join("; "))]
#[non_exhaustive]
pub struct ConfigError {
    /// Every problem, each beginning with the key.
    pub problems: Vec<String>,
}

mod text {
    use std::time::Duration;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&humantime::format_duration(*value))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        dayfly_runtime::parse_duration(&text).map_err(D::Error::custom)
    }
}
