//! Whether alternatives can be seen not to overlap, so that it goes without saying that only one of them fits.

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::Lowering;
use super::facets::Facets;
use super::paths::{At, PathId};
use super::types::Types;
use crate::schema::Distinct;

/// References followed from an alternative to what it is.
const HOPS: usize = 8;
/// Members tried as what tells objects apart.
const TAGS: usize = 64;

impl<'a> Lowering<'a> {
    /// Whether alternatives are of different kinds, are different values, or are objects that have different values in a member that each
    /// of them or the place itself requires.
    pub(super) fn are_apart(&mut self, list: JsonRef<'a>, place: &[Facets<'a>]) -> bool {
        let (mut kinds, mut kinds_of_values) = (Types::NONE, Types::NONE);
        let mut values = Distinct::with_room(list.len());
        let mut objects = Vec::new();
        for schema in list.items() {
            let Some(schema) = self.meant(schema) else { return false };
            let facet = Facets::read(At { schema, path: PathId::ROOT }, self.lone_references);
            let null = if facet.nullable { Types::NULL } else { Types::NONE };
            if let Some(own) = literals(schema) {
                let of = own.iter().fold(null, |kinds, value| kinds | Types::of(*value));
                // There is one null, so its kind says all of it.
                if kinds_of_values.has(of & Types::NULL) || !are_new(&own, &mut values) {
                    return false;
                }
                kinds_of_values |= of;
                continue;
            }
            let of = match facet.kind.and_then(Types::read) {
                Some((types, true)) => types | null,
                None if facet.structure() != Types::NONE && !facet.branches() => facet.structure() | null,
                _ => return false,
            };
            if of == Types::OBJECT {
                objects.push(facet);
            } else if kinds.has(of) {
                return false;
            } else {
                kinds |= of;
            }
        }
        if !objects.is_empty() {
            if kinds.has(Types::OBJECT) || objects.len() > 1 && !have_a_tag(&objects, place) {
                return false;
            }
            kinds |= Types::OBJECT;
        }
        !kinds.has(kinds_of_values)
    }

    /// What an alternative is, behind its references; `None` when that is not known here.
    fn meant(&mut self, schema: JsonRef<'a>) -> Option<JsonRef<'a>> {
        let mut schema = schema;
        for _ in 0..HOPS {
            let Some(text) = schema.get("$ref").and_then(JsonRef::as_str) else {
                return (schema.kind() == JsonKind::Object).then_some(schema);
            };
            schema = self.references.resolve(&mut self.paths, schema, "$ref", text)?.at.schema;
        }
        None
    }
}

/// The values that a schema lists.
fn literals(schema: JsonRef<'_>) -> Option<Vec<JsonRef<'_>>> {
    if let Some(value) = schema.get("const") {
        return Some(vec![value]);
    }
    schema.get("enum").filter(|list| list.kind() == JsonKind::Array).map(|list| list.items().collect())
}

/// Whether a member has other values in each of these objects, and is there in all.
fn have_a_tag(objects: &[Facets<'_>], place: &[Facets<'_>]) -> bool {
    let requires = |facet: &Facets<'_>, name: &str| {
        facet.required.into_iter().flat_map(JsonRef::items).any(|required| required.as_str() == Some(name))
    };
    let first = objects.first().and_then(|facet| facet.properties);
    let names = first.into_iter().flat_map(JsonRef::entries).filter(|(_, member)| literals(*member).is_some());
    names.take(TAGS).any(|(name, _)| {
        let everywhere = place.iter().any(|facet| requires(facet, name));
        let mut values = Distinct::with_room(objects.len());
        objects.iter().all(|facet| {
            let own = facet.properties.and_then(|members| members.get(name)).and_then(literals);
            (everywhere || requires(facet, name)) && own.is_some_and(|own| are_new(&own, &mut values))
        })
    })
}

/// Whether none of the values is among those of the alternatives before, to which they are added. One that is listed twice counts once.
fn are_new<'a>(own: &[JsonRef<'a>], values: &mut Distinct<'a>) -> bool {
    let mut once = Distinct::with_room(own.len());
    own.iter().all(|value| !once.insert(*value) || values.insert(*value))
}
