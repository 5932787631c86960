//! Objects, and alternatives of which there may be too many.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::super::super::shape::{Field, Kind, Object, Rest, ShapeId, Shapes};
use super::{Meeting, TOO_MUCH, resolve};

/// How many alternatives, and how many members in all of them, an object is written out in.
const MAX_ALTERNATIVES: usize = 32;
const MAX_SPREAD: usize = 96;

const ALTERNATIVES: &str = "which alternative goes with which members is not said";

impl Meeting {
    /// Alternatives beside other shapes: each alternative with the others.
    pub(super) fn spread(
        &mut self,
        shapes: &mut Shapes,
        unions: &[ShapeId],
        others: &[ShapeId],
    ) -> (Kind, Option<&'static str>) {
        let choices: Vec<Vec<ShapeId>> = unions.iter().map(|&id| alternatives(shapes, id)).collect();
        let number = choices.iter().fold(1_usize, |product, members| product.saturating_mul(members.len()));
        let fields: usize = others.iter().map(|&id| members_of(shapes, id)).sum();
        let spread = number.saturating_mul(fields);
        if number <= MAX_ALTERNATIVES && spread <= MAX_SPREAD && self.charge(number * (1 + others.len()) + spread) {
            let mut combined: Vec<Vec<ShapeId>> = vec![others.to_vec()];
            for members in &choices {
                combined = combined
                    .iter()
                    .flat_map(|begun| members.iter().map(move |&member| [begun.as_slice(), &[member]].concat()))
                    .collect();
            }
            return (Kind::Union(combined.into_iter().map(|members| self.both(shapes, members)).collect()), None);
        }
        // Too many: all that any alternative has, as far as all of them have it.
        let mut objects = others.to_vec();
        for members in &choices {
            objects.extend(self.hull(shapes, members));
        }
        match objects.as_slice() {
            [] => (Kind::Intersection(unions.to_vec()), Some(TOO_MUCH)),
            &[only] => (Kind::Intersection(vec![only]), Some(ALTERNATIVES)),
            several => {
                let several = several.to_vec();
                (self.kind(shapes, &several).0, Some(ALTERNATIVES))
            }
        }
    }

    /// One object for several: what any of them declares, required when all of them require it. None when one is no object.
    fn hull(&mut self, shapes: &mut Shapes, alternatives: &[ShapeId]) -> Option<ShapeId> {
        if let Some(&known) = self.hulls.get(alternatives) {
            return Some(known);
        }
        let mut fields: IndexMap<String, (Vec<ShapeId>, usize)> = IndexMap::new();
        for &id in alternatives {
            let Kind::Object(object) = &shapes.get(resolve(shapes, id)?).kind else { return None };
            if !self.charge(object.fields.len()) {
                return None;
            }
            for field in &object.fields {
                let (found, required) = fields.entry(field.name.clone()).or_default();
                found.push(field.shape);
                *required += usize::from(field.required);
            }
        }
        let fields = fields
            .into_iter()
            .map(|(name, (mut found, required))| {
                found.dedup();
                let shape = if let &[only] = found.as_slice() { only } else { self.add(shapes, Kind::Union(found)) };
                Field { name, shape, required: required == alternatives.len() }
            })
            .collect();
        let hull = self.add(shapes, Kind::Object(Object { fields, rest: Rest::Unstated }));
        self.hulls.insert(alternatives.to_vec(), hull);
        Some(hull)
    }

    pub(super) fn objects(&mut self, shapes: &mut Shapes, all: &[ShapeId]) -> (Kind, Option<&'static str>) {
        let mut fields: IndexMap<String, (Vec<ShapeId>, bool)> = IndexMap::new();
        let (mut rests, mut named) = (Vec::new(), Vec::new());
        for &id in all {
            let Kind::Object(object) = &shapes.get(id).kind else { continue };
            if !self.charge(1 + object.fields.len()) {
                return (Kind::Intersection(vec![id]), Some(TOO_MUCH));
            }
            rests.push(object.rest);
            named.push(object.fields.iter().map(|field| field.name.clone()).collect::<HashSet<_>>());
            for field in &object.fields {
                let (found, required) = fields.entry(field.name.clone()).or_default();
                found.push(field.shape);
                *required |= field.required;
            }
        }
        // What one declares and another does not is the other's rest.
        for (rest, named) in rests.iter().zip(&named) {
            let closed = matches!(rest, Rest::Closed);
            if !closed && !matches!(rest, Rest::Each(_)) {
                continue;
            }
            if !self.charge(fields.len()) {
                return (Kind::Intersection(all.to_vec()), Some(TOO_MUCH));
            }
            if closed && fields.iter().any(|(name, (_, required))| *required && !named.contains(name)) {
                return (Kind::Never, None);
            }
            if closed {
                fields.retain(|name, _| named.contains(name));
            }
            if let Rest::Each(each) = rest {
                let undeclared = fields.iter_mut().filter(|(name, _)| !named.contains(*name));
                undeclared.for_each(|(_, (found, _))| found.push(*each));
            }
        }
        let mut lost = None;
        let fields: Vec<Field> = fields
            .into_iter()
            .map(|(name, (found, required))| Field { name, shape: self.field(shapes, found, &mut lost), required })
            .collect();
        let each: Vec<ShapeId> =
            rests.iter().filter_map(|rest| if let Rest::Each(each) = rest { Some(*each) } else { None }).collect();
        let rest = if rests.iter().any(|rest| matches!(rest, Rest::Closed)) {
            Rest::Closed
        } else if !each.is_empty() {
            Rest::Each(self.field(shapes, each, &mut lost))
        } else if rests.iter().any(|rest| matches!(rest, Rest::Open)) {
            Rest::Open
        } else {
            Rest::Unstated
        };
        (Kind::Object(Object { fields, rest }), lost)
    }
}

fn alternatives(shapes: &Shapes, union: ShapeId) -> Vec<ShapeId> {
    if let Kind::Union(members) = &shapes.get(union).kind { members.clone() } else { vec![union] }
}

fn members_of(shapes: &Shapes, id: ShapeId) -> usize {
    if let Kind::Object(object) = &shapes.get(id).kind { object.fields.len() } else { 0 }
}
