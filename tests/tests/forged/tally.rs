//! What was forged and what came of it, counted.

use std::collections::BTreeMap;
use std::io::Write as _;

use dayfly::{RunError, RunResult, StartMethod};
use dayfly_tests::forged::Ending;

use crate::compile::Compiled;
use crate::coverage::{ENDINGS, WORKERS};
use crate::frames::Class;
use crate::host::most_memory;
use crate::session::{Observed, Played};
use crate::strategy::Opening;

/// How often each of something occurred.
type Counts = BTreeMap<String, u64>;

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
    /// Honest runs that were served while sessions were under way.
    beside: u64,
    /// The most memory, by how many sessions there were at a time.
    peaks: BTreeMap<usize, usize>,
    openings: Counts,
    /// Of frames that were looked at.
    classes: Counts,
    workers: Counts,
    endings: Counts,
}

impl Tally {
    /// Counts sessions that were played at the same time.
    pub(crate) fn count(&mut self, sessions: &[Compiled], played: &Played) {
        let peak = self.peaks.entry(sessions.len()).or_default();
        *peak = played.peak.max(*peak);
        self.beside += u64::from(played.beside > 0);
        for (session, observed) in sessions.iter().zip(&played.observed) {
            self.count_one(session, observed);
        }
    }

    fn count_one(&mut self, session: &Compiled, observed: &Observed) {
        let count = |counts: &mut Counts, name: String| *counts.entry(name).or_default() += 1;
        self.sessions += 1;
        self.forged += u64::try_from(session.classes.len()).unwrap();
        self.bytes += u64::try_from(session.bytes).unwrap();
        self.functions += u64::try_from(observed.seen.ran.lock().unwrap().len()).unwrap();
        if observed.outcome.as_ref().is_some_and(|outcome| outcome.as_ref().is_ok_and(was_started)) {
            self.read += u64::try_from(session.prediction.frames).unwrap();
            let looked_at = session.classes.iter().take(session.prediction.frames);
            looked_at.for_each(|class| count(&mut self.classes, name_of_class(*class)));
        }
        count(&mut self.openings, session.opening.name().to_owned());
        let worker = match session.ending {
            _ if session.half_closed => "half-close",
            Ending::Exit(_) => "exit",
            Ending::Kill(_) => "kill",
            Ending::Linger => "linger",
            Ending::CloseAndSpin => "close and spin",
        };
        count(&mut self.workers, worker.to_owned());
        let ending = match &observed.outcome {
            None => "no end".to_owned(),
            Some(Ok(result)) => result.failure.as_ref().map_or("completed", |failure| failure.kind().name()).to_owned(),
            Some(Err(RunError::NotReady { .. })) => "not ready".to_owned(),
            Some(Err(error)) => error.to_string(),
        };
        count(&mut self.endings, ending);
    }

    /// Whatever has not occurred and should have.
    pub(crate) fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let mut want = |what: &str, counts: &Counts, names: Vec<String>| {
            let absent = names.into_iter().filter(|name| !counts.contains_key(name));
            missing.extend(absent.map(|name| format!("no {what} {name}")));
        };
        want("opening", &self.openings, Opening::ALL.iter().map(|opening| opening.name().to_owned()).collect());
        want("frame of the class", &self.classes, Class::ALL.iter().map(|class| name_of_class(*class)).collect());
        want("worker that ended by", &self.workers, WORKERS.iter().map(ToString::to_string).collect());
        want("run that ended as", &self.endings, ENDINGS.iter().map(ToString::to_string).collect());
        if self.beside == 0 {
            missing.push("no honest run beside forged ones".to_owned());
        }
        missing
    }

    pub(crate) fn print(&self) {
        let mut out = std::io::stdout().lock();
        let mut line = |text: String| writeln!(out, "{text}").unwrap();
        line(format!(
            "{} sessions: {} frames forged, {} looked at, {} MB, {} host functions run, {} honest runs served beside",
            self.sessions,
            self.forged,
            self.read,
            self.bytes / 1_000_000,
            self.functions,
            self.beside
        ));
        for (sessions, peak) in &self.peaks {
            let most = sessions * most_memory() / 1_000;
            line(format!("peak memory of {sessions} at a time: {} kB of at most {most} kB", peak / 1_000));
        }
        for (what, counts) in [
            ("opened", &self.openings),
            ("looked at", &self.classes),
            ("worker", &self.workers),
            ("ended", &self.endings),
        ] {
            for (name, count) in counts {
                line(format!("  {what:<9} {count:>9} {name}"));
            }
        }
    }
}

fn was_started(result: &RunResult) -> bool {
    result.start != StartMethod::None
}

fn name_of_class(class: Class) -> String {
    format!("{class:?}")
}
