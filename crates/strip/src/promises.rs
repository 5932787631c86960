//! Calls whose `await` was forgotten: a promise is used like what it resolves to.
//!
//! Only what cannot be meant is found. A promise that is kept, passed on, returned or put into a list may be waited for
//! elsewhere. A variable is followed by its name alone, and only if the program declares that name once.

use std::collections::HashMap;

use oxc_ast::{AstKind, ast::*};
use oxc_ast_visit::VisitJs;
use oxc_span::GetSpan;

use crate::position::{Position, Positions};
use crate::uses::{Use, use_of};

/// The longest callee that is repeated, in bytes, and in characters where it is cut.
const LONGEST_CALLEE: usize = 80;

/// A call that gives a promise, which the program uses like the value that the promise resolves to.
///
/// A call of any object's member counts when nothing awaits it (`rows.map(…).length` too): which objects' members give
/// promises, the caller knows.
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

/// Finds them, in the order of the calls.
pub(crate) fn used_promises(program: &Program<'_>, source: &str) -> Vec<UsedPromise> {
    let mut finder = Finder::default();
    finder.visit_program(program);
    finder.finish(source)
}

#[derive(Default)]
struct Finder<'a> {
    /// The nodes around the one that is looked at, outermost first.
    around: Vec<AstKind<'a>>,
    names: HashMap<&'a str, Name<'a>>,
    /// Calls that are used where they stand.
    used: Vec<Call<'a>>,
}

/// What is known of a name.
#[derive(Default)]
struct Name<'a> {
    declarations: usize,
    is_async_function: bool,
    /// The call that it was declared with, and whether it is a constant.
    call: Option<(Call<'a>, bool)>,
    /// How it is used.
    wrongly: bool,
    idly: bool,
    otherwise: bool,
}

#[derive(Clone, Copy)]
struct Call<'a> {
    namespace: Option<&'a str>,
    function: &'a str,
    callee: oxc_span::Span,
}

impl<'a> VisitJs<'a> for Finder<'a> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node declares, names or calls")]
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::BindingIdentifier(it) => self.names.entry(it.name.as_str()).or_default().declarations += 1,
            AstKind::Function(it) if it.r#async && !it.generator => {
                if let Some(id) = &it.id {
                    self.names.entry(id.name.as_str()).or_default().is_async_function = true;
                }
            }
            AstKind::VariableDeclarator(it) => {
                if let (BindingPattern::BindingIdentifier(id), Some(init)) = (&it.id, &it.init)
                    && crate::unawaited::is_async_function(init)
                {
                    self.names.entry(id.name.as_str()).or_default().is_async_function = true;
                }
            }
            AstKind::IdentifierReference(it) => {
                let name = self.names.entry(it.name.as_str()).or_default();
                match use_of(&self.around, it.span) {
                    Use::Wrong => name.wrongly = true,
                    Use::Idle => name.idly = true,
                    Use::Declares(..) | Use::Other => name.otherwise = true,
                }
            }
            AstKind::CallExpression(it) => {
                if let Some(call) = call(it) {
                    match use_of(&self.around, it.span) {
                        Use::Wrong | Use::Idle => self.used.push(call),
                        Use::Declares(name, constant) => {
                            self.names.entry(name).or_default().call = Some((call, constant));
                        }
                        Use::Other => {}
                    }
                }
            }
            _ => {}
        }
        self.around.push(kind);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.around.pop();
    }
}

impl<'a> Finder<'a> {
    fn finish(self, source: &str) -> Vec<UsedPromise> {
        let of_names = self.names.values().filter(|name| name.declarations == 1).filter_map(|name| {
            let (call, constant) = name.call?;
            // A variable may hold something else by then, if anything else is done with it.
            let wrongly = name.wrongly && (constant || !name.otherwise);
            (wrongly || (name.idly && !name.otherwise)).then_some(call)
        });
        let mut calls: Vec<Call<'a>> = self.used.iter().copied().chain(of_names).collect();
        calls.retain(|call| self.gives_promise(call));
        calls.sort_unstable_by_key(|call| call.callee.start);
        let mut positions = Positions::new(source);
        let found = calls.into_iter().map(|call| UsedPromise {
            namespace: call.namespace.map(str::to_owned),
            function: call.function.to_owned(),
            callee: call.text(source),
            position: positions.advance(call.callee.start as usize),
        });
        found.collect()
    }

    fn gives_promise(&self, call: &Call<'a>) -> bool {
        match call.namespace {
            // What the program declares itself is no namespace of the host's.
            Some(namespace) => self.names.get(namespace).is_none_or(|name| name.declarations == 0),
            None => self.names.get(call.function).is_some_and(|name| name.is_async_function && name.declarations == 1),
        }
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
fn call<'a>(it: &CallExpression<'a>) -> Option<Call<'a>> {
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
    Some(Call { namespace, function, callee: callee.span() })
}

#[cfg(test)]
mod tests {
    use crate::{StripLimits, strip};

    /// `tools.search 1`: the callee as it is written, and the line.
    fn found(source: &str) -> Vec<String> {
        let stripped = strip(source, &StripLimits::default()).unwrap_or_else(|error| panic!("{error}: {source}"));
        stripped.used_promises.iter().map(|it| format!("{} {}", it.callee, it.position.line)).collect()
    }

    #[test]
    fn a_promise_that_is_used_like_its_value_is_found_with_the_call_that_gave_it() {
        for (source, expected) in [
            ("const a = tools.search({ q: 1 });\nawait tools.deploy({});\nreturn a.length", "tools.search 1"),
            ("const a = tools.search({});\nreturn a.map((one) => one)", "tools.search 1"),
            ("const a: any = tools[\"odd-name\"]({});\nreturn (a as any)!?.rows[0]", "tools[\"odd-name\"] 1"),
            ("let n = 0;\nn += tools.count()", "tools.count 2"),
            ("const n = tools.count() + 1", "tools.count 1"),
            ("for (const one of tools.list()) { await one }", "tools.list 1"),
            ("const all = tools.list();\nfor (const one of all) {}", "tools.list 1"),
            ("return [...tools.list()]", "tools.list 1"),
            ("const { rows } = tools.list()", "tools.list 1"),
            ("let rows; [rows] = tools.list()", "tools.list 1"),
            ("const [a, b] = Promise.all([tools.a(), tools.b()])", "Promise.all 1"),
            ("return `there are ${tools.count()}`", "tools.count 1"),
            ("if (tools.exists({})) { await tools.rm() }", "tools.exists 1"),
            ("const there = tools.exists({});\nif (!there) await tools.make()", "tools.exists 1"),
            ("console.log(tools.count())", "tools.count 1"),
            ("const c = tools.count();\nconsole.log(c)", "tools.count 1"),
            ("const c = tools.count();\nreturn JSON.stringify(c)", "tools.count 1"),
            ("return await tools.list().filter(Boolean)", "tools.list 1"),
            ("async function load() { return await tools.list() }\nconst all = load();\nreturn all.length", "load 2"),
            ("const load = async () => 1;\nreturn load() * 2", "load 2"),
            ("return tools\n  .list({}).length", "tools.list 1"),
            // It is wrong before it is waited for as well.
            ("const a = tools.list();\nconsole.log(a.length);\nreturn await a", "tools.list 1"),
            ("const f = async (q) => {\n  const a = tools.list(q);\n  return a[0]\n};\nawait f()", "tools.list 2"),
        ] {
            assert_eq!(found(source), [expected], "{source}");
        }
    }

    #[test]
    fn a_promise_that_may_be_waited_for_is_not() {
        for source in [
            "const p = tools.a(); const q = tools.b(); const [x, y] = await Promise.all([p, q]); return x.n + y.n",
            "const p = tools.a(); await tools.b(); const x = await p; return x.length",
            "void tools.log({ text: 1 }); await tools.b(); return 1",
            "tools.log({}); const p = tools.a(); doIt(p); return 1\nfunction doIt(x) { return x.then((y) => y.length) }",
            "let p = tools.a(); p = await p; return p.length",
            "let a = tools.a(); if (a) a = await a; return `${a}`",
            "const p = tools.a().then((x) => x.length); return (await p) + 1",
            "const p = tools.a(); p.catch(() => {}); await tools.b(); return await p",
            "const p = tools.a(); const all = [p]; for (const one of await Promise.all(all)) console.log(one.x)",
            "const p = tools.a(); console.log(p); return await p",
            "const p = tools.a(); const q = p; return (await q).length",
            "const pending = {}; pending.a = tools.a(); return (await pending.a).length",
            "const p = tools.a(); return p",
            "const load = () => tools.a(); return (await load()).length",
            "const all = await Promise.all([1, 2].map((n) => tools.a({ n }))); return all.length",
            "const p = tools.a(); p.label = 'a'; return (await p).length",
            "const p = tools.a(); const t = p instanceof Promise; return [t, typeof p, await p]",
            "const p = cond() ? tools.a() : null; if (p) await p;\nfunction cond() { return true }",
            // The same name in two places, and a namespace of the program's own.
            "{ const a = tools.a(); await a }\n{ const a = [1]; return a.length }",
            "const tools2 = { a: () => [1] }; return tools2.a().length",
            "function load() { return [1] }\nreturn load().length",
            "async function* load() { yield 1 }\nfor await (const x of load()) console.log(x)",
            "const a = await tools.a(); return a.length",
            "return (await tools.a()).length",
            "const results = []; for (const n of [1, 2]) results.push(tools.a({ n })); return (await Promise.all(results)).length",
            "const wait = Promise.race([tools.a(), new Promise((r) => setTimeout(r, 5))]); return (await wait) ?? 1",
        ] {
            assert_eq!(found(source), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn calls_of_other_objects_are_found_with_their_object_so_that_the_caller_can_tell() {
        let stripped = strip("return rows.map(String).length + load().x", &StripLimits::default()).unwrap();
        let found: Vec<_> =
            stripped.used_promises.iter().map(|it| (it.namespace.as_deref(), it.function.as_str())).collect();
        assert_eq!(found, [(Some("rows"), "map")]);
    }
}
