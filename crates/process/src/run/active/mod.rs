//! A run whose program has been sent: the events of its world, one at a time.

mod quiesce;

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use dayfly_runtime::{Budget, Failure, LogSource, Namespace, RunResult};
use dayfly_wire::{Accepted, HostMessage, Session, Settlement, Start, StartNamespace, Violation, WorkerMessage};
use futures_util::FutureExt as _;
use tokio::io::AsyncReadExt as _;
use tokio::time::Instant;

use super::Stop;
use super::alarm::Alarm;
use super::calls::{Answered, Calls};
use super::contain::Bindings;
use super::forgotten::Forgotten;
use super::link::{Link, Next, Turn};
use super::meter::Meter;
use super::output::{Full, Output};
use super::pace::{PATIENCE, Pace};
use super::prepare::{Prepared, Unknown};
use super::reply::Replies;
use super::settle;
use super::start::{Started, wire_limits};
use super::watch::Watch;
use crate::config::Limits;
use crate::dialect::Dialect;
use crate::runtime::Standing;
use crate::worker::WorkerProcess;

/// How long a worker that closed its socket may take to exit before it is taken to have closed it on purpose: half a second,
/// in ten parts, because a machine that stands still for so long at once gives a worker no time to exit.
const EXIT_LOOK: Duration = Duration::from_millis(50);
const EXIT_LOOKS: u32 = 10;

/// One read of a native stream, in bytes: a quarter of a pipe's capacity.
const PIPE_READ: usize = 16 << 10;

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
    Alarm,
    Exited,
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
    alarm: Alarm,
    pace: Pace,
    uncalled: Option<String>,
    unawaited: Option<String>,
    unreturned: Option<u32>,
    forgotten: Vec<Forgotten>,
    unknown: Vec<Unknown>,
    started: Instant,
    /// When is looked next whether a worker that has closed its socket has exited, and how often was looked.
    exit_due: Option<Instant>,
    exit_looks: u32,
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
        bindings: Bindings,
        standing: Standing,
        watch: Arc<Watch>,
        pace: Pace,
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
        let alarm = Alarm::new(meter.due());
        Self {
            limits,
            dialect: interpreter.dialect,
            process,
            link,
            session,
            calls: Calls::new(bindings, replies, standing, Arc::clone(&watch), limits.max_receipts),
            output: Output::new(limits.max_output_bytes.as_u64(), watch),
            meter,
            alarm,
            pace,
            uncalled: prepared.uncalled,
            unawaited: prepared.unawaited,
            unreturned: prepared.unreturned,
            forgotten: prepared.forgotten,
            unknown: prepared.unknown,
            started: Instant::now(),
            exit_due: None,
            exit_looks: 0,
            stdout_open: true,
            stderr_open: true,
            buffers: [vec![0; PIPE_READ], vec![0; PIPE_READ]],
        }
    }

    /// Drives the run until it has settled and nothing is left of it.
    pub(super) async fn drive(mut self, stop: &Stop) -> RunResult {
        let mut stopped = pin!(stop.stopped());
        let ending = loop {
            let event = self.event(stopped.as_mut()).await;
            if matches!(event, Event::Answered(_)) && self.calls.pending() > 0 {
                // Replies of calls that are about to end as well leave in the same write.
                step_back().await;
            }
            if let ControlFlow::Break(ending) = self.handle(event) {
                break ending;
            }
        };
        self.quiesce(ending).await
    }

    /// Waits for the next event. The order of the arms is the order of precedence when several are ready: what ends
    /// the run comes first, and what a worker can flood comes last.
    ///
    /// A call passes here three times, so nothing is made anew that can last: neither timers nor places in lists of
    /// waiters.
    async fn event(&mut self, stopped: Pin<&mut impl Future<Output = ()>>) -> Event {
        let reading = self.may_read();
        let moment = self.next_moment();
        let decoding = self.link.is_decoding();
        let [stdout, stderr] = &mut self.buffers;
        tokio::select! {
            biased;
            () = stopped => Event::Stopped,
            () = self.alarm.at(moment) => Event::Alarm,
            // Its last message may be the one that is being decoded: that one comes first.
            () = self.process.exit.exited(), if !decoding => Event::Exited,
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

    /// When the run must look at its clock again.
    fn next_moment(&self) -> Instant {
        let moment = self.meter.due().min(self.started + self.limits.wall);
        let moment = self.pace.due().map_or(moment, |due| due.min(moment));
        match self.exit_due {
            // A message that is being decoded comes before the end of the socket.
            Some(due) if !self.link.is_decoding() => due.min(moment),
            Some(_) | None => moment,
        }
    }

    fn handle(&mut self, event: Event) -> ControlFlow<Ending> {
        match event {
            Event::Stopped => fail(settle::aborted()),
            Event::Alarm => self.on_alarm(),
            Event::Exited => self.on_exit(),
            Event::Native(source, read) => self.on_native(source, read),
            Event::Answered(answered) => {
                self.link.send(answered.frame);
                // Those that are ready leave with it, in one write.
                while let Some(answered) = self.calls.try_next() {
                    self.link.send(answered.frame);
                }
                self.link.flush();
                self.take_messages()?;
                self.await_next_call()
            }
            Event::Link(Turn::Decoded(Ok(message), bytes)) => {
                self.on_message(message, bytes)?;
                self.take_messages()
            }
            Event::Link(Turn::Decoded(Err(violation), _)) => self.on_violation(&violation),
            Event::Link(Turn::Moved) => self.take_messages(),
        }
    }

    fn on_alarm(&mut self) -> ControlFlow<Ending> {
        let now = Instant::now();
        if now >= self.started + self.limits.wall {
            return fail(settle::timed_out(Budget::Wall, self.limits.wall, self.started.elapsed()));
        }
        if now >= self.meter.due()
            && let Some(used) = self.meter.look(&self.process)
        {
            return fail(settle::timed_out(Budget::Compute, self.limits.compute, used));
        }
        if self.exit_due.is_some_and(|due| now >= due) && !self.link.is_decoding() {
            return self.on_exit_due(now);
        }
        if self.pace.has_ended(now) {
            self.link.watch();
        }
        ControlFlow::Continue(())
    }

    /// The replies have left. In a quick sequence of calls the next one is waited for here; see [`Pace`].
    fn await_next_call(&mut self) -> ControlFlow<Ending> {
        // Functions that still run would wait behind a wait.
        if self.calls.pending() == 0 {
            if !self.pace.replied() {
                return ControlFlow::Continue(());
            }
            let until = std::time::Instant::now() + PATIENCE;
            // What comes may be a log, or the beginning of a call.
            while self.link.read_in_place(until) {
                self.take_messages()?;
                if self.calls.pending() > 0 {
                    self.pace.caught();
                    return ControlFlow::Continue(());
                }
            }
        }
        self.pace.missed();
        self.link.watch();
        ControlFlow::Continue(())
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
                Ok(Next::Message(message, bytes)) => self.on_message(message, bytes)?,
                Ok(Next::Nothing) => break,
                Err(violation) => return self.on_violation(&violation),
            }
        }
        self.link.flush();
        if self.link.closed() && !self.link.is_decoding() && self.exit_due.is_none() {
            self.exit_due = Some(Instant::now() + EXIT_LOOK);
        }
        ControlFlow::Continue(())
    }

    fn on_message(&mut self, message: WorkerMessage, bytes: usize) -> ControlFlow<Ending> {
        match self.session.accept(message) {
            Ok(Accepted::Call { id, global, name, args }) => {
                let arguments = args.map_err(|refusal| format!("the argument is not lossless JSON: {refusal}"));
                if let Some(refused) = self.calls.start(id, &global, &name, arguments) {
                    self.link.send(refused);
                }
                ControlFlow::Continue(())
            }
            Ok(Accepted::Log(entry)) => match self.output.framed(entry, bytes) {
                Ok(()) => ControlFlow::Continue(()),
                Err(Full) => self.full(),
            },
            Ok(Accepted::Settled(settlement)) => ControlFlow::Break(self.on_settlement(settlement)),
            Ok(Accepted::Ignored(reason)) => {
                tracing::debug!(%reason, "ignored a message");
                // What is ignored costs the host work all the same, and an honest worker sends none.
                match self.output.ledger.charge(bytes) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(Full) => self.full(),
                }
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

    fn on_violation(&mut self, violation: &Violation) -> ControlFlow<Ending> {
        tracing::debug!(%violation, "the worker broke the protocol");
        // A payload that is refused leaves the frames behind it whole, and they are not looked at.
        self.session.settle();
        fail(settle::violation(violation, self.output.stderr_tail()))
    }

    /// The socket has been closed, and nobody has told of the end of the process.
    fn on_exit_due(&mut self, now: Instant) -> ControlFlow<Ending> {
        self.exit_looks += 1;
        // On a busy machine both may be due, and an exit says more: also one that the warden, which a program can stop, has
        // not told of.
        if self.process.exit.exited().now_or_never().is_some() || self.process.interpreter_has_ended() {
            return self.on_exit();
        }
        if self.exit_looks < EXIT_LOOKS {
            self.exit_due = Some(now + EXIT_LOOK);
            return ControlFlow::Continue(());
        }
        self.on_socket_closed()
    }

    /// The socket has been closed for a while, and the process is still there: what it sent before may wait behind calls
    /// in flight, and may hold its completion.
    fn on_socket_closed(&mut self) -> ControlFlow<Ending> {
        self.drain_messages(true)?;
        if self.link.is_decoding() {
            return ControlFlow::Continue(());
        }
        match self.link.truncation() {
            Some(violation) => self.on_violation(&violation),
            None => fail(settle::socket_closed(self.output.stderr_tail())),
        }
    }

    /// The process has ended: what it sent before is in the socket, and may hold its completion.
    fn on_exit(&mut self) -> ControlFlow<Ending> {
        self.drain_messages(true)?;
        if self.link.is_decoding() { ControlFlow::Continue(()) } else { ControlFlow::Break(Ending::Exited) }
    }
}

/// Lets the tasks that are ready run first. Unlike tokio's own `yield_now` it leaves this task where another thread can
/// take it, so that a host function which blocks its thread does not hold up the run.
async fn step_back() {
    let mut stepped = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut stepped, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
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
