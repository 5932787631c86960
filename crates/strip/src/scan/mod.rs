//! The linear look at a text that decides whether the parser may see it.
//!
//! The parser recurses on what it reads and, where TypeScript is ambiguous, tries one reading and then the other, inside which
//! it tries again. Nothing can stop it once it runs. So its cost is bounded from the tokens beforehand: how deep they
//! can nest ([`budget`]) and how often they can be read. For the bounds to hold, no bracket may hide from
//! the scan: a text of which the scan cannot tell what is a literal and what is code ([`slash`]) is refused.

mod budget;
mod lexer;
mod slash;

use crate::{StripError, StripErrorKind, StripLimits};
use budget::Budget;
use lexer::Lexer;

/// Why the scan refuses a text.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) kind: StripErrorKind,
    /// Where. `None` when the whole text is meant.
    pub(crate) offset: Option<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

/// Checks a text against the limits.
pub(crate) fn scan(source: &str, limits: &StripLimits) -> Result<(), StripError> {
    check(source, limits).map_err(|refused| match refused.offset {
        Some(offset) => StripError::at(refused.kind, source, offset, refused.message, refused.hint),
        None => StripError::nowhere(refused.kind, refused.message, refused.hint),
    })
}

fn check(source: &str, limits: &StripLimits) -> Result<(), Refused> {
    if source.len() > limits.max_source_bytes {
        return Err(Refused {
            kind: StripErrorKind::Limit,
            offset: None,
            message: format!(
                "the program has {} bytes, and at most {} are allowed",
                source.len(),
                limits.max_source_bytes
            ),
            hint: Some("keep data out of the program: read it with a tool, or build it in a loop"),
        });
    }
    let mut lexer = Lexer::new(source);
    let mut budget = Budget::new(limits);
    while let Some(token) = lexer.next()? {
        budget.spend(&token)?;
    }
    Ok(())
}

/// The work that the scan estimates for a text, for comparison with the time it takes.
#[cfg(test)]
pub(crate) fn work(source: &str) -> Option<u64> {
    let limits =
        StripLimits { max_source_bytes: usize::MAX, max_depth: usize::MAX, max_run: usize::MAX, max_work: u64::MAX };
    let mut lexer = Lexer::new(source);
    let mut budget = Budget::new(&limits);
    while let Some(token) = lexer.next().ok()? {
        budget.spend(&token).ok()?;
    }
    Some(budget.work())
}
