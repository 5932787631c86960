//! The order in which commands run.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Commands that are safe beside each other run at most this many at a time.
const MAX_PARALLEL: usize = 10;

/// Lets safe calls overlap and every other call run alone, in the order in which their tickets were taken.
#[derive(Debug, Default)]
pub(super) struct Gate(Mutex<Queue>);

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    safe: usize,
    alone: bool,
}

#[derive(Debug)]
struct Waiting {
    safe: bool,
    open: oneshot::Sender<Pass>,
}

/// A place in the queue. Dropping it gives the place up.
#[derive(Debug)]
pub(super) struct Ticket {
    opened: oneshot::Receiver<Pass>,
    gate: Arc<Gate>,
}

/// The right to run now. Dropping it lets the next ones in.
#[derive(Debug)]
pub(super) struct Pass {
    /// Absent in a pass that nobody took and that has been settled by hand.
    gate: Option<Arc<Gate>>,
    safe: bool,
}

impl Gate {
    /// Takes the next place. It is taken now, not when the ticket is first polled: calls keep their order whichever
    /// task is scheduled first.
    pub(super) fn ticket(self: &Arc<Self>, safe: bool) -> Ticket {
        let (open, opened) = oneshot::channel();
        self.queue().waiting.push_back(Waiting { safe, open });
        self.advance();
        Ticket { opened, gate: Arc::clone(self) }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(self: &Arc<Self>) {
        loop {
            let mut queue = self.queue();
            let Some(next) = queue.waiting.front() else { return };
            if next.open.is_closed() {
                queue.waiting.pop_front();
                continue;
            }
            let room = if next.safe { MAX_PARALLEL } else { 1 };
            if queue.alone || queue.safe >= room {
                return;
            }
            let Some(next) = queue.waiting.pop_front() else { return };
            if next.safe {
                queue.safe += 1;
            } else {
                queue.alone = true;
            }
            drop(queue);
            // A ticket that is given up at this moment hands its pass straight back. It is settled by hand: through
            // `Pass::drop` a queue of such tickets would be a frame each.
            if let Err(mut unused) = next.open.send(Pass { gate: Some(Arc::clone(self)), safe: next.safe }) {
                unused.gate = None;
                self.settle(unused.safe);
            }
        }
    }

    fn settle(&self, safe: bool) {
        let mut queue = self.queue();
        if safe {
            queue.safe -= 1;
        } else {
            queue.alone = false;
        }
    }
}

impl Ticket {
    /// Waits for this ticket's turn.
    ///
    /// # Cancellation
    ///
    /// Dropping the future gives the place up.
    pub(super) async fn pass(mut self) -> Option<Pass> {
        // The sender lives in the queue until the turn comes, so an error cannot happen while the gate lives.
        (&mut self.opened).await.ok()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // Those behind it need not wait for its turn.
        self.opened.close();
        self.gate.advance();
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if let Some(gate) = self.gate.take() {
            gate.settle(self.safe);
            gate.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pass, when the ticket's turn has come; otherwise the ticket.
    fn turn(mut ticket: Ticket) -> Result<Pass, Ticket> {
        ticket.opened.try_recv().map_err(|_| ticket)
    }

    #[test]
    fn safe_calls_overlap_up_to_the_cap() {
        let gate = Arc::new(Gate::default());
        let mut passes: Vec<Pass> = (0..MAX_PARALLEL).map(|_| turn(gate.ticket(true)).unwrap()).collect();
        let next = turn(gate.ticket(true)).unwrap_err();
        passes.pop();
        turn(next).unwrap();
    }

    #[test]
    fn an_exclusive_call_waits_for_what_runs_and_bars_what_comes_after_it() {
        let gate = Arc::new(Gate::default());
        let first = turn(gate.ticket(true)).unwrap();
        let alone = turn(gate.ticket(false)).unwrap_err();
        let behind = turn(gate.ticket(true)).unwrap_err();
        drop(first);
        let running = turn(alone).unwrap();
        let behind = turn(behind).unwrap_err();
        drop(running);
        turn(behind).unwrap();
    }

    #[test]
    fn exclusive_calls_run_one_by_one_in_the_order_of_their_tickets() {
        let gate = Arc::new(Gate::default());
        let mut tickets: VecDeque<Ticket> = (0..100).map(|_| gate.ticket(false)).collect();
        while let Some(first) = tickets.pop_front() {
            let pass = turn(first).unwrap();
            tickets = tickets.into_iter().map(|later| turn(later).unwrap_err()).collect();
            drop(pass);
        }
    }

    #[test]
    fn a_ticket_that_is_given_up_lets_those_behind_it_in() {
        let gate = Arc::new(Gate::default());
        let running = turn(gate.ticket(true)).unwrap();
        let alone = gate.ticket(false);
        let behind = turn(gate.ticket(true)).unwrap_err();
        drop(alone);
        drop(turn(behind).unwrap());
        drop(running);
    }

    #[test]
    fn tickets_and_passes_that_are_given_up_hold_nothing_up() {
        let gate = Arc::new(Gate::default());
        let running = turn(gate.ticket(false)).unwrap();
        let given_up: Vec<Ticket> = (0..10_000).map(|n| gate.ticket(n % 2 == 0)).collect();
        let last = gate.ticket(false);
        drop(given_up);
        drop(running);
        let pass = turn(last).unwrap();
        // One whose turn had come before it was dropped.
        let ready = gate.ticket(false);
        let after = gate.ticket(false);
        drop(pass);
        drop(ready);
        turn(after).unwrap();
    }
}
