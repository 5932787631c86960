//! What one tool contributes: made once for each tool, whatever tools it is declared with.

use dayfly_runtime::Json;

use super::names::{Given, wanted};
use super::plan::Plan;
use super::text::key;
use super::words::{Words, new_line, words_of};
use super::write::{Mark, Naming, Writer};
use crate::sdk::lower::{Lowered, lower};
use crate::sdk::shape::NameId;
use crate::sdk::{SchemaOf, Widening};
use crate::{Tool, ToolSchema};

/// The declarations of one tool.
#[derive(Debug)]
pub(in crate::sdk) struct Declared {
    /// What its types want to be called.
    pub(super) wanted: Vec<String>,
    /// Its named types.
    pub(super) types: Template,
    /// Its entry in the map of arguments, description included.
    pub(super) arguments: Template,
    /// Its entry in the map of values.
    pub(super) output: Template,
    pub(super) widened: Vec<Widening>,
}

/// A text in which names of types can still change.
#[derive(Debug, Default)]
pub(super) struct Template {
    /// The text with every type called what it wants to be.
    text: String,
    /// Where names start, and which they are.
    names: Vec<(usize, usize)>,
}

impl Template {
    /// Appends the text with these names instead of those that were wanted.
    pub(super) fn append(&self, wanted: &[String], given: &[String], out: &mut String) {
        if wanted == given {
            return out.push_str(&self.text);
        }
        let mut from = 0;
        for (at, name) in &self.names {
            out.push_str(self.text.get(from..*at).unwrap_or_default());
            out.push_str(given.get(*name).map_or("", String::as_str));
            from = at + wanted.get(*name).map_or(0, String::len);
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
    }

    /// Takes over what was written, its names being those from `first` on.
    fn take(&mut self, written: String, marks: &[Mark], first: impl Fn(NameId) -> usize) {
        let start = self.text.len();
        self.text.push_str(&written);
        self.names.extend(marks.iter().map(|mark| (start + mark.at, first(mark.name))));
    }
}

/// Declares a tool.
pub(super) fn declared(tool: &Tool) -> Declared {
    let ToolSchema { name, description, input } = tool.schema();
    let mut declared = Declared {
        wanted: Vec::new(),
        types: Template::default(),
        arguments: Template::default(),
        output: Template::default(),
        widened: Vec::new(),
    };
    let mut given = Given::new();
    let description: Vec<String> =
        description.trim_matches(['\n', '\r']).trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
    declared.schema(&mut given, name, input, SchemaOf::Input, description);
    declared.schema(&mut given, name, tool.output_schema(), SchemaOf::Output, Vec::new());
    declared
}

impl Declared {
    fn schema(&mut self, given: &mut Given, tool: &str, schema: &Json, of: SchemaOf, description: Vec<String>) {
        let lowered = lower(schema);
        let plan = Plan::new(&lowered, of == SchemaOf::Input);
        let root = match of {
            SchemaOf::Input => "Args",
            SchemaOf::Output => "Output",
        };
        // By the number of the name in its shapes: its number among all that this tool declares.
        let mut numbers = vec![0; lowered.shapes.named.len()];
        for name in &plan.declared {
            let hint = lowered.shapes.name(*name).map_or("", |named| named.hint.as_str());
            if let Some(number) = numbers.get_mut(name.index()) {
                *number = self.wanted.len();
            }
            self.wanted.push(given.give(&wanted(tool, if hint.is_empty() { root } else { hint })));
        }
        let wanted = std::mem::take(&mut self.wanted);
        let number = |name: NameId| numbers.get(name.index()).copied().unwrap_or(0);
        let names = |name: NameId| wanted.get(number(name)).map_or("", String::as_str);
        for name in &plan.declared {
            let Some(shape) = lowered.shapes.name(*name).map(|named| named.shape) else { continue };
            let mut writer = Writer::new(&plan, Naming::Declared(&names));
            writer.words(shape, 0);
            writer.out.push_str("type ");
            writer.marks.push(Mark { at: writer.out.len(), name: *name });
            writer.out.push_str(names(*name));
            writer.out.push_str(" = ");
            writer.write(shape, 0);
            writer.out.push_str(";\n");
            self.types.take(writer.out, &writer.marks, number);
        }

        let mut writer = Writer::new(&plan, Naming::Declared(&names));
        new_line(1, &mut writer.out);
        entry_words(&plan, &lowered, description).block(1, &mut writer.out);
        key(tool, &mut writer.out);
        writer.out.push_str(": ");
        writer.write(lowered.root, 1);
        writer.out.push(';');
        let template = match of {
            SchemaOf::Input => &mut self.arguments,
            SchemaOf::Output => &mut self.output,
        };
        template.take(writer.out, &writer.marks, number);
        self.wanted = wanted;
        self.widened.extend(lowered.shapes.widened.into_iter().map(|widened| Widening {
            tool: tool.to_owned(),
            schema: of,
            path: widened.path,
            reason: widened.reason,
        }));
    }
}

/// What is said of a tool, and then of its arguments or its value as a whole.
fn entry_words(plan: &Plan<'_>, lowered: &Lowered, description: Vec<String>) -> Words {
    let mut words = words_of(plan, lowered.root, true);
    if description.is_empty() {
        return words;
    }
    let of_schema = std::mem::replace(&mut words.lines, description);
    if !of_schema.is_empty() && of_schema != words.lines {
        words.lines.push(String::new());
        words.lines.extend(of_schema);
    }
    words
}

/// The type of a schema by itself: what recurs is `unknown` in itself.
pub(super) fn type_of(schema: &Json) -> String {
    let lowered = lower(schema);
    let plan = Plan::new(&lowered, true);
    let mut writer = Writer::new(&plan, Naming::Expanded);
    writer.write(lowered.root, 0);
    writer.out
}
