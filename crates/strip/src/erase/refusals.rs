//! Constructs that cannot be erased, and what to write instead.

use oxc_ast::ast::*;
use oxc_span::Span;

use crate::StaticImport;
use crate::position::Positions;

/// Longest name, type or member list quoted in a message, in characters.
const QUOTE: usize = 80;

/// One construct that the program must do without.
pub(crate) struct Refusal {
    /// Where it starts.
    pub(crate) offset: u32,
    /// What it is and why it cannot stay.
    pub(crate) message: String,
    /// What to write instead.
    pub(crate) hint: String,
    /// Whether it is a static `import`.
    pub(crate) is_import: bool,
}

/// The static imports of a program, with byte offsets, as the walk finds them.
#[derive(Default)]
pub(crate) struct Imports {
    found: Vec<(u32, StaticImport)>,
}

impl Imports {
    pub(super) fn add(&mut self, it: &ImportDeclaration<'_>) {
        if self.found.len() == StaticImport::MOST {
            return;
        }
        let names = it.specifiers.iter().flatten().filter_map(|specifier| match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(it) if !it.import_kind.is_type() => {
                Some(quote(it.imported.name().as_str()))
            }
            ImportDeclarationSpecifier::ImportSpecifier(_)
            | ImportDeclarationSpecifier::ImportDefaultSpecifier(_)
            | ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => None,
        });
        let names = names.take(StaticImport::MOST).collect();
        let module = quote(it.source.value.as_str());
        self.found.push((it.span.start, StaticImport { module, names, line: 0, instead: dynamic_import(it) }));
    }

    /// In the order of the text.
    pub(crate) fn finish(self, source: &str) -> Vec<StaticImport> {
        let mut positions = Positions::new(source);
        let place = |(offset, import): (u32, StaticImport)| {
            let line = positions.advance(offset as usize).line;
            StaticImport { line, ..import }
        };
        self.found.into_iter().map(place).collect()
    }
}

impl Refusal {
    pub(super) fn enumeration(it: &TSEnumDeclaration<'_>) -> Self {
        let name = quote(it.id.name.as_str());
        Self {
            offset: it.span.start,
            message: format!(
                "`enum {name}` is not supported: it makes an object at run time, and only types are erased"
            ),
            hint: format!(
                "write a plain object, `const {name} = {{ A: \"A\", B: \"B\" }} as const`, and for its type \
                 `type {name} = typeof {name}[keyof typeof {name}]`"
            ),
            is_import: false,
        }
    }

    pub(super) fn namespace(it: &TSNamespaceDeclaration<'_>) -> Self {
        let name = quote(it.id.name.as_str());
        Self {
            offset: it.span.start,
            message: format!(
                "`namespace {name}` is not supported: it makes an object at run time, and only types are erased"
            ),
            hint: format!("write a plain object, `const {name} = {{ … }}`, or declare its members at top level"),
            is_import: false,
        }
    }

    pub(super) fn import_equals(it: &TSImportEqualsDeclaration<'_>) -> Self {
        let name = quote(it.id.name.as_str());
        let hint = match &it.module_reference {
            TSModuleReference::ExternalModuleReference(module) => {
                format!("write `const {name} = await import({:?})`", quote(module.expression.value.as_str()))
            }
            TSModuleReference::IdentifierReference(_) | TSModuleReference::QualifiedName(_) => {
                format!("write `const {name} = …`")
            }
        };
        Self {
            offset: it.span.start,
            message: "`import … = …` is not supported: it is TypeScript's own".into(),
            hint,
            is_import: false,
        }
    }

    pub(super) fn static_import(it: &ImportDeclaration<'_>) -> Self {
        Self {
            offset: it.span.start,
            message: "a static `import` is not available: the program is the body of an async function".into(),
            hint: format!("write `{}`", dynamic_import(it)),
            is_import: true,
        }
    }

    pub(super) fn export(span: Span, form: &str) -> Self {
        Self {
            offset: span.start,
            message: format!(
                "`{form}` has no meaning here: the program is the body of an async function, not a module"
            ),
            hint: "drop the `export`, call what is to run, and `return` the result".into(),
            is_import: false,
        }
    }

    pub(super) fn parameter_property(it: &FormalParameter<'_>, name: &str) -> Self {
        let name = quote(name);
        Self {
            offset: it.span.start,
            message: format!("the parameter property `{name}` is not supported: it makes a field at run time"),
            hint: format!("declare the field in the class and write `this.{name} = {name}` in the constructor"),
            is_import: false,
        }
    }

    pub(super) fn decorator(it: &Decorator<'_>) -> Self {
        Self {
            offset: it.span.start,
            message: "decorators are not supported: they run code, and only types are erased".into(),
            hint: "call the function yourself after the class, or wrap the method in the constructor".into(),
            is_import: false,
        }
    }

    pub(super) fn angle_assertion(offset: u32, target: &str) -> Self {
        let target = quote(target);
        Self {
            offset,
            message: format!("the type assertion `<{target}>…` is not supported"),
            hint: format!("write `… as {target}`"),
            is_import: false,
        }
    }

    /// A module reads `a<!--b` as `a < !(--b)`; the body of a function takes the rest of the line for a comment.
    pub(super) fn html_comment(offset: u32) -> Self {
        Self {
            offset,
            message: "`<!--` begins a comment in the body of a function".into(),
            hint: "put a space behind the `<`".into(),
            is_import: false,
        }
    }

    pub(super) fn import_meta(offset: u32) -> Self {
        Self {
            offset,
            message: "`import.meta` is not available: the program is the body of an async function, not a module"
                .into(),
            hint: "use `process.cwd()` for a directory".into(),
            is_import: false,
        }
    }
}

/// The `await import(…)` that does what a static import says.
fn dynamic_import(it: &ImportDeclaration<'_>) -> String {
    let source = format!("{:?}", quote(it.source.value.as_str()));
    let specifiers = it.specifiers.as_ref().map(|list| list.as_slice()).unwrap_or_default();
    let mut named = Vec::new();
    for specifier in specifiers {
        match specifier {
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                return format!("const {} = await import({source})", quote(it.local.name.as_str()));
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                named.push(format!("default: {}", quote(it.local.name.as_str())));
            }
            ImportDeclarationSpecifier::ImportSpecifier(it) if it.import_kind.is_type() => {}
            ImportDeclarationSpecifier::ImportSpecifier(it) => {
                let imported = it.imported.name();
                named.push(if imported.as_str() == it.local.name.as_str() {
                    quote(imported.as_str())
                } else {
                    format!("{}: {}", quote(imported.as_str()), quote(it.local.name.as_str()))
                });
            }
        }
        if named.iter().map(String::len).sum::<usize>() > QUOTE {
            named.push("…".into());
            break;
        }
    }
    if named.is_empty() {
        return format!("await import({source})");
    }
    format!("const {{ {} }} = await import({source})", named.join(", "))
}

/// `text` on one line and cut to what a message can hold.
fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(QUOTE).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
