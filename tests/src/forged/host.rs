//! A supervisor whose interpreter is the forged worker.

use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use dayfly::{CodeRuntime as _, Language, ProcessConfig, RunError, RunRequest, RunResult};
use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard};

use super::{Ending, Script, player};
use crate::Host;
use crate::binaries::{built, put};

/// A supervisor whose interpreter is the forged worker in both languages.
#[derive(Debug)]
pub struct ForgedHost {
    /// The host.
    pub host: Host,
    /// What lies here: the executable, and the script that its next workers will play.
    directory: TempDir,
    /// Who may start a worker that plays a script of its own.
    turn: Mutex<()>,
}

/// The turn of one run: the next worker of the host plays its script, and no other does.
///
/// It is over when the worker has taken its script or when this is dropped, as when the run has ended before.
#[derive(Debug)]
pub struct Turn<'a> {
    next: PathBuf,
    _held: MutexGuard<'a, ()>,
}

impl Turn<'_> {
    /// Waits until the worker has taken its script, and gives the turn to the next run.
    pub async fn taken(self) {
        while self.next.exists() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // A worker that never came has left it; one that came has taken it.
        let _ = std::fs::remove_file(&self.next);
    }
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
        put(&built("forged-worker"), &executable);
        let host = Host::with(|config| change(config.node(&*executable).python(&*executable)));
        Self { host, directory, turn: Mutex::new(()) }
    }

    /// Says what every worker does that is started from now on.
    ///
    /// # Panics
    ///
    /// When the file cannot be written.
    pub fn prepare(&self, script: &Script) {
        self.write(script, player::SCRIPT);
    }

    fn write(&self, script: &Script, name: &str) -> PathBuf {
        let (new, place) = (self.directory.path().join(format!("{name}.new")), self.directory.path().join(name));
        std::fs::write(&new, script.to_bytes()).expect("a script can be written");
        // A worker that is starting reads either the old one or the new one.
        std::fs::rename(new, &place).expect("a script can be put in place");
        place
    }

    /// Waits until no other run is about to start a worker, and says what the next worker does, and it alone.
    ///
    /// # Panics
    ///
    /// When the file cannot be written.
    pub async fn turn(&self, script: &Script) -> Turn<'_> {
        let held = self.turn.lock().await;
        Turn { next: self.write(script, player::NEXT), _held: held }
    }

    /// Runs a program whose worker plays `script`. Runs that overlap have one script ([`ForgedHost::prepare`]), or each its
    /// own ([`ForgedHost::play_beside`]).
    ///
    /// # Errors
    ///
    /// [`RunError::NotReady`] when the script does not say `ready`.
    pub async fn play(&self, language: Language, script: &Script, request: RunRequest) -> Result<RunResult, RunError> {
        self.prepare(script);
        self.host.runtime(language).run(request).await
    }

    /// Runs a program whose worker plays `script`, whatever workers of other runs play meanwhile.
    ///
    /// # Errors
    ///
    /// [`RunError::NotReady`] when the script does not say `ready`.
    pub async fn play_beside(
        &self,
        language: Language,
        script: &Script,
        request: RunRequest,
    ) -> Result<RunResult, RunError> {
        let turn = self.turn(script).await;
        let mut run = pin!(self.host.runtime(language).run(request));
        tokio::select! {
            outcome = &mut run => return outcome,
            () = turn.taken() => {}
        }
        run.await
    }

    /// Proves that the host still serves, whatever else it runs: an honest worker calls, gets its reply, and completes.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub async fn still_serves(&self, language: Language) {
        let script = Script::honest(language).call(1, "echo", "[1]").await_replies(1).done("2").end(Ending::Linger);
        let request = RunRequest::new("").bind(crate::tools());
        let result = self.play_beside(language, &script, request).await.expect("a host that serves starts a worker");
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
