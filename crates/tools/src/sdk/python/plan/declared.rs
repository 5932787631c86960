//! Types that get a name, and what is inside of them.

use super::super::super::shape::{Kind, Rest, ShapeId};
use super::super::ty::{DeclId, DeclKind, Member, Ty, TyId};
use super::{Hint, Pending, Planner, hint_of};

impl Planner<'_> {
    pub(super) fn fill_class(&mut self, decl: DeclId, shape: ShapeId, hint: &Hint) {
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
    pub(super) fn mixed(&mut self, shape: ShapeId, hint: &Hint) -> TyId {
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

    pub(super) fn class_or_mixed(&mut self, shape: ShapeId, hint: Hint, doc: Vec<String>, mixed: bool) -> DeclId {
        let name = self.namer.name(&hint);
        let decl = self.types.declare(name, doc, DeclKind::Class(Vec::new()));
        let pending = if mixed { Pending::Mixed } else { Pending::Class };
        self.pending.push_back(pending(decl, shape, hint));
        decl
    }

    pub(super) fn alias(&mut self, shape: ShapeId, hint: Hint, doc: Vec<String>) -> DeclId {
        let name = self.namer.name(&hint);
        let nothing = self.types.add(Ty::Any, Vec::new());
        let decl = self.types.declare(name, doc, DeclKind::Alias(nothing));
        self.pending.push_back(Pending::Alias(decl, shape, hint));
        decl
    }
}
