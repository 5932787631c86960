//! Parsing, on a thread with a stack of its own.

use crate::{
    StripError, StripErrorKind, StripLimits, Stripped, called::called, erase, meant, promises::used_promises,
    scan::scan, shape::Shape, unawaited::unawaited, uncalled::uncalled, unreturned::unreturned,
};
use oxc_allocator::Allocator;
use oxc_ast::{AstKind, ast::Program};
use oxc_ast_visit::VisitJs;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;
use std::{panic, thread};

/// Parses and strips on a thread whose stack holds whatever `limits` let through.
pub(crate) fn on_own_stack(source: &str, limits: &StripLimits) -> Result<Stripped, StripError> {
    scan(source, limits).map_err(|error| meant::explained(error, source))?;
    let stripped = thread::scope(|scope| {
        let worker = thread::Builder::new()
            .name("dayfly-strip".into())
            .stack_size(limits.stack_bytes())
            .spawn_scoped(scope, || panic::catch_unwind(|| strip(source)));
        let worker = worker.map_err(|error| {
            StripError::nowhere(
                StripErrorKind::Internal,
                format!("failed to start the parser's thread: {error}"),
                Some("allow the host more threads or more address space (ulimit -u, ulimit -v)"),
            )
        })?;
        worker.join().and_then(|outcome| outcome).unwrap_or_else(|_| {
            Err(StripError::nowhere(
                StripErrorKind::Internal,
                "the TypeScript parser failed on this program",
                Some("write the program more plainly"),
            ))
        })
    });
    stripped.map_err(|error| meant::explained(error, source))
}

pub(crate) fn strip(source: &str) -> Result<Stripped, StripError> {
    let allocator = Allocator::default();
    // The program is a body: `await` and `return` at its top level, strict code as in a module.
    let parsed = Parser::new(&allocator, source, SourceType::ts().with_module(true)).with_options(options()).parse();
    if let Some(error) = syntax_error(source, &parsed) {
        return Err(error);
    }
    let erased = erase::erase(&parsed.program, source);
    if let Some(refusal) = erased.refusal {
        let (kind, offset) = (StripErrorKind::Unsupported, refusal.offset as usize);
        let error = StripError::at(kind, source, offset, refusal.message, Some(&refusal.hint));
        let imports = if refusal.is_import { erased.imports.finish(source) } else { Vec::new() };
        return Err(error.with_imports(imports));
    }
    let code = erased
        .edits
        .apply(source)
        .ok_or_else(|| StripError::nowhere(StripErrorKind::Internal, "the stripper cut a character in two", None))?;
    same_program(source, &code, &erased.shape)?;
    Ok(Stripped {
        mentions: erased.mentions.finish(source),
        uncalled: uncalled(&parsed.program),
        unawaited: unawaited(&parsed.program),
        unreturned: unreturned(&parsed.program, source),
        called: called(&parsed.program, source),
        used_promises: used_promises(&parsed.program, source),
        code,
    })
}

fn options() -> ParseOptions {
    ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() }
}

/// Checks that the result is JavaScript and is the program it was.
fn same_program(source: &str, code: &str, expected: &Shape) -> Result<(), StripError> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, code, SourceType::mjs().with_module(true)).with_options(options()).parse();
    let hint = Some("put parentheses around the expression, or the type into a declaration of its own");
    if let Some(error) = syntax_error(source, &parsed) {
        let message = format!("without its types this is not JavaScript: {}", error.message);
        return Err(StripError { kind: StripErrorKind::Unsupported, message, hint: hint.map(str::to_owned), ..error });
    }
    let Some(offset) = expected.difference(&shape_of(&parsed.program)) else { return Ok(()) };
    Err(StripError::at(
        StripErrorKind::Unsupported,
        source,
        offset as usize,
        "without its types this would mean something else",
        hint,
    ))
}

fn shape_of(program: &Program<'_>) -> Shape {
    struct Walk(Shape);
    impl<'a> VisitJs<'a> for Walk {
        fn enter_node(&mut self, kind: AstKind<'a>) {
            self.0.enter(kind);
        }
        fn leave_node(&mut self, kind: AstKind<'a>) {
            self.0.leave(kind);
        }
    }
    let mut walk = Walk(Shape::default());
    walk.visit_program(program);
    walk.0
}

/// The first error of a parse, by place.
fn syntax_error(source: &str, parsed: &ParserReturn<'_>) -> Option<StripError> {
    let first =
        parsed.diagnostics.errors().min_by_key(|error| error.labels.first().map_or(u32::MAX, |label| label.offset()));
    let Some(first) = first else {
        return parsed.panicked.then(|| StripError::nowhere(StripErrorKind::Syntax, "this is not TypeScript", None));
    };
    let offset = first.labels.first().map_or(0, |label| label.offset());
    Some(StripError::at(StripErrorKind::Syntax, source, offset as usize, first.message.clone(), first.help.as_deref()))
}
