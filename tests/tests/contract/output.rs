//! Logs: sources, levels, and who hears of them.

use std::sync::{Arc, Mutex};

use dayfly::{CallEnd, CallStart, LogEntry, LogLevel, LogSource, Observer, RunRequest};
use dayfly_tests::{Both, Host, tools};

use crate::in_both;

#[tokio::test]
async fn entries_say_where_and_how_they_were_printed() {
    let programs = Both::new(
        "console.log('a');\nconsole.error('b');\nconsole.debug('c');\nconsole.info('d');\nconsole.warn('e');\nprocess.stdout.write('f\\n');\nprocess.stderr.write('g\\n')",
        "import sys, logging\nprint('f')\nprint('g', file=sys.stderr)",
    );
    let entry = LogEntry::new;
    let wanted = Both::new(
        vec![
            entry(LogSource::Console, LogLevel::Log, "a"),
            entry(LogSource::Console, LogLevel::Error, "b"),
            entry(LogSource::Console, LogLevel::Debug, "c"),
            entry(LogSource::Console, LogLevel::Info, "d"),
            entry(LogSource::Console, LogLevel::Warn, "e"),
            entry(LogSource::Stdout, LogLevel::Log, "f"),
            entry(LogSource::Stderr, LogLevel::Error, "g"),
        ],
        vec![entry(LogSource::Stdout, LogLevel::Log, "f"), entry(LogSource::Stderr, LogLevel::Error, "g")],
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run_text(language, programs).await;
        assert_eq!((&result.logs, &result.failure), (wanted.of(language), &None), "{language}");
    })
    .await;
}

#[tokio::test]
async fn native_writes_to_both_descriptors_are_captured() {
    let programs = Both::new(
        "const fs = require('node:fs');\nfs.writeSync(1, 'one\\ntwo');\nfs.writeSync(2, 'three\\n')",
        "import os\nos.write(1, b'one\\ntwo')\nos.write(2, b'three\\n')",
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run_text(language, programs).await;
        let of = |source| -> Vec<&str> {
            result.logs.iter().filter(|entry| entry.source == source).map(|entry| entry.text.as_str()).collect()
        };
        assert_eq!((of(LogSource::Stdout), of(LogSource::Stderr)), (vec!["one", "two"], vec!["three"]), "{language}");
    })
    .await;
}

#[tokio::test]
async fn what_a_child_of_the_program_writes_is_captured() {
    let programs = Both::new(
        "require('node:child_process').spawnSync('/bin/echo', ['from a child'], { stdio: 'inherit' });\nreturn 1",
        "import subprocess\nsubprocess.run(['/bin/echo', 'from a child'])\nreturn 1",
    );
    let host = Host::new();
    in_both(async |language| {
        let result = host.run_text(language, programs).await;
        assert_eq!(result.failure, None, "{language}");
        assert_eq!(result.logs, [LogEntry::new(LogSource::Stdout, LogLevel::Log, "from a child")], "{language}");
    })
    .await;
}

/// Writes down what it hears.
#[derive(Debug, Clone, Default)]
struct Scribe(Arc<Mutex<Vec<String>>>);

impl Scribe {
    fn note(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl Observer for Scribe {
    fn log(&self, entry: &LogEntry) {
        self.note(format!("log {}", entry.text));
    }

    fn call_started(&self, call: &CallStart<'_>) {
        self.note(format!("start {} {}.{} {}", call.id, call.global, call.name, call.arguments));
    }

    fn call_ended(&self, call: &CallEnd<'_>) {
        self.note(format!("end {} {}.{} {}", call.id, call.global, call.name, call.outcome.name()));
    }
}

#[tokio::test]
async fn an_observer_hears_of_logs_and_calls_as_they_happen() {
    let programs = Both::new(
        "console.log('one');\nawait tools.echo({ n: 1 });\nconsole.log('two');\ntry { await tools.fail({}) } catch {}",
        "print('one')\nawait tools.echo(n=1)\nprint('two')\ntry: await tools.fail()\nexcept ToolCallError: pass",
    );
    let wanted = [
        "log one",
        r#"start 1 tools.echo {"n":1}"#,
        "end 1 tools.echo succeeded",
        "log two",
        "start 2 tools.fail {}",
        "end 2 tools.fail failed",
    ];
    let host = Host::new();
    in_both(async |language| {
        let scribe = Scribe::default();
        host.run(language, RunRequest::new(*programs.of(language)).bind(tools()).observe(scribe.clone())).await;
        assert_eq!(*scribe.0.lock().unwrap(), wanted, "{language}");
    })
    .await;
}

struct Clumsy;

impl Observer for Clumsy {
    fn log(&self, _: &LogEntry) {
        panic!("an observer that panics");
    }
}

#[tokio::test]
async fn an_observer_that_panics_does_not_change_the_run() {
    let programs = Both::new("console.log('one');\nreturn 1", "print('one')\nreturn 1");
    let host = Host::new();
    in_both(async |language| {
        let result = host.run(language, RunRequest::new(*programs.of(language)).observe(Clumsy)).await;
        assert_eq!(result.failure, None, "{language}");
        assert_eq!(result.logs.len(), 1, "{language}");
    })
    .await;
}
