//! Function heads: parameters, type parameters, return types, and the line ends an arrow may not have.

use super::{Eraser, Refusal};
use oxc_ast::ast::*;
use oxc_parser::Kind;
use oxc_span::{GetSpan, Span};

impl<'a> Eraser<'a, '_> {
    pub(super) fn function_head(&mut self, it: &Function<'a>) {
        self.blank_type_parameters(it.type_parameters.as_deref());
        self.blank_annotation(it.return_type.as_deref());
        if let Some(this) = &it.this_param {
            // The comma behind it goes too.
            let end = self
                .tokens
                .from(this.span.end)
                .filter(|token| token.kind() == Kind::Comma)
                .map_or(this.span.end, |comma| comma.end());
            self.edits.blank(Span::new(this.span.start, end));
        }
    }

    pub(super) fn parameter(&mut self, it: &FormalParameter<'a>) {
        if it.accessibility.is_some() || it.readonly || it.r#override {
            self.refuse(Refusal::parameter_property(it, self.text(it.pattern.span())));
        }
        if it.optional {
            self.blank_mark(it.pattern.span().end, it.span.end.max(it.pattern.span().end + 1), Kind::Question);
        }
        self.blank_annotation(it.type_annotation.as_deref());
    }

    pub(super) fn arrow_head(&mut self, it: &ArrowFunctionExpression<'a>) {
        if let Some(parameters) = &it.type_parameters {
            self.edits.blank(parameters.span);
            // Neither `async` nor `return`, `throw` and `yield` may be parted from the parenthesis by a line end, which
            // the type parameters so far bridged: the parenthesis moves to where they began.
            let restricted = it.r#async || self.after_restricted == Some(it.span.start);
            if restricted
                && let Some(open) =
                    self.tokens.find(Span::new(parameters.span.end, it.params.span.end), &[Kind::LParen])
                && self.has_line_end(parameters.span.start, open.start())
            {
                self.edits.put(open.start(), b' ');
                self.edits.put(parameters.span.start, b'(');
            }
        }
        if let Some(result) = &it.return_type {
            self.edits.blank(result.span);
            // No line may end between `)` and `=>`: the parenthesis moves to the end of the type.
            if let (Some(close), Some(arrow)) =
                (self.tokens.before(result.span.start), self.tokens.from(result.span.end))
                && close.kind() == Kind::RParen
                && self.has_line_end(close.end(), arrow.start())
            {
                self.edits.blank(close.span());
                self.put_at_last_character(result.span, b')');
            }
        }
    }

    /// Puts an ASCII character in place of the last character of `span`, filling up with spaces.
    fn put_at_last_character(&mut self, span: Span, character: u8) {
        let width = self.text(span).chars().next_back().map_or(1, char::len_utf8);
        let width = u32::try_from(width).unwrap_or(1);
        for offset in span.end - width + 1..span.end {
            self.edits.put(offset, b' ');
        }
        self.edits.put(span.end - width, character);
    }
}
