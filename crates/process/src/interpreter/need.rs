//! What an interpreter that did not start lacked.

use super::Version;
use super::probe::{Question, Refusal, capture};
use crate::config::ByteSize;
use crate::supervisor::Shared;

/// The steps in which a need is measured.
const STEP: ByteSize = ByteSize::mib(64);

/// What an interpreter is given that ended under less: the default of `memory`. Node 24 and 26 take 564 MiB to start,
/// nearly all of it reserved for compiled code, Node 18 to 22 less than 64.
const ENOUGH: ByteSize = ByteSize::gib(4);

/// What is left for a program in the `memory` that is advised.
const ROOM: ByteSize = ByteSize::mib(256);

/// Why the interpreter ended instead of answering: what it says itself, or that it lacks memory, which it does not
/// always say. That it answers with more is the proof, and how much it takes is found by trying.
pub(super) async fn explain(shared: &Shared, question: &Question<'_>, problem: String) -> Refusal {
    let memory = shared.limits.memory;
    let (mut too_little, mut enough) = (memory.as_u64() / STEP.as_u64(), ENOUGH.as_u64() / STEP.as_u64());
    let mut answer = None;
    let mut next = enough;
    while too_little < enough {
        match capture(shared, question, ByteSize::bytes(next * STEP.as_u64())).await {
            Ok(printed) => {
                answer = Some(printed);
                enough = next;
            }
            Err(Refusal::Host(error)) => return Refusal::Host(error),
            // It is not memory that it lacks.
            Err(_) if answer.is_none() => break,
            Err(_) => too_little = next,
        }
        next = too_little.midpoint(enough);
        if next == too_little {
            break;
        }
    }
    let Some(answer) = answer else { return Refusal::Died(problem) };
    let answer = String::from_utf8_lossy(&answer);
    let version = answer.lines().next().and_then(|line| Version::parse(line.split_once(' ')?.1));
    let name = version.map_or_else(|| "it".to_owned(), |version| format!("{} {version}", question.dialect.product));
    let need = enough * STEP.as_u64();
    Refusal::Starved(format!(
        "did not start within the `memory` of {memory}: {name} takes up to {} to start; set `memory` to that and what \
         programs need, such as {}",
        ByteSize::bytes(need),
        ByteSize::bytes(need + ROOM.as_u64())
    ))
}

/// Why an interpreter ended. One that has too little memory says so above a long stack of its own.
pub(crate) fn last_words(stderr: &str, memory: ByteSize) -> String {
    match stderr.lines().find(|line| line.contains("out of memory")) {
        Some(line) => {
            let line = excerpt(line.trim_start_matches(['#', ' ']));
            format!("{line}; it needs more memory than the configured `memory` of {memory}")
        }
        None => excerpt(stderr),
    }
}

/// The last line that says something.
pub(super) fn excerpt(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_that_lacks_memory_is_said_to_and_not_shown_with_its_stack() {
        let stderr = "\n\n#\n# Fatal process out of memory: Failed to reserve virtual memory for CodeRange\n#\n\
                      ----- Native stack trace -----\n\n 1: 0xa9e1c1  [node]\n14: 0x8b0eee _start [node]\n";
        let words = last_words(stderr, ByteSize::mib(512));
        let wanted = "Fatal process out of memory: Failed to reserve virtual memory for CodeRange; \
                      it needs more memory than the configured `memory` of 512MiB";
        assert_eq!(words, wanted);
        assert_eq!(last_words("a warning\nthe last line\n\n", ByteSize::mib(512)), "the last line");
    }
}
