//! A shape whose parts have types.

use super::super::super::shape::{Kind, ShapeId};
use super::super::ty::{Ty, TyId};
use super::{Hint, MAX_DEPTH, Planner};

impl Planner<'_> {
    pub(super) fn build(&mut self, id: ShapeId, hint: &Hint, parts: &[TyId]) -> TyId {
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
}
