//! Byte offsets to the lines and columns that an editor shows.

/// A place in the source text, as an editor shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1. Lines end as JavaScript says: `\n`, `\r\n`, `\r`, U+2028, U+2029.
    pub line: u32,
    /// Column, from 1, in UTF-16 code units.
    pub column: u32,
}

/// Walks a source text once, from front to back, turning ascending byte offsets into positions.
///
/// One pass for any number of offsets: a program on a single line of a megabyte may mention thousands of names.
pub(crate) struct Positions<'s> {
    source: &'s str,
    at: usize,
    line_start: usize,
    line: u32,
    column: u32,
}

impl<'s> Positions<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, at: 0, line_start: 0, line: 1, column: 1 }
    }

    /// The position of the byte at `offset`, which must not lie before an earlier one.
    pub(crate) fn advance(&mut self, offset: usize) -> Position {
        let target = offset.min(self.source.len());
        while self.at < target {
            let Some(c) = self.source.get(self.at..).and_then(|rest| rest.chars().next()) else { break };
            let next = self.at + c.len_utf8();
            let ends_line = match c {
                '\n' | '\u{2028}' | '\u{2029}' => true,
                // `\r\n` ends one line, at its `\n`.
                '\r' => self.source.as_bytes().get(next) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                self.line += 1;
                self.column = 1;
                self.line_start = next;
            } else {
                self.column += if c.len_utf16() == 2 { 2 } else { 1 };
            }
            self.at = next;
        }
        Position { line: self.line, column: self.column }
    }

    /// The text of the line that the last position is on.
    pub(crate) fn line_text(&self) -> &'s str {
        let rest = self.source.get(self.line_start..).unwrap_or_default();
        let end = rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units_and_lines_count_every_terminator() {
        let source = "a\u{1F600}b\r\nc\rd\u{2028}e\nfg";
        let mut positions = Positions::new(source);
        let at = |positions: &mut Positions<'_>, needle: &str| positions.advance(source.find(needle).unwrap());
        assert_eq!(at(&mut positions, "b"), Position { line: 1, column: 4 });
        assert_eq!(positions.line_text(), "a\u{1F600}b");
        assert_eq!(at(&mut positions, "c"), Position { line: 2, column: 1 });
        assert_eq!(at(&mut positions, "d"), Position { line: 3, column: 1 });
        assert_eq!(at(&mut positions, "e"), Position { line: 4, column: 1 });
        assert_eq!(at(&mut positions, "g"), Position { line: 5, column: 2 });
        assert_eq!(positions.line_text(), "fg");
        assert_eq!(positions.advance(usize::MAX), Position { line: 5, column: 3 });
    }
}
