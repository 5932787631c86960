//! The calls of one run: started, awaited, cancelled, accounted for.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dayfly_runtime::{Call, CallEnd, CallStart, CancellationToken, Json, Outcome, Receipts, nearest_names};
use futures_util::FutureExt as _;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use super::contain::{Bindings, let_go};
use super::receipts::ReceiptBook;
use super::reply::{Answer, Replies};
use super::watch::Watch;
use crate::runtime::{STANDING, Standing};

/// How long a function that was dropped has to let go of its task.
const LETTING_GO: Duration = Duration::from_secs(1);

/// Names of unfinished calls that a note lists.
const MOST_LISTED: usize = 10;

/// A call that has been answered.
#[derive(Debug)]
pub(super) struct Answered {
    /// The reply, ready for the wire.
    pub(super) frame: Bytes,
}

/// The calls of one run.
#[derive(Debug)]
pub(super) struct Calls {
    bindings: Bindings,
    replies: Replies,
    standing: Standing,
    watch: Arc<Watch>,
    cancel: CancellationToken,
    tasks: JoinSet<Answer>,
    in_flight: HashMap<Id, InFlight>,
    held_bytes: usize,
    /// Calls that came too late to be started, by name, for the reader.
    skipped: Vec<(String, usize)>,
    book: ReceiptBook,
}

#[derive(Debug)]
struct InFlight {
    id: u32,
    global: Arc<str>,
    name: Arc<str>,
    started: Instant,
    bytes: usize,
}

impl Calls {
    pub(super) fn new(
        bindings: Bindings,
        replies: Replies,
        standing: Standing,
        watch: Arc<Watch>,
        max_receipts: usize,
    ) -> Self {
        Self {
            bindings,
            replies,
            standing,
            watch,
            cancel: CancellationToken::new(),
            tasks: JoinSet::new(),
            in_flight: HashMap::new(),
            held_bytes: 0,
            skipped: Vec::new(),
            book: ReceiptBook::new(max_receipts),
        }
    }

    /// Calls that the host is working on.
    pub(super) fn pending(&self) -> usize {
        self.in_flight.len()
    }

    /// Memory that the arguments of those take.
    pub(super) const fn held_bytes(&self) -> usize {
        self.held_bytes
    }

    /// Starts a call, or refuses it with the frame that says so.
    pub(super) fn start(
        &mut self,
        id: u32,
        global: &str,
        name: &str,
        arguments: Result<Json, String>,
    ) -> Option<Bytes> {
        let started = Instant::now();
        let found = self.find(global, name);
        let (function, arguments) = match (found, arguments) {
            (Ok(function), Ok(arguments)) => (function, arguments),
            (Err(problem), _) => {
                // Nobody declared these names: they are whatever the worker wrote, of any length.
                self.book.add(id, &excerpt(global), &excerpt(name), Outcome::Failed, started, Duration::ZERO);
                return Some(self.replies.failure(id, &problem));
            }
            (Ok(_), Err(problem)) => {
                self.book.add(id, global, name, Outcome::Failed, started, Duration::ZERO);
                return Some(self.replies.failure(id, &problem));
            }
        };
        self.watch.call_started(&CallStart::new(id, global, name, &arguments));
        let bytes = arguments.memory_size();
        let call =
            Call::new(id, name, arguments, self.cancel.clone()).standing(dayfly_runtime::Standing::new(self.standing));
        // Called here, polled in a task: what a function does before it gives its future happens in the order of the
        // calls, so that it can queue there. That may panic as well.
        let body = catch_unwind(AssertUnwindSafe(|| function.call(call)));
        let replies = self.replies;
        let label: Arc<str> = format!("{global}.{name}").into();
        let span = tracing::debug_span!("call", id, name = &*label);
        let answer = async move {
            let outcome = match body {
                Ok(body) => AssertUnwindSafe(body).catch_unwind().await,
                Err(panic) => Err(panic),
            };
            replies.answer(id, &label, outcome).await
        };
        let answer = tracing::Instrument::instrument(answer, span);
        let task = self.tasks.spawn(STANDING.scope(self.standing, answer)).id();
        self.held_bytes = self.held_bytes.saturating_add(bytes);
        self.in_flight.insert(task, InFlight { id, global: global.into(), name: name.into(), started, bytes });
        None
    }

    /// Counts a call that will not be started any more.
    pub(super) fn skip(&mut self, id: u32, global: &str, name: &str) {
        let (global, name) = match self.find(global, name) {
            Ok(_) => {
                tally(&mut self.skipped, format!("{global}.{name}"), 1);
                (global.to_owned(), name.to_owned())
            }
            Err(_) => (excerpt(global), excerpt(name)),
        };
        self.book.add(id, &global, &name, Outcome::NotStarted, Instant::now(), Duration::ZERO);
    }

    /// The next call to be answered; waits for ever while none is in flight.
    ///
    /// # Cancellation
    ///
    /// Dropping the future loses no answer.
    pub(super) async fn next(&mut self) -> Answered {
        loop {
            match self.tasks.join_next_with_id().await {
                Some(ended) => {
                    if let Some(answered) = self.answered(ended) {
                        return answered;
                    }
                }
                None => std::future::pending().await,
            }
        }
    }

    /// The next call that has been answered already.
    pub(super) fn try_next(&mut self) -> Option<Answered> {
        loop {
            let ended = self.tasks.try_join_next_with_id()?;
            if let Some(answered) = self.answered(ended) {
                return Some(answered);
            }
        }
    }

    fn answered(&mut self, ended: Result<(Id, Answer), JoinError>) -> Option<Answered> {
        match ended {
            Ok((task, answer)) => {
                self.settle(task, if answer.succeeded { Outcome::Succeeded } else { Outcome::Failed });
                Some(Answered { frame: answer.frame })
            }
            // Not the function's body, whose panics are caught, but what it left to be dropped.
            Err(error) => {
                let task = error.id();
                let_go(error);
                let id = self.settle(task, Outcome::Failed)?;
                Some(Answered { frame: self.replies.failure(id, "the host function panicked") })
            }
        }
    }

    /// Tells every function in flight that its run has settled.
    pub(super) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The calls by name that are in flight, or came too late to be started, for the reader: `tools.slow (2), tools.read`.
    pub(super) fn unfinished_names(&self) -> Option<String> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        let mut calls: Vec<&InFlight> = self.in_flight.values().collect();
        calls.sort_by_key(|call| call.id);
        for call in calls {
            tally(&mut counts, format!("{}.{}", call.global, call.name), 1);
        }
        for (label, times) in &self.skipped {
            tally(&mut counts, label.clone(), *times);
        }
        let names: Vec<String> = counts
            .into_iter()
            .map(|(label, count)| if count == 1 { label } else { format!("{label} ({count})") })
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Whether the program has called a function, whatever became of the call.
    pub(super) fn has_called(&self, global: &str, name: &str) -> bool {
        self.in_flight.values().any(|call| &*call.global == global && &*call.name == name)
            || self.book.names(global, name)
    }

    /// Awaits the cancelled functions for `grace`, drops the rest, and closes the book.
    pub(super) async fn drain(mut self, grace: Duration, start: Instant) -> Receipts {
        let deadline = Instant::now() + grace;
        while !self.in_flight.is_empty() {
            match tokio::time::timeout_at(deadline, self.tasks.join_next_with_id()).await {
                Ok(Some(Ok((task, _)))) => {
                    self.settle(task, Outcome::Cancelled);
                }
                Ok(Some(Err(error))) => {
                    self.settle(error.id(), Outcome::Cancelled);
                    let_go(error);
                }
                Ok(None) | Err(_) => break,
            }
        }
        self.tasks.abort_all();
        let left: Vec<Id> = self.in_flight.keys().copied().collect();
        for task in left {
            self.settle(task, Outcome::Abandoned);
        }
        // A function that blocks its thread cannot be dropped: it is left to its thread, so that the run can return.
        let letting_go = async {
            while let Some(ended) = self.tasks.join_next().await {
                let_go(ended);
            }
        };
        if tokio::time::timeout(LETTING_GO, letting_go).await.is_err() {
            tracing::error!(functions = self.tasks.len(), "host functions block their threads and cannot be dropped");
            self.tasks.detach_all();
        }
        self.book.close(start)
    }

    fn settle(&mut self, task: Id, outcome: Outcome) -> Option<u32> {
        let call = self.in_flight.remove(&task)?;
        self.held_bytes = self.held_bytes.saturating_sub(call.bytes);
        let took = call.started.elapsed();
        self.watch.call_ended(&CallEnd::new(call.id, &call.global, &call.name, outcome, took));
        self.book.add(call.id, &call.global, &call.name, outcome, call.started, took);
        Some(call.id)
    }

    fn find(&self, global: &str, name: &str) -> Result<dayfly_runtime::HostFunction, String> {
        let Some(namespace) = self.bindings.iter().find(|namespace| namespace.global == global) else {
            return Err(format!("there is no namespace {:?}", excerpt(global)));
        };
        if let Some((_, function)) = namespace.functions.iter().find(|(known, _)| known == name) {
            return Ok(function.clone());
        }
        let near = nearest_names(name, namespace.functions.iter().map(|(known, _)| known.as_str()));
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
        Err(format!("there is no function {:?} in {global}{hint}", excerpt(name)))
    }
}

/// Counts so many more of `label`, if it is among the first that are listed.
fn tally(counts: &mut Vec<(String, usize)>, label: String, times: usize) {
    if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == label) {
        *count += times;
    } else if counts.len() < MOST_LISTED {
        counts.push((label, times));
    }
}

/// A hostile name, short enough to repeat.
fn excerpt(name: &str) -> String {
    name.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::Namespace;
    use dayfly_wire::WireLimits;

    use super::*;

    #[tokio::test]
    async fn receipts_of_invented_names_are_short_however_long_the_names_are() {
        let replies = Replies::new(true, WireLimits::DEFAULT);
        let standing = Standing { supervisor: 0, level: 0 };
        let mut calls =
            Calls::new(Bindings::new(vec![Namespace::tools()]), replies, standing, Arc::new(Watch::new(None)), 2);
        let long = "n".repeat(1 << 20);
        for id in 1..=4 {
            assert!(calls.start(id, &long, &long, Ok(Json::null())).is_some());
            calls.skip(id, "tools", &long);
        }
        let receipts = calls.drain(Duration::ZERO, Instant::now()).await;
        let longest = receipts.calls.iter().map(|receipt| receipt.global.len() + receipt.name.len());
        let longest = longest.chain(receipts.rest.iter().map(|counts| counts.global.len() + counts.name.len())).max();
        assert!(longest < Some(200), "{longest:?}");
    }
}
