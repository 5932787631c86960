//! A shape on its own, before what it is made of is known.

use std::rc::Rc;

use dayfly_runtime::json::JsonKind;

use super::super::super::shape::{Field, Kind, NameId, Object, Rest, ShapeId};
use super::super::meet::{resolve, target};
use super::super::names::capitalised;
use super::super::quote;
use super::super::ty::{Ty, TyId};
use super::{Hint, Planner, Step, hint_of};

impl Planner<'_> {
    /// The type of a shape that needs no other first; else what must be done first.
    pub(super) fn leaf(&mut self, id: ShapeId, hint: &Hint, steps: &mut Vec<Step>) -> Option<TyId> {
        let node = self.shapes.get(id);
        let mut said: Vec<String> = node.doc.iter().chain(&node.notes).cloned().collect();
        let mut then = |parts: Vec<(ShapeId, Hint)>| {
            steps.push(Step::Build(id, Rc::clone(hint), parts.len()));
            steps.extend(parts.into_iter().rev().map(|(part, hint)| Step::Visit(part, hint)));
            None
        };
        let ty = match &node.kind {
            Kind::Any => Ty::Any,
            Kind::Never => Ty::Never,
            Kind::Null => Ty::None,
            Kind::Boolean => Ty::Bool,
            Kind::Integer => Ty::Int,
            Kind::Number => Ty::Float,
            Kind::String => Ty::Str,
            Kind::Literal(value) => match value.kind() {
                JsonKind::Array | JsonKind::Object => {
                    let opened = self.open_literal(id);
                    return then(vec![(opened, Rc::clone(hint))]);
                }
                JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::String => {
                    let (ty, lost) = literal(value);
                    if lost {
                        said.push(format!("exactly {value}"));
                        self.lose(id, "Python has no literal types of floats");
                    }
                    ty
                }
            },
            Kind::Array(item) => return then(vec![(*item, hint_of(hint, "Item"))]),
            Kind::Tuple { prefix, rest, .. } => {
                let parts = prefix.iter().chain(rest);
                return then(parts.map(|&part| (part, hint_of(hint, "Item"))).collect());
            }
            Kind::Object(object) if object.fields.is_empty() => match object.rest {
                Rest::Each(each) => return then(vec![(each, hint_of(hint, "Value"))]),
                Rest::Closed => Ty::Dict(self.types.add(Ty::Never, Vec::new())),
                Rest::Unstated | Rest::Open => Ty::Dict(self.types.add(Ty::Any, Vec::new())),
            },
            Kind::Object(object) => {
                let odd = object.fields.iter().any(|field| field.name.is_empty());
                let each = matches!(object.rest, Rest::Each(_));
                // Of other members beside declared ones the lowering says that no language has a type.
                if odd {
                    self.lose(id, "a TypedDict has no member whose name is empty");
                }
                let mixed = odd || each;
                let decl = self.class_or_mixed(id, Rc::clone(hint), std::mem::take(&mut said), mixed);
                Ty::Ref(decl)
            }
            Kind::Union(members) => {
                let parts = members.iter().map(|&member| (member, self.alternative(hint, member)));
                return then(parts.collect());
            }
            Kind::Intersection(_) => {
                let met = self.meeting.meet(&mut self.shapes, id);
                said.extend(met.said);
                if let Some(reason) = met.lost {
                    self.lose(id, reason);
                }
                if let Some(node) = self.shapes.get_mut(id) {
                    (node.doc, node.notes) = (said, Vec::new());
                }
                return then(vec![(met.shape, Rc::clone(hint))]);
            }
            &Kind::Named(name) => return self.named(id, name, steps),
        };
        Some(self.types.add(ty, said))
    }

    /// What stands for a name: the name of a declared type, but for what is no longer than its name would be.
    fn named(&mut self, id: ShapeId, name: NameId, steps: &mut Vec<Step>) -> Option<TyId> {
        let node = self.shapes.get(id);
        let said: Vec<String> = node.doc.iter().chain(&node.notes).cloned().collect();
        let (Some(end), Some(named)) = (resolve(&self.shapes, id), self.shapes.name(name)) else {
            return Some(self.types.add(Ty::Any, said));
        };
        let hint: Hint = if named.hint.is_empty() { "Root".into() } else { named.hint.as_str().into() };
        if matches!(self.shapes.get(end).kind, Kind::Intersection(_)) {
            let met = self.meeting.meet(&mut self.shapes, end).shape;
            // Else it may contain its own name.
            if matches!(&self.shapes.get(met).kind, Kind::Object(object) if !object.fields.is_empty()) {
                steps.push(Step::Build(id, Rc::clone(&hint), 1));
                steps.push(Step::Visit(end, hint));
                return None;
            }
        }
        let node = self.shapes.get(end);
        let plain = node.doc.is_empty() && node.notes.is_empty();
        let inline = match &node.kind {
            Kind::Object(object) => !object.fields.is_empty() || plain && !matches!(object.rest, Rest::Each(_)),
            Kind::Any | Kind::Never | Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => plain,
            Kind::Literal(_)
            | Kind::Array(_)
            | Kind::Tuple { .. }
            | Kind::Union(_)
            | Kind::Intersection(_)
            | Kind::Named(_) => false,
        };
        if inline {
            steps.push(Step::Build(id, Rc::clone(&hint), 1));
            steps.push(Step::Visit(end, hint));
            return None;
        }
        let decl = match self.names.get(&name) {
            Some(&decl) => decl,
            None => {
                let decl = self.alias(target(&self.shapes, name).unwrap_or(end), hint, Vec::new());
                self.names.insert(name, decl);
                decl
            }
        };
        Some(self.types.add(Ty::Ref(decl), said))
    }

    /// What an alternative is called: by the literal that tells it from the others, if it has one.
    fn alternative(&self, hint: &Hint, member: ShapeId) -> Hint {
        let Kind::Object(Object { fields, .. }) = &self.shapes.get(member).kind else { return Rc::clone(hint) };
        let literal = |field: &Field| {
            let Kind::Literal(value) = &self.shapes.get(field.shape).kind else { return None };
            value.as_str().filter(|_| field.required).map(capitalised)
        };
        // A tag stands first, or nearly.
        match fields.iter().take(8).find_map(literal) {
            Some(tag) => format!("{}{tag}", capitalised(hint)).into(),
            None => Rc::clone(hint),
        }
    }

    /// An array or an object as the shape of exactly itself, one level of it.
    fn open_literal(&mut self, id: ShapeId) -> ShapeId {
        let origin = self.shapes.get(id).origin;
        let Kind::Literal(value) = &self.shapes.get(id).kind else { return id };
        let value = value.clone();
        let mut add = |kind: Kind| {
            let id = self.shapes.add(kind);
            if let Some(node) = self.shapes.get_mut(id) {
                node.origin = origin;
            }
            id
        };
        if value.kind() == JsonKind::Array {
            let prefix: Vec<ShapeId> = value.items().map(|item| add(Kind::Literal(value.share(item)))).collect();
            return add(Kind::Tuple { required: prefix.len(), prefix, rest: None });
        }
        let fields = value.entries().map(|(name, member)| {
            let shape = add(Kind::Literal(value.share(member)));
            Field { name: name.to_owned(), shape, required: true }
        });
        let fields = fields.collect();
        add(Kind::Object(Object { fields, rest: Rest::Closed }))
    }
}

/// The type of exactly one value that has no parts, and whether it admits others.
fn literal(value: &dayfly_runtime::Json) -> (Ty, bool) {
    if let Some(text) = value.as_str() {
        let mut written = String::new();
        quote::literal(&mut written, text);
        return (Ty::Literals(vec![written]), false);
    }
    if let Some(truth) = value.as_bool() {
        return (Ty::Literals(vec![if truth { "True" } else { "False" }.to_owned()]), false);
    }
    match (value.number_text(), value.as_i64()) {
        (Some(digits), _) if !value.is_float() => (Ty::Literals(vec![digits.to_owned()]), false),
        (Some(_), Some(whole)) => (Ty::Literals(vec![whole.to_string()]), false),
        (Some(_), None) => (Ty::Float, true),
        (None, _) => (Ty::None, false),
    }
}
