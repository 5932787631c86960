//! One call, stage by stage; the order is the product.
//!
//! ```text
//! freeze the call, mint its token, snapshot the tool, its finalizer and all hooks
//!  -> cancelled already?   ABORTED_BEFORE_DISPATCH
//!  -> resolve              UNKNOWN_TOOL
//!  -> check arguments      INVALID_ARGS
//!  -> pre-execute          listeners in order, then the approval if the last word was to ask
//!  -> guards               a denial is final
//!  -> execute              the layers from the outside in
//!       -> body            a task of the pipeline's own; its value checked and frozen
//!  -> post-execute         listeners in order: accept or block
//!  -> ABORTED?             in the place of a success alone
//!  -> finalize_content     content only, once
//!  -> result               observers
//! ```
//!
//! A failure of any stage is an outcome like any other; it goes on to `finalize_content` and `result`.

mod approval;
mod attempt;
mod commit;
mod contain;
mod decision;
mod deferral;
mod dispatch;
mod failure;
mod flight;
mod open_call;

pub use approval::{Approval, ApprovalAnswer, ApprovalRequest};
pub use decision::{PostDecision, PreDecision, Replacement};
pub use dispatch::{Dispatch, Dispatched, Next};
pub use failure::code;

pub(crate) use contain::{Contained, Panicked, contain};
pub(crate) use deferral::Deferral;
pub(crate) use failure::DROPPED;
pub(crate) use flight::Flight;
