//! Holding a value against a schema.

use dayfly_runtime::Json;

use super::describe::Describe;
use super::flat::FlatNode;
use super::guard::{Budget, Stop, within};
use super::path::path_of;
use super::{Schema, Violation, Violations};

/// The deepest value that is held against a schema; deeper is refused with the path.
pub const MAX_VALUE_DEPTH: usize = 256;
/// The most violations that are named; the text says when there are more.
pub const MAX_VIOLATIONS: usize = 32;

/// The most violations that are looked for: the validator keeps all it finds until it is done.
const MAX_FOUND: u32 = 4_096;
/// Looks at a small value: some tens of milliseconds.
const BASE_STEPS: u64 = 2_000_000;
/// Looks for explaining what is wrong with it.
const EXPLAIN_STEPS: u64 = 200_000;
/// Looks for each byte that a value takes: 64 for each element of an array of numbers.
const STEPS_PER_BYTE: u64 = 4;

impl Schema {
    /// Holds a value against the schema.
    ///
    /// A schema that asks nothing (`true`, or annotations alone) takes every value, of any depth. Any other
    /// takes time in proportion to the value, and a thread of its own for as long as the value is nested deeply.
    ///
    /// # Errors
    ///
    /// The [`Violations`], one of which may say that the value is beyond a limit.
    pub fn check(&self, value: &Json) -> Result<(), Violations> {
        if self.asks_nothing {
            return Ok(());
        }
        value.check_depth(MAX_VALUE_DEPTH).map_err(|refusal| Violations::one(refusal.path, refusal.reason))?;
        // Only whether it is valid is asked first: to explain a violation costs a path for each.
        let size = u64::try_from(value.memory_size()).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_BYTE);
        let budget =
            |base| Budget { steps: size.saturating_add(base), violations: MAX_FOUND, references: self.references };
        match within(budget(BASE_STEPS), |guard| self.validator.is_valid(FlatNode::new(value.root(), guard))) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.explain(value, budget(EXPLAIN_STEPS))),
            Err(stopped) => Err(Violations::one(String::new(), refusal(stopped.why).to_owned())),
        }
    }

    /// All violations, or the first where finding all takes too much.
    fn explain(&self, value: &Json, budget: Budget) -> Violations {
        let describe = Describe { value: value.root(), document: self.document.root() };
        let all = within(budget, |guard| {
            let errors = self.validator.iter_errors(FlatNode::new(value.root(), guard));
            let mut named: Vec<Violation> = Vec::new();
            for violation in errors.map(|error| describe.violation(&error)) {
                // Two branches of a schema may find the same.
                if named.contains(&violation) {
                    continue;
                }
                if named.len() == MAX_VIOLATIONS {
                    return Violations { named, more: true };
                }
                named.push(violation);
            }
            Violations { named, more: false }
        });
        all.unwrap_or_else(|_| Violations { named: vec![self.first_violation(value, budget, &describe)], more: true })
    }

    fn first_violation(&self, value: &Json, budget: Budget, describe: &Describe<'_>) -> Violation {
        let first = within(budget, |guard| {
            let error = self.validator.validate(FlatNode::new(value.root(), guard)).err();
            error.map(|error| describe.violation(&error))
        });
        let (problem, refused) = match first {
            Ok(Some(violation)) => return violation,
            Ok(None) => ("does not match the schema", None),
            Err(stopped) => ("does not match any alternative of the schema; begin here", stopped.refused),
        };
        let path = refused.map_or_else(String::new, |ordinal| path_of(value.root(), ordinal));
        Violation { path, problem: problem.to_owned() }
    }
}

const fn refusal(why: Stop) -> &'static str {
    match why {
        Stop::Steps => "is too intricate to be held against this schema; flatten it or send less at once",
        Stop::Stack => "is nested too deeply to be held against this schema; flatten it",
        Stop::Violations => "has too many violations to be explained; send less at once",
        Stop::NoThread => "could not be checked, because the host has no thread to spare; try again",
    }
}
