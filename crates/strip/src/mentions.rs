//! The members of namespaces that a program names: `tools.search`, `tools["odd-name"]`, `const { search } = tools`.

use crate::position::{Position, Positions};
use oxc_ast::ast::*;
use oxc_span::GetSpan;

/// A member of a global object that the program names.
///
/// Any identifier with a member counts (`console.log` too): which objects are namespaces, the caller knows. A variable of
/// the program's own that shadows a namespace is not told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mention {
    /// The object's name.
    pub namespace: String,
    /// The member's exact name.
    pub member: String,
    /// Where it is named first.
    pub position: Position,
}

/// Mentions with byte offsets, as the walk finds them.
#[derive(Default)]
pub(crate) struct Mentions<'a> {
    found: Vec<(u32, &'a str, &'a str)>,
}

impl<'a> Mentions<'a> {
    pub(crate) fn member(&mut self, object: &Expression<'a>, member: &'a str) {
        if let Expression::Identifier(namespace) = object.get_inner_expression() {
            self.found.push((namespace.span.start, namespace.name.as_str(), member));
        }
    }

    pub(crate) fn computed_member(&mut self, it: &ComputedMemberExpression<'a>) {
        let key = it.expression.get_inner_expression();
        if let Expression::StringLiteral(key) = key {
            self.member(&it.object, key.value.as_str());
        } else if let Expression::TemplateLiteral(key) = key
            && key.expressions.is_empty()
            && let Some(text) = key.quasis.first().and_then(|quasi| quasi.value.cooked)
        {
            self.member(&it.object, text.as_str());
        }
    }

    /// `const { a, "b-c": d } = tools`.
    pub(crate) fn declarator(&mut self, it: &VariableDeclarator<'a>) {
        let (BindingPattern::ObjectPattern(pattern), Some(init)) = (&it.id, &it.init) else { return };
        let Expression::Identifier(namespace) = init.get_inner_expression() else { return };
        for property in &pattern.properties {
            let key = if let PropertyKey::StaticIdentifier(key) = &property.key {
                key.name.as_str()
            } else if let PropertyKey::StringLiteral(key) = &property.key {
                key.value.as_str()
            } else {
                continue;
            };
            self.found.push((property.key.span().start, namespace.name.as_str(), key));
        }
    }

    /// Each member once, in the order of first mention.
    pub(crate) fn finish(mut self, source: &str) -> Vec<Mention> {
        self.found.sort_unstable_by_key(|&(offset, ..)| offset);
        let mut seen = std::collections::HashSet::new();
        let mut positions = Positions::new(source);
        self.found
            .into_iter()
            .filter(|&(_, namespace, member)| seen.insert((namespace, member)))
            .map(|(offset, namespace, member)| Mention {
                namespace: namespace.to_owned(),
                member: member.to_owned(),
                position: positions.advance(offset as usize),
            })
            .collect()
    }
}
