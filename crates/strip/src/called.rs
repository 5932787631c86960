//! Members of global objects that a program only ever calls, so that what it takes them for is plain.

use std::collections::{HashMap, HashSet};

use oxc_ast::{AstKind, ast::*};
use oxc_ast_visit::VisitJs;
use oxc_span::{GetSpan, Span};

use crate::mentions::Mention;
use crate::position::Positions;
use crate::uses::is_wrapper;

/// The members, each once with its first place, in order.
///
/// Of an object that the program declares, or does anything else with than to take a member by its name, nothing is known:
/// it may have been given members. Of a member that is mentioned in another way than as what is called (`typeof tools.x`,
/// `tools.x?.()`), the program may know that it is not there.
pub(crate) fn called(program: &Program<'_>, source: &str) -> Vec<Mention> {
    let mut finder = Finder::default();
    finder.visit_program(program);
    finder.finish(source)
}

#[derive(Default)]
struct Finder<'a> {
    /// The nodes around the one that is looked at, outermost first.
    around: Vec<AstKind<'a>>,
    members: HashMap<(&'a str, &'a str), Member>,
    unknown: HashSet<&'a str>,
}

struct Member {
    offset: u32,
    is_called: bool,
}

impl<'a> VisitJs<'a> for Finder<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if let AstKind::BindingIdentifier(it) = kind {
            self.unknown.insert(it.name.as_str());
        } else if let AstKind::IdentifierReference(it) = kind {
            self.mention(it);
        }
        self.around.push(kind);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.around.pop();
    }
}

impl<'a> Finder<'a> {
    fn mention(&mut self, it: &IdentifierReference<'a>) {
        let (depth, child) = unwrapped(&self.around, it.span);
        let Some((member, span)) = depth.and_then(|depth| member_of(&self.around[depth], child)) else {
            self.unknown.insert(it.name.as_str());
            return;
        };
        let is_called = is_called(&self.around[..depth.unwrap_or_default()], span);
        let known = self
            .members
            .entry((it.name.as_str(), member))
            .or_insert_with(|| Member { offset: it.span.start, is_called: true });
        known.is_called &= is_called;
    }

    fn finish(self, source: &str) -> Vec<Mention> {
        let Self { members, unknown, .. } = self;
        let mut found: Vec<_> = members
            .into_iter()
            .filter(|((namespace, _), member)| member.is_called && !unknown.contains(namespace))
            .map(|((namespace, member), Member { offset, .. })| (offset, namespace, member))
            .collect();
        found.sort_unstable();
        let mut positions = Positions::new(source);
        let mention = |(offset, namespace, member): (u32, &str, &str)| Mention {
            namespace: namespace.to_owned(),
            member: member.to_owned(),
            position: positions.advance(offset as usize),
        };
        found.into_iter().map(mention).collect()
    }
}

/// The depth of the nearest node that is no wrapper, and the span of what stands in it.
fn unwrapped(around: &[AstKind<'_>], span: Span) -> (Option<usize>, Span) {
    let mut child = span;
    for (depth, parent) in around.iter().enumerate().rev() {
        if !is_wrapper(parent) || matches!(parent, AstKind::ChainExpression(_)) {
            return (Some(depth), child);
        }
        child = parent.span();
    }
    (None, child)
}

/// The name of the member that is taken of the object with this span, and the span of the whole.
fn member_of<'a>(parent: &AstKind<'a>, object: Span) -> Option<(&'a str, Span)> {
    if let AstKind::StaticMemberExpression(it) = parent {
        return (it.object.span() == object && !it.optional).then(|| (it.property.name.as_str(), it.span));
    }
    let AstKind::ComputedMemberExpression(it) = parent else { return None };
    let Expression::StringLiteral(key) = it.expression.get_inner_expression() else { return None };
    (it.object.span() == object && !it.optional).then(|| (key.value.as_str(), it.span))
}

fn is_called(around: &[AstKind<'_>], span: Span) -> bool {
    let (depth, child) = unwrapped(around, span);
    let parent = depth.and_then(|depth| around.get(depth));
    matches!(parent, Some(AstKind::CallExpression(it)) if it.callee.span() == child && !it.optional)
}

#[cfg(test)]
mod tests {
    use crate::{StripLimits, strip};

    fn called(source: &str) -> Vec<String> {
        let found = strip(source, &StripLimits::default()).unwrap().called;
        found.iter().map(|it| format!("{}.{} {}", it.namespace, it.member, it.position.line)).collect()
    }

    #[test]
    fn members_that_are_only_called_are_found_once_with_their_line() {
        let source = "try {\n  await tools.lod({});\n} catch {}\nawait tools!.lod();\nawait (tools[\"a-b\"] as any)({});\n\
                      console.log((tools.list)())";
        assert_eq!(called(source), ["tools.lod 2", "tools.a-b 5", "console.log 6", "tools.list 6"]);
    }

    #[test]
    fn a_member_that_may_be_known_to_be_missing_or_may_have_been_given_is_not_found() {
        for source in [
            "if (typeof tools.a === \"undefined\") tools.a()",
            "tools.a?.()",
            "tools?.a()",
            "if (tools.a) await tools.a()",
            "tools.a = f; tools.a()",
            "Object.assign(tools, { a }); tools.a()",
            "const tools = make(); tools.a()",
            "tools[name] = f; tools.a()",
            "if (\"a\" in tools) tools.a()",
            "const t = tools; t.a = 1; tools.a()",
            "const { a } = tools; tools.b()",
            "new tools.A()",
        ] {
            assert_eq!(called(source).iter().filter(|it| it.starts_with("tools")).count(), 0, "{source}");
        }
    }
}
