//! Programs that end with a value and do not return it, as one writes at a prompt.

use oxc_ast::{AstKind, ast::*};
use oxc_ast_visit::VisitJs;
use oxc_span::GetSpan;

use crate::position::{Position, Positions};

/// Where the last statement stands, if it makes a value, does nothing else and so is lost.
///
/// Only what cannot do anything counts: names, members, literals and what is put together of them, and the same within
/// `JSON.stringify(…)` and `Object.keys(…)`. Any other call may have been made for what it does.
pub(crate) fn unreturned(program: &Program<'_>, source: &str) -> Option<Position> {
    let last = program.body.iter().rev().find(|statement| !matches!(statement, Statement::EmptyStatement(_)))?;
    let Statement::ExpressionStatement(it) = last else { return None };
    let expression = it.expression.get_inner_expression();
    // A function that is defined and not called has a note of its own, and `undefined` is what is returned anyway.
    let is_nothing = matches!(expression, Expression::Identifier(it) if it.name == "undefined");
    if is_nothing || crate::uncalled::function_name(expression).is_some() {
        return None;
    }
    let mut effects = Effects::default();
    effects.visit_expression(expression);
    (!effects.found).then(|| Positions::new(source).advance(it.span().start as usize))
}

/// Whether an expression may do something.
#[derive(Default)]
struct Effects {
    found: bool,
}

impl<'a> VisitJs<'a> for Effects {
    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else stands in an expression gives a value")]
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.found |= match kind {
            AstKind::CallExpression(it) => !only_reads(it),
            AstKind::UnaryExpression(it) => matches!(it.operator, UnaryOperator::Delete | UnaryOperator::Void),
            AstKind::AssignmentExpression(_)
            | AstKind::AwaitExpression(_)
            | AstKind::Class(_)
            | AstKind::ImportExpression(_)
            | AstKind::NewExpression(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::UpdateExpression(_)
            | AstKind::YieldExpression(_) => true,
            _ => false,
        };
    }
}

/// `JSON.stringify(…)`, `Object.keys(…)` and the like.
fn only_reads(it: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(callee) = it.callee.get_inner_expression() else { return false };
    let Expression::Identifier(object) = callee.object.get_inner_expression() else { return false };
    matches!(
        (object.name.as_str(), callee.property.name.as_str()),
        ("JSON", "stringify") | ("Object", "keys" | "values" | "entries")
    )
}

#[cfg(test)]
mod tests {
    use crate::{StripLimits, strip};

    #[test]
    fn a_last_value_that_nothing_has_is_found_where_it_stands() {
        for (source, line) in [
            ("const r = await tools.a();\nr.total", 2),
            ("const r = 1\n\nr;", 3),
            ("const r = 1;\n({ r, twice: r * 2 });;", 2),
            ("const r = [1]\nJSON.stringify(r.map, null, 2)", 2),
            ("const r = [1];\n`${r.length} rows`\n// the end", 2),
            ("r ? r.a : Object.keys(b)", 1),
        ] {
            let found = strip(source, &StripLimits::default()).unwrap().unreturned;
            assert_eq!(found.map(|at| at.line), Some(line), "{source:?}");
        }
    }

    #[test]
    fn what_may_do_something_or_is_returned_is_not_found() {
        for source in [
            "",
            "return r",
            "await tools.a()",
            "r.map(f)",
            "x = 1",
            "x++",
            "delete r.a",
            "r && f()",
            "new A()",
            "undefined",
            "async () => 5",
            "(function go() {})",
            "tag`x`",
            "void r",
            "const r = 1",
            "\"use strict\"",
            "JSON.stringify(f())",
            "await r",
        ] {
            assert_eq!(strip(source, &StripLimits::default()).unwrap().unreturned, None, "{source:?}");
        }
    }
}
