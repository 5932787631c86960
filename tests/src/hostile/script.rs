//! What a hostile peer does to its socket, step by step, whoever plays it.

use std::time::Duration;

/// The steps of one peer, and its end.
#[derive(Debug, Clone)]
pub struct Script {
    /// The steps.
    pub acts: Vec<Act>,
    /// What comes after them.
    pub then: Then,
}

/// One step.
#[derive(Debug, Clone)]
pub enum Act {
    /// Writes these bytes, however long it takes.
    Send(Vec<u8>),
    /// Writes these bytes so many times.
    Repeat(Vec<u8>, u32),
    /// Writes these bytes one by one, with this pause between them.
    Trickle(Vec<u8>, Duration),
    /// Calls the tool of this name with `{}`, so many times from this id on.
    Calls(&'static str, u32, u32),
    /// Reads one reply and keeps it.
    AwaitReply,
    /// Reads nothing any more: only a forged worker would without being asked to.
    StopReading,
    /// Closes the socket.
    Close,
    /// Closes the half that the host reads from.
    CloseWriting,
    /// Closes the half that the host writes to.
    CloseReading,
}

/// The end of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Completes with the replies, each as `[failed, value]`.
    Return,
    /// Sleeps, and neither reads nor writes.
    Sleep,
    /// Spins.
    Spin,
    /// Exits with this code.
    Exit(u8),
}

impl Script {
    /// Writes these bytes and goes to sleep: the host has to end it.
    #[must_use]
    pub fn send(bytes: impl Into<Vec<u8>>) -> Self {
        Self { acts: vec![Act::Send(bytes.into())], then: Then::Sleep }
    }

    /// Does nothing yet.
    #[must_use]
    pub fn of(acts: impl Into<Vec<Act>>, then: Then) -> Self {
        Self { acts: acts.into(), then }
    }
}

/// Bytes as pieces that are each repeated so many times: a payload of a million equal bytes is a short text.
pub(super) fn pieces(bytes: &[u8]) -> Vec<(Vec<u8>, usize)> {
    const WORTH_IT: usize = 64;
    let mut pieces: Vec<(Vec<u8>, usize)> = Vec::new();
    for run in bytes.chunk_by(|left, right| left == right) {
        match pieces.last_mut() {
            _ if run.len() >= WORTH_IT => pieces.push((vec![run[0]], run.len())),
            Some((piece, 1)) => piece.extend_from_slice(run),
            Some(_) | None => pieces.push((run.to_vec(), 1)),
        }
    }
    pieces
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_put_together_are_the_bytes() {
        for bytes in
            [vec![], b"a".to_vec(), vec![7; 1_000], [b"head".to_vec(), vec![b'['; 300], b"tail".to_vec()].concat()]
        {
            let joined: Vec<u8> = pieces(&bytes).into_iter().flat_map(|(piece, times)| piece.repeat(times)).collect();
            assert_eq!(joined, bytes);
        }
        assert_eq!(pieces(&vec![7; 1_000]).len(), 1);
    }
}
