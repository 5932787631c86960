//! The calls of one played run: what is in flight, and a receipt for each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use futures_util::{FutureExt as _, future};

use super::notify::Notifier;
use super::script::{Answers, ScriptedCall};
use crate::{
    BoxFuture, Call, CallEnd, CallError, CallStart, CancellationToken, HostFunction, Json, Namespace, Outcome, Receipt,
    nearest_names,
};

/// All calls of a run.
pub(super) struct Calls<'r> {
    bindings: &'r [Namespace],
    /// Cancelled when the run settles.
    settled: CancellationToken,
    begun: Instant,
    in_flight: FuturesUnordered<BoxFuture<'static, Ended>>,
    pub(super) answers: Answers,
    pub(super) receipts: Vec<Receipt>,
    pub(super) bytes_in: usize,
    pub(super) bytes_out: usize,
}

/// A call whose function has returned.
struct Ended {
    /// Its place among the receipts.
    place: usize,
    result: Result<Json, CallError>,
}

impl<'r> Calls<'r> {
    pub(super) fn new(bindings: &'r [Namespace], settled: CancellationToken) -> Self {
        Self {
            bindings,
            settled,
            begun: Instant::now(),
            in_flight: FuturesUnordered::new(),
            answers: Answers::default(),
            receipts: Vec::new(),
            bytes_in: 0,
            bytes_out: 0,
        }
    }

    /// The token that is cancelled when the run settles.
    pub(super) fn settled(&self) -> CancellationToken {
        self.settled.clone()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Begins a call and gives its place among the receipts. It makes progress whenever the run waits for anything.
    pub(super) fn start(&mut self, call: &ScriptedCall, notifier: &mut Notifier) -> usize {
        let place = self.receipts.len();
        let id = u32::try_from(place + 1).unwrap_or(u32::MAX);
        self.bytes_in += call.arguments.serialized_len();
        let (started, took) = (self.elapsed(), Duration::ZERO);
        // Overwritten when the call ends; what is still in flight at the very end has been abandoned.
        self.receipts.push(Receipt::new(id, &call.global, &call.name, Outcome::Abandoned, started, took));
        self.answers.results.push(None);
        notifier.call_started(&CallStart::new(id, &call.global, &call.name, &call.arguments));
        let future = match self.find(call) {
            Ok(function) => {
                let cancel = self.settled.child_token();
                contained(function, Call::new(id, &call.name, call.arguments.clone(), cancel))
            }
            Err(error) => future::ready(Err(error)).boxed(),
        };
        self.in_flight.push(future.map(move |result| Ended { place, result }).boxed());
        place
    }

    /// Waits for the next call to end and gives its place; pends for ever when none is in flight.
    pub(super) async fn next_end(&mut self, notifier: &mut Notifier) -> usize {
        let Some(Ended { place, result }) = self.in_flight.next().await else { return future::pending().await };
        let receipt = &mut self.receipts[place];
        receipt.took = self.begun.elapsed().saturating_sub(receipt.started);
        receipt.outcome = match &result {
            _ if self.settled.is_cancelled() => Outcome::Cancelled,
            Ok(_) => Outcome::Succeeded,
            Err(_) => Outcome::Failed,
        };
        let Receipt { id, outcome, took, .. } = *receipt;
        notifier.call_ended(&CallEnd::new(id, &receipt.global, &receipt.name, outcome, took));
        self.bytes_out += match &result {
            Ok(value) => value.serialized_len(),
            Err(error) => error.message.len(),
        };
        self.answers.results[place] = Some(result);
        place
    }

    /// The names of the functions in flight, in the order of their calls.
    pub(super) fn names_in_flight(&self) -> Vec<String> {
        let unanswered = |(place, receipt): (usize, &Receipt)| {
            self.answers.results[place].is_none().then(|| format!("{}.{}", receipt.global, receipt.name))
        };
        self.receipts.iter().enumerate().filter_map(unanswered).collect()
    }

    /// Cancels what is in flight and waits for it, up to `grace`; drops the rest.
    pub(super) async fn drain(&mut self, grace: Duration, notifier: &mut Notifier) {
        self.settled.cancel();
        if self.in_flight.is_empty() {
            return;
        }
        let alarm = Alarm::after(grace);
        while !self.in_flight.is_empty() {
            let end = std::pin::pin!(self.next_end(notifier));
            let alarm = std::pin::pin!(alarm.rung.cancelled());
            if let future::Either::Right(_) = future::select(end, alarm).await {
                break;
            }
        }
        self.in_flight.clear();
        for (place, receipt) in self.receipts.iter_mut().enumerate() {
            if self.answers.results[place].is_none() {
                receipt.took = self.begun.elapsed().saturating_sub(receipt.started);
                let Receipt { id, outcome, took, .. } = *receipt;
                notifier.call_ended(&CallEnd::new(id, &receipt.global, &receipt.name, outcome, took));
            }
        }
    }

    fn find(&self, call: &ScriptedCall) -> Result<&'r HostFunction, CallError> {
        let Some(namespace) = self.bindings.iter().find(|namespace| namespace.global == call.global) else {
            return Err(CallError::new(format!("there is no global object {:?}", call.global)));
        };
        let mut functions = namespace.functions.iter();
        if let Some((_, function)) = functions.find(|(name, _)| *name == call.name) {
            return Ok(function);
        }
        let mut message = format!("{} has no function {:?}", call.global, call.name);
        let near = nearest_names(&call.name, namespace.functions.iter().map(|(name, _)| name.as_str()));
        if !near.is_empty() {
            message.push_str(&format!("; the nearest names are {}", near.join(", ")));
        }
        Err(CallError::new(message))
    }
}

/// Calls a host function at once, and contains a panic in it, before or after its first await: it fails this call alone.
fn contained(function: &HostFunction, call: Call) -> BoxFuture<'static, Result<Json, CallError>> {
    let name = call.name.clone();
    let panicked =
        move || Err(CallError::new(format!("{name} failed unexpectedly: it panicked; the host's log has the details")));
    // The closure and its future are dropped with the panic, so nothing sees what they left broken.
    match catch_unwind(AssertUnwindSafe(|| function.call(call))) {
        Ok(body) => {
            AssertUnwindSafe(body).catch_unwind().map(move |result| result.unwrap_or_else(|_| panicked())).boxed()
        }
        Err(_) => future::ready(panicked()).boxed(),
    }
}

/// Rings once, on any executor: this crate has no timer of its own.
struct Alarm {
    rung: CancellationToken,
    /// Dropped with the alarm, which ends its thread at once.
    _stop: std::sync::mpsc::Sender<()>,
}

impl Alarm {
    fn after(delay: Duration) -> Self {
        let rung = CancellationToken::new();
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let token = rung.clone();
        let thread = std::thread::Builder::new().name("scripted-grace".to_owned());
        let spawned = thread.spawn(move || {
            // Ends early by the sender's drop.
            let _ = stopped.recv_timeout(delay);
            token.cancel();
        });
        if spawned.is_err() {
            // Without a thread there is no grace.
            rung.cancel();
        }
        Self { rung, _stop: stop }
    }
}
