//! In which order types are declared, and circles that would be no types at all.

use super::ty::{DeclId, DeclKind, Ty, TyId, Types};

impl Types {
    /// All declared types that a type is made of, each after those that it is made of, as far as that can be.
    pub(super) fn in_order(&self, roots: &[TyId]) -> Vec<DeclId> {
        let mut order = Vec::with_capacity(self.decls.len());
        let mut met = vec![false; self.decls.len()];
        for &root in roots {
            let mut open: Vec<(Option<DeclId>, std::vec::IntoIter<DeclId>)> =
                vec![(None, self.refs(&[root]).into_iter())];
            while let Some((decl, refs)) = open.last_mut() {
                match refs.next() {
                    Some(next) if met.get(next.0) == Some(&false) => {
                        if let Some(met) = met.get_mut(next.0) {
                            *met = true;
                        }
                        open.push((Some(next), self.refs(&self.parts(next)).into_iter()));
                    }
                    Some(_) => {}
                    None => {
                        order.extend(*decl);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    /// What a declared type is made of.
    fn parts(&self, decl: DeclId) -> Vec<TyId> {
        match self.decl(decl).map(|decl| &decl.kind) {
            Some(DeclKind::Class(members)) => members.iter().map(|member| member.ty).collect(),
            Some(DeclKind::Alias(body) | DeclKind::Mixed(body)) => vec![*body],
            None => Vec::new(),
        }
    }

    /// The names in types, in the order of the text.
    fn refs(&self, types: &[TyId]) -> Vec<DeclId> {
        let mut refs = Vec::new();
        let mut open: Vec<TyId> = types.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            match &self.get(id).ty {
                Ty::Ref(decl) => refs.push(*decl),
                Ty::List(part) | Ty::Dict(part) => open.push(*part),
                Ty::Union(members) => open.extend(members.iter().rev()),
                Ty::Any | Ty::Never | Ty::None | Ty::Bool | Ty::Int | Ty::Float | Ty::Str | Ty::Literals(_) => {}
            }
        }
        refs
    }

    /// Lets an alias that stands for itself, with nothing around it, be anything: no checker takes one.
    pub(super) fn break_circles(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.decls.len()];
        for first in 0..self.decls.len() {
            let mut open: Vec<(DeclId, std::vec::IntoIter<(TyId, DeclId)>)> = Vec::new();
            let enter = |decl: DeclId, states: &mut Vec<State>, types: &Self, open: &mut Vec<_>| {
                if let Some(state) = states.get_mut(decl.0) {
                    *state = State::Open;
                    open.push((decl, types.bare(decl).into_iter()));
                }
            };
            if states.get(first) == Some(&State::New) {
                enter(DeclId(first), &mut states, self, &mut open);
            }
            while let Some((decl, bare)) = open.last_mut() {
                match bare.next() {
                    Some((at, next)) => match states.get(next.0) {
                        Some(State::New) => enter(next, &mut states, self, &mut open),
                        Some(State::Open) => self.replace(at, Ty::Any),
                        Some(State::Done) | None => {}
                    },
                    None => {
                        if let Some(state) = states.get_mut(decl.0) {
                            *state = State::Done;
                        }
                        open.pop();
                    }
                }
            }
        }
    }

    /// The names that an alias is, or is one of.
    fn bare(&self, decl: DeclId) -> Vec<(TyId, DeclId)> {
        let Some(DeclKind::Alias(body) | DeclKind::Mixed(body)) = self.decl(decl).map(|decl| &decl.kind) else {
            return Vec::new();
        };
        let members = if let Ty::Union(members) = &self.get(*body).ty { members.clone() } else { vec![*body] };
        let named = |&id: &TyId| if let Ty::Ref(decl) = self.get(id).ty { Some((id, decl)) } else { None };
        members.iter().filter_map(named).collect()
    }
}
