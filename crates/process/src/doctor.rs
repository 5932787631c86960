//! What this host can do.

use std::path::PathBuf;
use std::sync::Arc;

use dayfly_runtime::{Isolation, Language};

use crate::interpreter;
use crate::supervisor::Shared;

/// The interpreters that were found and tried, and the layers that are applied.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DoctorReport {
    /// One report for each language.
    pub interpreters: Vec<InterpreterReport>,
    /// What is applied to every worker.
    pub isolation: Isolation,
}

/// The interpreters of one language.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InterpreterReport {
    /// The language.
    pub language: Language,
    /// The binary that programs run on; absent when none is usable.
    pub path: Option<PathBuf>,
    /// Its version, such as `20.20.2`.
    pub version: Option<String>,
    /// Why no program of this language can run; absent when one can.
    pub problem: Option<String>,
    /// Every file that was tried, in order.
    pub candidates: Vec<CandidateReport>,
}

/// One file that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CandidateReport {
    /// Where it was found.
    pub found: PathBuf,
    /// The binary that it is or stands for, when it is usable.
    pub path: Option<PathBuf>,
    /// Its version, when it is usable.
    pub version: Option<String>,
    /// Why it is not used, when it is not usable.
    pub problem: Option<String>,
}

pub(crate) async fn examine(shared: &Arc<Shared>) -> DoctorReport {
    let mut interpreters = Vec::new();
    for language in Language::ALL {
        interpreters.push(examine_language(shared, language).await);
    }
    let isolation = shared.verify().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the layers could not be verified");
        shared.isolation()
    });
    DoctorReport { interpreters, isolation }
}

async fn examine_language(shared: &Arc<Shared>, language: Language) -> InterpreterReport {
    let (candidates, problem) = match interpreter::examine(shared, language).await {
        Ok(tried) => (tried.into_iter().map(report).collect(), None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let usable = candidates.iter().find(|candidate: &&CandidateReport| candidate.problem.is_none());
    let (path, version) = usable.map(|usable| (usable.path.clone(), usable.version.clone())).unwrap_or_default();
    let problem = match (problem, usable) {
        (Some(problem), _) => Some(problem),
        (None, Some(_)) => None,
        // The error of a run says what to install.
        (None, None) => shared.interpreter(language).await.err().map(|error| error.to_string()),
    };
    InterpreterReport { language, path, version, problem, candidates }
}

fn report(tried: interpreter::Tried) -> CandidateReport {
    let interpreter::Tried { found, outcome } = tried;
    match outcome {
        Ok(usable) => {
            CandidateReport { found, path: Some(usable.path), version: Some(usable.version.to_string()), problem: None }
        }
        Err(problem) => CandidateReport { found, path: None, version: None, problem: Some(problem.text) },
    }
}
