//! From what a user wrote to what the inside accepts.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit};

use super::{ByteSize, ProcessConfig};

/// A validated configuration.
#[derive(Debug, Clone)]
pub(crate) struct Limits(ProcessConfig);

impl Deref for Limits {
    type Target = ProcessConfig;

    fn deref(&self) -> &ProcessConfig {
        &self.0
    }
}

/// One thing that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigProblem {
    /// The key.
    pub key: &'static str,
    /// What is wrong and what would be right.
    pub problem: String,
}

/// The configuration is unusable: every problem at once, by key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct ConfigError {
    /// The problems, in the order of the keys.
    pub problems: Vec<ConfigProblem>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration is unusable: ")?;
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}`{}` {}", problem.key, problem.problem)?;
        }
        Ok(())
    }
}

/// Descriptors that one run costs the host at most: socket, two pipes, the process, its report, its directory, and a
/// moment's need while it starts.
const DESCRIPTORS_PER_RUN: u64 = 10;

/// Descriptors that a host has open for itself: its own files, the runtime's pollers.
const DESCRIPTORS_OF_HOST: u64 = 32;

impl ProcessConfig {
    /// Checks every key.
    pub(crate) fn validate(self) -> Result<Limits, ConfigError> {
        let mut check = Check { problems: Vec::new() };
        check.duration("compute", self.compute, Duration::from_millis(1));
        check.duration("wall", self.wall, Duration::from_millis(1));
        check.size("max_output_bytes", self.max_output_bytes, ByteSize::kib(1), ByteSize::gib(4));
        check.size("max_frame_bytes", self.max_frame_bytes, ByteSize::kib(64), ByteSize::bytes(u64::from(u32::MAX)));
        check.size("max_decoded_bytes", self.max_decoded_bytes, ByteSize::kib(64), ByteSize::gib(64));
        check.count("max_depth", self.max_depth, 8, 10_000);
        check.size("max_program_bytes", self.max_program_bytes, ByteSize::bytes(1), ByteSize::mib(16));
        check.count("max_pending_calls", self.max_pending_calls, 1, 65_536);
        check.size("max_pending_bytes", self.max_pending_bytes, ByteSize::kib(64), ByteSize::gib(64));
        check.count("max_receipts", self.max_receipts, 0, 1_000_000);
        check.count("max_concurrent_runs", self.max_concurrent_runs, 1, 65_536);
        check.count("max_nested_runs", self.max_nested_runs, 0, 64);
        check.count("queue_length", self.queue_length, 0, 1_000_000);
        check.duration("ready_deadline", self.ready_deadline, Duration::from_millis(10));
        check.size("old_space", self.old_space, ByteSize::mib(16), ByteSize::gib(64));
        // Under 48 MiB of private memory Node hangs at zero CPU instead of failing.
        check.size("memory", self.memory, ByteSize::mib(64), ByteSize::gib(1 << 20));
        check.size("address_space", self.address_space, ByteSize::mib(128), ByteSize::gib(1 << 20));
        check.size("stack", self.stack, ByteSize::kib(256), ByteSize::gib(1));
        check.size("file_size", self.file_size, ByteSize::bytes(0), ByteSize::gib(1 << 20));
        check.count("open_files", usize::try_from(self.open_files).unwrap_or(usize::MAX), 32, 1 << 20);
        check.descriptors(self.max_concurrent_runs);
        check.file("node", self.node.as_deref());
        check.file("python", self.python.as_deref());
        check.directory("node_modules", self.node_modules.as_deref());
        check.directory("python_modules", self.python_modules.as_deref());
        check.directory("work_root", self.work_root.as_deref());
        if check.problems.is_empty() { Ok(Limits(self)) } else { Err(ConfigError { problems: check.problems }) }
    }
}

struct Check {
    problems: Vec<ConfigProblem>,
}

impl Check {
    fn problem(&mut self, key: &'static str, problem: String) {
        self.problems.push(ConfigProblem { key, problem });
    }

    fn duration(&mut self, key: &'static str, value: Duration, least: Duration) {
        // A year: `Instant` arithmetic stays far from overflow.
        let most = Duration::from_secs(365 * 24 * 3_600);
        if value < least || value > most {
            let (value, least) = (humantime::format_duration(value), humantime::format_duration(least));
            self.problem(key, format!("is {value}; it must be from {least} to a year"));
        }
    }

    fn size(&mut self, key: &'static str, value: ByteSize, least: ByteSize, most: ByteSize) {
        if value < least || value > most {
            let hint = match value.binary_twin() {
                Some(twin) if value < least && twin >= least => {
                    format!("; did you mean {twin}? Units without an `i` are steps of 1,000")
                }
                // Nobody means some bytes where no fewer than kilobytes would do.
                _ if value < least && value < ByteSize::kib(64) && value > ByteSize::bytes(0) => {
                    "; a number without a unit is bytes".to_owned()
                }
                _ => String::new(),
            };
            self.problem(key, format!("is {value}; it must be from {least} to {most}{hint}"));
        }
    }

    fn count(&mut self, key: &'static str, value: usize, least: usize, most: usize) {
        if value < least || value > most {
            self.problem(key, format!("is {value}; it must be from {least} to {most}"));
        }
    }

    /// A run that finds no descriptor fails in its middle: better to refuse what cannot hold.
    fn descriptors(&mut self, runs: usize) {
        let Ok((soft, _)) = getrlimit(Resource::RLIMIT_NOFILE) else { return };
        let needed = u64::try_from(runs)
            .unwrap_or(u64::MAX)
            .saturating_mul(DESCRIPTORS_PER_RUN)
            .saturating_add(DESCRIPTORS_OF_HOST);
        if soft < needed {
            let problem = format!(
                "is {runs}, which needs {needed} descriptors, and this process may open {soft}; \
                 lower it or raise the limit (`ulimit -n`)"
            );
            self.problem("max_concurrent_runs", problem);
        }
    }

    fn file(&mut self, key: &'static str, path: Option<&Path>) {
        if let Some(path) = path
            && !path.is_absolute()
        {
            self.problem(key, format!("is {}; it must be an absolute path", path.display()));
        }
    }

    fn directory(&mut self, key: &'static str, path: Option<&Path>) {
        let Some(path) = path else { return };
        if !path.is_absolute() {
            self.problem(key, format!("is {}; it must be an absolute path", path.display()));
        } else if !path.is_dir() {
            self.problem(key, format!("is {}, which is not a directory that can be read", path.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        assert!(ProcessConfig::default().validate().is_ok());
    }

    #[test]
    fn every_problem_is_reported_at_once_by_its_key() {
        let config = ProcessConfig::default()
            .compute(Duration::ZERO)
            .max_depth(20_000)
            .memory(ByteSize::mib(32))
            .node("node")
            .work_root("/nonexistent/dayfly");
        let error = config.validate().unwrap_err();
        let keys: Vec<_> = error.problems.iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["compute", "max_depth", "memory", "node", "work_root"]);
        assert!(error.to_string().contains("`memory` is 32MiB; it must be from 64MiB to"), "{error}");
    }

    #[test]
    fn a_size_that_misses_its_least_by_its_unit_is_answered_with_the_other_unit() {
        let said = |config: ProcessConfig| config.validate().unwrap_err().problems.remove(0).problem;
        assert_eq!(
            said(ProcessConfig::default().memory(ByteSize::bytes(64_000_000))),
            "is 64MB; it must be from 64MiB to 1024TiB; did you mean 64MiB? Units without an `i` are steps of 1,000"
        );
        assert_eq!(
            said(ProcessConfig::default().memory(ByteSize::bytes(512))),
            "is 512B; it must be from 64MiB to 1024TiB; a number without a unit is bytes"
        );
        assert_eq!(
            said(ProcessConfig::default().memory(ByteSize::mib(32))),
            "is 32MiB; it must be from 64MiB to 1024TiB"
        );
        assert_eq!(said(ProcessConfig::default().wall(Duration::ZERO)), "is 0s; it must be from 1ms to a year");
    }

    #[test]
    fn more_runs_than_the_host_has_descriptors_for_are_refused() {
        let error = ProcessConfig::default().max_concurrent_runs(65_536).validate().unwrap_err();
        assert_eq!(error.problems[0].key, "max_concurrent_runs");
        assert!(error.problems[0].problem.contains("ulimit -n"));
    }
}
