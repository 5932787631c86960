//! The skeleton of a syntax tree, to prove that erasing types has changed nothing else.
//!
//! Blanking is done by rules, and a rule can be missing. So the result is parsed again, as JavaScript, and must give
//! the tree that was there before without its types. A program for which it does not is refused, never run as something else.

use oxc_ast::{AstKind, AstType};
use oxc_span::GetSpan;

/// A step of a walk over a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    /// The node's type; `None` for the way out of the last node entered.
    node: Option<AstType>,
    /// Where a leaf starts. Inner nodes may begin earlier or later once a modifier is gone.
    leaf: Option<u32>,
    /// Where the node starts, for messages. Not compared.
    offset: u32,
}

/// The kept nodes of a tree in the order of a walk.
#[derive(Default)]
pub(crate) struct Shape {
    steps: Vec<Step>,
}

impl Shape {
    pub(crate) fn enter(&mut self, kind: AstKind<'_>) {
        if let Some(node) = significant(kind) {
            let offset = kind.span().start;
            self.steps.push(Step { node: Some(node), leaf: is_leaf(node).then_some(offset), offset });
        }
    }

    pub(crate) fn leave(&mut self, kind: AstKind<'_>) {
        if significant(kind).is_some() {
            self.steps.push(Step { node: None, leaf: None, offset: kind.span().end });
        }
    }

    /// Where `self` first differs from `other`, as an offset into the text of `self`. `None` when they are the same.
    pub(crate) fn difference(&self, other: &Self) -> Option<u32> {
        let same = |(a, b): &(&Step, &Step)| (a.node, a.leaf) == (b.node, b.leaf);
        let common = self.steps.iter().zip(&other.steps).take_while(same).count();
        if common == self.steps.len() && common == other.steps.len() {
            return None;
        }
        self.steps.get(common).or(self.steps.last()).map(|step| step.offset).or(Some(0))
    }
}

/// The node type to compare, or `None` for nodes that come and go without changing what a program means.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other node means something")]
fn significant(kind: AstKind<'_>) -> Option<AstType> {
    match kind.ty() {
        // The wrappers that were erased, and what stands for an erased statement.
        AstType::TSAsExpression
        | AstType::TSSatisfiesExpression
        | AstType::TSNonNullExpression
        | AstType::TSInstantiationExpression
        | AstType::EmptyStatement
        // It becomes a comment.
        | AstType::Hashbang
        // Parentheses are text, and text stays; the tree says what they group.
        | AstType::ParenthesizedExpression
        // Where a chain ends is told by its parentheses; the two grammars put the node at different places.
        | AstType::ChainExpression => None,
        // A string behind an erased declaration is first in its body now. All code here is strict anyway.
        AstType::Directive => Some(AstType::ExpressionStatement),
        node => Some(node),
    }
}

fn is_leaf(node: AstType) -> bool {
    matches!(
        node,
        AstType::IdentifierReference
            | AstType::IdentifierName
            | AstType::BindingIdentifier
            | AstType::LabelIdentifier
            | AstType::PrivateIdentifier
            | AstType::ThisExpression
            | AstType::Super
            | AstType::StringLiteral
            | AstType::NumericLiteral
            | AstType::BigIntLiteral
            | AstType::BooleanLiteral
            | AstType::NullLiteral
            | AstType::RegExpLiteral
            | AstType::TemplateElement
    )
}
