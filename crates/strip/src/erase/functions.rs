//! Function heads: parameters, type parameters, return types, and the line ends an arrow may not have.

use super::{Eraser, Refusal};
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

impl<'a> Eraser<'a, '_> {
    pub(super) fn function_head(&mut self, it: &Function<'a>) {
        self.blank_type_parameters(it.type_parameters.as_deref());
        self.blank_annotation(it.return_type.as_deref());
        if let Some(this) = &it.this_param {
            // The comma behind it goes too.
            let next = self.gaps.next(this.span.end);
            let end = if self.gaps.is_at(next, ",") { next + 1 } else { this.span.end };
            self.edits.blank(Span::new(this.span.start, end));
        }
    }

    pub(super) fn parameter(&mut self, it: &FormalParameter<'a>) {
        if it.accessibility.is_some() || it.readonly || it.r#override {
            self.refuse(Refusal::parameter_property(it, self.gaps.text(it.pattern.span())));
        }
        if it.optional {
            self.blank_mark(it.pattern.span().end, it.span.end.max(it.pattern.span().end + 1), "?");
        }
        self.blank_annotation(it.type_annotation.as_deref());
    }

    pub(super) fn arrow_head(&mut self, it: &ArrowFunctionExpression<'a>) {
        if let Some(parameters) = &it.type_parameters {
            self.edits.blank(parameters.span);
            // Neither `async` nor `return`, `throw` and `yield` may be parted from the parenthesis by a line end, which
            // the type parameters so far bridged: the parenthesis moves to where they began.
            let restricted = it.r#async || self.after_restricted == Some(it.span.start);
            let open = it.params.span.start;
            if restricted && self.gaps.is_at(open, "(") && self.gaps.has_line_end(parameters.span.start, open) {
                self.edits.put(open, b' ');
                self.edits.put(parameters.span.start, b'(');
            }
        }
        if let Some(result) = &it.return_type {
            // No line may end between `)` and `=>`: the parenthesis moves to the end of the type.
            let (close, arrow) = (self.gaps.previous_end(result.span.start), self.gaps.next(result.span.end));
            if self.gaps.ends_at(close, ")") && self.gaps.has_line_end(close, arrow) {
                self.edits.blank(Span::new(close - 1, close));
                self.edits.blank_and_close(result.span);
            } else {
                self.edits.blank(result.span);
            }
        }
    }
}
