//! The walk over the syntax tree that decides what is blanked.
//!
//! Only nodes that stay are walked: whatever is blanked whole (a type, an interface, an overload, an abstract member)
//! is not entered. What is entered is also recorded as the [`Shape`] that the result must have when it is parsed as
//! JavaScript.

mod classes;
mod functions;
mod refusals;
mod statements;

use crate::{edits::Edits, gaps::Gaps, mentions::Mentions, shape::Shape};
use oxc_ast::{AstKind, ast::*};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

pub(crate) use refusals::{Imports, Refusal};

/// What the walk found.
pub(crate) struct Erased<'a> {
    pub(crate) edits: Edits,
    pub(crate) shape: Shape,
    pub(crate) mentions: Mentions<'a>,
    /// The first construct that cannot be erased.
    pub(crate) refusal: Option<Refusal>,
    pub(crate) imports: Imports,
}

/// Walks `program` and says what is to be blanked.
pub(crate) fn erase<'a>(program: &Program<'a>, source: &'a str) -> Erased<'a> {
    let mut eraser = Eraser {
        gaps: Gaps::new(source, &program.comments),
        edits: Edits::default(),
        shape: Shape::default(),
        mentions: Mentions::default(),
        refusal: None,
        imports: Imports::default(),
        after_restricted: None,
    };
    if let Some(hashbang) = &program.hashbang {
        // Inside a function `#!` is no comment.
        eraser.edits.put(hashbang.span.start, b'/');
        eraser.edits.put(hashbang.span.start + 1, b'/');
    }
    eraser.visit_program(program);
    let Eraser { edits, shape, mentions, refusal, imports, .. } = eraser;
    Erased { edits, shape, mentions, refusal, imports }
}

struct Eraser<'a, 'c> {
    gaps: Gaps<'a, 'c>,
    edits: Edits,
    shape: Shape,
    mentions: Mentions<'a>,
    refusal: Option<Refusal>,
    imports: Imports,
    /// Where the operand of the last `return`, `throw` or `yield` starts: no line end may come before it.
    after_restricted: Option<u32>,
}

impl<'a> Eraser<'a, '_> {
    fn refuse(&mut self, refusal: Refusal) {
        if self.refusal.as_ref().is_none_or(|first| refusal.offset < first.offset) {
            self.refusal = Some(refusal);
        }
    }

    fn blank_annotation(&mut self, annotation: Option<&TSTypeAnnotation<'a>>) {
        if let Some(annotation) = annotation {
            self.edits.blank(annotation.span);
        }
    }

    fn blank_type_parameters(&mut self, parameters: Option<&TSTypeParameterDeclaration<'a>>) {
        if let Some(parameters) = parameters {
            self.edits.blank(parameters.span);
        }
    }

    fn blank_type_arguments(&mut self, arguments: Option<&TSTypeParameterInstantiation<'a>>) {
        if let Some(arguments) = arguments {
            self.edits.blank(arguments.span);
        }
    }

    /// Blanks the first `?` or `!` between `start` and `end`.
    fn blank_mark(&mut self, start: u32, end: u32, mark: &str) {
        if let Some(span) = self.gaps.find(Span::new(start, end), mark) {
            self.edits.blank(span);
        }
    }

    /// Blanks ` as T` or ` satisfies T` behind an operand.
    fn blank_assertion(&mut self, operand: Span, whole: Span) {
        self.edits.blank(Span::new(operand.end, whole.end));
        // With the type gone, what follows on a new line would continue the expression: a call, an index, a tag.
        let next = self.gaps.next(whole.end);
        if self.gaps.has_line_end(whole.end, next) && ["(", "[", "`"].iter().any(|token| self.gaps.is_at(next, token)) {
            self.edits.put(self.gaps.next(operand.end), b';');
        }
    }
}

impl<'a> VisitJs<'a> for Eraser<'a, '_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.shape.enter(kind);
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.shape.leave(kind);
    }

    fn visit_declaration(&mut self, it: &Declaration<'a>) {
        self.declaration(it);
    }

    fn visit_module_declaration(&mut self, it: &ModuleDeclaration<'a>) {
        self.module_declaration(it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        self.after_restricted = it.argument.as_ref().map(|argument| argument.span().start);
        walk_js::walk_return_statement(self, it);
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.after_restricted = Some(it.argument.span().start);
        walk_js::walk_throw_statement(self, it);
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        // Behind `yield*` a line may end.
        self.after_restricted = it.argument.as_ref().filter(|_| !it.delegate).map(|argument| argument.span().start);
        walk_js::walk_yield_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.mentions.declarator(it);
        let head_end = it.init.as_ref().map_or(it.span.end, |init| init.span().start);
        if it.definite {
            self.blank_mark(it.id.span().end, head_end, "!");
        }
        self.blank_annotation(it.type_annotation.as_deref());
        walk_js::walk_variable_declarator(self, it);
    }

    fn visit_catch_parameter(&mut self, it: &CatchParameter<'a>) {
        self.blank_annotation(it.type_annotation.as_deref());
        walk_js::walk_catch_parameter(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.function_head(it);
        walk_js::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.arrow_head(it);
        walk_js::walk_arrow_function_expression(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.parameter(it);
        walk_js::walk_formal_parameter(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &FormalParameterRest<'a>) {
        self.blank_annotation(it.type_annotation.as_deref());
        walk_js::walk_formal_parameter_rest(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class_head(it);
        walk_js::walk_class(self, it);
    }

    fn visit_class_elements(&mut self, it: &oxc_allocator::ArenaVec<'a, ClassElement<'a>>) {
        self.class_elements(it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(Refusal::decorator(it));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.blank_type_arguments(it.type_arguments.as_deref());
        walk_js::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.blank_type_arguments(it.type_arguments.as_deref());
        walk_js::walk_new_expression(self, it);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.blank_type_arguments(it.type_arguments.as_deref());
        walk_js::walk_tagged_template_expression(self, it);
    }

    fn visit_ts_instantiation_expression(&mut self, it: &TSInstantiationExpression<'a>) {
        self.edits.blank(it.type_arguments.span);
        walk_js::walk_ts_instantiation_expression(self, it);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.blank_assertion(it.expression.span(), it.span);
        walk_js::walk_ts_as_expression(self, it);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.blank_assertion(it.expression.span(), it.span);
        walk_js::walk_ts_satisfies_expression(self, it);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.edits.blank(Span::new(it.span.end - 1, it.span.end));
        walk_js::walk_ts_non_null_expression(self, it);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.refuse(Refusal::angle_assertion(it.span.start, self.gaps.text(it.type_annotation.span())));
        walk_js::walk_ts_type_assertion(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.mentions.member(&it.object, it.property.name.as_str());
        walk_js::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        self.mentions.computed_member(it);
        walk_js::walk_computed_member_expression(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        let start = it.span.start;
        if self.gaps.is_at(start, "!--") && self.gaps.ends_at(start, "<") {
            self.refuse(Refusal::html_comment(start - 1));
        }
        walk_js::walk_unary_expression(self, it);
    }

    fn visit_import_meta(&mut self, it: &ImportMeta) {
        self.refuse(Refusal::import_meta(it.span.start));
        walk_js::walk_import_meta(self, it);
    }
}
