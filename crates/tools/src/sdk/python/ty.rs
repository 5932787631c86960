//! Python's types before they are text.

/// A type in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TyId(pub(super) usize);

/// A declared type of its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct DeclId(pub(super) usize);

/// What stands in an annotation.
#[derive(Debug, Clone)]
pub(super) enum Ty {
    Any,
    Never,
    None,
    Bool,
    Int,
    Float,
    Str,
    /// `Literal[…]`, each value as it is written there.
    Literals(Vec<String>),
    List(TyId),
    /// `dict[str, …]`.
    Dict(TyId),
    /// At least two, none of them a union.
    Union(Vec<TyId>),
    /// The name of a declared type.
    Ref(DeclId),
}

/// A type with what is said of it wherever it is written.
#[derive(Debug, Clone)]
pub(super) struct TyNode {
    pub(super) ty: Ty,
    pub(super) said: Vec<String>,
    /// How much text it is, comments included, in units of about a word.
    pub(super) weight: usize,
    /// How many brackets are inside each other.
    pub(super) depth: usize,
}

/// A type that has a name.
#[derive(Debug)]
pub(super) struct Decl {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) kind: DeclKind,
}

/// What a name stands for.
#[derive(Debug)]
pub(super) enum DeclKind {
    /// A `TypedDict`.
    Class(Vec<Member>),
    /// Another type.
    Alias(TyId),
    /// Another type, of which all has been said elsewhere.
    Mixed(TyId),
}

/// A member of a `TypedDict`.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) ty: TyId,
}

/// The types of one schema.
#[derive(Debug, Default)]
pub(super) struct Types {
    nodes: Vec<TyNode>,
    pub(super) decls: Vec<Decl>,
}

impl Types {
    /// Puts a type into the arena.
    pub(super) fn add(&mut self, ty: Ty, said: Vec<String>) -> TyId {
        let (mut weight, mut depth) = (1 + said.iter().map(|line| 1 + line.len() / 8).sum::<usize>(), 0);
        match &ty {
            Ty::Any | Ty::Never | Ty::None | Ty::Bool | Ty::Int | Ty::Float | Ty::Str | Ty::Ref(_) => {}
            Ty::Literals(values) => weight += values.iter().map(|value| 1 + value.len() / 8).sum::<usize>(),
            Ty::List(item) | Ty::Dict(item) => {
                weight += self.get(*item).weight;
                depth = 1 + self.get(*item).depth;
            }
            Ty::Union(members) => {
                weight += members.iter().map(|member| self.get(*member).weight).sum::<usize>();
                // A union may have brackets of its own.
                depth = 1 + members.iter().map(|member| self.get(*member).depth).max().unwrap_or(0);
            }
        }
        self.nodes.push(TyNode { ty, said, weight, depth });
        TyId(self.nodes.len() - 1)
    }

    pub(super) fn get(&self, id: TyId) -> &TyNode {
        static NOTHING: TyNode = TyNode { ty: Ty::Any, said: Vec::new(), weight: 1, depth: 0 };
        self.nodes.get(id.0).unwrap_or(&NOTHING)
    }

    /// Writes another type where this one stood; what said something of it stays with what was there.
    pub(super) fn replace(&mut self, id: TyId, ty: Ty) {
        if let Some(node) = self.nodes.get_mut(id.0) {
            *node = TyNode { ty, said: Vec::new(), weight: 1, depth: 0 };
        }
    }

    /// Declares a type.
    pub(super) fn declare(&mut self, name: String, doc: Vec<String>, kind: DeclKind) -> DeclId {
        self.decls.push(Decl { name, doc, kind });
        DeclId(self.decls.len() - 1)
    }

    /// Says what a name stands for.
    pub(super) fn define(&mut self, id: DeclId, kind: DeclKind) {
        if let Some(decl) = self.decls.get_mut(id.0) {
            decl.kind = kind;
        }
    }

    pub(super) fn decl(&self, id: DeclId) -> Option<&Decl> {
        self.decls.get(id.0)
    }

    /// Gives a type a name where it stands, wherever it stands.
    pub(super) fn hoist(&mut self, id: TyId, name: String) {
        let decl = self.declare(name, Vec::new(), DeclKind::Alias(id));
        self.hoist_as(id, decl);
    }

    /// Gives a type the name of an alias that is declared already.
    pub(super) fn hoist_as(&mut self, id: TyId, alias: DeclId) {
        let TyNode { ty, said, .. } = self.get(id).clone();
        let body = self.add(ty, Vec::new());
        if let Some(decl) = self.decls.get_mut(alias.0) {
            (decl.doc, decl.kind) = (said, DeclKind::Alias(body));
        }
        self.replace(id, Ty::Ref(alias));
    }
}
