//! What a program prints, and the one ledger that bounds it.

use std::collections::VecDeque;
use std::sync::Arc;

use dayfly_runtime::{LogEntry, LogLevel, LogSource};

use super::dump;
use super::watch::Watch;

/// The last words on standard error that a report carries, in bytes.
const TAIL_BYTES: usize = 4 << 10;

/// The output cap was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

/// Counts serialized bytes against the output cap.
///
/// An entry of the logs costs what it takes as a JSON object with one separator, the completion value what it takes as
/// JSON, the failure's message what it takes as a JSON string.
#[derive(Debug)]
pub(super) struct Ledger {
    left: u64,
}

impl Ledger {
    pub(super) const fn new(limit: u64) -> Self {
        Self { left: limit }
    }

    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Full> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(bytes).ok_or(Full)?;
        Ok(())
    }
}

/// Everything that a run has printed so far.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) ledger: Ledger,
    logs: Vec<LogEntry>,
    stdout: Lines,
    stderr: Lines,
    /// Where the last native lines of standard error stand in the logs: as many as a dump may have.
    last_errors: VecDeque<usize>,
    watch: Arc<Watch>,
}

impl Output {
    pub(super) fn new(limit: u64, watch: Arc<Watch>) -> Self {
        Self {
            ledger: Ledger::new(limit),
            logs: Vec::new(),
            stdout: Lines::new(LogSource::Stdout, LogLevel::Log),
            stderr: Lines::new(LogSource::Stderr, LogLevel::Error),
            last_errors: VecDeque::new(),
            watch,
        }
    }

    /// Keeps an entry, if it fits.
    pub(super) fn log(&mut self, entry: LogEntry) -> Result<(), Full> {
        self.ledger.charge(entry_cost(&entry))?;
        self.watch.log(&entry);
        self.logs.push(entry);
        Ok(())
    }

    /// Keeps an entry that came in a frame of so many bytes, if it fits.
    ///
    /// An escape takes six times the byte that it stands for; what a frame holds beyond that is padding, and is charged.
    pub(super) fn framed(&mut self, entry: LogEntry, bytes: usize) -> Result<(), Full> {
        self.ledger.charge((bytes / 6).saturating_sub(entry_cost(&entry)))?;
        self.log(entry)
    }

    /// Adds a note of Dayfly's own for the reader, if it fits.
    pub(super) fn note(&mut self, text: String) {
        // A note that does not fit is no reason to fail a program that completed.
        let _ = self.log(LogEntry::new(LogSource::Console, LogLevel::Warn, text));
    }

    /// Takes what was written natively to a descriptor.
    pub(super) fn native(&mut self, source: LogSource, bytes: &[u8]) -> Result<(), Full> {
        let lines = if source == LogSource::Stderr { &mut self.stderr } else { &mut self.stdout };
        let room = usize::try_from(self.ledger.left()).unwrap_or(usize::MAX);
        // A line that never ends is bounded like one that does.
        let entries = lines.take(bytes, room);
        for entry in entries {
            self.native_line(entry)?;
        }
        let partial = self.stdout.partial.len().saturating_add(self.stderr.partial.len());
        if u64::try_from(partial).unwrap_or(u64::MAX) > self.ledger.left() { Err(Full) } else { Ok(()) }
    }

    /// Keeps the lines that the process ended without ending, if they fit.
    pub(super) fn finish(&mut self) {
        for entry in [self.stdout.finish(), self.stderr.finish()].into_iter().flatten() {
            let _ = self.native_line(entry);
        }
    }

    fn native_line(&mut self, entry: LogEntry) -> Result<(), Full> {
        let (error, place) = (entry.source == LogSource::Stderr, self.logs.len());
        self.log(entry)?;
        if error {
            if self.last_errors.len() == dump::MOST_LINES {
                self.last_errors.pop_front();
            }
            self.last_errors.push_back(place);
        }
        Ok(())
    }

    /// Takes the dump out of the logs that the interpreter has left on standard error, and gives its reason.
    pub(super) fn take_dump(&mut self) -> Option<String> {
        let lines: Vec<&str> =
            self.last_errors.iter().filter_map(|place| Some(self.logs.get(*place)?.text.as_str())).collect();
        let found = dump::find(&lines)?;
        let keep = self.last_errors.len().saturating_sub(found.lines);
        let mut places = self.last_errors.drain(keep..).peekable();
        let mut place = 0;
        self.logs.retain(|_| {
            let of_dump = places.next_if_eq(&place).is_some();
            place += 1;
            !of_dump
        });
        Some(found.reason)
    }

    /// The last words on standard error, native ones only: what an interpreter says when it dies.
    pub(super) fn stderr_tail(&self) -> String {
        self.stderr.tail()
    }

    pub(super) fn into_logs(self) -> Vec<LogEntry> {
        self.logs
    }
}

/// What an entry costs the ledger, in bytes.
fn entry_cost(entry: &LogEntry) -> usize {
    const SYNTAX: usize = r#"{"source":"","level":"","text":},"#.len();
    SYNTAX + entry.source.name().len() + entry.level.name().len() + string_cost(&entry.text)
}

/// The bytes of a text as a JSON string.
pub(super) fn string_cost(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..0x20 => 6,
        _ => 1,
    };
    2 + text.bytes().map(escaped).sum::<usize>()
}

/// Bytes of one descriptor as lines.
#[derive(Debug)]
struct Lines {
    source: LogSource,
    level: LogLevel,
    partial: Vec<u8>,
    tail: Vec<u8>,
}

impl Lines {
    const fn new(source: LogSource, level: LogLevel) -> Self {
        Self { source, level, partial: Vec::new(), tail: Vec::new() }
    }

    fn take(&mut self, bytes: &[u8], room: usize) -> Vec<LogEntry> {
        self.remember(bytes);
        let mut entries = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(end);
            self.partial.extend_from_slice(line);
            let line = std::mem::take(&mut self.partial);
            entries.push(self.entry(&line));
            rest = after.get(1..).unwrap_or_default();
        }
        let room = room.saturating_add(1).saturating_sub(self.partial.len());
        self.partial.extend_from_slice(rest.get(..room).unwrap_or(rest));
        entries
    }

    fn finish(&mut self) -> Option<LogEntry> {
        let line = std::mem::take(&mut self.partial);
        (!line.is_empty()).then(|| self.entry(&line))
    }

    fn entry(&self, line: &[u8]) -> LogEntry {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        LogEntry::new(self.source, self.level, String::from_utf8_lossy(line))
    }

    fn remember(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(TAIL_BYTES)..];
        let excess = (self.tail.len() + bytes.len()).saturating_sub(TAIL_BYTES);
        self.tail.drain(..excess);
        self.tail.extend_from_slice(bytes);
    }

    fn tail(&self) -> String {
        String::from_utf8_lossy(&self.tail).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::Json;

    use super::*;

    fn output(limit: u64) -> Output {
        Output::new(limit, Arc::new(Watch::new(None)))
    }

    #[test]
    fn a_text_costs_what_it_takes_as_json() {
        for text in ["", "plain", "\"quoted\"\\", "\n\r\t\u{8}\u{c}", "\u{1}\u{1f}", "工具\u{7f}\u{2028}"] {
            assert_eq!(string_cost(text), Json::from(text).to_string().len(), "{text:?}");
        }
    }

    #[test]
    fn the_entries_that_fit_are_kept_and_the_first_that_does_not_is_refused() {
        let entry = LogEntry::new(LogSource::Console, LogLevel::Log, "12345");
        let cost = u64::try_from(entry_cost(&entry)).unwrap();
        let mut output = output(2 * cost + 1);
        assert_eq!(output.log(entry.clone()), Ok(()));
        assert_eq!(output.log(entry.clone()), Ok(()));
        assert_eq!(output.log(entry.clone()), Err(Full));
        assert_eq!(output.into_logs(), [entry.clone(), entry]);
    }

    #[test]
    fn native_bytes_become_lines_however_they_are_split() {
        let bytes = "one\ntwo\r\n\nthr\u{e9}e".as_bytes();
        for split in 0..=bytes.len() {
            let mut output = output(1_000);
            output.native(LogSource::Stdout, &bytes[..split]).unwrap();
            output.native(LogSource::Stdout, &bytes[split..]).unwrap();
            output.finish();
            let texts: Vec<_> = output.into_logs().into_iter().map(|entry| entry.text).collect();
            assert_eq!(texts, ["one", "two", "", "thr\u{e9}e"]);
        }
    }

    #[test]
    fn a_line_that_never_ends_is_bounded() {
        let mut output = output(1_000);
        assert_eq!(output.native(LogSource::Stdout, &[b'x'; 1_000]), Ok(()));
        assert_eq!(output.native(LogSource::Stdout, &[b'x'; 100_000]), Err(Full));
        assert!(output.stdout.partial.capacity() < 4_000);
    }

    #[test]
    fn the_tail_keeps_the_last_words() {
        let mut output = output(1 << 20);
        output.native(LogSource::Stderr, &[b'a'; 10_000]).unwrap();
        output.native(LogSource::Stderr, b"\nlast words\n").unwrap();
        assert!(output.stderr_tail().ends_with("a\nlast words"));
        assert!(output.stderr_tail().len() <= TAIL_BYTES);
    }

    #[test]
    fn a_dump_leaves_the_logs_alone_and_nothing_else_does() {
        let mut output = output(1 << 20);
        let print = |output: &mut Output, text: &str| {
            output.log(LogEntry::new(LogSource::Console, LogLevel::Log, text)).unwrap();
        };
        print(&mut output, "1: 0x1 of the console");
        output
            .native(LogSource::Stderr, b"mine\n\n<--- Last few GCs --->\nFATAL ERROR: no heap\n 1: 0x1 [node]\n")
            .unwrap();
        // What was printed before it may arrive behind it: it came another way.
        print(&mut output, "between");
        output.native(LogSource::Stdout, b"and this\n").unwrap();
        output.native(LogSource::Stderr, b" 2: 0x2 [node]").unwrap();
        output.finish();
        assert_eq!(output.take_dump().as_deref(), Some("FATAL ERROR: no heap"));
        assert!(output.stderr_tail().ends_with("FATAL ERROR: no heap\n 1: 0x1 [node]\n 2: 0x2 [node]"));
        assert_eq!(output.take_dump(), None);
        let texts: Vec<_> = output.into_logs().into_iter().map(|entry| entry.text).collect();
        assert_eq!(texts, ["1: 0x1 of the console", "mine", "between", "and this"]);
    }

    #[test]
    fn an_entry_costs_its_text_whatever_its_escapes_and_padding_is_charged() {
        let entry = LogEntry::new(LogSource::Console, LogLevel::Log, "é".repeat(100));
        let cost = entry_cost(&entry);
        let mut output = output(10_000);
        // Every character escaped, as `\u00e9`.
        assert_eq!(output.framed(entry.clone(), 16 + 50 + 600), Ok(()));
        assert_eq!(output.ledger.left(), 10_000 - u64::try_from(cost).unwrap());
        assert_eq!(output.framed(entry, 1 << 20), Err(Full));
    }
}
