//! Declarations that vanish whole, and the semicolons that keep their neighbours apart.

use super::{Eraser, Refusal};
use oxc_ast::ast::*;
use oxc_ast_visit::walk_js;
use oxc_parser::Kind;
use oxc_span::{GetSpan, Span};

/// Tokens that continue the expression on the line before, had a declaration not stood between.
const CONTINUING: [Kind; 8] = [
    Kind::LParen,
    Kind::LBrack,
    Kind::NoSubstitutionTemplate,
    Kind::TemplateHead,
    Kind::Plus,
    Kind::Minus,
    Kind::RegExp,
    Kind::Slash,
];

impl<'a> Eraser<'a, '_> {
    pub(super) fn declaration(&mut self, it: &Declaration<'a>) {
        if is_type_only(it) {
            self.erase_statement(it.span());
            return;
        }
        match it {
            Declaration::TSEnumDeclaration(it) => self.refuse(Refusal::enumeration(it)),
            Declaration::TSNamespaceDeclaration(it) => self.refuse(Refusal::namespace(it)),
            Declaration::TSImportEqualsDeclaration(it) => self.refuse(Refusal::import_equals(it)),
            Declaration::VariableDeclaration(_)
            | Declaration::FunctionDeclaration(_)
            | Declaration::ClassDeclaration(_)
            | Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSGlobalDeclaration(_) => walk_js::walk_declaration(self, it),
        }
    }

    pub(super) fn module_declaration(&mut self, it: &ModuleDeclaration<'a>) {
        if is_type_only_module_declaration(it) {
            self.erase_statement(it.span());
            return;
        }
        self.refuse(match it {
            ModuleDeclaration::ImportDeclaration(it) => Refusal::static_import(it),
            ModuleDeclaration::TSExportAssignment(it) => Refusal::export(it.span, "export ="),
            ModuleDeclaration::ExportDefaultDeclaration(it) => Refusal::export(it.span, "export default"),
            ModuleDeclaration::ExportAllDeclaration(_)
            | ModuleDeclaration::ExportDeclaration(_)
            | ModuleDeclaration::ExportNamedDeclaration(_)
            | ModuleDeclaration::ExportFromDeclaration(_)
            | ModuleDeclaration::TSNamespaceExportDeclaration(_) => Refusal::export(it.span(), "export"),
        });
    }

    /// Leaves an empty statement where a declaration was the whole body of an `if`, a loop or a label.
    pub(super) fn keep_body(&mut self, body: &Statement<'a>) {
        if body.as_declaration().is_some_and(is_type_only) {
            self.edits.put(body.span().start, b';');
        }
    }

    fn erase_statement(&mut self, span: Span) {
        self.edits.blank(span);
        let (Some(before), Some(next)) = (self.tokens.before(span.start), self.tokens.from(span.end)) else { return };
        if before.kind() == Kind::Semicolon || !CONTINUING.contains(&next.kind()) {
            return;
        }
        // On the declaration's own line nothing separates the neighbours but the line end before the declaration,
        // and that one does not stop a continuing token.
        if next.is_on_new_line() || self.has_line_end(before.end(), span.start) {
            self.edits.put(span.start, b';');
        }
    }
}

/// Whether a declaration has no meaning at run time.
pub(super) fn is_type_only(it: &Declaration<'_>) -> bool {
    match it {
        Declaration::VariableDeclaration(it) => it.declare,
        Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSEnumDeclaration(it) => it.declare,
        Declaration::TSNamespaceDeclaration(it) => it.declare || is_type_only_body(&it.body),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => true,
    }
}

/// Whether a namespace holds types only, so that no object is made for it.
fn is_type_only_body(body: &TSNamespaceDeclarationBody<'_>) -> bool {
    let mut body = body;
    loop {
        match body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => body = &inner.body,
            TSNamespaceDeclarationBody::TSModuleBlock(block) => return block.body.iter().all(is_uninstantiated),
        }
    }
}

/// Inside a namespace even a `declare`d value makes an object of it.
fn is_uninstantiated(statement: &Statement<'_>) -> bool {
    let declaration = match statement {
        Statement::ExportDeclaration(export) => Some(&export.declaration),
        other => other.as_declaration(),
    };
    match declaration {
        Some(Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_)) => true,
        Some(Declaration::TSNamespaceDeclaration(it)) => is_type_only_body(&it.body),
        _ => false,
    }
}

fn is_type_only_module_declaration(it: &ModuleDeclaration<'_>) -> bool {
    match it {
        ModuleDeclaration::ImportDeclaration(it) => it.import_kind.is_type(),
        ModuleDeclaration::ExportAllDeclaration(it) => it.export_kind.is_type(),
        ModuleDeclaration::ExportNamedDeclaration(it) => it.export_kind.is_type(),
        ModuleDeclaration::ExportFromDeclaration(it) => it.export_kind.is_type(),
        ModuleDeclaration::ExportDeclaration(it) => is_type_only(&it.declaration),
        ModuleDeclaration::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.body.is_none(),
            other => matches!(other, ExportDefaultDeclarationKind::TSInterfaceDeclaration(_)),
        },
        ModuleDeclaration::TSExportAssignment(_) | ModuleDeclaration::TSNamespaceExportDeclaration(_) => false,
    }
}
