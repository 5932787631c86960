//! A host that runs programs from a thread that may wait.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use dayfly::{CodeRuntime as _, Language, ProcessConfig, RunRequest, RunResult, Supervisor};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

/// A supervisor on a runtime of its own.
pub struct Host {
    runtime: Arc<Runtime>,
    /// Ends the thread that drives a runtime of one thread.
    driver: Option<(Arc<Notify>, JoinHandle<()>)>,
    supervisor: Supervisor,
}

impl Host {
    /// A host with this configuration.
    ///
    /// # Panics
    ///
    /// When there can be none: a bench without a host measures nothing.
    #[must_use]
    pub fn new(config: ProcessConfig) -> Self {
        let runtime = Runtime::new().unwrap_or_else(|error| panic!("no runtime: {error}"));
        let supervisor = Supervisor::new(config).unwrap_or_else(|error| panic!("{error}"));
        Self { runtime: Arc::new(runtime), driver: None, supervisor }
    }

    /// The same on a runtime of one thread, which does nothing else: no thread looks for work that another one has.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[must_use]
    pub fn on_one_thread(config: ProcessConfig) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = Arc::new(runtime.unwrap_or_else(|error| panic!("no runtime: {error}")));
        let supervisor = Supervisor::new(config).unwrap_or_else(|error| panic!("{error}"));
        let (driven, end) = (Arc::clone(&runtime), Arc::new(Notify::new()));
        let ending = Arc::clone(&end);
        let thread = std::thread::spawn(move || driven.block_on(ending.notified()));
        Self { runtime, driver: Some((end, thread)), supervisor }
    }

    /// Runs a program to its end.
    ///
    /// # Panics
    ///
    /// When it fails: a bench of failures measures nothing.
    pub fn run(&self, language: Language, request: RunRequest) -> RunResult {
        let outcome = self.runtime.block_on(self.supervisor.runtime(language).run(request));
        let result = outcome.unwrap_or_else(|error| panic!("{language}: {error}"));
        assert!(result.failure.is_none(), "{language}: {:?}", result.failure);
        result
    }

    /// What runs are started with.
    #[must_use]
    pub const fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }

    /// What runs are driven by.
    #[must_use]
    pub fn tokio(&self) -> &Runtime {
        &self.runtime
    }

    /// The interpreter that programs of `language` run on, with its version.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[must_use]
    pub fn interpreter(&self, language: Language) -> (PathBuf, String) {
        let report = self.runtime.block_on(self.supervisor.doctor());
        let found = report.interpreters.into_iter().find(|interpreter| interpreter.language == language);
        found
            .and_then(|found| Some((found.path?, found.version?)))
            .unwrap_or_else(|| panic!("there is no interpreter for {language}"))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.runtime.block_on(self.supervisor.shutdown());
        if let Some((end, thread)) = self.driver.take() {
            end.notify_one();
            // A driver that has panicked has said so.
            let _ = thread.join();
        }
    }
}
