//! What stands between the nodes of a syntax tree: the punctuation and the words that the tree leaves out.
//!
//! Found in the text itself, with the parser's list of comments to step over. The parser can collect its tokens, but then
//! asserts things about them that erroneous text breaks.

use oxc_ast::Comment;
use oxc_span::Span;

/// A source text with its comments.
pub(crate) struct Gaps<'a, 'c> {
    source: &'a str,
    /// In source order; they never overlap.
    comments: &'c [Comment],
}

impl<'a, 'c> Gaps<'a, 'c> {
    pub(crate) fn new(source: &'a str, comments: &'c [Comment]) -> Self {
        Self { source, comments }
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn rest(&self, offset: u32) -> &'a str {
        self.source.get(offset as usize..).unwrap_or_default()
    }

    /// Whether a line ends between two offsets, in a comment or outside.
    pub(crate) fn has_line_end(&self, start: u32, end: u32) -> bool {
        self.text(Span::new(start, end.max(start))).contains(is_line_end)
    }

    /// Where the first token at or after `offset` starts. The end of the text when there is none.
    pub(crate) fn next(&self, offset: u32) -> u32 {
        let mut at = offset;
        loop {
            let rest = self.rest(at);
            at += narrow(rest.len() - rest.trim_start_matches(is_space).len());
            match self.comments.binary_search_by_key(&at, |comment| comment.span.start) {
                Ok(index) => match self.comments.get(index) {
                    Some(comment) if comment.span.end > at => at = comment.span.end,
                    _ => return at,
                },
                Err(_) => return at,
            }
        }
    }

    /// Where the last token before `offset` ends. 0 when there is none.
    pub(crate) fn previous_end(&self, offset: u32) -> u32 {
        let mut at = offset;
        loop {
            at = narrow(self.text(Span::new(0, at)).trim_end_matches(is_space).len());
            match self.comments.binary_search_by_key(&at, |comment| comment.span.end) {
                Ok(index) => match self.comments.get(index) {
                    Some(comment) if comment.span.start < at => at = comment.span.start,
                    _ => return at,
                },
                Err(_) => return at,
            }
        }
    }

    /// Whether the text at `offset` begins with `token`.
    pub(crate) fn is_at(&self, offset: u32, token: &str) -> bool {
        self.rest(offset).starts_with(token)
    }

    /// Whether the text before `offset` ends with `token`.
    pub(crate) fn ends_at(&self, offset: u32, token: &str) -> bool {
        self.text(Span::new(0, offset)).ends_with(token)
    }

    /// The words and single punctuation marks within `span`, which holds no literal.
    pub(crate) fn pieces(&self, span: Span) -> impl Iterator<Item = Span> {
        let mut at = span.start;
        std::iter::from_fn(move || {
            let start = self.next(at);
            if start >= span.end {
                return None;
            }
            let rest = self.rest(start);
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let width = if word > 0 { word } else { rest.chars().next().map_or(1, char::len_utf8) };
            at = start + narrow(width);
            Some(Span::new(start, at))
        })
    }

    /// The first piece within `span` that is `token`.
    pub(crate) fn find(&self, span: Span, token: &str) -> Option<Span> {
        self.pieces(span).find(|&piece| self.text(piece) == token)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '\u{200c}' | '\u{200d}')
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Offsets fit: the parser refuses a text that is longer than they reach.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxc_allocator::Allocator;
    use oxc_parser::Parser;
    use oxc_span::SourceType;

    #[test]
    fn steps_over_space_and_comments_both_ways() {
        let source = "a /* ; */ // (\n\u{3000}\u{feff}; b";
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, source, SourceType::ts()).parse();
        let gaps = Gaps::new(source, &parsed.program.comments);
        let semicolon = narrow(source.rfind(';').unwrap());
        assert_eq!(gaps.next(1), semicolon);
        assert_eq!(gaps.previous_end(semicolon), 1);
        assert_eq!(gaps.next(narrow(source.len())), narrow(source.len()));
        assert_eq!(gaps.previous_end(0), 0);
        assert!(gaps.has_line_end(1, semicolon) && !gaps.has_line_end(0, 12));
        let pieces: Vec<_> = gaps.pieces(Span::new(0, narrow(source.len()))).map(|piece| gaps.text(piece)).collect();
        assert_eq!(pieces, ["a", ";", "b"]);
    }
}
