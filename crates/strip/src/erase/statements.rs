//! Declarations that vanish whole, and the semicolons that keep their neighbours apart.

use super::{Eraser, Refusal};
use oxc_ast::ast::*;
use oxc_ast_visit::walk_js;
use oxc_span::{GetSpan, Span};

/// Tokens that continue the expression on the line before, had a declaration not stood between.
const CONTINUING: [&str; 7] = ["(", "[", "`", "+", "-", "/", "<"];

/// Tokens that begin like those, but never continue an expression across a line end.
const SEPARATE: [&str; 2] = ["++", "--"];

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
        if let ModuleDeclaration::ImportDeclaration(it) = it {
            self.imports.add(it);
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

    fn erase_statement(&mut self, span: Span) {
        self.edits.blank(span);
        let (before, next) = (self.gaps.previous_end(span.start), self.gaps.next(span.end));
        let next_is = |tokens: &[&str]| tokens.iter().any(|token| self.gaps.is_at(next, token));
        if !next_is(&CONTINUING) || next_is(&SEPARATE) {
            return;
        }
        if self.gaps.ends_at(before, ";") {
            // It may have gone with a declaration of its own.
            self.edits.put(before - 1, b';');
        } else if self.gaps.has_line_end(span.end, next) || self.gaps.has_line_end(before, span.start) {
            // On the declaration's own line nothing separates the neighbours but the line end before the declaration,
            // and that one does not stop a continuing token.
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
    let declaration = if let Statement::ExportDeclaration(export) = statement {
        Some(&export.declaration)
    } else {
        statement.as_declaration()
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
        ModuleDeclaration::ExportDefaultDeclaration(it) => {
            if let ExportDefaultDeclarationKind::FunctionDeclaration(function) = &it.declaration {
                function.body.is_none()
            } else {
                matches!(it.declaration, ExportDefaultDeclarationKind::TSInterfaceDeclaration(_))
            }
        }
        ModuleDeclaration::TSExportAssignment(_) | ModuleDeclaration::TSNamespaceExportDeclaration(_) => false,
    }
}
