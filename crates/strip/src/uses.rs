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
    /// To find out whether it is a promise at all; whether the test is in vain for every promise.
    Tested(bool),
    /// It, or a member of it, is written: what it holds is not what the call gave any more.
    Changed,
    /// To declare a variable of this name; whether it is a constant.
    Declares(&'a str, bool),
    /// It is waited for, or may be by whatever has it now.
    Other,
}

/// How what has this span is used; `around` are the nodes around it, outermost first.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else stands around may have it awaited")]
pub(crate) fn use_of<'a>(around: &[AstKind<'a>], span: Span) -> Use<'a> {
    if is_target(around, span) {
        return Use::Changed;
    }
    let mut child = span;
    for (depth, parent) in around.iter().enumerate().rev() {
        let above = depth.checked_sub(1).and_then(|depth| around.get(depth));
        return match parent {
            parent if is_wrapper(parent) => {
                child = parent.span();
                continue;
            }
            AstKind::StaticMemberExpression(it) if it.object.span() == child => {
                member(it.property.name.as_str(), around.get(..depth).unwrap_or_default(), it.span)
            }
            AstKind::ComputedMemberExpression(it) if it.object.span() == child => {
                let around = around.get(..depth).unwrap_or_default();
                match it.expression.get_inner_expression() {
                    Expression::StringLiteral(key) => member(key.value.as_str(), around, it.span),
                    Expression::StaticMemberExpression(key) if is_tag(key) => Use::Idle,
                    _ => member("", around, it.span),
                }
            }
            AstKind::CallExpression(it) if it.callee.span() == child => Use::Wrong,
            AstKind::CallExpression(it) => argument_of(it),
            AstKind::SpreadElement(_) => Use::Wrong,
            AstKind::TemplateLiteral(_) if !matches!(above, Some(AstKind::TaggedTemplateExpression(_))) => Use::Idle,
            AstKind::ForOfStatement(it) if it.right.span() == child => Use::Wrong,
            AstKind::ForInStatement(it) if it.right.span() == child => Use::Wrong,
            AstKind::UnaryExpression(it) => match it.operator {
                UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => Use::Wrong,
                UnaryOperator::LogicalNot => Use::Idle,
                UnaryOperator::Typeof => Use::Tested(false),
                UnaryOperator::Void | UnaryOperator::Delete => Use::Other,
            },
            AstKind::BinaryExpression(it) => match it.operator {
                BinaryOperator::In => Use::Other,
                BinaryOperator::Instanceof => Use::Tested(false),
                BinaryOperator::Addition if is_text(&it.left) || is_text(&it.right) => Use::Idle,
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

/// What stands around an expression and leaves its value what it is.
pub(crate) fn is_wrapper(kind: &AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::ParenthesizedExpression(_)
            | AstKind::ChainExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::TSNonNullExpression(_)
    )
}

/// A member of it; `around` are the nodes around the member expression with this span.
fn member<'a>(name: &str, around: &[AstKind<'a>], span: Span) -> Use<'a> {
    if is_target(around, span) {
        return Use::Changed;
    }
    match name {
        "then" if !is_called(around, span) => Use::Tested(false),
        "then" | "catch" | "finally" | "constructor" => Use::Other,
        // Every object has these, and a promise's tell nothing.
        "hasOwnProperty" | "isPrototypeOf" | "propertyIsEnumerable" | "toLocaleString" | "toString" | "valueOf" => {
            Use::Idle
        }
        _ => Use::Wrong,
    }
}

fn is_called(around: &[AstKind<'_>], span: Span) -> bool {
    let mut child = span;
    for parent in around.iter().rev() {
        if is_wrapper(parent) {
            child = parent.span();
            continue;
        }
        return matches!(parent, AstKind::CallExpression(it) if it.callee.span() == child);
    }
    false
}

/// `Symbol.toStringTag` and the like, but not those by which something is gone through.
fn is_tag(key: &StaticMemberExpression<'_>) -> bool {
    matches!(&key.object, Expression::Identifier(object) if object.name.as_str() == "Symbol")
        && !matches!(key.property.name.as_str(), "iterator" | "asyncIterator")
}

fn is_text(operand: &Expression<'_>) -> bool {
    matches!(operand.get_inner_expression(), Expression::StringLiteral(_) | Expression::TemplateLiteral(_))
}

/// Whether the name or member with this span is written to (or deleted) where it stands.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else writes")]
fn is_target(around: &[AstKind<'_>], span: Span) -> bool {
    let mut child = span;
    for parent in around.iter().rev() {
        return match parent {
            parent if is_wrapper(parent) => {
                child = parent.span();
                continue;
            }
            AstKind::AssignmentExpression(it) => it.left.span() == child,
            AstKind::UpdateExpression(_) | AstKind::ArrayAssignmentTarget(_) | AstKind::AssignmentTargetRest(_) => true,
            AstKind::UnaryExpression(it) => it.operator == UnaryOperator::Delete,
            AstKind::AssignmentTargetWithDefault(it) => it.binding.span() == child,
            AstKind::AssignmentTargetPropertyIdentifier(it) => it.binding.span() == child,
            AstKind::AssignmentTargetPropertyProperty(it) => it.binding.span() == child,
            AstKind::ForOfStatement(it) => it.left.span() == child,
            AstKind::ForInStatement(it) => it.left.span() == child,
            _ => false,
        };
    }
    false
}

/// As an argument. What these functions make of a promise is never what its value would give.
#[expect(clippy::wildcard_enum_match_arm, reason = "any other function may wait for what it is given")]
fn argument_of<'a>(it: &CallExpression<'a>) -> Use<'a> {
    match it.callee.get_inner_expression() {
        Expression::Identifier(callee) => match callee.name.as_str() {
            "String" => Use::Idle,
            "Number" | "parseInt" | "parseFloat" | "isNaN" => Use::Wrong,
            _ => Use::Other,
        },
        Expression::StaticMemberExpression(callee) => {
            let Expression::Identifier(object) = callee.object.get_inner_expression() else { return Use::Other };
            match (object.name.as_str(), callee.property.name.as_str()) {
                ("console", _) | ("JSON", "stringify") => Use::Idle,
                ("Array", "isArray") => Use::Tested(true),
                ("Object", "assign" | "defineProperty" | "defineProperties" | "setPrototypeOf")
                | ("Reflect", "set" | "defineProperty" | "setPrototypeOf") => Use::Changed,
                ("JSON", "parse")
                | ("Object", "keys" | "values" | "entries" | "fromEntries")
                | ("Array", "from")
                | ("Math" | "Number", _) => Use::Wrong,
                _ => Use::Other,
            }
        }
        _ => Use::Other,
    }
}
