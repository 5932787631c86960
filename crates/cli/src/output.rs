//! What is printed, and where: results on standard output, everything else on standard error.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use dayfly::{Outcome, RunResult, StartMethod};

/// Standard output could not take the result.
#[derive(Debug, thiserror::Error)]
#[error("failed to write to standard output: {0}")]
pub(crate) struct OutputError(io::Error);

/// Prints a result. A standard output that was closed is not an error: nobody wants to read on.
pub(crate) fn print(text: &str) -> Result<(), OutputError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(OutputError(error)),
        _ => Ok(()),
    }
}

/// Says something to the person at the terminal.
pub(crate) fn note(text: &str) {
    // Standard error may be closed as well, and then nobody is there to be told.
    let _ = writeln!(io::stderr().lock(), "dayfly: {text}");
}

/// One line about a failed run for the person at the terminal: what it took and what its calls came to.
pub(crate) fn diagnosis(result: &RunResult) -> Option<String> {
    let failure = result.failure.as_ref()?;
    let usage = &result.usage;
    let kind = failure.kind().name();
    let mut text = if result.start == StartMethod::None {
        format!("{kind}; no worker was started")
    } else {
        format!("{kind} after {} (CPU {})", duration(usage.wall), duration(usage.cpu))
    };
    let outcomes = [Outcome::Succeeded, Outcome::Failed, Outcome::Cancelled, Outcome::Abandoned, Outcome::NotStarted];
    let counts = outcomes.map(|outcome| (outcome, count(result, outcome)));
    let mut separator = "; calls: ";
    for (outcome, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{separator}{count} {}", outcome.name());
        separator = ", ";
    }
    Some(text)
}

/// A duration as people write it: `1.5s`, and from a minute on `2m 3s`.
fn duration(duration: Duration) -> String {
    if duration < Duration::from_secs(60) {
        return format!("{duration:.1?}");
    }
    humantime::format_duration(Duration::from_secs(duration.as_secs())).to_string()
}

fn count(result: &RunResult, outcome: Outcome) -> u64 {
    let listed = result.receipts.calls.iter().filter(|receipt| receipt.outcome == outcome).map(|_| 1);
    let rest = result.receipts.rest.iter().map(|counts| match outcome {
        Outcome::Succeeded => counts.succeeded,
        Outcome::Failed => counts.failed,
        Outcome::Cancelled => counts.cancelled,
        Outcome::Abandoned => counts.abandoned,
        Outcome::NotStarted => counts.not_started,
    });
    listed.chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_people_write_them() {
        for (milliseconds, text) in
            [(7, "7.0ms"), (1_530, "1.5s"), (59_000, "59.0s"), (123_900, "2m 3s"), (3_600_000, "1h")]
        {
            assert_eq!(duration(Duration::from_millis(milliseconds)), text);
        }
    }
}
