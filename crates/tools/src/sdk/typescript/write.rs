//! Shapes as types.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::{Entries, Items, JsonKind};

use crate::sdk::shape::{Kind, NameId, Object, Rest, ShapeId};

use super::plan::Plan;
use super::text::{key, string};
use super::words::{new_line, words_of};

/// What is written in place of names when none are declared, at most.
const EXPANDED: usize = 64;
/// The longest type, in bytes, that is written again where an index signature must admit a member.
const REPEATED: usize = 32;

/// A name in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// Where it starts.
    pub(super) at: usize,
    pub(super) name: NameId,
}

/// What a name is written as.
pub(super) enum Naming<'a> {
    /// By the name it was given; the text is marked where it stands.
    Declared(&'a dyn Fn(NameId) -> &'a str),
    /// As what it stands for, as far as that goes.
    Expanded,
}

/// A type that is being written.
pub(super) struct Writer<'a> {
    plan: &'a Plan<'a>,
    naming: Naming<'a>,
    pub(super) out: String,
    pub(super) marks: Vec<Mark>,
    /// The names that are being expanded.
    open: Vec<NameId>,
    expanded: usize,
    todo: Vec<Step<'a>>,
}

/// What is still to be written.
enum Step<'a> {
    Text(&'static str),
    /// The beginning of a line.
    Line(usize),
    /// The name of a member and what stands before its type.
    Member {
        name: &'a str,
        optional: bool,
    },
    /// A comment on lines of its own.
    Block(ShapeId, usize),
    /// A comment within a line.
    Inline(ShapeId),
    Type(ShapeId, usize, Within),
    /// A name has been expanded.
    Leave,
}

/// What a type stands in, which decides whether it needs parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Nothing that binds.
    Nothing,
    /// `… | …`: a union in it needs no binding, unless it begins a line of its own.
    Union,
    /// `… & …`
    Intersection,
    /// `…[]`, `…?`
    Postfix,
}

impl<'a> Writer<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, naming: Naming<'a>) -> Self {
        let (out, marks, open, todo) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        Self { plan, naming, out, marks, open, expanded: 0, todo }
    }

    /// Writes the comment of a shape on lines of its own.
    pub(super) fn words(&mut self, id: ShapeId, indent: usize) {
        words_of(self.plan, id, true).block(indent, &mut self.out);
    }

    /// Writes a type; its first line has begun already.
    pub(super) fn write(&mut self, id: ShapeId, indent: usize) {
        self.todo.push(Step::Type(id, indent, Within::Nothing));
        while let Some(step) = self.todo.pop() {
            match step {
                Step::Text(text) => self.out.push_str(text),
                Step::Line(indent) => new_line(indent, &mut self.out),
                Step::Member { name, optional } => {
                    key(name, &mut self.out);
                    self.out.push_str(if optional { "?: " } else { ": " });
                }
                Step::Block(id, indent) => words_of(self.plan, id, true).block(indent, &mut self.out),
                Step::Inline(id) => words_of(self.plan, id, false).inline(&mut self.out),
                Step::Leave => drop(self.open.pop()),
                Step::Type(id, indent, within) => self.shape(id, indent, within),
            }
        }
    }

    /// Does these steps next, in order.
    fn next(&mut self, steps: Vec<Step<'a>>) {
        self.todo.extend(steps.into_iter().rev());
    }

    fn shape(&mut self, id: ShapeId, indent: usize, within: Within) {
        let plan = self.plan;
        match &plan.shapes.get(id).kind {
            Kind::Any => self.out.push_str("JsonValue"),
            Kind::Never => self.out.push_str("never"),
            Kind::Null => self.out.push_str("null"),
            Kind::Boolean => self.out.push_str("boolean"),
            Kind::Integer | Kind::Number => self.out.push_str("number"),
            Kind::String => self.out.push_str("string"),
            Kind::Literal(value) => literal(value.root(), &mut self.out),
            Kind::Array(item) => {
                self.next(vec![Step::Type(*item, indent, Within::Postfix), Step::Text("[]")]);
            }
            Kind::Tuple { prefix, required, rest } => self.tuple(id, prefix, *required, *rest, indent),
            Kind::Object(object) => self.object(id, object, indent),
            Kind::Union(parts) => self.union(id, parts, indent, within),
            Kind::Intersection(parts) => {
                let mut steps = Vec::with_capacity(parts.len() * 2 + 2);
                let bound = within == Within::Postfix;
                if bound {
                    steps.push(Step::Text("("));
                }
                for (nth, part) in parts.iter().enumerate() {
                    if nth > 0 {
                        steps.push(Step::Text(" & "));
                    }
                    self.inner(*part, indent, Within::Intersection, &mut steps);
                }
                if bound {
                    steps.push(Step::Text(")"));
                }
                self.next(steps);
            }
            Kind::Named(name) => self.named(*name, indent, within),
        }
    }

    /// A type in the middle of another: what is said where its name is declared has no other place than before it.
    fn inner(&self, id: ShapeId, indent: usize, within: Within, steps: &mut Vec<Step<'a>>) {
        if self.plan.behind(id).is_some() {
            steps.push(Step::Inline(id));
        }
        steps.push(Step::Type(id, indent, within));
    }

    fn named(&mut self, name: NameId, indent: usize, within: Within) {
        if let Some(shape) = self.plan.in_place(name) {
            return self.todo.push(Step::Type(shape, indent, within));
        }
        match self.naming {
            Naming::Declared(names) => {
                self.marks.push(Mark { at: self.out.len(), name });
                self.out.push_str(names(name));
            }
            Naming::Expanded => {
                let shape = self.plan.shapes.name(name).map(|named| named.shape);
                let Some(shape) = shape.filter(|_| self.expanded < EXPANDED && !self.open.contains(&name)) else {
                    return self.out.push_str("unknown");
                };
                self.expanded += 1;
                self.open.push(name);
                self.next(vec![Step::Type(shape, indent, within), Step::Leave]);
            }
        }
    }

    fn tuple(&mut self, id: ShapeId, prefix: &'a [ShapeId], required: usize, rest: Option<ShapeId>, indent: usize) {
        let flat = self.plan.is_flat(id);
        let inside = if flat { indent } else { indent + 1 };
        let mut steps = vec![Step::Text("[")];
        let between = |steps: &mut Vec<Step<'a>>, nth: usize| {
            if nth > 0 {
                steps.push(Step::Text(if flat { ", " } else { "," }));
            }
            if !flat {
                steps.push(Step::Line(inside));
            }
        };
        for (nth, item) in prefix.iter().enumerate() {
            between(&mut steps, nth);
            let optional = nth >= required;
            self.inner(*item, inside, if optional { Within::Postfix } else { Within::Nothing }, &mut steps);
            if optional {
                steps.push(Step::Text("?"));
            }
        }
        if let Some(rest) = rest {
            between(&mut steps, prefix.len());
            steps.push(Step::Text("..."));
            self.inner(rest, inside, Within::Postfix, &mut steps);
            steps.push(Step::Text("[]"));
        }
        if !flat {
            steps.push(Step::Line(indent));
        }
        steps.push(Step::Text("]"));
        self.next(steps);
    }

    fn union(&mut self, id: ShapeId, parts: &'a [ShapeId], indent: usize, within: Within) {
        // A list of values is read as one, however long it is.
        let flat = self.plan.is_flat(id) || self.plan.is_plain(id) && !parts.iter().any(|part| self.is_composed(*part));
        let bound = match within {
            Within::Nothing => false,
            Within::Union => !flat,
            Within::Intersection | Within::Postfix => true,
        };
        let mut steps = Vec::with_capacity(parts.len() * 3 + 2);
        if bound {
            steps.push(Step::Text("("));
        }
        for (nth, part) in parts.iter().enumerate() {
            if flat && nth > 0 {
                steps.push(Step::Text(" | "));
            } else if !flat {
                steps.extend([Step::Line(indent + 1), Step::Text("| "), Step::Inline(*part)]);
            }
            steps.push(Step::Type(*part, if flat { indent } else { indent + 2 }, Within::Union));
        }
        if bound {
            if !flat {
                steps.push(Step::Line(indent));
            }
            steps.push(Step::Text(")"));
        }
        self.next(steps);
    }

    fn is_composed(&self, id: ShapeId) -> bool {
        let kind = &self.plan.shapes.get(self.plan.behind(id).unwrap_or(id)).kind;
        matches!(kind, Kind::Object(_) | Kind::Tuple { .. } | Kind::Array(_) | Kind::Intersection(_) | Kind::Union(_))
    }

    fn object(&mut self, id: ShapeId, object: &'a Object, indent: usize) {
        let fields = &object.fields;
        if fields.is_empty() {
            match object.rest {
                Rest::Closed => self.out.push_str("{ [key: string]: never }"),
                Rest::Unstated | Rest::Open => self.out.push_str("{ [key: string]: JsonValue }"),
                Rest::Each(each) if self.plan.is_flat(id) || !self.plan.has_words(each) => {
                    self.next(vec![
                        Step::Text("{ [key: string]: "),
                        Step::Type(each, indent, Within::Nothing),
                        Step::Text(" }"),
                    ]);
                }
                Rest::Each(each) => self.next(vec![
                    Step::Text("{"),
                    Step::Line(indent + 1),
                    Step::Block(each, indent + 1),
                    Step::Text("[key: string]: "),
                    Step::Type(each, indent + 1, Within::Nothing),
                    Step::Text(";"),
                    Step::Line(indent),
                    Step::Text("}"),
                ]),
            }
            return;
        }
        let flat = self.plan.is_flat(id);
        let inside = if flat { indent } else { indent + 1 };
        let mut steps = Vec::with_capacity(fields.len() * 5 + 8);
        steps.push(Step::Text("{"));
        let begin = |steps: &mut Vec<Step<'a>>, nth: usize| {
            if flat {
                steps.push(Step::Text(if nth == 0 { " " } else { "; " }));
            } else {
                steps.push(Step::Line(inside));
            }
        };
        for (nth, field) in fields.iter().enumerate() {
            begin(&mut steps, nth);
            if !flat {
                steps.push(Step::Block(field.shape, inside));
            }
            steps.push(Step::Member { name: &field.name, optional: !field.required });
            steps.push(Step::Type(field.shape, inside, Within::Nothing));
            if !flat {
                steps.push(Step::Text(";"));
            }
        }
        match object.rest {
            Rest::Unstated | Rest::Closed => {}
            Rest::Open => {
                begin(&mut steps, fields.len());
                steps.push(Step::Text(if flat { "[key: string]: unknown" } else { "[key: string]: unknown;" }));
            }
            Rest::Each(each) => {
                begin(&mut steps, fields.len());
                self.beside(each, object, inside, &mut steps);
                if !flat {
                    steps.push(Step::Text(";"));
                }
            }
        }
        steps.push(if flat { Step::Text(" }") } else { Step::Line(indent) });
        if !flat {
            steps.push(Step::Text("}"));
        }
        self.next(steps);
    }

    /// The index signature of other members: it has to admit the declared ones.
    fn beside(&mut self, each: ShapeId, object: &'a Object, indent: usize, steps: &mut Vec<Step<'a>>) {
        let simple = |id: ShapeId| {
            let kind = &self.plan.shapes.get(id).kind;
            match kind {
                Kind::Literal(value) => value.root().serialized_len() <= REPEATED,
                Kind::Any | Kind::Never | Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => {
                    true
                }
                Kind::Array(_)
                | Kind::Tuple { .. }
                | Kind::Object(_)
                | Kind::Union(_)
                | Kind::Intersection(_)
                | Kind::Named(_) => false,
            }
        };
        steps.push(Step::Inline(each));
        if !object.fields.iter().all(|field| simple(field.shape)) || !simple(each) {
            // To a reader it says what they are, to a checker nothing: only so does it admit what is declared.
            steps.extend([Step::Text("[key: string]: "), Step::Type(each, indent, Within::Nothing)]);
            steps.push(Step::Text(" | unknown"));
            return;
        }
        steps.extend([Step::Text("[key: string]: "), Step::Type(each, indent, Within::Nothing)]);
        let mut written = std::collections::HashSet::from([self.told(each)]);
        for field in &object.fields {
            if written.insert(self.told(field.shape)) {
                steps.extend([Step::Text(" | "), Step::Type(field.shape, indent, Within::Nothing)]);
            }
        }
        if object.fields.iter().any(|field| !field.required) {
            steps.push(Step::Text(" | undefined"));
        }
    }

    /// The text of a simple type.
    fn told(&self, id: ShapeId) -> String {
        let kind = &self.plan.shapes.get(id).kind;
        if matches!(kind, Kind::Integer) { format!("{:?}", Kind::Number) } else { format!("{kind:?}") }
    }
}

/// What is open of a value that is being written.
enum Open<'a> {
    Object(Entries<'a>, bool),
    Array(Items<'a>, bool),
}

/// Writes a value as the type that only it has.
fn literal(value: JsonRef<'_>, out: &mut String) {
    let mut open = Vec::new();
    enter(value, &mut open, out);
    while let Some(container) = open.last_mut() {
        match container {
            Open::Object(entries, first) => match entries.next() {
                Some((name, value)) => {
                    out.push_str(if std::mem::take(first) { " " } else { "; " });
                    key(name, out);
                    out.push_str(": ");
                    enter(value, &mut open, out);
                }
                None => {
                    out.push_str(" }");
                    open.pop();
                }
            },
            Open::Array(items, first) => match items.next() {
                Some(value) => {
                    out.push_str(if std::mem::take(first) { "" } else { ", " });
                    enter(value, &mut open, out);
                }
                None => {
                    out.push(']');
                    open.pop();
                }
            },
        }
    }
}

fn enter<'a>(value: JsonRef<'a>, open: &mut Vec<Open<'a>>, out: &mut String) {
    match value.kind() {
        JsonKind::Null => out.push_str("null"),
        JsonKind::Bool => out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
        JsonKind::Number => match value.as_f64() {
            Some(_) => out.push_str(value.number_text().unwrap_or("number")),
            // Beyond what a number of the language can be.
            None => out.push_str("number"),
        },
        JsonKind::String => string(value.as_str().unwrap_or_default(), out),
        JsonKind::Array => {
            out.push('[');
            open.push(Open::Array(value.items(), true));
        }
        JsonKind::Object if value.is_empty() => out.push_str("{ [key: string]: never }"),
        JsonKind::Object => {
            out.push('{');
            open.push(Open::Object(value.entries(), true));
        }
    }
}
