//! Arrays: what several schemas say of one, as one.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::facets::Facets;
use super::paths::{At, PathId, Step};
use super::types::Types;
use super::{Kind, Lowering, Place, SPENT, notes};
use crate::sdk::shape::ShapeId;

/// The longest array of one type that is written item by item: a point, a range, a colour.
const SPELLED: u64 = 4;
/// The largest schema, in bytes, of which more than one is written.
const REPEATED: usize = 48;

/// What one schema says of the items of an array.
struct Items<'a> {
    prefix: Vec<At<'a>>,
    rest: Option<At<'a>>,
}

impl<'a> Lowering<'a> {
    /// The array that all of these admit.
    pub(super) fn array(&mut self, place: &Place<'a>, facets: &[Facets<'a>], words: ShapeId) -> Kind {
        let least = facets.iter().map(|facet| facet.min_items).max().unwrap_or(0);
        let most = facets.iter().filter_map(|facet| facet.max_items).min();
        if most.is_some_and(|most| most < least) {
            return Kind::Never;
        }
        let alone = !facets.iter().any(|facet| facet.branches());
        let said: Vec<Items<'a>> = facets.iter().map(|facet| self.items(facet, alone, words)).collect();
        let length = said.iter().map(|items| items.prefix.len()).max().unwrap_or(0);
        let rest: Vec<At<'a>> = said.iter().filter_map(|items| items.rest).collect();
        if length == 0 {
            return self.alike(place, rest, least, most, words);
        }
        // Every schema is held against every position.
        if !self.afford(length.saturating_mul(said.len())) {
            self.widen(place.schemas.first().map_or(PathId::ROOT, |at| at.path), SPENT);
            return Kind::Array(self.later(Vec::new(), Types::ALL, place.depth + 1, Some("")));
        }
        let mut prefix = Vec::with_capacity(length);
        for nth in 0..length {
            if most.is_some_and(|most| u64::try_from(nth).is_ok_and(|nth| nth >= most)) {
                break;
            }
            let schemas: Vec<At<'a>> =
                said.iter().filter_map(|items| items.prefix.get(nth).copied().or(items.rest)).collect();
            prefix.push(self.later(schemas, Types::ALL, place.depth + 1, Some("")));
        }
        let written = u64::try_from(prefix.len()).unwrap_or(u64::MAX);
        let ends = most.is_some_and(|most| most <= written) || rest.iter().any(|at| at.schema.as_bool() == Some(false));
        if ends && least > written {
            return Kind::Never;
        }
        let rest = (!ends).then(|| self.later(rest, Types::ALL, place.depth + 1, Some("")));
        let required = usize::try_from(least).unwrap_or(usize::MAX).min(prefix.len());
        if ends {
            self.drop_length(words);
        }
        Kind::Tuple { prefix, required, rest }
    }

    /// An array whose items are all held against the same.
    fn alike(&mut self, place: &Place<'a>, each: Vec<At<'a>>, least: u64, most: Option<u64>, words: ShapeId) -> Kind {
        let depth = place.depth + 1;
        if most == Some(0) {
            self.drop_length(words);
            return Kind::Tuple { prefix: Vec::new(), required: 0, rest: None };
        }
        let small = each.len() == 1 && each.iter().all(|at| at.schema.serialized_len() <= REPEATED);
        if small && most == Some(least) && least <= SPELLED {
            self.drop_length(words);
            let prefix: Vec<ShapeId> =
                (0..least).map(|_| self.later(each.clone(), Types::ALL, depth, Some(""))).collect();
            return Kind::Tuple { required: prefix.len(), prefix, rest: None };
        }
        Kind::Array(self.later(each, Types::ALL, depth, Some("")))
    }

    /// Takes back in words what the type now says.
    fn drop_length(&mut self, words: ShapeId) {
        if let Some(node) = self.shapes.get_mut(words) {
            node.notes.retain(|note| !(note.ends_with(" items") || note.ends_with(" item")));
        }
    }

    /// What one schema says of items, in the words of any draft.
    fn items(&mut self, facet: &Facets<'a>, alone: bool, words: ShapeId) -> Items<'a> {
        let old = facet.items.filter(|items| items.kind() == JsonKind::Array);
        let (keyword, list) = match facet.prefix {
            Some(prefix) => ("prefixItems", Some(prefix)),
            None => ("items", old),
        };
        let mut prefix = Vec::new();
        for (nth, schema) in list.into_iter().flat_map(JsonRef::items).enumerate() {
            prefix.push(facet.at.within(&mut self.paths, keyword, Step::Index(nth), schema));
        }
        let (keyword, rest) = match old {
            Some(_) => ("additionalItems", facet.additional_items),
            None => ("items", facet.items),
        };
        let rest = rest.or_else(|| {
            let unevaluated = facet.unevaluated_items?;
            if alone {
                return Some(unevaluated);
            }
            if unevaluated.as_bool() != Some(true)
                && !(unevaluated.kind() == JsonKind::Object && unevaluated.is_empty())
            {
                let path = self.paths.step(facet.at.path, Step::Key("unevaluatedItems"));
                self.widen(path, "which items are left over depends on the value");
                self.note(words, format!("other items fit {}", notes::value(unevaluated)));
            }
            None
        });
        let rest = rest.map(|schema| facet.at.under(&mut self.paths, keyword, schema));
        Items { prefix, rest }
    }
}
