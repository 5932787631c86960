//! The configuration: a file, and flags that count more.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use dayfly::{ConfigError, ProcessConfig, Supervisor};
use toml::{Spanned, Value};

use crate::args::{HostArguments, LimitArguments};
use crate::document::{self, DocumentError};
use crate::keys::{Synonym, unknown_key};

/// Keys whose values are paths. A relative one is seen from the file that holds it, or from the current directory
/// when it is a flag.
const PATH_KEYS: &[&str] = &["node", "python", "node_modules", "python_modules", "work_root"];

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error(transparent)]
    Problems(#[from] Problems),
}

/// Everything that is wrong, each with its place.
#[derive(Debug, Default, thiserror::Error)]
pub(crate) struct Problems(Vec<(Origin, String)>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration is unusable:")?;
        self.0.iter().try_for_each(|(origin, problem)| write!(f, "\n  {origin}: {problem}"))
    }
}

/// Where a value was given.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    File { path: PathBuf, line: usize, column: usize },
    Flag(String),
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line, column } => write!(f, "{}:{line}:{column}", path.display()),
            Self::Flag(flag) => f.write_str(flag),
            Self::Default => f.write_str("the defaults on this host"),
        }
    }
}

/// Values by key, the later ones over the earlier.
#[derive(Debug, Default)]
struct Settings {
    values: BTreeMap<String, (Value, Origin)>,
    problems: Vec<(Origin, String)>,
}

/// Builds the supervisor and says what its configuration is.
pub(crate) fn supervisor(
    host: &HostArguments,
    limits: &LimitArguments,
) -> Result<(Supervisor, ProcessConfig), SettingsError> {
    let mut settings = Settings::default();
    if let Some(path) = &host.config {
        settings.add_file(path)?;
    }
    settings.add_limits(limits);
    settings.add_paths(host);
    Ok(settings.finish()?)
}

impl Settings {
    fn add_file(&mut self, path: &Path) -> Result<(), DocumentError> {
        let text = document::read(path)?;
        let entries: BTreeMap<Spanned<String>, Spanned<Value>> =
            toml::from_str(&text).map_err(|error| document::toml_problem(path, &text, &error))?;
        let directory = path.parent().unwrap_or(Path::new(""));
        let at = |offset| {
            let (line, column) = document::position(&text, offset);
            Origin::File { path: path.to_owned(), line, column }
        };
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            // A value is wrong at its own place; a key that does not exist at the key's.
            let origin = at(if known(key.get_ref()) { value.span().start } else { key.span().start });
            self.add(key.into_inner(), value.into_inner(), directory, origin);
        }
        Ok(())
    }

    fn add_limits(&mut self, limits: &LimitArguments) {
        let flags = [
            ("--compute", "compute", &limits.compute),
            ("--wall", "wall", &limits.wall),
            ("--max-output", "max_output_bytes", &limits.max_output),
            ("--old-space", "old_space", &limits.old_space),
            ("--memory", "memory", &limits.memory),
            ("--max-pending-calls", "max_pending_calls", &limits.max_pending_calls),
        ];
        for (flag, key, text) in flags {
            if let Some(text) = text {
                self.add_text(key, text, Origin::Flag(flag.to_owned()));
            }
        }
        for limit in &limits.limit {
            let origin = Origin::Flag(format!("--limit {limit}"));
            match limit.split_once('=') {
                Some((key, text)) => self.add_text(key.trim(), text.trim(), origin),
                None => self.problems.push((origin, "write it as KEY=VALUE, such as drain_grace=1s".to_owned())),
            }
        }
    }

    fn add_paths(&mut self, host: &HostArguments) {
        let flags = [
            ("--node", "node", &host.node),
            ("--python", "python", &host.python),
            // Each language looks at its own; a run has one language.
            ("--modules", "node_modules", &host.modules),
            ("--modules", "python_modules", &host.modules),
        ];
        for (flag, key, path) in flags {
            let Some(path) = path else { continue };
            let origin = Origin::Flag(flag.to_owned());
            match path.to_str() {
                Some(path) => self.add(key.to_owned(), Value::String(path.to_owned()), Path::new(""), origin),
                None => self.problems.push((origin, format!("{} is not UTF-8; use another path", path.display()))),
            }
        }
    }

    /// A value that was typed: what is counted is a number, the rest is text with a unit.
    fn add_text(&mut self, key: &str, text: &str, origin: Origin) {
        let number = match unit(key) {
            None | Some("time" | "bytes") => None,
            Some(_) => text.parse().ok(),
        };
        let value = number.map_or_else(|| Value::String(text.to_owned()), Value::Integer);
        self.add(key.to_owned(), value, Path::new(""), origin);
    }

    fn add(&mut self, key: String, mut value: Value, directory: &Path, origin: Origin) {
        if !known(&key) {
            let limits = ProcessConfig::limit_keys();
            let keys = limits.iter().map(|limit| limit.key).chain(OTHER_KEYS.iter().copied());
            self.problems.push((origin, unknown_key(&key, keys, LIMIT_SYNONYMS)));
            return;
        }
        if PATH_KEYS.contains(&key.as_str())
            && let Value::String(path) = &mut value
            && let Ok(absolute) = std::path::absolute(directory.join(path.as_str()))
            && let Some(absolute) = absolute.to_str()
        {
            absolute.clone_into(path);
        }
        let problem = match (unit(&key), &value) {
            (Some("time"), Value::String(_)) | (Some("bytes") | None, _) => None,
            (Some("time"), other) => Some(format!("is {}; write a duration as text, such as \"5s\"", shown(other))),
            (Some(unit), other) => match other.as_integer() {
                Some(number) if number >= 0 => None,
                _ => Some(format!("is {}; write a whole number of {unit}", shown(other))),
            },
        };
        // Each value is read alone, so that every wrong one is reported and not only the first.
        let read = || toml::Table::from_iter([(key.clone(), value.clone())]).try_into::<ProcessConfig>();
        match problem.map_or_else(|| read().map(drop).map_err(|error| format!("is wrong: {}", error.message())), Err) {
            Ok(()) => {
                self.values.insert(key, (value, origin));
            }
            Err(problem) => self.problems.push((origin, format!("`{key}` {problem}"))),
        }
    }

    fn finish(mut self) -> Result<(Supervisor, ProcessConfig), Problems> {
        let table: toml::Table = self.values.iter().map(|(key, (value, _))| (key.clone(), value.clone())).collect();
        let config: ProcessConfig = match table.try_into::<ProcessConfig>() {
            // The command makes one run: it does not need the descriptors of sixteen.
            Ok(config) if !self.values.contains_key("max_concurrent_runs") => config.max_concurrent_runs(1),
            Ok(config) => config,
            Err(error) => {
                self.problems.push((Origin::Default, error.message().to_owned()));
                return Err(Problems(self.problems));
            }
        };
        let built = Supervisor::new(config.clone()).map_err(|error| self.explain(error));
        match built {
            Ok(supervisor) if self.problems.is_empty() => Ok((supervisor, config)),
            _ => Err(Problems(self.problems)),
        }
    }

    /// Adds what is wrong with values that are right on their own.
    fn explain(&mut self, error: ConfigError) {
        for problem in error.problems {
            let origin = self.values.get(problem.key).map_or(Origin::Default, |(_, origin)| origin.clone());
            self.problems.push((origin, format!("`{}` {}", problem.key, problem.problem)));
        }
    }
}

/// Words for these keys elsewhere, without case and separators.
const LIMIT_SYNONYMS: &[Synonym] = &[
    Synonym { key: "wall", words: &["timeout", "deadline", "maxtime", "timelimit"] },
    Synonym { key: "compute", words: &["cpu", "cputime", "cpulimit"] },
    Synonym { key: "old_space", words: &["heap", "maxoldspacesize"] },
    Synonym { key: "memory", words: &["maxmemory", "memorylimit"] },
];

/// Keys that are not limits.
const OTHER_KEYS: &[&str] = &["node", "python", "node_modules", "python_modules", "work_root", "profile"];

fn shown(value: &Value) -> String {
    value
        .as_str()
        .map(|text| format!("{text:?}"))
        .or_else(|| value.as_integer().map(|number| number.to_string()))
        .unwrap_or_else(|| format!("of the type {}", value.type_str()))
}

/// What a limit is counted in; none for a key that is not a limit.
fn unit(key: &str) -> Option<&'static str> {
    ProcessConfig::limit_keys().into_iter().find(|limit| limit.key == key).map(|limit| limit.unit)
}

fn known(key: &str) -> bool {
    OTHER_KEYS.contains(&key) || unit(key).is_some()
}
