//! From a JSON Schema to shapes.
//!
//! A schema is lowered from the outside in, by a list of places that are still to do: a *place* is where one value stands, with all the
//! schemas that are held against it. Then the shapes are put into their simplest form from the inside out.
//!
//! A schema that names members or items without a `type` is taken to mean objects or arrays: by the letter it admits every
//! other kind of value as well, and nobody means that.
//!
//! Time and text are bounded by a budget in proportion to the schema: what schemas multiply (an `additionalProperties` held against
//! each member of a sibling) is widened once it is spent.

mod apart;
mod arrays;
mod choices;
mod conditions;
mod cycles;
mod facets;
mod literals;
mod notes;
mod objects;
mod paths;
mod references;
mod resources;
mod settle;
mod types;

use std::collections::HashMap;

use dayfly_runtime::json::JsonKind;
use dayfly_runtime::{Json, JsonRef};

use super::shape::{Kind, NameId, Object, Rest, ShapeId, Shapes, Widened};
use conditions::excluded;
use facets::Facets;
pub(super) use paths::pointer_to;
use paths::{At, PathId, Paths, Step};
use references::References;
use types::Types;

/// The deepest place: as deep as a schema may be that is accepted.
const DEEPEST: usize = crate::schema::MAX_SCHEMA_DEPTH;
/// What a place costs of the budget besides the bytes of its words.
const PLACE: usize = 16;

/// Why a place is widened when the budget is spent.
const SPENT: &str = "what the schema says multiplies beyond measure";

/// A schema as shapes.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) shapes: Shapes,
    /// What stands for the schema itself.
    pub(super) root: ShapeId,
}

/// Lowers a schema of any kind; what no shape can say is widened there, and said in [`Shapes::widened`].
pub(super) fn lower(schema: &Json) -> Lowered {
    let mut lowering = Lowering::new(schema);
    let root = lowering.shapes.add(Kind::Any);
    let at = At { schema: schema.root(), path: PathId::ROOT };
    lowering.todo.push((Place { schemas: vec![at], allowed: Types::ALL, depth: 0, label: None }, root));
    while let Some((place, id)) = lowering.todo.pop() {
        let before = lowering.shapes.len();
        lowering.place(&place, id);
        lowering.locate(&place, id, before);
        // What was added last is done first: in the order of the document.
        lowering.todo.extend(lowering.next.drain(..).rev());
    }
    // A schema that refers to itself is what its name stands for.
    let itself = lowering.named.get(&schema.root().ordinal()).copied();
    let mut shapes = lowering.shapes;
    let root = itself.map_or(root, |name| {
        shapes.define(name, root);
        shapes.add(Kind::Named(name))
    });
    cycles::cut(&mut shapes, schema);
    settle::settle(&mut shapes);
    Lowered { shapes, root }
}

/// Where a value stands: everything that it must fit.
#[derive(Debug)]
struct Place<'a> {
    schemas: Vec<At<'a>>,
    /// The kinds that are allowed by what is held against the same value elsewhere.
    allowed: Types,
    depth: usize,
    /// The name of what stands here, which its title may only repeat; none for the schema itself.
    label: Option<String>,
}

struct Lowering<'a> {
    document: &'a Json,
    /// In the drafts before 2019, what stands beside a `$ref` does not count.
    lone_references: bool,
    shapes: Shapes,
    todo: Vec<(Place<'a>, ShapeId)>,
    /// What the place in hand has added to do.
    next: Vec<(Place<'a>, ShapeId)>,
    paths: Paths<'a>,
    references: References<'a>,
    /// The names given so far, by the ordinals of what they stand for.
    named: HashMap<usize, NameId>,
    /// The kinds that schemas seem to admit, by their ordinals.
    peeked: HashMap<usize, Option<Types>>,
    budget: usize,
    /// Bytes of paths that may still be said of widened places.
    reportable: usize,
}

impl<'a> Lowering<'a> {
    fn new(document: &'a Json) -> Self {
        let size = document.serialized_len();
        let draft = document.get("$schema").and_then(JsonRef::as_str).unwrap_or_default();
        Self {
            document,
            lone_references: ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old)),
            shapes: Shapes::default(),
            todo: Vec::new(),
            next: Vec::new(),
            paths: Paths::default(),
            references: References::new(document.root()),
            named: HashMap::new(),
            peeked: HashMap::new(),
            budget: size.saturating_mul(8).saturating_add(16 << 10),
            reportable: size.saturating_mul(8).saturating_add(16 << 10),
        }
    }

    /// Takes note that a shape admits more than the schema at `path`.
    fn widen(&mut self, path: PathId, reason: impl Into<String>) {
        let path = self.paths.pointer(path);
        let reason = reason.into();
        if let Some(left) = self.reportable.checked_sub(path.len() + reason.len()) {
            self.reportable = left;
            self.shapes.widened.push(Widened { path, reason });
        }
    }

    /// A new shape that the schemas of a place will say.
    fn later(&mut self, schemas: Vec<At<'a>>, allowed: Types, depth: usize, label: Option<&str>) -> ShapeId {
        let id = self.shapes.add(Kind::Any);
        self.next.push((Place { schemas, allowed, depth, label: label.map(ToOwned::to_owned) }, id));
        id
    }

    /// Says of the shapes of a place where they come from.
    fn locate(&mut self, place: &Place<'a>, id: ShapeId, before: usize) {
        let origin = place.schemas.first().map_or(0, |at| at.schema.ordinal());
        let new = self.shapes.ids_from(before);
        for id in std::iter::once(id).chain(new) {
            if let Some(node) = self.shapes.get_mut(id) {
                node.origin = origin;
            }
        }
    }

    /// Takes so much from the budget, if it is there.
    fn afford(&mut self, cost: usize) -> bool {
        let left = self.budget.checked_sub(cost);
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    fn set(&mut self, id: ShapeId, kind: Kind) {
        if let Some(node) = self.shapes.get_mut(id) {
            node.kind = kind;
        }
    }

    /// Everything that is held against a value of this place, without what only joins it; `None` when nothing fits.
    fn flattened(&mut self, place: &Place<'a>) -> Option<Vec<Facets<'a>>> {
        let mut facets = Vec::new();
        let mut pending: Vec<At<'a>> = place.schemas.iter().rev().copied().collect();
        while let Some(at) = pending.pop() {
            match at.schema.kind() {
                JsonKind::Object => {
                    let facet = Facets::read(at, self.lone_references);
                    if let Some(all) = facet.all_of {
                        let from = pending.len();
                        for (nth, schema) in all.items().enumerate() {
                            pending.push(at.within(&mut self.paths, "allOf", Step::Index(nth), schema));
                        }
                        pending[from..].reverse();
                    }
                    facets.push(facet);
                }
                JsonKind::Bool if at.schema.as_bool() == Some(false) => return None,
                JsonKind::Bool => {}
                JsonKind::Null | JsonKind::Number | JsonKind::String | JsonKind::Array => {
                    self.widen(at.path, "it is not a schema");
                }
            }
        }
        Some(facets)
    }

    /// Says what stands at a place.
    fn place(&mut self, place: &Place<'a>, id: ShapeId) {
        let first = place.schemas.first().map_or(PathId::ROOT, |at| at.path);
        if place.depth > DEEPEST {
            return self.widen(first, "it is nested too deeply");
        }
        // Each of them is looked at before it is known what it costs.
        if PLACE.saturating_mul(place.schemas.len()) > self.budget {
            return self.widen(first, SPENT);
        }
        let Some(facets) = self.flattened(place) else { return self.set(id, Kind::Never) };
        let types = self.types(place, &facets);
        let words = notes::words(&facets, types.unwrap_or(Types::NONE), place.label.as_deref());
        if !self.afford(PLACE * (facets.len() + 1) + words.len()) {
            return self.widen(first, SPENT);
        }
        let Some(types) = types else { return self.set(id, Kind::Never) };
        if let Some(node) = self.shapes.get_mut(id) {
            node.doc = words.doc;
            node.notes = words.notes;
        }
        let nullable = types.has(Types::NULL) && facets.iter().any(|facet| facet.nullable);
        let joined = facets.iter().any(|facet| facet.branches());
        // Of what stands elsewhere or is a choice, null is said apart.
        if nullable && joined {
            let inner = self.shapes.add(Kind::Any);
            let null = self.shapes.add(Kind::Null);
            self.set(id, Kind::Union(vec![inner, null]));
            self.parts(place, &facets, types.without(Types::NULL), inner, id);
        } else {
            self.parts(place, &facets, types, id, id);
        }
    }

    /// The kinds of value that fit, as the schemas say or mean; `None` when none does.
    fn types(&mut self, place: &Place<'a>, facets: &[Facets<'a>]) -> Option<Types> {
        let mut types = place.allowed;
        let mut said = place.allowed != Types::ALL;
        for facet in facets {
            if let Some(kind) = facet.kind {
                match Types::read(kind) {
                    Some((read, whole)) => {
                        said = true;
                        types &= if facet.nullable { read | Types::NULL } else { read };
                        if !whole {
                            let path = self.paths.step(facet.at.path, Step::Key("type"));
                            self.widen(path, "some of its types are unknown");
                        }
                    }
                    None => {
                        let path = self.paths.step(facet.at.path, Step::Key("type"));
                        self.widen(path, "its type is unknown");
                    }
                }
            }
            if let Some(excluded) = facet.not.and_then(excluded) {
                said |= excluded != Types::NONE;
                types = types.without(excluded);
            }
        }
        if !said {
            let structure = facets.iter().fold(Types::NONE, |types, facet| types | facet.structure());
            if structure != Types::NONE {
                types = self.chosen_types(facets).unwrap_or(structure);
            }
        }
        (types != Types::NONE).then_some(types)
    }

    /// Says a place as the intersection of what its schemas say themselves, what they refer to and what they choose from.
    /// Comments go to `words`.
    fn parts(&mut self, place: &Place<'a>, facets: &[Facets<'a>], types: Types, id: ShapeId, words: ShapeId) {
        let structure = facets.iter().fold(Types::NONE, |types, facet| types | facet.structure()) & types;
        let mut parts: Vec<Kind> = Vec::new();
        let referred = self.referred(facets, &mut parts);
        let chosen = self.choices(place, facets, types, &mut parts, words);
        // What is chosen from was told which kinds are left; what is referred to is asked.
        let told = structure == Types::NONE
            && (types == Types::ALL || chosen || referred && self.refers_within(facets, types));
        let own = match self.values(facets, types) {
            Some(values) => Some(values),
            None if told => None,
            None => Some(self.kinds(place, facets, types, words)).filter(|kind| !(chosen && is_any_object(kind))),
        };
        self.conditions(facets, types, words);
        parts.splice(..0, own);
        let kind = match parts.len() {
            0 => Kind::Any,
            1 => parts.pop().unwrap_or(Kind::Any),
            _ => Kind::Intersection(parts.into_iter().map(|kind| self.shapes.add(kind)).collect()),
        };
        self.set(id, kind);
    }

    /// What the schemas themselves say of values of these kinds.
    fn kinds(&mut self, place: &Place<'a>, facets: &[Facets<'a>], types: Types, words: ShapeId) -> Kind {
        let mut kinds: Vec<Kind> = Vec::new();
        if types.has(Types::OBJECT) {
            kinds.push(self.object(place, facets, words));
        }
        if types.has(Types::ARRAY) {
            kinds.push(self.array(place, facets, words));
        }
        if types.has(Types::STRING) {
            kinds.push(Kind::String);
        }
        if types.has(Types::FRACTION) {
            kinds.push(Kind::Number);
        } else if types.has(Types::INTEGER) {
            kinds.push(Kind::Integer);
        }
        if types.has(Types::BOOLEAN) {
            kinds.push(Kind::Boolean);
        }
        if types.has(Types::NULL) {
            kinds.push(Kind::Null);
        }
        self.any_of(kinds)
    }

    /// What the references of a place refer to, by name; whether there are any.
    fn referred(&mut self, facets: &[Facets<'a>], parts: &mut Vec<Kind>) -> bool {
        let mut any = false;
        for facet in facets {
            for (keyword, text) in facet.references.iter().copied() {
                let Some(target) = self.references.resolve(&mut self.paths, facet.at.schema, keyword, text) else {
                    let path = self.paths.step(facet.at.path, Step::Key(keyword));
                    self.widen(path, "it refers to nothing that is known here");
                    continue;
                };
                any = true;
                let name = self.name(target.at, target.hint);
                parts.push(Kind::Named(name));
            }
        }
        any
    }

    /// The name of a schema; what is named for the first time is still to do.
    fn name(&mut self, target: At<'a>, hint: String) -> NameId {
        if let Some(name) = self.named.get(&target.schema.ordinal()) {
            return *name;
        }
        let name = self.shapes.declare(hint.clone());
        self.named.insert(target.schema.ordinal(), name);
        if target.path != PathId::ROOT {
            let shape = self.later(vec![target], Types::ALL, 0, Some(&hint));
            self.shapes.define(name, shape);
        }
        name
    }
}

/// Whether this says no more than that it is an object.
fn is_any_object(kind: &Kind) -> bool {
    matches!(kind, Kind::Object(Object { fields, rest: Rest::Unstated | Rest::Open }) if fields.is_empty())
}
