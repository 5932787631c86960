//! What was forged and what came of it, counted.

use std::collections::BTreeMap;
use std::io::Write as _;

use dayfly::RunError;

use crate::compile::Compiled;
use crate::frames::Class;
use crate::host::most_memory;
use crate::session::Observed;

/// Counts of many sessions.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sessions: u64,
    /// Frames that were written.
    forged: u64,
    /// Frames that the host has looked at: up to the end of their session.
    pub(crate) read: u64,
    bytes: u64,
    functions: u64,
    peak: usize,
    classes: BTreeMap<Class, u64>,
    endings: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a session; how many there have been.
    pub(crate) fn count(&mut self, session: &Compiled, observed: &Observed) -> u64 {
        self.sessions += 1;
        self.forged += u64::try_from(session.classes.len()).unwrap();
        self.read += u64::try_from(session.prediction.frames).unwrap();
        self.bytes += u64::try_from(session.bytes).unwrap();
        self.functions += u64::try_from(observed.seen.ran.lock().unwrap().len()).unwrap();
        self.peak = self.peak.max(observed.peak);
        for class in &session.classes {
            *self.classes.entry(*class).or_default() += 1;
        }
        let ending = match &observed.outcome {
            None => "no end".to_owned(),
            Some(Ok(result)) => result.failure.as_ref().map_or("completed", |failure| failure.kind().name()).to_owned(),
            Some(Err(RunError::NotReady { .. })) => "not ready".to_owned(),
            Some(Err(error)) => error.to_string(),
        };
        *self.endings.entry(ending).or_default() += 1;
        self.sessions
    }

    pub(crate) fn print(&self) {
        let mut out = std::io::stdout().lock();
        let mut line = |text: String| writeln!(out, "{text}").unwrap();
        line(format!(
            "{} sessions: {} frames forged, {} looked at, {} MB, {} host functions run",
            self.sessions,
            self.forged,
            self.read,
            self.bytes / 1_000_000,
            self.functions
        ));
        line(format!("peak memory of a session: {} kB of at most {} kB", self.peak / 1_000, most_memory() / 1_000));
        for (class, count) in &self.classes {
            line(format!("  forged {count:>9} {class:?}"));
        }
        for (ending, count) in &self.endings {
            line(format!("  ended  {count:>9} {ending}"));
        }
    }
}
