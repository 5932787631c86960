//! Types as text.

use std::collections::BTreeSet;

use super::ty::{Ty, TyId, Types};

/// More alternatives than this are written as `Union[…]`: CPython's compiler has a frame for each `|`.
const MAX_BARS: usize = 40;

/// How long a type is in the middle of a comment.
const MAX_SHORT: usize = 48;

/// What the text takes from the standard library.
pub(super) type Imports = BTreeSet<&'static str>;

/// Where a type is written.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) types: &'a Types,
    /// What the names are in what is evaluated when it is defined, by declaration.
    pub(super) names: Option<&'a [Name]>,
}

/// What a name is at a place of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Not defined yet, and so in quotes.
    Later,
    /// An alias of nothing but a name in quotes: a text, which has no `|`.
    Quotation,
    Type,
}

impl Writer<'_> {
    /// Writes a type. Recursive, in types that are at most a few levels deep.
    pub(super) fn ty(&self, out: &mut String, id: TyId, imports: &mut Imports) {
        let word = |out: &mut String, imports: &mut Imports, word: &'static str| {
            out.push_str(word);
            imports.insert(word);
        };
        match &self.types.get(id).ty {
            Ty::Any => word(out, imports, "Any"),
            Ty::Never => word(out, imports, "Never"),
            Ty::None => out.push_str("None"),
            Ty::Bool => out.push_str("bool"),
            Ty::Int => out.push_str("int"),
            Ty::Float => out.push_str("float"),
            Ty::Str => out.push_str("str"),
            Ty::Literals(values) => {
                word(out, imports, "Literal");
                out.push('[');
                out.push_str(&values.join(", "));
                out.push(']');
            }
            Ty::List(item) => {
                out.push_str("list[");
                self.ty(out, *item, imports);
                out.push(']');
            }
            Ty::Dict(value) => {
                out.push_str("dict[str, ");
                self.ty(out, *value, imports);
                out.push(']');
            }
            Ty::Union(members) => {
                let texts = members.iter().any(|&member| self.name(member) != Name::Type);
                let bars = !texts && members.len() <= MAX_BARS;
                if !bars {
                    word(out, imports, "Union");
                    out.push('[');
                }
                for (number, &member) in members.iter().enumerate() {
                    if number > 0 {
                        out.push_str(if bars { " | " } else { ", " });
                    }
                    self.ty(out, member, imports);
                }
                if !bars {
                    out.push(']');
                }
            }
            Ty::Ref(decl) => {
                let quote = if self.name(id) == Name::Later { "\"" } else { "" };
                out.push_str(quote);
                out.push_str(self.types.decl(*decl).map_or("Any", |decl| &decl.name));
                out.push_str(quote);
            }
        }
    }

    /// What a type is as far as it is a name.
    pub(super) fn name(&self, id: TyId) -> Name {
        let (Ty::Ref(decl), Some(names)) = (&self.types.get(id).ty, self.names) else { return Name::Type };
        names.get(decl.0).copied().unwrap_or(Name::Later)
    }
}

impl Types {
    /// A type for a comment, cut when it is long.
    pub(super) fn short(&self, id: TyId) -> String {
        // A long list of alternatives or literals is not written only to be cut.
        if self.get(id).weight > 4 * MAX_SHORT {
            return "…".to_owned();
        }
        let mut text = String::new();
        Writer { types: self, names: None }.ty(&mut text, id, &mut Imports::new());
        if text.len() > MAX_SHORT || text.contains('#') {
            let kind = match &self.get(id).ty {
                Ty::List(_) => "list[…]",
                Ty::Dict(_) => "dict[str, …]",
                Ty::Literals(_) => "Literal[…]",
                Ty::Any
                | Ty::Never
                | Ty::None
                | Ty::Bool
                | Ty::Int
                | Ty::Float
                | Ty::Str
                | Ty::Union(_)
                | Ty::Ref(_) => "…",
            };
            return kind.to_owned();
        }
        text
    }

    /// What is said of a type where it is written: of itself first, then of what is inside it, by place.
    pub(super) fn said(&self, id: TyId) -> Vec<String> {
        let mut said = Vec::new();
        self.say(id, "", &mut said);
        said
    }

    fn say(&self, id: TyId, place: &str, said: &mut Vec<String>) {
        let node = self.get(id);
        let own = super::quote::lines(&node.said);
        for (number, line) in own.into_iter().enumerate() {
            said.push(if number == 0 && !place.is_empty() { format!("{place}: {line}") } else { line });
        }
        let within = |part: &str| if place.is_empty() { part.to_owned() } else { format!("{place}, {part}") };
        match &node.ty {
            Ty::List(item) => self.say(*item, &within("each"), said),
            Ty::Dict(value) => self.say(*value, &within("each value"), said),
            Ty::Union(members) => {
                for &member in members {
                    if self.says(member) {
                        self.say(member, &within(&self.short(member)), said);
                    }
                }
            }
            Ty::Any
            | Ty::Never
            | Ty::None
            | Ty::Bool
            | Ty::Int
            | Ty::Float
            | Ty::Str
            | Ty::Literals(_)
            | Ty::Ref(_) => {}
        }
    }

    /// Whether anything is said of a type or of what is inside it.
    fn says(&self, id: TyId) -> bool {
        let node = self.get(id);
        !node.said.is_empty()
            || match &node.ty {
                Ty::List(part) | Ty::Dict(part) => self.says(*part),
                Ty::Union(members) => members.iter().any(|&member| self.says(member)),
                Ty::Any
                | Ty::Never
                | Ty::None
                | Ty::Bool
                | Ty::Int
                | Ty::Float
                | Ty::Str
                | Ty::Literals(_)
                | Ty::Ref(_) => false,
            }
    }
}
