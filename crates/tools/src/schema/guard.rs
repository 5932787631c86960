//! What keeps a recursive validator within its means: a budget of steps and the end of the stack.
//!
//! The validator's own code cannot be stopped, but it must ask for every value that it looks at. An innocent schema can
//! cost 2^depth steps (a recursive `oneOf` whose branches recurse before they look at their tags), and the frames for one
//! level of a value depend on the schema; so both are metered where they are spent and nothing is assumed of either.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// The stack that validation may take of the thread that asks for it: an eighth of what tokio's workers have. Measured in a
/// debug build, a level of a value takes 2 to 6 KiB, so this is enough for some fifty.
const OWN_STACK: usize = 256 << 10;
/// The references that may be followed one after the other on that stack: none of them looks at the value. Measured in a
/// debug build, each takes less than 1 KiB.
const OWN_REFERENCES: usize = 128;
/// The stack of the thread that takes over; only what is touched of it is ever memory.
const LARGE_STACK: usize = 64 << 20;
/// What is left untouched of the large stack, for whatever recurses without looking at values: as many references as a
/// schema may have.
const RESERVED_STACK: usize = 16 << 20;

/// Validation was stopped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stopped {
    pub(super) why: Stop,
    /// The ordinal of the innermost value that something was found wrong with.
    pub(super) refused: Option<usize>,
}

/// Why validation was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Its steps were spent.
    Steps,
    /// Its stack was spent.
    Stack,
    /// It found more violations than anyone will read.
    Violations,
    /// The host gave no thread.
    NoThread,
}

/// What one validation may spend.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Looks at values.
    pub(super) steps: u64,
    /// Violations to keep.
    pub(super) violations: u32,
    /// References in the schema.
    pub(super) references: usize,
}

/// What one validation may still spend.
pub(super) struct Guard {
    steps: Cell<u64>,
    violations: Cell<u32>,
    /// The innermost value that was refused, and how far down the stack that was.
    refused: Cell<Option<(usize, usize)>>,
    /// The lowest address that the stack may reach; it grows down on every architecture that is supported.
    floor: usize,
}

impl Guard {
    /// Accounts for looks at a value.
    pub(super) fn step(&self, looks: u64) {
        let Some(left) = self.steps.get().checked_sub(looks) else { self.stop(Stop::Steps) };
        self.steps.set(left);
        if address() < self.floor {
            self.stop(Stop::Stack);
        }
    }

    /// Accounts for one violation, by the value with this ordinal.
    pub(super) fn violation(&self, ordinal: usize) {
        let here = address();
        if self.refused.get().is_none_or(|(_, there)| here < there) {
            self.refused.set(Some((ordinal, here)));
        }
        let Some(left) = self.violations.get().checked_sub(1) else { self.stop(Stop::Violations) };
        self.violations.set(left);
    }

    /// Validation is somebody else's recursion, so the only way out of it is to unwind; the panic hook is not told.
    fn stop(&self, why: Stop) -> ! {
        resume_unwind(Box::new(Stopped { why, refused: self.refused.get().map(|(ordinal, _)| ordinal) }))
    }
}

/// An address near the top of the stack.
fn address() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(&marker).addr()
}

/// Does `work` within its means: on this thread if a little stack is enough, and if not, again on one with a large stack.
///
/// # Errors
///
/// [`Stopped`].
pub(super) fn within<T: Send>(budget: Budget, work: impl Fn(&Guard) -> T + Send + Sync) -> Result<T, Stopped> {
    if budget.references <= OWN_REFERENCES {
        match attempt(OWN_STACK, budget, &work) {
            Err(Stopped { why: Stop::Stack, .. }) => {}
            settled => return settled,
        }
    }
    on_large_stack(|| attempt(LARGE_STACK - RESERVED_STACK, budget, &work))?
}

/// Does `work` on a thread of its own with a large stack.
///
/// # Errors
///
/// [`Stopped`] for [`Stop::NoThread`].
///
/// # Panics
///
/// When `work` does.
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("dayfly-schema".to_owned()).stack_size(LARGE_STACK);
        let running = builder.spawn_scoped(scope, work).map_err(|_| Stopped { why: Stop::NoThread, refused: None })?;
        Ok(running.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

fn attempt<T>(stack: usize, budget: Budget, work: impl Fn(&Guard) -> T) -> Result<T, Stopped> {
    let guard = Guard {
        steps: Cell::new(budget.steps),
        violations: Cell::new(budget.violations),
        refused: Cell::new(None),
        floor: address().saturating_sub(stack),
    };
    catch_unwind(AssertUnwindSafe(|| work(&guard))).map_err(|panic| match panic.downcast::<Stopped>() {
        Ok(stopped) => *stopped,
        Err(panic) => resume_unwind(panic),
    })
}
