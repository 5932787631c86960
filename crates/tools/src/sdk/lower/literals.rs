//! Values that are listed.

use dayfly_runtime::JsonRef;

use super::facets::Facets;
use super::paths::Step;
use super::types::Types;
use super::{Kind, Lowering};
use crate::schema::Distinct;

/// The deepest value that is a type of its own.
const DEEPEST: usize = 32;
/// Comparisons made between one list and another.
const COMPARED: usize = 10_000;

impl<'a> Lowering<'a> {
    /// The values that fit, where they are listed: those of these kinds that are in every list.
    pub(super) fn values(&mut self, facets: &[Facets<'a>], types: Types) -> Option<Kind> {
        let mut fit: Option<Vec<JsonRef<'a>>> = None;
        for facet in facets {
            let constant = facet.constant.map(|value| ("const", vec![value]));
            let enumeration = facet.enumeration.map(|list| ("enum", list.items().collect::<Vec<_>>()));
            for (keyword, list) in constant.into_iter().chain(enumeration) {
                let Some(known) = &mut fit else {
                    fit = Some(list);
                    continue;
                };
                if known.len().saturating_mul(list.len()) <= COMPARED {
                    known.retain(|value| list.contains(value));
                } else {
                    let path = self.paths.step(facet.at.path, Step::Key(keyword));
                    self.widen(path, "two lists of values are too long to be compared");
                }
            }
        }
        let mut fit = fit?;
        let mut seen = Distinct::with_room(fit.len());
        fit.retain(|value| Types::of(*value).within(types) && seen.insert(*value));
        let mut kinds: Vec<Kind> = fit.iter().map(|value| self.literal(*value, facets)).collect();
        // What may be null as well need not list it.
        let nullable = types.has(Types::NULL) && facets.iter().any(|facet| facet.nullable);
        if nullable && !fit.iter().any(|value| value.is_null()) {
            kinds.push(Kind::Null);
        }
        Some(self.any_of(kinds))
    }

    /// What at least one of them admits.
    pub(super) fn any_of(&mut self, mut kinds: Vec<Kind>) -> Kind {
        match kinds.len() {
            0 => Kind::Never,
            1 => kinds.pop().unwrap_or(Kind::Never),
            _ => Kind::Union(kinds.into_iter().map(|kind| self.shapes.add(kind)).collect()),
        }
    }

    fn literal(&mut self, value: JsonRef<'a>, facets: &[Facets<'a>]) -> Kind {
        if value.is_null() {
            return Kind::Null;
        }
        if value.check_depth(DEEPEST).is_err() {
            if let Some(facet) = facets.first() {
                self.widen(facet.at.path, "one of its values is nested too deeply");
            }
            return Kind::Any;
        }
        Kind::Literal(self.document.share(value))
    }
}
