//! Constructs that cannot be erased, and what to write instead.

use oxc_ast::ast::*;
use oxc_span::Span;

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
            offset: it.span.start, message: "`import … = …` is not supported: it is TypeScript's own".into(), hint
        }
    }

    pub(super) fn static_import(it: &ImportDeclaration<'_>) -> Self {
        Self {
            offset: it.span.start,
            message: "a static `import` is not available: the program is the body of an async function".into(),
            hint: format!("write `{}`", dynamic_import(it)),
        }
    }

    pub(super) fn export(span: Span, form: &str) -> Self {
        Self {
            offset: span.start,
            message: format!(
                "`{form}` has no meaning here: the program is the body of an async function, not a module"
            ),
            hint: "drop the `export`, call what is to run, and `return` the result".into(),
        }
    }

    pub(super) fn parameter_property(it: &FormalParameter<'_>, name: &str) -> Self {
        let name = quote(name);
        Self {
            offset: it.span.start,
            message: format!("the parameter property `{name}` is not supported: it makes a field at run time"),
            hint: format!("declare the field in the class and write `this.{name} = {name}` in the constructor"),
        }
    }

    pub(super) fn decorator(it: &Decorator<'_>) -> Self {
        Self {
            offset: it.span.start,
            message: "decorators are not supported: they run code, and only types are erased".into(),
            hint: "call the function yourself after the class, or wrap the method in the constructor".into(),
        }
    }

    pub(super) fn angle_assertion(offset: u32, target: &str) -> Self {
        let target = quote(target);
        Self {
            offset,
            message: format!("the type assertion `<{target}>…` is not supported"),
            hint: format!("write `… as {target}`"),
        }
    }

    /// A module reads `a<!--b` as `a < !(--b)`; the body of a function takes the rest of the line for a comment.
    pub(super) fn html_comment(offset: u32) -> Self {
        Self {
            offset,
            message: "`<!--` begins a comment in the body of a function".into(),
            hint: "put a space behind the `<`".into(),
        }
    }

    pub(super) fn import_meta(offset: u32) -> Self {
        Self {
            offset,
            message: "`import.meta` is not available: the program is the body of an async function, not a module"
                .into(),
            hint: "use `process.cwd()` for a directory".into(),
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
