//! Interpreters: where they are looked for, how they are tried, and what a worker needs of one.

mod candidates;
mod need;
mod probe;
mod shim;

use std::ffi::CString;
use std::fmt;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayfly_runtime::{Language, RunError};

use crate::dialect::Dialect;
use crate::supervisor::Shared;

pub(crate) use need::last_words;

use candidates::{candidates, places};

/// An interpreter that was tried on this host under the conditions of a worker.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pub(crate) dialect: &'static Dialect,
    /// The real binary, never a shell shim.
    pub(crate) path: PathBuf,
    pub(crate) version: Version,
    /// The argument vector of a worker.
    pub(crate) arguments: Vec<CString>,
    /// The bootstrap, sealed; shared by every worker.
    pub(crate) bootstrap: Arc<OwnedFd>,
    /// Packages that programs may import.
    pub(crate) modules: Option<PathBuf>,
}

/// A version as interpreters count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32, pub(crate) u32);

impl Version {
    /// Reads `20.20.2`, and what follows the numbers is left out: `3.13.0rc1`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.trim().splitn(3, '.').map(|part| {
            let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            part[..digits].parse().ok()
        });
        Some(Self(numbers.next()??, numbers.next()??, numbers.next()??))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// One that was tried: the interpreter, or why it is none.
#[derive(Debug)]
pub(crate) struct Tried {
    /// Where it was found.
    pub(crate) found: PathBuf,
    pub(crate) outcome: Result<Interpreter, Problem>,
}

/// Why a candidate is none.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) text: String,
    /// With more memory it would be one, and the text says so: there is nothing to install.
    pub(crate) starved: bool,
}

/// The first usable interpreter.
pub(crate) async fn find(shared: &Shared, language: Language) -> Result<Interpreter, RunError> {
    let dialect = Dialect::of(language).ok_or_else(|| unsupported(language))?;
    let (mut problems, mut starved) = (Vec::new(), false);
    for candidate in candidates(dialect, shared) {
        let tried = probe::try_candidate(shared, dialect, candidate).await?;
        match tried.outcome {
            Ok(interpreter) => {
                tracing::debug!(%language, path = %interpreter.path.display(), version = %interpreter.version, "found");
                return Ok(interpreter);
            }
            Err(problem) => {
                starved |= problem.starved;
                problems.push(format!("{}: {}", tried.found.display(), problem.text));
            }
        }
    }
    Err(RunError::Interpreter { language, problem: missing(dialect, shared, &problems, starved) })
}

/// Every candidate, tried; for the doctor.
pub(crate) async fn examine(shared: &Shared, language: Language) -> Result<Vec<Tried>, RunError> {
    let dialect = Dialect::of(language).ok_or_else(|| unsupported(language))?;
    let mut tried = Vec::new();
    for candidate in candidates(dialect, shared) {
        tried.push(probe::try_candidate(shared, dialect, candidate).await?);
    }
    Ok(tried)
}

pub(crate) fn unsupported(language: Language) -> RunError {
    RunError::Interpreter {
        language,
        problem: format!("this build has no support for it; build dayfly with the feature `{language}`"),
    }
}

fn missing(dialect: &Dialect, shared: &Shared, problems: &[String], starved: bool) -> String {
    // What an interpreter itself said may end with a full stop.
    let problems: Vec<&str> = problems.iter().map(|problem| problem.trim_end_matches('.')).collect();
    let found = if problems.is_empty() { "found none".to_owned() } else { problems.join("; ") };
    let looked_for = format!("looked for {}: {found}", places(dialect, shared));
    if starved {
        return looked_for;
    }
    format!(
        "{looked_for}. Install {} {} or newer ({}), or name one with `{}`: its file, or the directory that has it in `bin`",
        dialect.product, dialect.floor, dialect.install, dialect.config_key
    )
}

/// The venv that the interpreter at `path` belongs to.
pub(crate) fn venv(path: &Path) -> Option<&Path> {
    let home = path.parent()?.parent()?;
    home.join("pyvenv.cfg").is_file().then_some(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_number() {
        assert_eq!(Version::parse("20.20.2"), Some(Version(20, 20, 2)));
        assert_eq!(Version::parse("3.13.0rc1\n"), Some(Version(3, 13, 0)));
        assert_eq!(Version::parse("v20"), None);
        assert!(Version(3, 9, 20) < Version(3, 10, 0));
    }
}
