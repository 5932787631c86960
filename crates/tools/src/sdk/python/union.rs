//! Unions as Python writes them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::quote::joined;
use super::ty::{Ty, TyId, TyNode, Types};

impl Types {
    /// The union of types: flat, nothing twice, one `Literal`, `None` last.
    pub(super) fn union(&mut self, members: &[TyId], said: Vec<String>) -> TyId {
        let mut kept = Kept::default();
        for &member in members {
            match self.get(member).ty.clone() {
                Ty::Union(inner) if self.get(member).said.is_empty() => {
                    inner.into_iter().for_each(|inner| kept.take(self, inner));
                }
                Ty::Union(inner) => {
                    kept.said.extend(self.get(member).said.iter().cloned());
                    inner.into_iter().for_each(|inner| kept.take(self, inner));
                }
                Ty::Any
                | Ty::Never
                | Ty::None
                | Ty::Bool
                | Ty::Int
                | Ty::Float
                | Ty::Str
                | Ty::Literals(_)
                | Ty::List(_)
                | Ty::Dict(_)
                | Ty::Ref(_) => kept.take(self, member),
            }
        }
        kept.into_type(self, said)
    }
}

/// The members of a union while it is put together.
#[derive(Debug, Default)]
struct Kept {
    others: Vec<TyId>,
    literals: Vec<String>,
    /// Where the literals stand among the others.
    literals_at: Option<usize>,
    seen: HashMap<(u8, usize), TyId>,
    seen_literals: HashSet<String>,
    said: Vec<String>,
    any: bool,
    none: bool,
}

impl Kept {
    fn take(&mut self, types: &Types, id: TyId) {
        let TyNode { ty, said, .. } = types.get(id);
        let key = match ty {
            Ty::Never => return,
            Ty::Any => {
                self.any = true;
                self.said.extend(said.iter().cloned());
                return;
            }
            Ty::None => {
                self.none = true;
                self.said.extend(said.iter().cloned());
                return;
            }
            Ty::Literals(values) => {
                self.literals_at.get_or_insert(self.others.len());
                self.said.extend(said.iter().cloned());
                for value in values {
                    if self.seen_literals.insert(value.clone()) {
                        self.literals.push(value.clone());
                    }
                }
                return;
            }
            Ty::Bool => (0, 0),
            Ty::Int => (1, 0),
            Ty::Float => (2, 0),
            Ty::Str => (3, 0),
            Ty::Ref(decl) => (4, decl.0),
            Ty::List(item) => scalar_key(types, *item).map_or((5, id.0), |key| (6, key)),
            Ty::Dict(item) => scalar_key(types, *item).map_or((5, id.0), |key| (7, key)),
            Ty::Union(_) => (5, id.0),
        };
        match self.seen.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(id);
                self.others.push(id);
            }
            // Written once; what is said of it the second time is said of the whole.
            Entry::Occupied(first) if *said != types.get(*first.get()).said => {
                self.said.extend((!said.is_empty()).then(|| format!("or {}", joined(said))));
            }
            Entry::Occupied(_) => {}
        }
    }

    fn into_type(mut self, types: &mut Types, mut said: Vec<String>) -> TyId {
        if self.any {
            said.append(&mut self.said);
            return types.add(Ty::Any, said);
        }
        let mut members = self.others;
        if let Some(at) = self.literals_at {
            members.insert(at, types.add(Ty::Literals(self.literals), Vec::new()));
        }
        if self.none {
            members.push(types.add(Ty::None, Vec::new()));
        }
        said.append(&mut self.said);
        match members.as_slice() {
            [] => types.add(Ty::Never, said),
            [only] => {
                let TyNode { ty, said: more, .. } = types.get(*only).clone();
                said.extend(more);
                types.add(ty, said)
            }
            _ => types.add(Ty::Union(members), said),
        }
    }
}

/// Tells plain types apart.
fn scalar_key(types: &Types, id: TyId) -> Option<usize> {
    let TyNode { ty, said, .. } = types.get(id);
    let key = match ty {
        Ty::Any => 0,
        Ty::Never => 1,
        Ty::None => 2,
        Ty::Bool => 3,
        Ty::Int => 4,
        Ty::Float => 5,
        Ty::Str => 6,
        Ty::Ref(decl) => 7 + decl.0,
        Ty::Literals(_) | Ty::List(_) | Ty::Dict(_) | Ty::Union(_) => return None,
    };
    said.is_empty().then_some(key)
}
