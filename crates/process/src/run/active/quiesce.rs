//! The end of a run: nothing is left of its worker, and everything that it had to say has been taken.

use std::ops::ControlFlow;

use dayfly_runtime::{LogSource, RunResult, StartMethod};
use dayfly_sandbox::Exit;
use dayfly_wire::{Accepted, SessionState, WorkerMessage};

use super::super::forgotten;
use super::super::link::{Next, Turn};
use super::super::output::Full;
use super::super::settle::{self, LastWords};
use super::super::socket::read_now;
use super::{ActiveRun, Ending, PIPE_READ};

/// Reads of a native stream after the end: the most that a program can make its pipe hold.
const MOST_PIPE_READS: usize = (1 << 20) / PIPE_READ;

impl ActiveRun<'_> {
    /// Takes what is left in the socket of a process that has ended; `completion` says whether it may still complete.
    /// Its calls are not started any more.
    pub(super) fn drain_messages(&mut self, completion: bool) -> ControlFlow<Ending> {
        loop {
            match self.link.next() {
                Ok(Next::Message(message, _)) => self.on_rest(message, completion)?,
                Ok(Next::Nothing) if self.link.is_decoding() || !self.link.read_rest() => {
                    return ControlFlow::Continue(());
                }
                Ok(Next::Nothing) => {}
                Err(_) => return ControlFlow::Continue(()),
            }
        }
    }

    /// Takes one message of a worker that has ended or is being ended.
    fn on_rest(&mut self, message: WorkerMessage, completion: bool) -> ControlFlow<Ending> {
        match self.session.accept(message) {
            Ok(Accepted::Call { id, global, name, .. }) => self.calls.skip(id, &global, &name),
            Ok(Accepted::Log(entry)) => {
                if self.output.log(entry) == Err(Full) {
                    return self.full();
                }
            }
            Ok(Accepted::Settled(settlement)) if completion => {
                return ControlFlow::Break(self.on_settlement(settlement));
            }
            // What comes behind a violation is ignored: the session has settled.
            Ok(Accepted::Settled(_) | Accepted::Ignored(_) | Accepted::Ready { .. }) | Err(_) => {}
        }
        ControlFlow::Continue(())
    }

    /// Kills and reaps the tree, takes what is left in socket and pipes, awaits the calls, and puts the result together.
    pub(super) async fn quiesce(mut self, ending: Ending) -> RunResult {
        let unfinished = self.calls.unfinished_names();
        self.calls.cancel();
        let exit = self.process.end().await;
        let settled = matches!(ending, Ending::Completed(_) | Ending::Failed(_));
        self.drain_native();
        if settled {
            self.drain_rest().await;
        }
        self.output.finish();
        self.explain_promises();
        self.explain_unknown(&ending);

        let mut result = RunResult::default();
        match ending {
            Ending::Completed(value) => {
                self.explain_completion(value.is_some(), unfinished);
                result.value = value;
            }
            Ending::Failed(failure) => result.failure = Some(failure),
            Ending::Exited => {
                // Its own end, or that of a child whose page it shows: only a signal is the interpreter's giving up.
                let dumps = self.dialect.dumps && exit.signal.is_some();
                let reason = if dumps { self.output.take_dump() } else { None };
                let last_words = LastWords { reason, stderr_tail: self.output.stderr_tail() };
                result.failure = Some(settle::exited(self.dialect, &exit, last_words, self.limits));
            }
        }
        if let Some(failure) = &mut result.failure {
            settle::fit(failure, self.output.ledger.left());
        }
        self.finish(result, exit).await
    }

    /// Logs that were on their way when the run settled, and the receipts of calls that were. Whatever else was is ignored.
    async fn drain_rest(&mut self) {
        while self.link.is_decoding() {
            match self.link.turn(false).await {
                // A full ledger ends nothing: what does not fit was not going to be kept.
                Turn::Decoded(Ok(message), _) => drop(self.on_rest(message, false)),
                Turn::Decoded(Err(_), _) => self.session.settle(),
                Turn::Moved => {}
            }
        }
        if self.session.state() == SessionState::Running {
            // A full ledger ends the draining, nothing else.
            let _ = self.drain_messages(false);
        }
    }

    /// What was written natively before the end. A descendant that escaped cannot hold this up: nothing is awaited, and
    /// no more is read than a pipe can hold.
    fn drain_native(&mut self) {
        for (source, index) in [(LogSource::Stdout, 0), (LogSource::Stderr, 1)] {
            let pipe = if index == 0 { &self.process.stdout } else { &self.process.stderr };
            for _ in 0..MOST_PIPE_READS {
                let read = read_now(pipe, &mut self.buffers[index]);
                if read == 0 || self.output.native(source, &self.buffers[index][..read]).is_err() {
                    break;
                }
            }
        }
    }

    /// A note for the reader of a program that forgot an `await`, however it ended.
    fn explain_promises(&mut self) {
        let note = forgotten::note(&self.forgotten, |global, name| self.calls.has_called(global, name));
        if let Some(note) = note {
            self.output.note(note);
        }
    }

    /// Notes for the reader of a program that calls what is not there, except for what it failed with and is told anyway.
    fn explain_unknown(&mut self, ending: &Ending) {
        for unknown in std::mem::take(&mut self.unknown) {
            let is_told = matches!(ending, Ending::Failed(failure) if failure.message.contains(&unknown.uncaught));
            if !is_told {
                self.output.note(unknown.note);
            }
        }
    }

    /// Notes for the reader of a completed program that probably did not do what it meant to.
    fn explain_completion(&mut self, has_value: bool, unfinished: Option<String>) {
        if let Some(names) = unfinished.filter(|_| !self.dialect.notes_unfinished) {
            let note = format!(
                "note: the program returned without waiting for calls that it had made: {names}; await every call before \
                 returning"
            );
            self.output.note(note);
        }
        if let Some(name) = self.unawaited.take() {
            let note = format!(
                "note: the program called its async function {name} without waiting for it: what that had not done by the end \
                 was not done, and what it threw is lost; write `return await …` in front of the call"
            );
            self.output.note(note);
        }
        if let Some(line) = self.unreturned.take()
            && !has_value
        {
            let note = format!(
                "note: the value at the end of the program, in line {line}, is no result by itself; write `return` in front of it"
            );
            self.output.note(note);
        }
        if let Some(name) = self.uncalled.take()
            && !has_value
        {
            let note = format!(
                "note: the program only defines the function {name} and never calls it; the program is itself the body of \
                 an async function, so write its statements directly, or end it with a call such as `return await main()`"
            );
            self.output.note(note);
        }
    }

    async fn finish(self, mut result: RunResult, exit: Exit) -> RunResult {
        let calls = &mut result.usage;
        calls.bytes_in = self.link.bytes_in;
        calls.bytes_out = self.link.bytes_out;
        calls.cpu = self.meter.since_start(exit.cpu);
        calls.peak_memory = exit.peak_memory;
        result.logs = self.output.into_logs();
        result.receipts = self.calls.drain(self.limits.drain_grace, self.started).await;
        result.usage.calls = total_calls(&result);
        result.usage.wall = self.started.elapsed();
        result.start = StartMethod::Spawn;
        result
    }
}

fn total_calls(result: &RunResult) -> u64 {
    let counted = result
        .receipts
        .rest
        .iter()
        .map(|counts| counts.succeeded + counts.failed + counts.cancelled + counts.abandoned + counts.not_started);
    counted.sum::<u64>() + u64::try_from(result.receipts.calls.len()).unwrap_or(u64::MAX)
}
