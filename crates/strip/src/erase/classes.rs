//! Class heads and members.

use super::Eraser;
use oxc_allocator::ArenaVec;
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_span::{GetSpan, Span};

/// Words before a member's name that only the type checker reads.
const MODIFIERS: [&str; 7] = ["public", "private", "protected", "readonly", "override", "abstract", "declare"];

/// Tokens that, at the start of a member, continue the initializer of the field before it.
const CONTINUING: [&str; 5] = ["[", "(", "*", "in", "<"];

/// Bytes in the word `implements`.
const IMPLEMENTS: u32 = 10;

impl<'a> Eraser<'a, '_> {
    pub(super) fn class_head(&mut self, it: &Class<'a>) {
        if it.r#abstract {
            let head = Span::new(it.span.start, it.body.span.start);
            if let Some(word) = self.gaps.find(head, "abstract") {
                self.edits.blank(word);
            }
        }
        self.blank_type_parameters(it.type_parameters.as_deref());
        if let Some(heritage) = &it.heritage {
            self.blank_type_arguments(heritage.type_arguments.as_deref());
        }
        if let (Some(first), Some(last)) = (it.implements.first(), it.implements.last()) {
            let keyword_end = self.gaps.previous_end(first.span.start);
            let keyword = Span::new(keyword_end.saturating_sub(IMPLEMENTS), keyword_end);
            if self.gaps.text(keyword) == "implements" {
                self.edits.blank(Span::new(keyword.start, last.span.end));
            }
        }
    }

    pub(super) fn class_elements(&mut self, elements: &ArenaVec<'a, ClassElement<'a>>) {
        // Whether the last member that stays is a field whose initializer a following token could continue, and where
        // the first member behind it that vanished was.
        let (mut open_field, mut vanished) = (false, None);
        for element in elements {
            let start = element.span().start;
            if is_type_only(element) {
                self.edits.blank(element.span());
                vanished.get_or_insert(start);
                continue;
            }
            if open_field
                && let Some(place) = vanished
                && CONTINUING.iter().any(|token| self.gaps.is_at(start, token))
            {
                self.edits.put(place, b';');
            }
            vanished = None;
            open_field = match element {
                ClassElement::PropertyDefinition(it) => !self.gaps.text(it.span).ends_with(';'),
                ClassElement::AccessorProperty(it) => !self.gaps.text(it.span).ends_with(';'),
                ClassElement::StaticBlock(_)
                | ClassElement::MethodDefinition(_)
                | ClassElement::TSIndexSignature(_) => false,
            };
            match element {
                ClassElement::MethodDefinition(it) => self.method(it),
                ClassElement::PropertyDefinition(it) => self.property(it),
                ClassElement::AccessorProperty(it) => self.accessor(it),
                ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => {}
            }
            self.visit_class_element(element);
        }
    }

    fn method(&mut self, it: &MethodDefinition<'a>) {
        self.modifiers(it.span, &it.key);
        if it.optional {
            self.blank_mark(it.key.span().end, it.value.params.span.start, "?");
        }
        let modified = it.r#override || it.accessibility.is_some();
        if modified && !it.r#static && (it.computed || it.value.generator || is_operator_name(&it.key)) {
            self.edits.put(it.span.start, b';');
        }
    }

    fn property(&mut self, it: &PropertyDefinition<'a>) {
        self.modifiers(it.span, &it.key);
        let head_end = it.value.as_ref().map_or(it.span.end, |value| value.span().start);
        if it.optional {
            self.blank_mark(it.key.span().end, head_end, "?");
        }
        if it.definite {
            self.blank_mark(it.key.span().end, head_end, "!");
        }
        self.blank_annotation(it.type_annotation.as_deref());
        let modified = it.readonly || it.r#override || it.accessibility.is_some();
        if modified && !it.r#static && (it.computed || is_operator_name(&it.key)) {
            self.edits.put(it.span.start, b';');
        }
        // A bare `get`, `set` or `static` would take the next member's name as its own.
        if it.value.is_none() && !it.computed && is_name(&it.key, &["get", "set", "static"]) {
            let mark = self.gaps.next(it.key.span().end);
            let annotation = it.type_annotation.as_ref().map(|it| it.span.start);
            if let Some(place) = annotation.or_else(|| (it.optional || it.definite).then_some(mark)) {
                self.edits.put(place, b';');
            }
        }
    }

    fn accessor(&mut self, it: &AccessorProperty<'a>) {
        self.modifiers(it.span, &it.key);
        if it.definite {
            let head_end = it.value.as_ref().map_or(it.span.end, |value| value.span().start);
            self.blank_mark(it.key.span().end, head_end, "!");
        }
        self.blank_annotation(it.type_annotation.as_deref());
    }

    fn modifiers(&mut self, member: Span, key: &PropertyKey<'a>) {
        for word in self.gaps.pieces(Span::new(member.start, key.span().start)) {
            if MODIFIERS.contains(&self.gaps.text(word)) {
                self.edits.blank(word);
            }
        }
    }
}

/// Whether a member has no meaning at run time: an overload, an abstract or declared member, an index signature.
fn is_type_only(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::TSIndexSignature(_) => true,
        ClassElement::MethodDefinition(it) => it.r#type.is_abstract() || it.value.body.is_none(),
        ClassElement::PropertyDefinition(it) => it.declare || it.r#type.is_abstract(),
        ClassElement::AccessorProperty(it) => it.r#type.is_abstract(),
        ClassElement::StaticBlock(_) => false,
    }
}

fn is_name(key: &PropertyKey<'_>, names: &[&str]) -> bool {
    matches!(key, PropertyKey::StaticIdentifier(it) if names.contains(&it.name.as_str()))
}

fn is_operator_name(key: &PropertyKey<'_>) -> bool {
    is_name(key, &["in", "instanceof"])
}
