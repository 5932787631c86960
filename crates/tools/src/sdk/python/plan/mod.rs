//! From shapes to Python's types: what is written where it stands, and what gets a name.
//!
//! Objects with members have names, because a `TypedDict` must; so has what a schema names, what is too deep to be written in one
//! annotation, and what would be written too often. So the text is linear in the shapes, however they share each other.

mod build;
mod declared;
mod leaf;

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::super::shape::{Kind, NameId, ShapeId, Shapes};
use super::meet::Meeting;
use super::names::{Namer, capitalised};
use super::ty::{DeclId, DeclKind, Ty, TyId, Types};

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

    fn lose(&mut self, id: ShapeId, reason: &'static str) {
        self.lost.push(Lost { origin: self.shapes.get(id).origin, reason });
    }
}

fn hint_of(hint: &Hint, part: &str) -> Hint {
    if hint.ends_with(part) { Rc::clone(hint) } else { format!("{}{part}", capitalised(hint)).into() }
}
