//! Plays a script as one run.

use std::time::Duration;

use futures_util::future;

use super::calls::Calls;
use super::notify::Notifier;
use super::script::{Script, Step};
use crate::{
    CancellationToken, ExceptionDetail, Failure, Fault, Isolation, Json, LogEntry, LogLevel, LogSource, Receipts,
    RunRequest, RunResult, StartMethod, Usage,
};

/// A run in progress.
pub(super) struct Play<'r> {
    request: &'r RunRequest,
    calls: Calls<'r>,
    notifier: Notifier,
    logs: Vec<LogEntry>,
}

/// How a program ended.
type Completion = Result<Option<Json>, Failure>;

impl<'r> Play<'r> {
    pub(super) fn new(request: &'r RunRequest) -> Self {
        // Of its own and not the request's: host functions are cancelled by settlement, whatever settled the run.
        let settled = CancellationToken::new();
        Self {
            request,
            calls: Calls::new(&request.bindings, settled),
            notifier: Notifier::new(request.observer.clone()),
            logs: Vec::new(),
        }
    }

    /// Plays the script to its end, or until the run is cancelled, and drains what is then in flight.
    pub(super) async fn run(mut self, script: &Script, grace: Duration, isolation: Isolation) -> RunResult {
        let guard = self.calls.settled().drop_guard();
        let completion = self.steps(script).await;
        let unawaited = self.calls.names_in_flight();
        if completion.is_ok() && !unawaited.is_empty() {
            let names = unawaited.join(", ");
            let text =
                format!("the program ended before these calls did, and they were cancelled: {names}; await them");
            self.log(LogEntry::new(LogSource::Console, LogLevel::Warn, text));
        }
        self.calls.drain(grace, &mut self.notifier).await;
        drop(guard);
        let (value, failure) = match completion {
            Ok(value) => (value, None),
            Err(failure) => (None, Some(failure)),
        };
        let size = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX);
        let usage = Usage {
            wall: self.calls.elapsed(),
            calls: size(self.calls.receipts.len()),
            bytes_in: size(self.calls.bytes_in),
            bytes_out: size(self.calls.bytes_out),
            ..Usage::default()
        };
        let receipts = Receipts { calls: self.calls.receipts, rest: Vec::new() };
        RunResult { value, logs: self.logs, failure, usage, receipts, isolation, start: StartMethod::None }
    }

    async fn steps(&mut self, script: &Script) -> Completion {
        for step in &script.steps {
            if self.request.cancel.is_cancelled() {
                return Err(aborted());
            }
            match step {
                Step::Log(entry) => self.log(entry.clone()),
                Step::Start(call) => {
                    self.calls.start(call, &mut self.notifier);
                }
                Step::Call { calls, caught } => {
                    let places: Vec<usize> =
                        calls.iter().map(|call| self.calls.start(call, &mut self.notifier)).collect();
                    self.wait_for(places, *caught).await?;
                }
                Step::WaitForCancel => loop {
                    self.next_end().await?;
                },
                Step::Return(compute) => return Ok(Some(compute(&self.calls.answers))),
                Step::Fail(failure) => return Err(failure.clone()),
            }
        }
        Ok(None)
    }

    async fn wait_for(&mut self, mut places: Vec<usize>, caught: bool) -> Result<(), Failure> {
        while !places.is_empty() {
            let ended = self.next_end().await?;
            let before = places.len();
            places.retain(|place| *place != ended);
            if !caught && places.len() < before {
                self.throw_if_failed(ended)?;
            }
        }
        Ok(())
    }

    /// Waits for a call to end, or for the run to be cancelled.
    async fn next_end(&mut self) -> Result<usize, Failure> {
        let cancelled = std::pin::pin!(self.request.cancel.cancelled());
        let end = std::pin::pin!(self.calls.next_end(&mut self.notifier));
        // The cancel comes first when both are ready.
        match future::select(cancelled, end).await {
            future::Either::Left(_) => Err(aborted()),
            future::Either::Right((place, _)) => Ok(place),
        }
    }

    /// What the language makes of a failed call that nothing catches.
    fn throw_if_failed(&self, place: usize) -> Result<(), Failure> {
        let Some(error) = self.calls.answers.error(place + 1) else { return Ok(()) };
        let global = &self.calls.receipts[place].global;
        let namespace = self.request.bindings.iter().find(|namespace| namespace.global == *global);
        let class = namespace.and_then(|namespace| namespace.error_class.as_ref());
        let name = class.map_or("Error", |class| class.name.as_str()).to_owned();
        let detail = ExceptionDetail { name, ..ExceptionDetail::default() };
        Err(Failure::new(Fault::Exception(detail), error.message.clone()))
    }

    fn log(&mut self, entry: LogEntry) {
        self.notifier.log(&entry);
        self.logs.push(entry);
    }
}

fn aborted() -> Failure {
    Failure::new(Fault::Abort, "the run was cancelled by its caller")
}
