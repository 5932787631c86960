//! Objects: what several schemas say of one, as one.

use std::collections::HashMap;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;
use indexmap::IndexMap;

use super::facets::Facets;
use super::paths::{At, Step};
use super::types::Types;
use super::{Kind, Lowering, Place, SPENT, notes};
use crate::sdk::shape::{Field, Object, Rest, ShapeId};

/// What is held against one member, in all.
#[derive(Default)]
struct Member<'a> {
    schemas: Vec<At<'a>>,
    required: bool,
    /// It cannot be there at all.
    barred: bool,
}

/// What one schema says of the members that it does not declare.
enum Undeclared<'a> {
    Unstated,
    Open,
    Closed,
    /// Each fits one of these.
    Each(Vec<At<'a>>),
}

impl<'a> Lowering<'a> {
    /// The object that all of these admit.
    pub(super) fn object(&mut self, place: &Place<'a>, facets: &[Facets<'a>], words: ShapeId) -> Kind {
        let facets: Vec<&Facets<'a>> = facets.iter().filter(|facet| facet.structure().has(Types::OBJECT)).collect();
        let mut members: IndexMap<&'a str, Member<'a>> = IndexMap::new();
        for facet in &facets {
            for (name, schema) in facet.properties.into_iter().flat_map(JsonRef::entries) {
                let at = facet.at.within(&mut self.paths, "properties", Step::Key(name), schema);
                members.entry(name).or_default().schemas.push(at);
            }
        }
        for facet in &facets {
            for name in facet.required.into_iter().flat_map(JsonRef::items).filter_map(JsonRef::as_str) {
                members.entry(name).or_default().required = true;
            }
        }
        let mut rests = Vec::new();
        let alone = !facets.iter().any(|facet| facet.branches());
        for facet in &facets {
            let listed = self.listed_names(facet, &mut members);
            let rest = if listed { Undeclared::Closed } else { self.undeclared(facet, alone, words) };
            if !listed {
                self.hold_against_others(facet, &rest, &mut members);
            }
            rests.push(rest);
        }
        let declared: Vec<JsonRef<'a>> =
            members.values().flat_map(|member| member.schemas.iter().map(|at| at.schema)).collect();
        let Some(fields) = self.fields(place, members) else { return Kind::Never };
        let rest = self.rest(place, rests, &declared);
        Kind::Object(Object { fields, rest })
    }

    /// Holds what a schema says of undeclared members against those that only the others declare.
    fn hold_against_others(
        &mut self,
        facet: &Facets<'a>,
        rest: &Undeclared<'a>,
        members: &mut IndexMap<&'a str, Member<'a>>,
    ) {
        let each = match rest {
            Undeclared::Unstated | Undeclared::Open => return,
            // `unevaluatedProperties` knows what the others declare.
            Undeclared::Closed if facet.additional.is_none() => None,
            Undeclared::Closed => Some(None),
            Undeclared::Each(schemas) => Some(Some(schemas)),
        };
        let Some(each) = each else { return };
        if !self.afford(members.len().saturating_mul(4)) {
            return self.widen(facet.at.path, SPENT);
        }
        let own: HashMap<&str, JsonRef<'a>> = facet.properties.into_iter().flat_map(JsonRef::entries).collect();
        for (name, member) in members.iter_mut().filter(|(name, _)| !own.contains_key(**name)) {
            match each {
                None => member.barred = true,
                // Which pattern a name matches is not known here: only one schema for all is sure to be meant.
                Some(schemas) => match schemas.as_slice() {
                    [schema] if facet.patterns.is_none() => member.schemas.push(*schema),
                    _ => {
                        let path = self.paths.step(facet.at.path, Step::Key("patternProperties"));
                        self.widen(path, format!("it may hold for {}, which is declared", notes::quoted(name)));
                    }
                },
            }
        }
    }

    /// Declares the names that `propertyNames` lists; whether it lists all there are.
    fn listed_names(&mut self, facet: &Facets<'a>, members: &mut IndexMap<&'a str, Member<'a>>) -> bool {
        let Some(names) = facet.named_members() else { return false };
        if !self.afford(members.len().saturating_mul(4)) {
            self.widen(facet.at.path, SPENT);
            return false;
        }
        let own: HashMap<&str, JsonRef<'a>> = facet.properties.into_iter().flat_map(JsonRef::entries).collect();
        for name in names.items().filter_map(JsonRef::as_str).filter(|name| !own.contains_key(name)) {
            let member = members.entry(name).or_default();
            if let Some(schema) = facet.additional {
                member.schemas.push(facet.at.under(&mut self.paths, "additionalProperties", schema));
            }
        }
        let names: std::collections::HashSet<&str> = names.items().filter_map(JsonRef::as_str).collect();
        for (name, member) in members.iter_mut() {
            member.barred |= !names.contains(name);
        }
        true
    }

    /// What a schema says of the members that it does not declare.
    fn undeclared(&mut self, facet: &Facets<'a>, alone: bool, words: ShapeId) -> Undeclared<'a> {
        if facet.unevaluated.is_some() && !(facet.closes() && alone) {
            let path = self.paths.step(facet.at.path, Step::Key("unevaluatedProperties"));
            if facet.unevaluated.and_then(JsonRef::as_bool) == Some(false) {
                self.widen(path, "which members are left over depends on the value");
                self.note(words, "no other members".to_owned());
            } else if facet.unevaluated.is_some_and(|schema| !schema.is_empty()) {
                self.widen(path, "which members are left over depends on the value");
                let schema = facet.unevaluated.map(notes::value).unwrap_or_default();
                self.note(words, format!("other members fit {schema}"));
            }
        }
        let additional = facet.additional.map(|schema| facet.at.under(&mut self.paths, "additionalProperties", schema));
        let Some(patterns) = facet.patterns else {
            return match additional {
                None if facet.closes() && alone => Undeclared::Closed,
                None => Undeclared::Unstated,
                Some(at) => match at.schema.as_bool() {
                    Some(false) => Undeclared::Closed,
                    Some(true) => Undeclared::Open,
                    None if at.schema.is_empty() => Undeclared::Open,
                    None => Undeclared::Each(vec![at]),
                },
            };
        };
        let mut each = Vec::new();
        let mut every = None;
        for (pattern, schema) in patterns.entries() {
            let at = facet.at.within(&mut self.paths, "patternProperties", Step::Key(pattern), schema);
            each.push(at);
            if matches!(pattern, "" | "^" | ".*" | "^.*" | "^.*$" | ".*$") {
                every = Some(at);
            }
        }
        // What holds for every name makes the rest of no account; that two patterns may match one name is not.
        if let Some(every) = every.filter(|_| each.len() == 1) {
            return Undeclared::Each(vec![every]);
        }
        let shown: Vec<String> = patterns
            .entries()
            .map(|(pattern, schema)| format!("/{}/: {}", notes::one_line(pattern), notes::value(schema)))
            .take(8)
            .collect();
        self.note(words, format!("names that match {}", shown.join("; ")));
        let closed = additional.is_some_and(|at| at.schema.as_bool() == Some(false));
        let path = self.paths.step(facet.at.path, Step::Key("patternProperties"));
        match additional {
            Some(_) if closed => {
                if each.len() > 1 {
                    self.widen(path, "no type says which names have which type");
                }
                Undeclared::Each(each)
            }
            Some(at) if at.schema.kind() == JsonKind::Object && !at.schema.is_empty() => {
                self.widen(path, "no type says which names have which type");
                each.push(at);
                Undeclared::Each(each)
            }
            stated => {
                self.widen(path, "no type says which names have which type, and the other members may be anything");
                if stated.is_some() { Undeclared::Open } else { Undeclared::Unstated }
            }
        }
    }

    /// The members as fields; `None` when one that must be there cannot.
    fn fields(&mut self, place: &Place<'a>, members: IndexMap<&'a str, Member<'a>>) -> Option<Vec<Field>> {
        let mut fields = Vec::with_capacity(members.len());
        for (name, member) in members {
            if member.barred {
                if member.required {
                    return None;
                }
                continue;
            }
            let shape = self.later(member.schemas, Types::ALL, place.depth + 1, Some(name));
            fields.push(Field { name: name.to_owned(), shape, required: member.required });
        }
        Some(fields)
    }

    /// What all of them say of the members that none declares.
    fn rest(&mut self, place: &Place<'a>, rests: Vec<Undeclared<'a>>, declared: &[JsonRef<'a>]) -> Rest {
        let mut open = Rest::Unstated;
        let mut each: Option<Vec<At<'a>>> = None;
        let mut joined = false;
        for rest in rests {
            match rest {
                Undeclared::Closed => return Rest::Closed,
                Undeclared::Unstated => {}
                Undeclared::Open => open = Rest::Open,
                Undeclared::Each(schemas) => match &mut each {
                    None => each = Some(schemas),
                    Some(known) if schemas.len() == 1 && (joined || known.len() == 1) => {
                        joined = true;
                        known.extend(schemas);
                    }
                    Some(_) => {
                        if let Some(at) = schemas.first() {
                            self.widen(at.path, "several schemas say what the other members are");
                        }
                    }
                },
            }
        }
        let Some(each) = each else { return open };
        // Where all members are alike, a type says what they are.
        let alike = |schema: &JsonRef<'a>| each.len() == 1 && each.iter().all(|at| at.schema == *schema);
        if let Some(at) = each.first().filter(|_| !declared.iter().all(alike)) {
            self.widen(at.path, "no type says what other members are beside declared ones");
        }
        let depth = place.depth + 1;
        if joined || each.len() == 1 {
            return Rest::Each(self.later(each, Types::ALL, depth, Some("")));
        }
        let union = self.shapes.add(Kind::Any);
        let ids = each.into_iter().map(|at| self.later(vec![at], Types::ALL, depth, Some(""))).collect();
        self.set(union, Kind::Union(ids));
        Rest::Each(union)
    }

    /// Adds a comment to a shape.
    pub(super) fn note(&mut self, id: ShapeId, note: String) {
        if let Some(node) = self.shapes.get_mut(id) {
            node.notes.push(note);
        }
    }
}
