//! A run whose program has been sent: the events of its world, one at a time.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use dayfly_runtime::{Budget, Failure, LogSource, Namespace, RunResult, StartMethod};
use dayfly_sandbox::Exit;
use dayfly_wire::{Accepted, HostMessage, Session, Settlement, Start, StartNamespace, Violation, WorkerMessage};
use tokio::io::AsyncReadExt as _;
use tokio::time::Instant;

use super::Stop;
use super::calls::{Answered, Calls};
use super::link::{Link, Next, Turn, read_now};
use super::meter::Meter;
use super::output::{Full, Output};
use super::prepare::Prepared;
use super::reply::Replies;
use super::settle;
use super::start::{Started, wire_limits};
use super::watch::Watch;
use crate::config::Limits;
use crate::dialect::Dialect;
use crate::runtime::Standing;
use crate::worker::WorkerProcess;

/// How long a worker that closed its socket may take to exit before it is taken to have closed it on purpose.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// One read of a native stream, in bytes: a quarter of a pipe's capacity.
const PIPE_READ: usize = 16 << 10;

/// Reads of a native stream after the end: the most that a program can make its pipe hold.
const MOST_PIPE_READS: usize = (1 << 20) / PIPE_READ;

/// How a run ended.
#[derive(Debug)]
enum Ending {
    Completed(Option<dayfly_runtime::Json>),
    Failed(Failure),
    /// The process ended by itself; its exit tells how.
    Exited,
}

/// What happened.
#[derive(Debug)]
enum Event {
    Stopped,
    WallSpent,
    MeterDue,
    Exited,
    SocketClosed,
    Native(LogSource, usize),
    Answered(Answered),
    Link(Turn),
}

/// A run whose program has been sent.
pub(super) struct ActiveRun<'a> {
    limits: &'a Limits,
    dialect: &'static Dialect,
    process: WorkerProcess,
    link: Link,
    session: Session,
    calls: Calls,
    output: Output,
    meter: Meter,
    uncalled: Option<String>,
    started: Instant,
    /// When a worker that has closed its socket must have exited.
    exit_due: Option<Instant>,
    stdout_open: bool,
    stderr_open: bool,
    buffers: [Vec<u8>; 2],
}

impl<'a> ActiveRun<'a> {
    /// Sends `start` and lets both budgets begin.
    pub(super) fn begin(
        limits: &'a Limits,
        started: Started,
        prepared: Prepared,
        bindings: Vec<Namespace>,
        standing: Standing,
        watch: Arc<Watch>,
    ) -> Self {
        let Started { process, mut link, mut session, interpreter } = started;
        let wire = wire_limits(limits);
        let mut start = Start::new(prepared.code, &wire);
        start.namespaces = bindings.iter().map(start_namespace).collect();
        start.modules = interpreter.modules.as_ref().map(|path| path.display().to_string());
        session.started();
        let meter = Meter::start(&process, limits.compute);
        // The program's size is capped far below what a header can name; a frame that could not be made would leave the
        // worker waiting, and the wall would end it.
        match HostMessage::Start(start).encode() {
            Ok(frame) => link.send(frame),
            Err(error) => tracing::error!(%error, "failed to encode the start of a run"),
        }
        link.flush();
        let replies = Replies::new(interpreter.dialect.doubles_only, wire);
        Self {
            limits,
            dialect: interpreter.dialect,
            process,
            link,
            session,
            calls: Calls::new(bindings, replies, standing, Arc::clone(&watch), limits.max_receipts),
            output: Output::new(limits.max_output_bytes.as_u64(), watch),
            meter,
            uncalled: prepared.uncalled,
            started: Instant::now(),
            exit_due: None,
            stdout_open: true,
            stderr_open: true,
            buffers: [vec![0; PIPE_READ], vec![0; PIPE_READ]],
        }
    }

    /// Drives the run until it has settled and nothing is left of it.
    pub(super) async fn drive(mut self, stop: &Stop) -> RunResult {
        let ending = loop {
            let event = self.event(stop).await;
            if let ControlFlow::Break(ending) = self.handle(event) {
                break ending;
            }
        };
        self.quiesce(ending).await
    }

    /// Waits for the next event. The order of the arms is the order of precedence when several are ready: what ends
    /// the run comes first, and what a worker can flood comes last.
    async fn event(&mut self, stop: &Stop) -> Event {
        let reading = self.may_read();
        let wall = self.started + self.limits.wall;
        let exit_due = self.exit_due;
        let decoding = self.link.is_decoding();
        let [stdout, stderr] = &mut self.buffers;
        tokio::select! {
            biased;
            () = stop.stopped() => Event::Stopped,
            () = tokio::time::sleep_until(wall) => Event::WallSpent,
            () = self.meter.due() => Event::MeterDue,
            // Its last message may be the one that is being decoded: that one comes first.
            () = self.process.exit.exited(), if !decoding => Event::Exited,
            () = tokio::time::sleep_until(exit_due.unwrap_or(wall)), if exit_due.is_some() => Event::SocketClosed,
            answered = self.calls.next() => Event::Answered(answered),
            read = self.process.stdout.read(stdout), if self.stdout_open => {
                Event::Native(LogSource::Stdout, read.unwrap_or(0))
            }
            read = self.process.stderr.read(stderr), if self.stderr_open => {
                Event::Native(LogSource::Stderr, read.unwrap_or(0))
            }
            turn = self.link.turn(reading) => Event::Link(turn),
        }
    }

    fn handle(&mut self, event: Event) -> ControlFlow<Ending> {
        match event {
            Event::Stopped => fail(settle::aborted()),
            Event::WallSpent => fail(settle::timed_out(Budget::Wall, self.limits.wall, self.started.elapsed())),
            Event::MeterDue => match self.meter.look(&self.process) {
                Some(used) => fail(settle::timed_out(Budget::Compute, self.limits.compute, used)),
                None => ControlFlow::Continue(()),
            },
            Event::Exited => self.on_exit(),
            Event::SocketClosed => match self.link.truncation() {
                Some(violation) => self.on_violation(&violation),
                None => fail(settle::socket_closed(self.output.stderr_tail())),
            },
            Event::Native(source, read) => self.on_native(source, read),
            Event::Answered(answered) => {
                self.link.send(answered.frame);
                self.link.flush();
                self.take_messages()
            }
            Event::Link(Turn::Decoded(Ok(message))) => {
                self.on_message(message)?;
                self.take_messages()
            }
            Event::Link(Turn::Decoded(Err(violation))) => self.on_violation(&violation),
            Event::Link(Turn::Ready) => {
                self.link.flush();
                if self.may_read() {
                    self.link.read();
                }
                self.take_messages()
            }
        }
    }

    /// Calls in flight and results in the queue are bounded by not reading.
    fn may_read(&self) -> bool {
        let held = self.calls.held_bytes().saturating_add(self.link.queued_bytes());
        self.calls.pending() < self.limits.max_pending_calls && held < self.limits.max_pending_bytes.as_usize()
    }

    /// Handles the messages that have arrived, as far as the host takes more.
    fn take_messages(&mut self) -> ControlFlow<Ending> {
        while self.may_read() {
            match self.link.next() {
                Ok(Next::Message(message)) => self.on_message(message)?,
                Ok(Next::Nothing) => break,
                Err(violation) => return self.on_violation(&violation),
            }
        }
        if self.link.ended() && !self.link.is_decoding() && self.exit_due.is_none() {
            self.exit_due = Some(Instant::now() + EXIT_GRACE);
        }
        self.link.flush();
        ControlFlow::Continue(())
    }

    fn on_message(&mut self, message: WorkerMessage) -> ControlFlow<Ending> {
        match self.session.accept(message) {
            Ok(Accepted::Call { id, global, name, args }) => {
                let arguments = args.map_err(|refusal| format!("the argument is not lossless JSON: {refusal}"));
                if let Some(refused) = self.calls.start(id, &global, &name, arguments) {
                    self.link.send(refused);
                }
                ControlFlow::Continue(())
            }
            Ok(Accepted::Log(entry)) => match self.output.log(entry) {
                Ok(()) => ControlFlow::Continue(()),
                Err(Full) => self.full(),
            },
            Ok(Accepted::Settled(settlement)) => ControlFlow::Break(self.on_settlement(settlement)),
            Ok(Accepted::Ignored(reason)) => {
                tracing::debug!(%reason, "ignored a message");
                ControlFlow::Continue(())
            }
            // The session takes `ready` once, before the program is sent.
            Ok(Accepted::Ready { .. }) => ControlFlow::Continue(()),
            Err(violation) => self.on_violation(&violation),
        }
    }

    fn on_settlement(&mut self, settlement: Settlement) -> Ending {
        match settlement {
            Settlement::Done(Ok(value)) => {
                let cost = value.as_ref().map_or(0, dayfly_runtime::Json::serialized_len);
                match self.output.ledger.charge(cost) {
                    Ok(()) => Ending::Completed(value),
                    Err(Full) => Ending::Failed(settle::output_limit(self.limits.max_output_bytes.as_u64())),
                }
            }
            Settlement::Done(Err(refusal)) => Ending::Failed(settle::invalid_output(&refusal)),
            Settlement::Failed(failure) => {
                Ending::Failed(settle::reported(failure, self.limits.max_output_bytes.as_u64()))
            }
        }
    }

    fn on_native(&mut self, source: LogSource, read: usize) -> ControlFlow<Ending> {
        let index = usize::from(source == LogSource::Stderr);
        if read == 0 {
            let open = if index == 0 { &mut self.stdout_open } else { &mut self.stderr_open };
            *open = false;
            return ControlFlow::Continue(());
        }
        match self.output.native(source, &self.buffers[index][..read]) {
            Ok(()) => ControlFlow::Continue(()),
            Err(Full) => self.full(),
        }
    }

    fn full(&self) -> ControlFlow<Ending> {
        fail(settle::output_limit(self.limits.max_output_bytes.as_u64()))
    }

    fn on_violation(&self, violation: &Violation) -> ControlFlow<Ending> {
        tracing::debug!(%violation, "the worker broke the protocol");
        fail(settle::violation(violation, self.output.stderr_tail()))
    }

    /// The process has ended: what it sent before is in the socket, and may hold its completion.
    fn on_exit(&mut self) -> ControlFlow<Ending> {
        self.drain_messages(true)?;
        if self.link.is_decoding() { ControlFlow::Continue(()) } else { ControlFlow::Break(Ending::Exited) }
    }

    /// Takes what is left in the socket of a process that has ended; `completion` says whether it may still complete.
    /// Its calls are not started any more.
    fn drain_messages(&mut self, completion: bool) -> ControlFlow<Ending> {
        loop {
            match self.link.next() {
                Ok(Next::Message(message)) => match self.session.accept(message) {
                    Ok(Accepted::Call { id, global, name, .. }) => self.calls.skip(id, &global, &name),
                    Ok(Accepted::Log(entry)) => {
                        if self.output.log(entry) == Err(Full) {
                            return self.full();
                        }
                    }
                    Ok(Accepted::Settled(settlement)) if completion => {
                        return ControlFlow::Break(self.on_settlement(settlement));
                    }
                    Ok(Accepted::Settled(_) | Accepted::Ignored(_) | Accepted::Ready { .. }) => {}
                    // A frame that its end cut short is no violation of the dead.
                    Err(_) => return ControlFlow::Continue(()),
                },
                Ok(Next::Nothing) if self.link.is_decoding() || !self.link.read_rest() => {
                    return ControlFlow::Continue(());
                }
                Ok(Next::Nothing) => {}
                Err(_) => return ControlFlow::Continue(()),
            }
        }
    }

    /// Kills and reaps the tree, takes what is left in socket and pipes, awaits the calls, and puts the result together.
    async fn quiesce(mut self, ending: Ending) -> RunResult {
        let in_flight = self.calls.in_flight_names();
        self.calls.cancel();
        let exit = self.process.end().await;
        let settled = matches!(ending, Ending::Completed(_) | Ending::Failed(_));
        self.drain_native();
        if settled {
            self.drain_rest().await;
        }
        self.output.finish();

        let mut result = RunResult::default();
        match ending {
            Ending::Completed(value) => {
                self.explain_completion(value.is_some(), in_flight);
                result.value = value;
            }
            Ending::Failed(failure) => result.failure = Some(failure),
            Ending::Exited => {
                let tail = self.output.stderr_tail();
                result.failure = Some(settle::exited(self.dialect, &exit, tail, self.limits));
            }
        }
        if let Some(failure) = &mut result.failure {
            settle::fit(failure, self.output.ledger.left());
        }
        self.finish(result, exit).await
    }

    /// Logs that were on their way when the run settled. Whatever else was is ignored.
    async fn drain_rest(&mut self) {
        while self.link.is_decoding() {
            if let Turn::Decoded(Ok(WorkerMessage::Log(entry))) = self.link.turn(false).await {
                // What does not fit was not going to be kept.
                let _ = self.output.log(entry);
            }
        }
        if self.session.state() == dayfly_wire::SessionState::Running {
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

    /// Notes for the reader of a completed program that probably did not do what it meant to.
    fn explain_completion(&mut self, has_value: bool, in_flight: Option<String>) {
        if let Some(names) = in_flight {
            let note = format!(
                "note: the program returned while calls were in flight, and they were cancelled: {names}; \
                 await every call before returning"
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

fn start_namespace(namespace: &Namespace) -> StartNamespace {
    let names = namespace.functions.iter().map(|(name, _)| name.clone());
    let start = StartNamespace::new(namespace.global.clone(), names);
    match &namespace.error_class {
        Some(class) => start.error_class(class.name.clone(), class.property.clone()),
        None => start,
    }
}

fn fail(failure: Failure) -> ControlFlow<Ending> {
    ControlFlow::Break(Ending::Failed(failure))
}
