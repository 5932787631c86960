//! What a forged worker does, as a test writes it and as the worker reads it from a file.

use std::time::Duration;

use dayfly::Language;

/// What a forged worker does, in order.
///
/// Beside the steps a second thread reads what the host sends, from the beginning and until [`Step::StopReading`].
/// A worker whose write fails, because the host has closed the socket, exits with code 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The steps. Behind the last one the worker exits with code 0.
    pub steps: Vec<Step>,
}

/// One thing that a forged worker does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the player does every step there is")]
pub enum Step {
    /// Writes these bytes to the socket, all of them: whole frames, a piece of one, or anything.
    Send(Vec<u8>),
    /// Waits.
    Pause(Duration),
    /// Waits until `start` has arrived, or the host has closed.
    AwaitStart,
    /// Waits until so many replies have arrived since the beginning, or the host has closed.
    AwaitReplies(u32),
    /// Reads nothing any more, but for what one buffer holds: the host's writes begin to fill the socket.
    StopReading,
    /// Writes to standard output.
    Stdout(Vec<u8>),
    /// Writes to standard error.
    Stderr(Vec<u8>),
    /// Says that no more frames will come, and stays.
    HalfClose,
    /// Takes no more frames, and stays: the host's writes fail.
    HalfCloseReading,
    /// Ends.
    End(Ending),
}

/// How a forged worker ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the player ends in every way there is")]
pub enum Ending {
    /// It exits with this code.
    Exit(u8),
    /// It kills itself with this signal.
    Kill(u8),
    /// It stays until it is killed.
    Linger,
    /// It closes its socket and spins until it is killed.
    CloseAndSpin,
}

impl Script {
    /// A worker that does nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// A worker that says `ready` as one of `language` does, and waits for its program.
    #[must_use]
    pub fn honest(language: Language) -> Self {
        Self::new().ready(language).step(Step::AwaitStart)
    }

    /// Adds a step.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Says `ready`.
    #[must_use]
    pub fn ready(self, language: Language) -> Self {
        self.frame(0x01, 0, &format!(r#"{{"language":"{}","version":"0"}}"#, language.name()))
    }

    /// Writes these bytes, as they are.
    #[must_use]
    pub fn send(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(Step::Send(bytes.into()))
    }

    /// Writes a well-formed header of this kind and id, and this payload, which nobody has checked.
    #[must_use]
    pub fn frame(self, kind: u8, id: u32, payload: &str) -> Self {
        self.send(frame(kind, id, payload.as_bytes()))
    }

    /// Calls `tools.<name>` with this JSON text.
    #[must_use]
    pub fn call(self, id: u32, name: &str, args: &str) -> Self {
        self.frame(0x02, id, &format!(r#"{{"global":"tools","name":{name:?},"args":{args}}}"#))
    }

    /// Logs a text, which must need no escapes.
    #[must_use]
    pub fn log(self, text: &str) -> Self {
        self.frame(0x03, 0, &format!(r#"{{"source":"console","level":"log","text":"{text}"}}"#))
    }

    /// Completes with this JSON text.
    #[must_use]
    pub fn done(self, value: &str) -> Self {
        self.frame(0x04, 0, &format!(r#"{{"value":{value}}}"#))
    }

    /// Waits.
    #[must_use]
    pub fn pause(self, milliseconds: u64) -> Self {
        self.step(Step::Pause(Duration::from_millis(milliseconds)))
    }

    /// Waits until so many replies have arrived since the beginning.
    #[must_use]
    pub fn await_replies(self, count: u32) -> Self {
        self.step(Step::AwaitReplies(count))
    }

    /// Ends like this.
    #[must_use]
    pub fn end(self, ending: Ending) -> Self {
        self.step(Step::End(ending))
    }
}

/// The sixteen bytes of a header of protocol version 1.
#[must_use]
pub fn header(kind: u8, flags: u8, id: u32, length: u32) -> [u8; 16] {
    let mut bytes = *b"DAYF\x01\0\0\0\0\0\0\0\0\0\0\0";
    bytes[6] = kind;
    bytes[7] = flags;
    bytes[8..12].copy_from_slice(&id.to_le_bytes());
    bytes[12..].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// A frame whose header says the truth about this payload.
///
/// # Panics
///
/// When no header can name the payload's length.
#[must_use]
pub fn frame(kind: u8, id: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a payload has at most 4 GiB");
    [&header(kind, 0, id, length), payload].concat()
}

impl Script {
    /// The script as a file: for each step a byte that says which, the length of what belongs to it (4 bytes, little
    /// end first), and that.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for step in &self.steps {
            let (tag, body) = match step {
                Step::Send(bytes) => (0, bytes.clone()),
                Step::Pause(duration) => {
                    (1, u32::try_from(duration.as_micros()).unwrap_or(u32::MAX).to_le_bytes().to_vec())
                }
                Step::AwaitStart => (2, Vec::new()),
                Step::AwaitReplies(count) => (3, count.to_le_bytes().to_vec()),
                Step::StopReading => (4, Vec::new()),
                Step::Stdout(bytes) => (5, bytes.clone()),
                Step::Stderr(bytes) => (6, bytes.clone()),
                Step::HalfClose => (7, Vec::new()),
                Step::End(Ending::Exit(code)) => (8, vec![*code]),
                Step::End(Ending::Kill(signal)) => (9, vec![*signal]),
                Step::End(Ending::Linger) => (10, Vec::new()),
                Step::HalfCloseReading => (11, Vec::new()),
                Step::End(Ending::CloseAndSpin) => (12, Vec::new()),
            };
            bytes.push(tag);
            bytes.extend(u32::try_from(body.len()).expect("a step has at most 4 GiB").to_le_bytes());
            bytes.extend(body);
        }
        bytes
    }

    /// Reads what [`Script::to_bytes`] wrote; `None` for anything else.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut script = Self::new();
        while let Some((tag, rest)) = bytes.split_first() {
            let (length, rest) = rest.split_first_chunk()?;
            let (body, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
            bytes = rest;
            let number = || body.try_into().map(u32::from_le_bytes).ok();
            script.steps.push(match tag {
                0 => Step::Send(body.to_vec()),
                1 => Step::Pause(Duration::from_micros(number()?.into())),
                2 => Step::AwaitStart,
                3 => Step::AwaitReplies(number()?),
                4 => Step::StopReading,
                5 => Step::Stdout(body.to_vec()),
                6 => Step::Stderr(body.to_vec()),
                7 => Step::HalfClose,
                8 => Step::End(Ending::Exit(*body.first()?)),
                9 => Step::End(Ending::Kill(*body.first()?)),
                10 => Step::End(Ending::Linger),
                11 => Step::HalfCloseReading,
                12 => Step::End(Ending::CloseAndSpin),
                _ => return None,
            });
        }
        Some(script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_survives_its_file() {
        let script = Script::honest(Language::TypeScript)
            .call(1, "echo", "[1]")
            .await_replies(1)
            .pause(3)
            .step(Step::StopReading)
            .step(Step::Stdout(b"out".to_vec()))
            .step(Step::Stderr(Vec::new()))
            .step(Step::HalfClose)
            .end(Ending::Exit(7))
            .end(Ending::Kill(9))
            .step(Step::HalfCloseReading)
            .end(Ending::Linger)
            .end(Ending::CloseAndSpin);
        let bytes = script.to_bytes();
        assert_eq!(Script::from_bytes(&bytes), Some(script));
        assert_eq!(Script::from_bytes(&bytes[..bytes.len() - 1]), None);
    }
}
