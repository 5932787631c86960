//! One tool's part of the text.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexSet;

use super::super::lower::{lower, pointer_to};
use super::super::{SchemaOf, Widening};
use super::declaration::declare;
use super::names::{Namer, TYPE_NAME, capitalised, is_attribute};
use super::plan::{Plan, Planner};
use super::quote::{docstring, joined, lines, literal};
use super::ty::{DeclKind, Ty, TyId, Types};
use super::write::{Imports, Writer};
use crate::Tool;

/// How many places of one schema are listed that Python alone widens: finding one costs a look at the schema.
const MAX_LISTED: usize = 256;

/// So many parts of one tool are kept. In most sets of tools it has the same one; where names are written alike it has another
/// number in some of them, and the parts that were refused come before the one that it has.
const MAX_KEPT: usize = 4;

/// The parts that a tool has had, the latest one first, each with the number in the prefix of its types.
#[derive(Debug, Default)]
pub(in crate::sdk) struct Kept {
    parts: Mutex<VecDeque<(usize, Arc<Part>)>>,
}

impl Kept {
    fn recall(&self, number: usize) -> Option<Arc<Part>> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let nth = parts.iter().position(|(kept, _)| *kept == number)?;
        let found = parts.remove(nth)?;
        let part = Arc::clone(&found.1);
        parts.push_front(found);
        Some(part)
    }

    fn keep(&self, number: usize, part: &Arc<Part>) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push_front((number, Arc::clone(part)));
        parts.truncate(MAX_KEPT);
    }
}

/// What one tool is declared by. It depends on the tool and the prefix of its types alone, so that it is kept with the tool.
#[derive(Debug)]
pub(super) struct Part {
    /// Its types, before the class of all tools.
    pub(super) types: String,
    /// Its method in that class, or what stands for one that Python cannot name.
    pub(super) method: String,
    /// Whether it is called by subscript.
    pub(super) subscript: bool,
    pub(super) imports: Imports,
    /// The names of its types.
    pub(super) names: HashSet<String>,
    pub(super) widened: Vec<Widening>,
}

/// What the types of a tool begin with.
pub(super) fn prefix(tool: &str) -> String {
    let mut prefix = capitalised(tool);
    if !prefix.starts_with(|first: char| first.is_ascii_alphabetic()) {
        prefix.insert_str(0, TYPE_NAME);
    }
    prefix
}

impl Part {
    /// The part whose types begin with [`prefix`] and this number, if it is not the first.
    pub(super) fn of(tool: &Tool, number: usize) -> Arc<Self> {
        let kept = &tool.sdk().python;
        if let Some(part) = kept.recall(number) {
            return part;
        }
        // Made outside the lock: two threads that ask at once may both make it, and make the same.
        let mut prefix = prefix(tool.name());
        if number > 1 {
            prefix.push_str(&number.to_string());
        }
        let part = Arc::new(Self::new(tool, prefix));
        kept.keep(number, &part);
        part
    }

    fn new(tool: &Tool, prefix: String) -> Self {
        let mut namer = Namer::new(prefix);
        let mut part = Self {
            types: String::new(),
            method: String::new(),
            subscript: !is_attribute(tool.name()),
            imports: Imports::new(),
            names: HashSet::new(),
            widened: Vec::new(),
        };
        let input = part.plan(tool, SchemaOf::Input, &mut namer);
        let output = part.plan(tool, SchemaOf::Output, &mut namer);
        let docs = docs(tool, &input, &output);
        if part.subscript {
            part.write_subscript(tool, &input, &output, &docs, &mut namer);
        } else {
            part.method = format!("    async def {}(self", tool.name());
            part.write_call(&input, &output, &docs, "        ");
        }
        part.names = namer.into_names();
        part
    }

    /// Declares the types of one schema.
    fn plan(&mut self, tool: &Tool, which: SchemaOf, namer: &mut Namer) -> Plan {
        let (schema, hint) = match which {
            SchemaOf::Input => (&tool.schema().input, "Args"),
            SchemaOf::Output => (tool.output_schema(), "Output"),
        };
        let mut lowered = lower(schema);
        let named = std::mem::take(&mut lowered.shapes.widened);
        let plan = Planner::new(lowered.shapes, namer).plan(lowered.root, hint);
        declare(&mut self.types, &plan.types, &[plan.root], &mut self.imports);
        let lost: IndexSet<_> = plan.lost.iter().map(|lost| (lost.origin, lost.reason)).collect();
        let own =
            lost.iter().take(MAX_LISTED).map(|(origin, reason)| (pointer_to(schema, *origin), (*reason).to_owned()));
        let unlisted = lost.len().saturating_sub(MAX_LISTED);
        let more = (unlisted > 0).then(|| (String::new(), format!("{unlisted} more places")));
        let all = named.into_iter().map(|widened| (widened.path, widened.reason)).chain(own).chain(more);
        let widening = |(path, reason)| Widening { tool: tool.name().to_owned(), schema: which, path, reason };
        self.widened.extend(all.map(widening));
        plan
    }

    /// The parameters, the result and the body of a method, behind its name and `self`.
    fn write_call(&mut self, input: &Plan, output: &Plan, docs: &[String], indent: &str) {
        if !takes_nothing(input) {
            self.method.push_str(", args: ");
            write(&mut self.method, input, &mut self.imports);
            self.method.push_str(if admits_empty(&input.types, input.root) { " = {}, /" } else { ", /" });
        }
        self.method.push_str(") -> ");
        write(&mut self.method, output, &mut self.imports);
        self.method.push_str(if docs.is_empty() { ": ...\n" } else { ":\n" });
        docstring(&mut self.method, docs, indent);
        if !docs.is_empty() {
            self.method.push_str(indent);
            self.method.push_str("...\n");
        }
    }

    /// `tools["odd-name"]` is a function of one argument. One whose argument may be left out has no such type in Python, and is
    /// declared as a class that is called.
    fn write_subscript(&mut self, tool: &Tool, input: &Plan, output: &Plan, docs: &[String], namer: &mut Namer) {
        let nothing = takes_nothing(input);
        let callable = if !nothing && admits_empty(&input.types, input.root) {
            let name = namer.name("Call");
            self.imports.insert("Protocol");
            self.method = format!("class {name}(Protocol):\n    async def __call__(self");
            self.write_call(input, output, &[], "");
            self.types.push_str(&std::mem::take(&mut self.method));
            self.types.push('\n');
            name
        } else {
            self.imports.extend(["Callable", "Coroutine", "Any"]);
            let mut callable = "Callable[[".to_owned();
            if !nothing {
                write(&mut callable, input, &mut self.imports);
            }
            callable.push_str("], Coroutine[Any, Any, ");
            write(&mut callable, output, &mut self.imports);
            callable.push_str("]]");
            callable
        };
        self.imports.insert("Literal");
        let mut name = String::new();
        literal(&mut name, tool.name());
        let end = if docs.is_empty() { " ..." } else { "" };
        self.method = format!("    def __getitem__(self, name: Literal[{name}], /) -> {callable}:{end}\n");
        docstring(&mut self.method, docs, "        ");
        if !docs.is_empty() {
            self.method.push_str("        ...\n");
        }
    }
}

/// Writes the type of a schema where it is used.
fn write(out: &mut String, plan: &Plan, imports: &mut Imports) {
    Writer { types: &plan.types, names: None }.ty(out, plan.root, imports);
}

/// What is said of a tool, and of types that have no place of their own to say it.
fn docs(tool: &Tool, input: &Plan, output: &Plan) -> Vec<String> {
    let mut docs = lines(&[tool.schema().description.clone()]);
    for (label, plan) in [("args", input), ("returns", output)] {
        let said = joined(&plan.types.said(plan.root));
        if !said.is_empty() {
            docs.push(format!("{label}: {said}"));
        }
    }
    docs
}

/// Whether a tool's arguments are always the empty object.
fn takes_nothing(input: &Plan) -> bool {
    let Ty::Dict(value) = &input.types.get(input.root).ty else { return false };
    matches!(input.types.get(*value).ty, Ty::Never)
}

/// Whether the empty object is of a type.
fn admits_empty(types: &Types, root: TyId) -> bool {
    let mut met = vec![false; types.decls.len()];
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        match &types.get(id).ty {
            Ty::Any | Ty::Dict(_) => return true,
            Ty::Union(members) => open.extend(members),
            Ty::Ref(decl) => {
                let Some(met) = met.get_mut(decl.0) else { continue };
                if std::mem::replace(met, true) {
                    continue;
                }
                match types.decl(*decl).map(|decl| &decl.kind) {
                    Some(DeclKind::Class(members)) if members.iter().all(|member| !member.required) => return true,
                    Some(DeclKind::Alias(body)) => open.push(*body),
                    // The class says what must be there.
                    Some(DeclKind::Mixed(body)) => {
                        open.extend(if let Ty::Union(members) = &types.get(*body).ty { members.first() } else { None });
                    }
                    Some(DeclKind::Class(_)) | None => {}
                }
            }
            Ty::Never | Ty::None | Ty::Bool | Ty::Int | Ty::Float | Ty::Str | Ty::Literals(_) | Ty::List(_) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_kept_with_the_tool_by_number_and_the_oldest_go() {
        let json = |text: &str| crate::Json::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let tool = Tool::raw("get_file", json(r#"{"type": "object", "properties": {"path": {"type": "string"}}}"#))
            .output_plain(json(r#"{"type": "string"}"#))
            .execute(|arguments, _| std::future::ready(Ok(arguments)))
            .unwrap_or_else(|error| panic!("{error}"));
        let (first, second) = (Part::of(&tool, 1), Part::of(&tool.clone(), 2));
        assert!(first.names.contains("GetFileArgs"), "{first:?}");
        assert!(second.names.contains("GetFile2Args"), "{second:?}");
        assert!(Arc::ptr_eq(&first, &Part::of(&tool, 1)) && Arc::ptr_eq(&second, &Part::of(&tool, 2)));
        for number in 3..=MAX_KEPT {
            Part::of(&tool, number);
        }
        assert!(Arc::ptr_eq(&first, &Part::of(&tool, 1)));
        Part::of(&tool, MAX_KEPT + 1);
        assert!(Arc::ptr_eq(&first, &Part::of(&tool, 1)) && !Arc::ptr_eq(&second, &Part::of(&tool, 2)));
    }
}
