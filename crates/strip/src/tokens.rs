//! The parser's tokens, found by their place in the text.

use oxc_parser::{Kind, Token};
use oxc_span::Span;

/// Tokens in source order. What the syntax tree leaves out (a `?`, a comma, where a `)` stands) is looked up here.
pub(crate) struct Tokens<'t>(&'t [Token]);

impl<'t> Tokens<'t> {
    pub(crate) fn new(tokens: &'t [Token]) -> Self {
        Self(tokens)
    }

    fn index_from(&self, offset: u32) -> usize {
        self.0.partition_point(|token| token.start() < offset)
    }

    /// The first token that starts at `offset` or after it.
    pub(crate) fn from(&self, offset: u32) -> Option<Token> {
        self.0.get(self.index_from(offset)).copied()
    }

    /// The last token that starts before `offset`.
    pub(crate) fn before(&self, offset: u32) -> Option<Token> {
        self.index_from(offset).checked_sub(1).and_then(|index| self.0.get(index)).copied()
    }

    /// All tokens that start within `span`.
    pub(crate) fn within(&self, span: Span) -> &'t [Token] {
        let (start, end) = (self.index_from(span.start), self.index_from(span.end));
        self.0.get(start..end).unwrap_or_default()
    }

    /// The first token of one of `kinds` that starts within `span`.
    pub(crate) fn find(&self, span: Span, kinds: &[Kind]) -> Option<Token> {
        self.within(span).iter().copied().find(|token| kinds.contains(&token.kind()))
    }
}
