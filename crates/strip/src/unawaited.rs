//! Programs that start an async function of their own and do not wait for it.

use oxc_ast::ast::*;

use crate::uncalled::{ANONYMOUS, function_name};

/// The async function that a program calls in a statement of its own without `await`: the program ends before it does,
/// and what it throws is lost.
///
/// `main()`, `main().catch(…)` and `(async () => { … })()` at the top level are seen, for functions that the program
/// itself declares there. What is assigned, returned or passed on may be waited for later and is not.
pub(crate) fn unawaited(program: &Program<'_>) -> Option<String> {
    let declared: Vec<&str> = program.body.iter().flat_map(async_functions).collect();
    program.body.iter().find_map(|statement| {
        let Statement::ExpressionStatement(it) = statement else { return None };
        called_async(&it.expression, &declared).map(str::to_owned)
    })
}

fn async_functions<'a>(statement: &'a Statement<'_>) -> Vec<&'a str> {
    if let Statement::FunctionDeclaration(it) = statement {
        return it.id.iter().filter(|_| it.r#async && !it.generator).map(|id| id.name.as_str()).collect();
    }
    let Statement::VariableDeclaration(it) = statement else { return Vec::new() };
    let named = it.declarations.iter().filter_map(|declarator| {
        let BindingPattern::BindingIdentifier(id) = &declarator.id else { return None };
        declarator.init.as_ref().filter(|init| is_async_function(init)).map(|_| id.name.as_str())
    });
    named.collect()
}

fn called_async<'a>(expression: &'a Expression<'_>, declared: &[&'a str]) -> Option<&'a str> {
    let mut expression = expression.get_inner_expression();
    loop {
        let Expression::CallExpression(call) = expression else { return None };
        let callee = call.callee.get_inner_expression();
        if let Expression::Identifier(it) = callee {
            return declared.iter().copied().find(|name| *name == it.name.as_str());
        }
        if is_async_function(callee) {
            return Some(function_name(callee).unwrap_or(ANONYMOUS));
        }
        // `main().catch(…)` waits no more than `main()` does.
        let Expression::StaticMemberExpression(member) = callee else { return None };
        if !matches!(member.property.name.as_str(), "then" | "catch" | "finally") {
            return None;
        }
        expression = member.object.get_inner_expression();
    }
}

pub(crate) fn is_async_function(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    if let Expression::ArrowFunctionExpression(it) = inner {
        return it.r#async;
    }
    if let Expression::FunctionExpression(it) = inner {
        return it.r#async && !it.generator;
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::{StripLimits, strip};

    fn unawaited(source: &str) -> Option<String> {
        strip(source, &StripLimits::default()).unwrap().unawaited
    }

    #[test]
    fn an_async_function_that_is_called_and_not_waited_for_is_named() {
        for (source, name) in [
            ("async function main() {}\nmain();", "main"),
            ("const run = async (): Promise<void> => {};\nrun().catch(console.error)", "run"),
            ("main().then(() => 1).finally(() => 2)\nasync function main() {}", "main"),
            ("(async () => { await tools.a() })()", "(anonymous)"),
            ("(async function go() {})().catch(() => {})", "go"),
        ] {
            assert_eq!(unawaited(source).as_deref(), Some(name), "{source}");
        }
    }

    #[test]
    fn what_is_waited_for_or_kept_is_not_named() {
        for source in [
            "async function main() {}\nawait main();",
            "async function main() {}\nreturn main().catch(() => 1);",
            "async function main() {}\nconst p = main();\nawait p;",
            "async function* gen() {}\ngen();",
            "function main() {}\nmain();",
            "tools.notify();",
        ] {
            assert_eq!(unawaited(source), None, "{source}");
        }
    }
}
