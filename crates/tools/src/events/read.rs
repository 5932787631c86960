//! Reading events back.

use std::io::{self, BufRead};

use dayfly_runtime::Json;
use dayfly_runtime::json::ParseError;

use super::{EventError, SessionEvent};

/// A line that could not be read back as an event.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The line is not JSON: torn, most often, by a process that was killed.
    #[error("line {line} is not JSON: {source}")]
    NotJson {
        /// The line, from 1.
        line: u64,
        /// Why.
        source: ParseError,
    },
    /// The line is not an event of this crate.
    #[error("line {line} is not an event of tools: {source}")]
    NotAnEvent {
        /// The line, from 1.
        line: u64,
        /// Why.
        source: EventError,
    },
    /// The reader failed.
    #[error("line {line} could not be read: {source}")]
    Io {
        /// The line, from 1.
        line: u64,
        /// Why.
        source: io::Error,
    },
}

/// The events of a log of lines, in order; blank lines are passed over.
///
/// A line that is not an event is an item of its own, and the lines behind it are read all the same; a reader that fails is
/// the last item. The log is trusted: lines of any length and depth are read whole.
pub fn read_events(reader: impl BufRead) -> impl Iterator<Item = Result<SessionEvent, ReadError>> {
    let mut failed = false;
    (1..)
        .zip(reader.split(b'\n'))
        .map_while(move |(line, bytes)| {
            // Some readers fail for ever.
            let read = (!failed).then(|| bytes.map_err(|source| ReadError::Io { line, source }))?;
            failed = read.is_err();
            Some((line, read))
        })
        .filter_map(|(line, bytes)| match bytes {
            Ok(bytes) if bytes.trim_ascii().is_empty() => None,
            Ok(bytes) => Some(event(line, &bytes)),
            Err(error) => Some(Err(error)),
        })
}

fn event(line: u64, bytes: &[u8]) -> Result<SessionEvent, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let source = ParseError::NotUtf8 { offset: error.valid_up_to() };
        ReadError::NotJson { line, source }
    })?;
    let json = Json::parse(text).map_err(|source| ReadError::NotJson { line, source })?;
    SessionEvent::from_json(&json).map_err(|source| ReadError::NotAnEvent { line, source })
}
