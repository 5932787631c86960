//! Programs that define a function and never call anything.

use oxc_ast::ast::*;

/// The name shown for a function without one.
pub(crate) const ANONYMOUS: &str = "(anonymous)";

/// The function that was meant to run, when a program only defines functions and so does nothing.
///
/// `async () => 5` as a whole program, `async function main() { … }` never called, with other functions and constants
/// beside it or not. A function named `main` is preferred, else the last one is named.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other statement does something")]
pub(crate) fn uncalled(program: &Program<'_>) -> Option<String> {
    let mut name = None;
    for statement in &program.body {
        match statement {
            Statement::EmptyStatement(_) => {}
            Statement::ExpressionStatement(it) => {
                let function = function_name(&it.expression)?;
                note(&mut name, function);
            }
            Statement::VariableDeclaration(it) => {
                for declarator in &it.declarations {
                    let BindingPattern::BindingIdentifier(id) = &declarator.id else { return None };
                    match &declarator.init {
                        Some(init) if function_name(init).is_some() => note(&mut name, id.name.as_str()),
                        Some(init) if !init.get_inner_expression().is_literal() => return None,
                        _ => {}
                    }
                }
            }
            Statement::FunctionDeclaration(it) => {
                if it.body.is_some() {
                    note(&mut name, it.id.as_ref().map_or(ANONYMOUS, |id| id.name.as_str()));
                }
            }
            other if other.as_declaration().is_some_and(|it| it.is_typescript_syntax()) => {}
            _ => return None,
        }
    }
    name.map(str::to_owned)
}

fn note<'a>(name: &mut Option<&'a str>, function: &'a str) {
    if *name != Some("main") {
        *name = Some(function);
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "no other expression is a function")]
pub(crate) fn function_name<'a>(it: &'a Expression<'_>) -> Option<&'a str> {
    match it.get_inner_expression() {
        Expression::ArrowFunctionExpression(_) => Some(ANONYMOUS),
        Expression::FunctionExpression(it) => Some(it.id.as_ref().map_or(ANONYMOUS, |id| id.name.as_str())),
        _ => None,
    }
}
