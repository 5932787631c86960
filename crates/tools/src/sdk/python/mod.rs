//! Declarations in Python.
//!
//! The text is for a model to read, and is Python all the same: CPython 3.10 compiles it, and a type checker takes it for 3.11,
//! where `typing` has all that it names.
//!
//! What Python cannot say, and what is written instead:
//!
//! | JSON Schema | Python |
//! |---|---|
//! | arrays by position | `list[A \| B]`, the positions in a comment; listed as widened |
//! | declared members beside others of one type | the `TypedDict` or a `dict` of all of them; listed as widened |
//! | an object that says it may have other members | a `TypedDict`, which admits them; a comment says so |
//! | a literal float | `float`, the value in a comment; listed as widened |
//! | an intersection of objects, alone or with alternatives | one merged `TypedDict`, or one for each alternative; beyond a size, all members of all alternatives, listed as widened |
//! | a member whose name is no Python name | `TypedDict("Name", {…})`, which takes any name but the empty one |
//!
//! `int` admits `True`, and `float` admits `int` and NaN: what checkers take of these is not listed.

mod declaration;
mod meet;
mod names;
mod order;
mod plan;
mod quote;
mod tool;
mod ty;
mod union;
mod write;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dayfly_runtime::Json;

use super::SdkText;
use super::lower::lower;
use crate::Tool;
use names::{Namer, is_attribute};
use plan::Planner;
pub(super) use tool::Kept;
use tool::Part;
use write::{Imports, Writer};

/// How to write programs in Python.
pub(super) const INSTRUCTIONS: &str = include_str!("instructions.md");

const ERROR: &str = "\
class ToolCallError(Exception):
    \"\"\"A tool call failed; str(e) says why.\"\"\"
    tool_name: str
    toolName: str

";

/// Whether a tool of this name is declared as a member of `tools`, and not by a subscript.
pub(super) fn is_member(name: &str) -> bool {
    is_attribute(name)
}

/// Declares tools, in the order of their names: their types, then the class of `tools`.
pub(super) fn declare(tools: &[Tool]) -> SdkText {
    let mut tools: Vec<&Tool> = tools.iter().collect();
    tools.sort_by(|left, right| left.name().cmp(right.name()));
    tools.dedup_by(|other, one| one.name() == other.name());
    let parts = parts(&tools);

    let mut imports = Imports::from(["Protocol"]);
    let mut types = String::new();
    let (mut methods, mut subscripts) = (String::new(), String::new());
    let several = parts.iter().filter(|part| part.subscript).count() > 1;
    let mut bytes = Vec::with_capacity(parts.len());
    for (tool, part) in tools.iter().zip(&parts) {
        imports.extend(&part.imports);
        types.push_str(&part.types);
        let mut size = part.types.len() + part.method.len();
        if part.subscript {
            if several {
                imports.insert("overload");
                subscripts.push_str(OVERLOAD);
                size += OVERLOAD.len();
            }
            subscripts.push_str(&part.method);
        } else {
            methods.push_str(&part.method);
        }
        bytes.push((tool.name().to_owned(), size));
    }
    if parts.is_empty() {
        methods.push_str("    pass\n");
    }
    let text =
        format!("{}{ERROR}{types}class Tools(Protocol):\n{methods}{subscripts}\ntools: Tools\n", header(&imports));
    let widened = parts.iter().flat_map(|part| part.widened.iter().cloned()).collect();
    SdkText { text: text.into(), widened, bytes }
}

const OVERLOAD: &str = "    @overload\n";

/// The part of each tool. No two declare a type of the same name, and no type has the name of a method.
fn parts(tools: &[&Tool]) -> Vec<Arc<Part>> {
    let mut taken: HashSet<String> =
        tools.iter().map(|tool| tool.name()).filter(|name| is_attribute(name)).map(str::to_owned).collect();
    let mut next: HashMap<String, usize> = HashMap::new();
    let mut parts = Vec::with_capacity(tools.len());
    for tool in tools {
        let base = tool::prefix(tool.name());
        let number = next.entry(base).or_insert(0);
        let part = loop {
            *number += 1;
            let part = Part::of(tool, *number);
            if part.names.is_disjoint(&taken) {
                break part;
            }
        };
        taken.extend(part.names.iter().cloned());
        parts.push(part);
    }
    parts
}

/// The imports of a text.
fn header(imports: &Imports) -> String {
    let (abstract_ones, typing): (Vec<&str>, Vec<&str>) =
        imports.iter().partition(|name| matches!(**name, "Callable" | "Coroutine"));
    let mut text = "from __future__ import annotations\n".to_owned();
    for (module, names) in [("collections.abc", abstract_ones), ("typing", typing)] {
        if !names.is_empty() {
            text.push_str(&format!("from {module} import {}\n", names.join(", ")));
        }
    }
    text.push('\n');
    text
}

/// The type of what a schema admits: its last line. What stands above declares the names in it.
pub(super) fn type_of(schema: &Json) -> String {
    let lowered = lower(schema);
    let mut namer = Namer::new(String::new());
    let plan = Planner::new(lowered.shapes, &mut namer).plan(lowered.root, "Value");
    let mut text = String::new();
    let mut imports = Imports::new();
    declaration::declare(&mut text, &plan.types, &[plan.root], &mut imports);
    Writer { types: &plan.types, names: None }.ty(&mut text, plan.root, &mut imports);
    text
}
