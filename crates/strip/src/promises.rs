//! Calls whose `await` was forgotten: a promise is used like what it resolves to.
//!
//! Only what cannot be meant is found. A promise that is kept, passed on, returned or put into a list may be waited for
//! elsewhere. A variable is followed by its name alone, and only if the program declares that name once, uses it nowhere
//! outside of where it is declared, and writes neither to it nor to a member of it.

use std::collections::{HashMap, HashSet};

use oxc_ast::{AstKind, ast::*};
use oxc_ast_visit::VisitJs;
use oxc_span::{GetSpan, Span};

use crate::position::{Position, Positions};
use crate::uses::{Use, use_of};

/// The longest callee that is repeated, in bytes, and in characters where it is cut.
const LONGEST_CALLEE: usize = 80;

/// The calls that are kept, of different callees or lines: enough for whoever is told of a few.
const MOST_KEPT: usize = 1_000;

/// A call that gives a promise, which the program uses like the value that the promise resolves to.
///
/// A call of any object's member counts when nothing awaits it (`rows.map(…).length` too): which objects' members give
/// promises, the caller knows. A call of a function of the program's own counts only outside of every function: nobody can
/// tell afterwards whether a function of the program's was run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsedPromise {
    /// The object whose member is called; none for an async function of the program's own.
    pub namespace: Option<String>,
    /// The exact name of the member, or of the function.
    pub function: String,
    /// What is called, as it is written.
    pub callee: String,
    /// Where the call stands.
    pub position: Position,
}

/// Finds them, in the order of the calls: the first thousand, and no callee twice in a line.
pub(crate) fn used_promises(program: &Program<'_>, source: &str) -> Vec<UsedPromise> {
    let mut finder = Finder::default();
    finder.visit_program(program);
    finder.finish(source)
}

#[derive(Default)]
struct Finder<'a> {
    /// The nodes around the one that is looked at, outermost first.
    around: Vec<AstKind<'a>>,
    /// How many of them may never run: functions, and classes with their members.
    inner: usize,
    names: HashMap<&'a str, Name<'a>>,
    /// Calls that are used where they stand.
    used: Vec<Call<'a>>,
}

/// What is known of a name.
#[derive(Default)]
struct Name<'a> {
    declarations: usize,
    /// It is an async function, and stays one.
    is_async_function: bool,
    /// Where the function or the call was declared.
    scope: Option<Span>,
    /// The call that it was declared with, and whether it is a constant.
    call: Option<(Call<'a>, bool)>,
    /// From the first to the last mention of it.
    mentions: Option<Span>,
    /// How it is used outside of every function, and within one.
    outside: Uses,
    within: Uses,
    tested: bool,
    changed: bool,
    otherwise: bool,
}

#[derive(Clone, Copy, Default)]
struct Uses {
    wrongly: bool,
    idly: bool,
}

#[derive(Clone, Copy)]
struct Call<'a> {
    namespace: Option<&'a str>,
    function: &'a str,
    callee: Span,
    /// Whether it stands in a function.
    is_within: bool,
}

impl<'a> VisitJs<'a> for Finder<'a> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node declares, names or calls")]
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::BindingIdentifier(it) => self.names.entry(it.name.as_str()).or_default().declarations += 1,
            AstKind::Function(it) if it.r#async && !it.generator && it.is_declaration() => {
                if let Some(id) = &it.id {
                    self.declare_function(id);
                }
            }
            AstKind::VariableDeclarator(it) => {
                if let (BindingPattern::BindingIdentifier(id), Some(init)) = (&it.id, &it.init)
                    && crate::unawaited::is_async_function(init)
                {
                    self.declare_function(id);
                }
            }
            AstKind::IdentifierReference(it) => self.mention(it),
            AstKind::CallExpression(it) => {
                if let Some(call) = call(it, self.inner > 0) {
                    match use_of(&self.around, it.span) {
                        Use::Wrong | Use::Idle | Use::Tested(true) => self.used.push(call),
                        Use::Declares(name, constant) => {
                            let scope = self.scope();
                            let name = self.names.entry(name).or_default();
                            name.call = Some((call, constant));
                            name.scope = scope;
                        }
                        Use::Tested(false) | Use::Changed | Use::Other => {}
                    }
                }
            }
            _ => {}
        }
        self.inner += usize::from(may_not_run(&kind));
        self.around.push(kind);
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.inner -= usize::from(may_not_run(&kind));
        self.around.pop();
    }
}

/// A function or class may stand in a program that never calls it.
fn may_not_run(kind: &AstKind<'_>) -> bool {
    matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::Class(_))
}

impl<'a> Finder<'a> {
    /// The innermost part of the program that keeps what is declared in it to itself. Of a `var`, that is too little.
    fn scope(&self) -> Option<Span> {
        let innermost = self.around.iter().rev().find(|kind| {
            matches!(
                kind,
                AstKind::Program(_)
                    | AstKind::FunctionBody(_)
                    | AstKind::BlockStatement(_)
                    | AstKind::StaticBlock(_)
                    | AstKind::SwitchStatement(_)
                    | AstKind::ForStatement(_)
                    | AstKind::ForInStatement(_)
                    | AstKind::ForOfStatement(_)
            )
        });
        innermost.map(GetSpan::span)
    }

    fn declare_function(&mut self, id: &BindingIdentifier<'a>) {
        let scope = self.scope();
        let name = self.names.entry(id.name.as_str()).or_default();
        name.is_async_function = true;
        name.scope = scope;
    }

    fn mention(&mut self, it: &IdentifierReference<'a>) {
        let name = self.names.entry(it.name.as_str()).or_default();
        name.mentions = Some(name.mentions.map_or(it.span, |mentions| mentions.merge(it.span)));
        let uses = if self.inner > 0 { &mut name.within } else { &mut name.outside };
        match use_of(&self.around, it.span) {
            Use::Wrong => uses.wrongly = true,
            Use::Idle => uses.idly = true,
            Use::Tested(in_vain) => {
                name.tested = true;
                uses.idly |= in_vain;
                name.otherwise |= !in_vain;
            }
            Use::Changed => name.changed = true,
            Use::Declares(..) | Use::Other => name.otherwise = true,
        }
    }

    fn finish(self, source: &str) -> Vec<UsedPromise> {
        let of_names = self.names.values().filter_map(Name::wrongly_used);
        let mut calls: Vec<Call<'a>> = self.used.iter().copied().chain(of_names).collect();
        calls.retain(|call| self.gives_promise(call));
        calls.sort_unstable_by_key(|call| call.callee.start);
        let mut positions = Positions::new(source);
        let mut found: Vec<UsedPromise> = Vec::new();
        let mut in_line: HashSet<(Option<&str>, &str)> = HashSet::new();
        for call in calls {
            let position = positions.advance(call.callee.start as usize);
            if found.last().is_some_and(|last| last.position.line != position.line) {
                in_line.clear();
            }
            if !in_line.insert((call.namespace, call.function)) {
                continue;
            }
            found.push(UsedPromise {
                namespace: call.namespace.map(str::to_owned),
                function: call.function.to_owned(),
                callee: call.text(source),
                position,
            });
            if found.len() == MOST_KEPT {
                break;
            }
        }
        found
    }

    fn gives_promise(&self, call: &Call<'a>) -> bool {
        match call.namespace {
            // What the program declares itself is no namespace of the host's.
            Some(namespace) => self.names.get(namespace).is_none_or(|name| name.declarations == 0 && !name.changed),
            None => {
                !call.is_within
                    && self.names.get(call.function).is_some_and(|name| name.is_async_function && name.is_followed())
            }
        }
    }
}

impl<'a> Name<'a> {
    /// Whether every mention is one of the same thing, and that thing is what it was declared as.
    fn is_followed(&self) -> bool {
        let within = |mentions: Span| self.scope.is_some_and(|scope| scope.contains_inclusive(mentions));
        self.declarations == 1 && !self.changed && self.mentions.is_none_or(within)
    }

    /// The call that it was declared with, if that is used like its answer.
    fn wrongly_used(&self) -> Option<Call<'a>> {
        let (call, constant) = self.call.filter(|_| self.is_followed())?;
        let mut uses = self.outside;
        if call.namespace.is_some() {
            uses.wrongly |= self.within.wrongly;
            uses.idly |= self.within.idly;
        }
        // A variable may hold something else by then, if anything else is done with it; and who asks whether it is a
        // promise uses it like its answer only where it is none.
        let wrongly = uses.wrongly && !(self.otherwise && (self.tested || !constant));
        (wrongly || (uses.idly && !self.otherwise)).then_some(call)
    }
}

impl Call<'_> {
    /// The callee in one short line.
    fn text(&self, source: &str) -> String {
        let written = self.callee.source_text(source);
        if written.lines().count() == 1 && written.len() <= LONGEST_CALLEE {
            return written.to_owned();
        }
        let name = self.namespace.into_iter().chain([self.function]).collect::<Vec<_>>().join(".");
        name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_CALLEE).collect()
    }
}

/// `tools.search(…)`, `tools["odd-name"](…)` or `load(…)`.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else that is called has a name")]
fn call<'a>(it: &CallExpression<'a>, is_within: bool) -> Option<Call<'a>> {
    let callee = it.callee.get_inner_expression();
    let (namespace, function) = match callee {
        Expression::Identifier(it) => (None, it.name.as_str()),
        Expression::StaticMemberExpression(it) => (Some(&it.object), it.property.name.as_str()),
        Expression::ComputedMemberExpression(it) => {
            let Expression::StringLiteral(key) = it.expression.get_inner_expression() else { return None };
            (Some(&it.object), key.value.as_str())
        }
        _ => return None,
    };
    let namespace = match namespace.map(Expression::get_inner_expression) {
        Some(Expression::Identifier(it)) => Some(it.name.as_str()),
        Some(_) => return None,
        None => None,
    };
    Some(Call { namespace, function, callee: callee.span(), is_within })
}

#[cfg(test)]
mod tests;
