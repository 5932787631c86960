//! From shapes to Python's types: what is written where it stands, and what gets a name.
//!
//! Objects with members have names, because a `TypedDict` must; so has what a schema names, what is too deep to be written in one
//! annotation, and what would be written too often. So the text is linear in the shapes, however they share each other.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use dayfly_runtime::json::JsonKind;

use super::super::shape::{Field, Kind, NameId, Object, Rest, ShapeId, Shapes};
use super::meet::{Meeting, resolve, target};
use super::names::{Namer, capitalised};
use super::ty::{DeclId, DeclKind, Member, Ty, TyId, Types};

/// How many brackets are inside each other in one annotation. CPython's parser takes 200, and a reader fewer.
const MAX_DEPTH: usize = 5;

/// How much is written again where a shape is used again, in words.
const MAX_REPEATED: usize = 8;

/// The types of one schema, and where they admit more than it does.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) types: Types,
    pub(super) root: TyId,
    pub(super) lost: Vec<Lost>,
}

/// A shape that Python cannot say.
#[derive(Debug)]
pub(super) struct Lost {
    /// See [`super::super::shape::Node::origin`].
    pub(super) origin: usize,
    pub(super) reason: &'static str,
}

/// What a type is called if it gets a name.
type Hint = Rc<str>;

enum Step {
    Visit(ShapeId, Hint),
    Build(ShapeId, Hint, usize),
}

/// A declared type whose inside is not known yet.
enum Pending {
    Class(DeclId, ShapeId, Hint),
    Alias(DeclId, ShapeId, Hint),
    Mixed(DeclId, ShapeId, Hint),
}

pub(super) struct Planner<'a> {
    shapes: Shapes,
    namer: &'a mut Namer,
    meeting: Meeting,
    types: Types,
    known: HashMap<ShapeId, TyId>,
    /// The shapes that are being written, with the names of those that contain themselves.
    open: HashMap<ShapeId, Option<DeclId>>,
    names: HashMap<NameId, DeclId>,
    pending: VecDeque<Pending>,
    lost: Vec<Lost>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(shapes: Shapes, namer: &'a mut Namer) -> Self {
        for id in shapes.ids() {
            if let Kind::Object(object) = &shapes.get(id).kind {
                object.fields.iter().for_each(|field| namer.avoid(&field.name));
            }
        }
        let meeting = Meeting::new(&shapes);
        let types = Types::default();
        let (known, open, names) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (pending, lost) = (VecDeque::new(), Vec::new());
        Self { shapes, namer, meeting, types, known, open, names, pending, lost }
    }

    /// The types of a shape and of all that it is made of.
    pub(super) fn plan(mut self, root: ShapeId, hint: &str) -> Plan {
        let root = self.ty(root, hint.into());
        while let Some(pending) = self.pending.pop_front() {
            match pending {
                Pending::Class(decl, shape, hint) => self.fill_class(decl, shape, &hint),
                Pending::Alias(decl, shape, hint) => {
                    let body = self.ty(shape, hint);
                    self.types.define(decl, DeclKind::Alias(body));
                }
                Pending::Mixed(decl, shape, hint) => {
                    let body = self.mixed(shape, &hint);
                    self.types.define(decl, DeclKind::Mixed(body));
                }
            }
        }
        self.types.break_circles();
        Plan { types: self.types, root, lost: self.lost }
    }

    fn fill_class(&mut self, decl: DeclId, shape: ShapeId, hint: &Hint) {
        let fields = self.fields(shape);
        let mut members = Vec::with_capacity(fields.len());
        let mut notes = Vec::new();
        for (name, shape, required) in fields {
            let ty = self.ty(shape, name.as_str().into());
            if name.is_empty() {
                notes.push("may have a member \"\"".to_owned());
            } else {
                members.push(Member { name, required, ty });
            }
        }
        match self.rest(shape) {
            Rest::Closed | Rest::Unstated => {}
            Rest::Open => notes.push("may have other members".to_owned()),
            Rest::Each(each) => {
                let ty = self.ty(each, hint_of(hint, "Value"));
                notes.push(format!("any other member: {}", self.types.short(ty)));
            }
        }
        self.types.define(decl, DeclKind::Class(members));
        if let Some(decl) = self.types.decls.get_mut(decl.0) {
            decl.doc.extend(notes);
        }
    }

    fn fields(&self, shape: ShapeId) -> Vec<(String, ShapeId, bool)> {
        let Kind::Object(object) = &self.shapes.get(shape).kind else { return Vec::new() };
        object.fields.iter().map(|field| (field.name.clone(), field.shape, field.required)).collect()
    }

    /// Members by name beside members of any other name, which a `TypedDict` cannot hold: either one or the other.
    fn mixed(&mut self, shape: ShapeId, hint: &Hint) -> TyId {
        let mut members = Vec::new();
        for (name, shape, _) in self.fields(shape) {
            members.push(self.ty(shape, name.as_str().into()));
        }
        match self.rest(shape) {
            Rest::Each(each) => members.push(self.ty(each, hint_of(hint, "Value"))),
            Rest::Open => members.push(self.types.add(Ty::Any, Vec::new())),
            Rest::Unstated | Rest::Closed => {}
        }
        let value = self.types.union(&members, Vec::new());
        let known = self.class_or_mixed(shape, hint_of(hint, "Known"), Vec::new(), false);
        let class = self.types.add(Ty::Ref(known), Vec::new());
        let dict = self.types.add(Ty::Dict(value), Vec::new());
        self.types.add(Ty::Union(vec![class, dict]), Vec::new())
    }

    fn rest(&self, shape: ShapeId) -> Rest {
        if let Kind::Object(object) = &self.shapes.get(shape).kind { object.rest } else { Rest::Unstated }
    }

    fn class_or_mixed(&mut self, shape: ShapeId, hint: Hint, doc: Vec<String>, mixed: bool) -> DeclId {
        let name = self.namer.name(&hint);
        let decl = self.types.declare(name, doc, DeclKind::Class(Vec::new()));
        let pending = if mixed { Pending::Mixed } else { Pending::Class };
        self.pending.push_back(pending(decl, shape, hint));
        decl
    }

    fn alias(&mut self, shape: ShapeId, hint: Hint, doc: Vec<String>) -> DeclId {
        let name = self.namer.name(&hint);
        let nothing = self.types.add(Ty::Any, Vec::new());
        let decl = self.types.declare(name, doc, DeclKind::Alias(nothing));
        self.pending.push_back(Pending::Alias(decl, shape, hint));
        decl
    }

    /// The type of a shape; what it names or contains by name is left for later, so this ends.
    fn ty(&mut self, root: ShapeId, hint: Hint) -> TyId {
        let mut steps = vec![Step::Visit(root, hint)];
        let mut done: Vec<TyId> = Vec::new();
        while let Some(step) = steps.pop() {
            let ty = match step {
                Step::Visit(id, hint) => match self.known.get(&id) {
                    Some(&ty) => {
                        self.share(ty, &hint);
                        ty
                    }
                    None if self.open.contains_key(&id) => self.within_itself(id, &hint),
                    None => match self.leaf(id, &hint, &mut steps) {
                        Some(ty) => {
                            self.known.insert(id, ty);
                            ty
                        }
                        None => {
                            self.open.insert(id, None);
                            continue;
                        }
                    },
                },
                Step::Build(id, hint, parts) => {
                    let parts = done.split_off(done.len().saturating_sub(parts));
                    let ty = self.build(id, &hint, &parts);
                    if let Some(Some(decl)) = self.open.remove(&id) {
                        self.types.hoist_as(ty, decl);
                    }
                    self.known.insert(id, ty);
                    ty
                }
            };
            done.push(ty);
        }
        done.pop().unwrap_or_else(|| self.types.add(Ty::Any, Vec::new()))
    }

    /// A shape inside of itself: by the name that it gets.
    fn within_itself(&mut self, id: ShapeId, hint: &Hint) -> TyId {
        let decl = match self.open.get(&id) {
            Some(&Some(decl)) => decl,
            _ => {
                let name = self.namer.name(hint);
                let nothing = self.types.add(Ty::Any, Vec::new());
                let decl = self.types.declare(name, Vec::new(), DeclKind::Alias(nothing));
                self.open.insert(id, Some(decl));
                decl
            }
        };
        self.types.add(Ty::Ref(decl), Vec::new())
    }

    /// A type that is written again: by its name, if it is long.
    fn share(&mut self, ty: TyId, hint: &Hint) {
        let node = self.types.get(ty);
        if node.weight > MAX_REPEATED && (!matches!(node.ty, Ty::Ref(_)) || !node.said.is_empty()) {
            let name = self.namer.name(hint);
            self.types.hoist(ty, name);
        }
    }

    /// The type of a shape that needs no other first; else what must be done first.
    fn leaf(&mut self, id: ShapeId, hint: &Hint, steps: &mut Vec<Step>) -> Option<TyId> {
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

    fn build(&mut self, id: ShapeId, hint: &Hint, parts: &[TyId]) -> TyId {
        for &part in parts {
            let node = self.types.get(part);
            if node.depth >= MAX_DEPTH {
                let name = self.namer.name(hint);
                self.types.hoist(part, name);
            }
        }
        let node = self.shapes.get(id);
        let mut said: Vec<String> = node.doc.iter().chain(&node.notes).cloned().collect();
        let first = parts.first().copied();
        let ty = match &node.kind {
            Kind::Array(_) => first.map_or(Ty::Any, Ty::List),
            Kind::Object(_) => first.map_or(Ty::Any, Ty::Dict),
            Kind::Union(_) => return self.types.union(parts, said),
            Kind::Tuple { prefix, required, rest } => {
                if parts.is_empty() {
                    let never = self.types.add(Ty::Never, Vec::new());
                    return self.types.add(Ty::List(never), said);
                }
                said.push(self.positions(prefix.len(), *required, rest.is_some(), parts));
                self.lose(id, "JSON arrays are lists, and lists have no positions");
                Ty::List(self.types.union(parts, Vec::new()))
            }
            Kind::Any
            | Kind::Never
            | Kind::Null
            | Kind::Boolean
            | Kind::Integer
            | Kind::Number
            | Kind::String
            | Kind::Literal(_)
            | Kind::Intersection(_)
            | Kind::Named(_) => {
                let Some(part) = first else { return self.types.add(Ty::Any, said) };
                if said.is_empty() {
                    return part;
                }
                let node = self.types.get(part);
                said.extend(node.said.iter().cloned());
                node.ty.clone()
            }
        };
        self.types.add(ty, said)
    }

    /// `exactly 2 items: str, float`, which the type does not say.
    fn positions(&self, prefix: usize, required: usize, rest: bool, parts: &[TyId]) -> String {
        let s = if prefix == 1 { "" } else { "s" };
        let mut text = if rest {
            "in order: ".to_owned()
        } else if required == prefix {
            format!("exactly {prefix} item{s}: ")
        } else {
            format!("{required} to {prefix} item{s}: ")
        };
        for (number, &part) in parts.iter().enumerate() {
            text.push_str(if number > 0 { ", " } else { "" });
            text.push_str(if number == prefix { "then any number of " } else { "" });
            if text.len() > 160 {
                text.push('…');
                break;
            }
            text.push_str(&self.types.short(part));
        }
        text
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

    fn lose(&mut self, id: ShapeId, reason: &'static str) {
        self.lost.push(Lost { origin: self.shapes.get(id).origin, reason });
    }
}

fn hint_of(hint: &Hint, part: &str) -> Hint {
    if hint.ends_with(part) { Rc::clone(hint) } else { format!("{}{part}", capitalised(hint)).into() }
}

/// The type of exactly one value that has no parts, and whether it admits others.
fn literal(value: &dayfly_runtime::Json) -> (Ty, bool) {
    if let Some(text) = value.as_str() {
        let mut written = String::new();
        super::quote::literal(&mut written, text);
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
