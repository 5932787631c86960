//! The course of one call: its turn to start, its policy, its body, its turn to commit.

use std::sync::Arc;

use tokio::sync::SemaphorePermit;

use super::{Abandoned, Place, Shared};
use crate::pipeline::Flight;
use crate::{ToolCall, ToolMode, ToolOutcome};

/// Takes a call through the stages, in its place.
pub(super) async fn run(shared: Arc<Shared>, place: Place, call: ToolCall) -> Result<ToolOutcome, Abandoned> {
    let number = place.number;
    let abandoned = Abandoned { number };
    let admitted = shared.closing.run_until_cancelled(admit(&shared, &place, call)).await;
    let Some((flight, slot)) = admitted else { return Err(abandoned) };
    let Some(_started) = shared.start(number, flight.cancel()) else { return Err(abandoned) };

    let permitted = {
        let _alone = shared.policy.lock().await;
        flight.permit().await
    };
    let Place { start, commit, .. } = place;
    // An exclusive call keeps its turn until it is over, which bars those behind it.
    let _bar = slot.is_none().then_some(start);
    let settled = flight.execute(permitted).await;
    // While a call waits for its turn to commit, another body runs in its place. One whose turn has come keeps the place, so
    // that its commit precedes the next start: with one place, calls are serial.
    let _slot = slot.filter(|_| commit.has_come());
    commit.come().await;
    let _alone = shared.policy.lock().await;
    Ok(flight.commit(settled).await)
}

/// Waits until the call may start: with a place among others, or alone.
async fn admit<'a>(shared: &'a Shared, place: &Place, call: ToolCall) -> (Flight, Option<SemaphorePermit<'a>>) {
    place.start.come().await;
    let slot = shared.place().await;
    let mut flight = Flight::begin(&shared.scope, call);
    match flight.mode() {
        ToolMode::Parallel => (flight, slot),
        ToolMode::Exclusive => {
            drop(slot);
            // The last commit before it is the end of everything before it.
            place.commit.come().await;
            flight.look_again();
            (flight, None)
        }
    }
}
