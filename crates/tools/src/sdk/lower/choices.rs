//! Choices between schemas, and what can be told of a schema at a glance.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::facets::Facets;
use super::paths::{At, PathId, Step};
use super::types::Types;
use super::{Kind, Lowering, Place};
use crate::sdk::shape::ShapeId;

/// Schemas looked at to tell the kinds of one.
const GLANCES: usize = 64;

impl<'a> Lowering<'a> {
    /// What a place chooses from; whether it does.
    pub(super) fn choices(
        &mut self,
        place: &Place<'a>,
        facets: &[Facets<'a>],
        types: Types,
        parts: &mut Vec<Kind>,
        words: ShapeId,
    ) -> bool {
        let mut any = false;
        for facet in facets {
            for (keyword, list) in [("anyOf", facet.any_of), ("oneOf", facet.one_of)] {
                let Some(list) = list else { continue };
                any = true;
                let branches: Vec<ShapeId> = list
                    .items()
                    .enumerate()
                    .map(|(nth, schema)| {
                        let at = facet.at.within(&mut self.paths, keyword, Step::Index(nth), schema);
                        self.later(vec![at], types, place.depth + 1, Some(""))
                    })
                    .collect();
                if keyword == "oneOf" && branches.len() > 1 && !self.are_apart(list, facets) {
                    self.note(words, "exactly one of the alternatives".to_owned());
                    let path = self.paths.step(facet.at.path, Step::Key(keyword));
                    self.widen(path, "no type says that only one of the alternatives fits");
                }
                parts.push(Kind::Union(branches));
            }
        }
        any
    }

    /// The kinds that the choices of a place leave, when all of them can be told at a glance.
    pub(super) fn chosen_types(&mut self, facets: &[Facets<'a>]) -> Option<Types> {
        let mut types = None;
        for facet in facets {
            for list in facet.any_of.into_iter().chain(facet.one_of) {
                let mut fuel = GLANCES;
                let of = self.peek_all(list, &mut fuel)?;
                types = Some(types.map_or(of, |types: Types| types & of));
            }
        }
        types
    }

    /// Whether all that a place refers to admits nothing but these kinds.
    pub(super) fn refers_within(&mut self, facets: &[Facets<'a>], types: Types) -> bool {
        facets.iter().all(|facet| {
            let mut fuel = GLANCES;
            facet.references.is_empty()
                || self.peek_references(facet, &mut fuel).is_some_and(|known| known.within(types))
        })
    }

    fn peek_references(&mut self, facet: &Facets<'a>, fuel: &mut usize) -> Option<Types> {
        let mut types = None;
        for (keyword, text) in facet.references.iter().copied() {
            let target = self.references.resolve(&mut self.paths, facet.at.schema, keyword, text)?;
            if let Some(known) = self.peek(target.at.schema, fuel) {
                types = Some(types.map_or(known, |types: Types| types & known));
            }
        }
        types
    }

    fn peek_all(&mut self, list: JsonRef<'a>, fuel: &mut usize) -> Option<Types> {
        list.items().try_fold(Types::NONE, |types, schema| Some(types | self.peek(schema, fuel)?))
    }

    /// The kinds that a schema admits, as far as can be told without a close look.
    fn peek(&mut self, schema: JsonRef<'a>, fuel: &mut usize) -> Option<Types> {
        if let Some(known) = self.peeked.get(&schema.ordinal()) {
            return *known;
        }
        *fuel = fuel.checked_sub(1)?;
        // Whoever comes back here while it is looked at learns nothing.
        self.peeked.insert(schema.ordinal(), None);
        let known = self.look(schema, fuel);
        self.peeked.insert(schema.ordinal(), known);
        known
    }

    fn look(&mut self, schema: JsonRef<'a>, fuel: &mut usize) -> Option<Types> {
        if schema.kind() != JsonKind::Object {
            return None;
        }
        let facet = Facets::read(At { schema, path: PathId::ROOT }, self.lone_references);
        let null = if facet.nullable { Types::NULL } else { Types::NONE };
        if let Some((types, true)) = facet.kind.and_then(Types::read) {
            return Some(types | null);
        }
        if let Some(value) = facet.constant {
            return Some(Types::of(value) | null);
        }
        if let Some(values) = facet.enumeration {
            return Some(values.items().fold(null, |types, value| types | Types::of(value)));
        }
        if facet.structure() != Types::NONE && facet.siblings && !facet.branches() {
            return Some(facet.structure() | null);
        }
        if let Some(types) = self.peek_references(&facet, fuel) {
            return Some(types | null);
        }
        if let Some(list) = facet.all_of {
            return list.items().find_map(|schema| self.peek(schema, fuel));
        }
        let choice = facet.any_of.or(facet.one_of)?;
        Some(self.peek_all(choice, fuel)? | null)
    }
}
