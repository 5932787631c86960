//! A supervisor whose interpreter is the forged worker.

use std::path::{Path, PathBuf};
use std::process::Command;

use dayfly::{CodeRuntime as _, Language, ProcessConfig, RunError, RunRequest, RunResult};
use tempfile::TempDir;

use super::{Ending, Script, player};
use crate::Host;

/// A supervisor whose interpreter is the forged worker in both languages.
#[derive(Debug)]
pub struct ForgedHost {
    /// The host.
    pub host: Host,
    /// What lies here: the executable, and the script that its next workers will play.
    directory: TempDir,
}

impl ForgedHost {
    /// A host with the defaults.
    ///
    /// # Panics
    ///
    /// When the forged worker cannot be put in place.
    #[must_use]
    pub fn new() -> Self {
        Self::with(|config| config)
    }

    /// A host whose configuration is the defaults, changed.
    ///
    /// # Panics
    ///
    /// When the forged worker cannot be put in place, or the configuration is refused.
    #[must_use]
    pub fn with(change: impl FnOnce(ProcessConfig) -> ProcessConfig) -> Self {
        let directory = tempfile::tempdir().expect("a directory can be made");
        let executable = directory.path().join("forged-worker");
        put(&built(), &executable);
        let host = Host::with(|config| change(config.node(&*executable).python(&*executable)));
        Self { host, directory }
    }

    /// Says what every worker does that is started from now on.
    ///
    /// # Panics
    ///
    /// When the file cannot be written.
    pub fn prepare(&self, script: &Script) {
        let new = self.directory.path().join("script.new");
        std::fs::write(&new, script.to_bytes()).expect("a script can be written");
        // A worker that is starting reads either the old one or the new one.
        std::fs::rename(new, self.directory.path().join(player::SCRIPT)).expect("a script can be put in place");
    }

    /// Runs a program whose worker plays `script`. Scripts of runs that overlap are set with [`ForgedHost::prepare`].
    ///
    /// # Errors
    ///
    /// [`RunError::NotReady`] when the script does not say `ready`.
    pub async fn play(&self, language: Language, script: &Script, request: RunRequest) -> Result<RunResult, RunError> {
        self.prepare(script);
        self.host.runtime(language).run(request).await
    }

    /// Proves that the host still serves: an honest worker calls, gets its reply, and completes.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub async fn still_serves(&self, language: Language) {
        let script = Script::honest(language).call(1, "echo", "[1]").await_replies(1).done("2").end(Ending::Linger);
        let request = RunRequest::new("").bind(crate::tools());
        let result = self.play(language, &script, request).await.expect("a host that serves starts a worker");
        assert_eq!(result.failure, None, "{language}: the host no longer serves");
        assert_eq!(result.value.map(|value| value.to_string()).as_deref(), Some("2"), "{language}");
        assert_eq!(result.receipts.calls.len(), 1, "{language}");
    }
}

impl Default for ForgedHost {
    fn default() -> Self {
        Self::new()
    }
}

/// This package's own binary, beside the running test.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let built = test.parent().and_then(Path::parent).expect("it lies in target/<profile>/deps");
    built.join("forged-worker")
}

/// Links the executable, or copies it where links are refused.
fn put(from: &Path, to: &Path) {
    if std::fs::hard_link(from, to).is_ok() {
        return;
    }
    // By another process: a descriptor of ours that is open for writing, inherited by a worker that is being spawned at
    // this moment, would make the copy a text file that is busy.
    let copied = Command::new("cp").arg(from).arg(to).status().expect("there is a cp");
    assert!(copied.success(), "{} cannot be copied to {}", from.display(), to.display());
}
