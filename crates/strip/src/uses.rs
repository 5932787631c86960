//! What becomes of a value where it stands, if it is a promise.

use oxc_ast::{AstKind, ast::*};
use oxc_span::{GetSpan, Span};

/// How a promise is used.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use<'a> {
    /// As what it resolves to: no promise has that member, can be counted with or gone through.
    Wrong,
    /// To no purpose: every promise is true, equals nothing else and prints alike.
    Idle,
    /// To declare a variable of this name; whether it is a constant.
    Declares(&'a str, bool),
    /// It is waited for, or may be by whatever has it now.
    Other,
}

/// How what has this span is used; `around` are the nodes around it, outermost first.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else stands around may have it awaited")]
pub(crate) fn use_of<'a>(around: &[AstKind<'a>], span: Span) -> Use<'a> {
    let mut child = span;
    for (depth, parent) in around.iter().enumerate().rev() {
        let above = depth.checked_sub(1).and_then(|depth| around.get(depth));
        return match parent {
            AstKind::ParenthesizedExpression(_)
            | AstKind::ChainExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::TSNonNullExpression(_) => {
                child = parent.span();
                continue;
            }
            AstKind::StaticMemberExpression(it) if it.object.span() == child => {
                let own = matches!(it.property.name.as_str(), "then" | "catch" | "finally" | "constructor");
                if own || is_assigned(above, it.span) { Use::Other } else { Use::Wrong }
            }
            AstKind::ComputedMemberExpression(it) if it.object.span() == child => {
                if is_assigned(above, it.span) {
                    Use::Other
                } else {
                    Use::Wrong
                }
            }
            AstKind::CallExpression(it) if it.callee.span() == child => Use::Wrong,
            AstKind::CallExpression(it) => argument_of(it),
            AstKind::SpreadElement(_) => Use::Wrong,
            AstKind::TemplateLiteral(_) if !matches!(above, Some(AstKind::TaggedTemplateExpression(_))) => Use::Wrong,
            AstKind::ForOfStatement(it) if it.right.span() == child => Use::Wrong,
            AstKind::ForInStatement(it) if it.right.span() == child => Use::Wrong,
            AstKind::UnaryExpression(it) => match it.operator {
                UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => Use::Wrong,
                UnaryOperator::LogicalNot => Use::Idle,
                UnaryOperator::Typeof | UnaryOperator::Void | UnaryOperator::Delete => Use::Other,
            },
            AstKind::BinaryExpression(it) => match it.operator {
                BinaryOperator::In | BinaryOperator::Instanceof => Use::Other,
                operator if operator.is_equality() => Use::Idle,
                _ => Use::Wrong,
            },
            AstKind::LogicalExpression(it) if it.operator.is_and() && it.left.span() == child => Use::Idle,
            AstKind::IfStatement(it) if it.test.span() == child => Use::Idle,
            AstKind::ConditionalExpression(it) if it.test.span() == child => Use::Idle,
            AstKind::WhileStatement(it) if it.test.span() == child => Use::Idle,
            AstKind::DoWhileStatement(it) if it.test.span() == child => Use::Idle,
            AstKind::SwitchStatement(it) if it.discriminant.span() == child => Use::Idle,
            AstKind::AssignmentExpression(it) if it.right.span() == child => {
                let pattern = matches!(
                    it.left,
                    AssignmentTarget::ArrayAssignmentTarget(_) | AssignmentTarget::ObjectAssignmentTarget(_)
                );
                let counts = !it.operator.is_assign() && !it.operator.is_logical();
                if pattern || counts { Use::Wrong } else { Use::Other }
            }
            AstKind::VariableDeclarator(it) => match &it.id {
                BindingPattern::BindingIdentifier(id) => {
                    let constant = matches!(above, Some(AstKind::VariableDeclaration(it)) if it.kind.is_const());
                    Use::Declares(id.name.as_str(), constant)
                }
                _ => Use::Wrong,
            },
            _ => Use::Other,
        };
    }
    Use::Other
}

/// Whether the member with this span is what an assignment writes to: a program may note something on a promise.
fn is_assigned(above: Option<&AstKind<'_>>, member: Span) -> bool {
    matches!(above, Some(AstKind::AssignmentExpression(it)) if it.left.span() == member)
}

/// As an argument. What these functions make of a promise is never what its value would give.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other function may wait for what it is given")]
fn argument_of<'a>(it: &CallExpression<'a>) -> Use<'a> {
    match it.callee.get_inner_expression() {
        Expression::Identifier(callee) => match callee.name.as_str() {
            "String" | "Number" | "parseInt" | "parseFloat" | "isNaN" => Use::Wrong,
            _ => Use::Other,
        },
        Expression::StaticMemberExpression(callee) => {
            let Expression::Identifier(object) = callee.object.get_inner_expression() else { return Use::Other };
            match (object.name.as_str(), callee.property.name.as_str()) {
                ("console", _) => Use::Idle,
                ("JSON", "stringify" | "parse")
                | ("Object", "keys" | "values" | "entries" | "fromEntries")
                | ("Array", "from" | "isArray")
                | ("Math" | "Number", _) => Use::Wrong,
                _ => Use::Other,
            }
        }
        _ => Use::Other,
    }
}
