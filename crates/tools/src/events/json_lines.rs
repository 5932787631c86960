//! Events as lines of JSON.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{SessionEvent, SessionEvents};
use crate::pipeline::contain;

/// So many bytes wait before they are written, unless every event is.
const BUFFERED: usize = 64 * 1_024;
/// So many bytes wait for a writer that fails. An event that does not fit is lost, whole.
const WAITING: usize = 16 * 1_024 * 1_024;

/// When what was recorded is handed to the operating system. That it reaches the disk is the operating system's affair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Flush {
    /// With every event: a process that is killed loses nothing.
    #[default]
    EachEvent,
    /// When 64 KiB wait, with [`JsonLines::flush`], and when the last clone is dropped.
    Buffered,
}

/// Appends events to a writer, one line each; clones share it.
///
/// Writing happens within the call that is recorded, so the writer should be a file or something as quick. When it fails,
/// the call goes on: events wait, in order and up to 16 MiB, and are written when the writer takes them again, from the
/// byte at which it stopped, so that no line is torn. What does not fit is lost and counted. [`check`](Self::check) says so.
pub struct JsonLines<W: Write + Send> {
    lines: Arc<Mutex<Lines<W>>>,
}

struct Lines<W: Write> {
    writer: W,
    flush: Flush,
    waiting: Vec<u8>,
    /// The first failure since somebody asked.
    failed: Option<io::Error>,
    /// Events that were lost since somebody asked.
    lost: u64,
}

/// What went wrong since somebody asked last.
#[derive(Debug, thiserror::Error)]
#[error(
    "session events could not be written: {source} ({lost} lost, {waiting} bytes waiting); make room or give another writer"
)]
#[non_exhaustive]
pub struct JsonLinesError {
    /// The first failure of the writer.
    pub source: io::Error,
    /// Events that are lost.
    pub lost: u64,
    /// Bytes that still wait to be written.
    pub waiting: usize,
}

impl JsonLines<File> {
    /// Appends to the file of this path, which is created when it is not there.
    ///
    /// A last line that an earlier process left without its end is ended first.
    ///
    /// # Errors
    ///
    /// What opening or reading the file failed with.
    pub fn append_to(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(0))? > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        let lines = Self::new(file);
        if last != [b'\n'] {
            lines.lines().waiting.push(b'\n');
        }
        Ok(lines)
    }
}

impl<W: Write + Send> JsonLines<W> {
    /// Appends to this writer, with every event.
    #[must_use]
    pub fn new(writer: W) -> Self {
        let lines = Lines { writer, flush: Flush::default(), waiting: Vec::new(), failed: None, lost: 0 };
        Self { lines: Arc::new(Mutex::new(lines)) }
    }

    /// Says when what was recorded is written, for all clones.
    #[must_use]
    pub fn flushed(self, flush: Flush) -> Self {
        self.lines().flush = flush;
        self
    }

    /// Writes all that waits.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn flush(&self) -> Result<(), JsonLinesError> {
        let mut lines = self.lines();
        lines.write();
        lines.check()
    }

    /// Says what went wrong since it was asked last, and forgets it.
    ///
    /// # Errors
    ///
    /// [`JsonLinesError`] when the writer failed.
    pub fn check(&self) -> Result<(), JsonLinesError> {
        self.lines().check()
    }

    fn lines(&self) -> MutexGuard<'_, Lines<W>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write + Send> SessionEvents for JsonLines<W> {
    fn record(&self, event: SessionEvent) {
        let line = event.to_json().to_string();
        let mut lines = self.lines();
        lines.push(&line);
        if lines.flush == Flush::EachEvent || lines.waiting.len() >= BUFFERED {
            lines.write();
        }
    }
}

impl<W: Write> Lines<W> {
    fn push(&mut self, line: &str) {
        // One event is taken whatever its size; it is only behind a writer that fails that they pile up.
        let full = !self.waiting.is_empty() && self.waiting.len() + line.len() >= WAITING;
        if full {
            self.write();
        }
        if full && !self.waiting.is_empty() {
            self.lost += 1;
            return;
        }
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
    }

    /// Writes what waits, as far as the writer takes it.
    fn write(&mut self) {
        let mut written = 0;
        let failed = loop {
            if written == self.waiting.len() {
                break contain(|| self.writer.flush()).unwrap_or_else(|_| Err(panicked())).err();
            }
            // The writer is a user's. What it took before it panicked is not known: what it took before that is.
            match contain(|| self.writer.write(&self.waiting[written..])).unwrap_or_else(|_| Err(panicked())) {
                Ok(0) => break Some(io::ErrorKind::WriteZero.into()),
                Ok(taken) => written += taken.min(self.waiting.len() - written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Some(error),
            }
        };
        self.waiting.drain(..written);
        if let Some(error) = failed.filter(|_| self.failed.is_none()) {
            tracing::warn!("session events could not be written: {error}");
            self.failed = Some(error);
        }
    }

    fn check(&mut self) -> Result<(), JsonLinesError> {
        let lost = std::mem::take(&mut self.lost);
        match self.failed.take() {
            Some(source) => Err(JsonLinesError { source, lost, waiting: self.waiting.len() }),
            None => Ok(()),
        }
    }
}

fn panicked() -> io::Error {
    io::Error::other("the writer panicked")
}

impl<W: Write> Drop for Lines<W> {
    fn drop(&mut self) {
        // The writer is a user's: a panic in it while another one unwinds would end the process.
        let _panicked = contain(|| self.write());
    }
}

impl<W: Write + Send> Clone for JsonLines<W> {
    fn clone(&self) -> Self {
        Self { lines: Arc::clone(&self.lines) }
    }
}

impl<W: Write + Send> fmt::Debug for JsonLines<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonLines").field("waiting", &self.lines().waiting.len()).finish_non_exhaustive()
    }
}
