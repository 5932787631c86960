//! How runs begin, wait, overlap and end.

mod admission;
mod budgets;
mod consumption;
mod ignored;
mod last_words;
mod receipts;
mod shutdown;
mod stopping;

use dayfly::{Language, Outcome, RunResult};

/// Runs `test` in each language.
async fn in_both(test: impl AsyncFn(Language)) {
    for language in Language::ALL {
        test(language).await;
    }
}

/// Names and outcomes of the receipts, in the order of the calls.
fn outcomes(result: &RunResult) -> Vec<(&str, Outcome)> {
    result.receipts.calls.iter().map(|call| (call.name.as_str(), call.outcome)).collect()
}

/// What was printed, joined by line breaks.
fn printed(result: &RunResult) -> String {
    result.logs.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join("\n")
}
