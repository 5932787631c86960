//! What a host function gave, as a frame.

use std::any::Any;

use bytes::Bytes;
use dayfly_runtime::{CallError, Json};
use dayfly_wire::{HostMessage, WireLimits};

/// A longer error text is cut: it goes to a model, and a tool may fail with anything.
const LONGEST_TEXT: usize = 64 << 10;

/// A value of this memory size is printed where it blocks nobody.
const LARGE: usize = 256 << 10;

/// An answered call.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) frame: Bytes,
    pub(super) succeeded: bool,
}

/// Makes replies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replies {
    /// Whether the program's numbers are all doubles.
    doubles_only: bool,
    limits: WireLimits,
}

impl Replies {
    pub(super) const fn new(doubles_only: bool, limits: WireLimits) -> Self {
        Self { doubles_only, limits }
    }

    /// The reply to a call whose function ended like this; a panic is the payload's.
    pub(super) async fn answer(
        self,
        id: u32,
        label: &str,
        ended: Result<Result<Json, CallError>, Box<dyn Any + Send>>,
    ) -> Answer {
        match ended {
            Ok(Ok(value)) if value.memory_size() > LARGE => {
                let label = label.to_owned();
                let printed = tokio::task::spawn_blocking(move || self.success(id, &label, value)).await;
                printed.unwrap_or_else(|_| self.failed(id, "the host could not print the result"))
            }
            Ok(Ok(value)) => self.success(id, label, value),
            Ok(Err(error)) => self.failed(id, &error.message),
            Err(panic) => {
                let text = panic_text(panic.as_ref());
                tracing::error!(call = label, panic = text, "a host function panicked");
                self.failed(id, "the host function panicked; this is a defect of the host, not of the program")
            }
        }
    }

    /// A reply that fails the call.
    pub(super) fn failure(self, id: u32, message: &str) -> Bytes {
        let outcome = Err(cut(message));
        // A text that is cut to its cap fits every frame that a configuration allows.
        HostMessage::Reply { id, outcome }.encode().unwrap_or_default()
    }

    fn failed(self, id: u32, message: &str) -> Answer {
        Answer { frame: self.failure(id, message), succeeded: false }
    }

    fn success(self, id: u32, label: &str, value: Json) -> Answer {
        if self.doubles_only
            && let Err(refusal) = value.check_doubles()
        {
            let problem = format!("the result of {label} cannot be sent to a TypeScript program: {refusal}");
            return self.failed(id, &problem);
        }
        if let Err(refusal) = value.check_depth(self.limits.max_depth) {
            return self.failed(id, &format!("the result of {label} cannot be sent to the program: {refusal}"));
        }
        match (HostMessage::Reply { id, outcome: Ok(value) }).encode_within(self.limits.max_frame_bytes) {
            Ok(frame) => Answer { frame, succeeded: true },
            Err(error) => self.failed(id, &format!("the result of {label} cannot be sent to the program: {error}")),
        }
    }
}

fn cut(message: &str) -> String {
    if message.len() <= LONGEST_TEXT {
        return message.to_owned();
    }
    let end = message.floor_char_boundary(LONGEST_TEXT);
    format!("{}… ({} more bytes)", &message[..end], message.len() - end)
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("(not a text)")
}

#[cfg(test)]
mod tests {
    use dayfly_wire::{Decoder, Side};

    use super::*;

    async fn outcome(doubles_only: bool, value: &str) -> Result<Json, String> {
        let limits = WireLimits::new(1 << 20, 1 << 20, 3);
        let replies = Replies::new(doubles_only, limits);
        let answer = replies.answer(1, "tools.t", Ok(Ok(Json::parse(value).unwrap()))).await;
        let mut decoder = Decoder::of(Side::Host, limits);
        decoder.feed(&answer.frame);
        let frame = decoder.next().unwrap().unwrap();
        let HostMessage::Reply { outcome, .. } = HostMessage::decode(&frame, &limits).unwrap() else {
            panic!("a reply")
        };
        assert_eq!(answer.succeeded, outcome.is_ok());
        outcome
    }

    #[tokio::test]
    async fn a_result_that_is_too_deep_fails_that_call() {
        assert!(outcome(true, "[[[1]]]").await.is_ok());
        let message = outcome(true, "[[[[1]]]]").await.unwrap_err();
        assert!(message.contains("tools.t") && message.contains("[0][0][0]"), "{message}");
    }

    #[tokio::test]
    async fn an_integer_that_no_double_holds_reaches_python_alone() {
        assert!(outcome(false, "9007199254740993").await.is_ok());
        let message = outcome(true, r#"{"id": 9007199254740993}"#).await.unwrap_err();
        assert!(message.contains("id") && message.contains("string"), "{message}");
    }

    #[tokio::test]
    async fn a_result_that_is_too_long_fails_that_call() {
        let long = format!("{:?}", "x".repeat(2 << 20));
        let message = outcome(true, &long).await.unwrap_err();
        assert!(message.contains("limit of 1048576"), "{message}");
    }

    #[tokio::test]
    async fn an_error_text_of_any_length_is_cut() {
        let replies = Replies::new(true, WireLimits::new(1 << 20, 1 << 20, 3));
        let answer = replies.answer(1, "tools.t", Ok(Err(CallError::new("é".repeat(1 << 20))))).await;
        assert!(!answer.succeeded && answer.frame.len() < 2 * LONGEST_TEXT, "{}", answer.frame.len());
    }
}
