//! Holding a value against a schema.

use dayfly_runtime::Json;

use super::describe::Describe;
use super::flat::FlatNode;
use super::guard::{Stop, within};
use super::{Schema, Violation, Violations};

/// The deepest value that is held against a schema; deeper is refused with the path.
pub const MAX_VALUE_DEPTH: usize = 256;
/// The most violations that are named; the text says when there are more.
pub const MAX_VIOLATIONS: usize = 32;

/// The most violations that are looked for: the validator keeps all it finds until it is done.
const MAX_FOUND: u32 = 10_000;
/// Looks at a small value: some tens of milliseconds.
const BASE_STEPS: u64 = 2_000_000;
/// Looks for each byte that a value takes: 64 for each element of an array of numbers.
const STEPS_PER_BYTE: u64 = 4;

impl Schema {
    /// Holds a value against the schema.
    ///
    /// Asks only whether it is valid first, because explaining a violation costs a path for each.
    ///
    /// # Errors
    ///
    /// The [`Violations`].
    pub(crate) fn check(&self, value: &Json) -> Result<(), Violations> {
        value.check_depth(MAX_VALUE_DEPTH).map_err(|refusal| Violations::one(refusal.path, refusal.reason))?;
        let steps = u64::try_from(value.memory_size()).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_BYTE);
        let steps = steps.saturating_add(BASE_STEPS);
        let valid = within(steps, MAX_FOUND, |guard| self.validator.is_valid(FlatNode::new(value.root(), guard)));
        match valid {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(stop) => return Err(Violations::one(String::new(), stopped(stop).to_owned())),
        }
        let describe = Describe { value: value.root(), document: self.document.root() };
        let all = within(steps, MAX_FOUND, |guard| {
            let errors = self.validator.iter_errors(FlatNode::new(value.root(), guard));
            let mut named: Vec<Violation> =
                errors.take(MAX_VIOLATIONS + 1).map(|error| describe.violation(&error)).collect();
            let more = named.len() > MAX_VIOLATIONS;
            named.truncate(MAX_VIOLATIONS);
            Violations { named, more }
        });
        Err(all.unwrap_or_else(|_| self.first_violation(value, steps, &describe)))
    }

    /// One violation, where finding all of them takes too much.
    fn first_violation(&self, value: &Json, steps: u64, describe: &Describe<'_>) -> Violations {
        let first = within(steps, MAX_FOUND, |guard| {
            let error = self.validator.validate(FlatNode::new(value.root(), guard)).err()?;
            Some(describe.violation(&error))
        });
        let unexplained = || Violation { path: String::new(), problem: "does not match the schema".to_owned() };
        Violations { named: vec![first.ok().flatten().unwrap_or_else(unexplained)], more: true }
    }
}

const fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Steps => "is too intricate to be held against this schema; flatten it or send less at once",
        Stop::Stack => "is nested too deeply to be held against this schema; flatten it",
        Stop::Violations => "has too many violations to be explained; send less at once",
        Stop::NoThread => "could not be checked, because the host has no thread to spare; try again",
    }
}
