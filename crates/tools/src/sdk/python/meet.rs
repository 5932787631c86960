//! Intersections, which Python's types have none of: what all of several shapes admit, as one shape.
//!
//! Exact where the work is bounded; where it is not, one of the shapes stands for all, which admits more.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::super::shape::{Field, Kind, NameId, Node, Object, Rest, ShapeId, Shapes};

/// How many alternatives, and how many members in all of them, an object is written out in.
const MAX_ALTERNATIVES: usize = 32;
const MAX_SPREAD: usize = 96;

/// What intersections may cost beside what their shapes are: about a word of text for each.
const FREE_WORK: usize = 1_024;
/// How many bytes of a comment cost as much as a shape.
const WORD: usize = 8;

/// What all of several shapes admit.
#[derive(Debug)]
pub(super) struct Met {
    /// Not an intersection.
    pub(super) shape: ShapeId,
    /// What was said of shapes that are not in it.
    pub(super) said: Vec<String>,
    /// Why it admits more than it should.
    pub(super) lost: Option<&'static str>,
}

/// Makes intersections into shapes, each once.
///
/// An intersection is known by the shapes of the schema that it is of. So those of schemas that contain themselves come round to
/// shapes that are made already: a made shape may contain itself, without a name in between.
#[derive(Debug)]
pub(super) struct Meeting {
    made: HashMap<Vec<ShapeId>, (ShapeId, Option<&'static str>)>,
    /// What made shapes were made of, which are not made themselves.
    sources: HashMap<ShapeId, Vec<ShapeId>>,
    /// One object for several, by those.
    hulls: HashMap<Vec<ShapeId>, ShapeId>,
    work: usize,
    /// Where the intersection stands that is being made.
    origin: usize,
}

const TOO_MUCH: &str = "the intersection is too large to be written as one type";
const ALTERNATIVES: &str = "which alternative goes with which members is not said";

impl Meeting {
    pub(super) fn new(shapes: &Shapes) -> Self {
        let (made, sources, hulls) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { made, sources, hulls, work: FREE_WORK + 4 * shapes.len(), origin: 0 }
    }

    fn charge(&mut self, amount: usize) -> bool {
        let left = self.work.checked_sub(amount);
        self.work = left.unwrap_or(0);
        left.is_some()
    }

    /// The shape of an intersection.
    pub(super) fn meet(&mut self, shapes: &mut Shapes, id: ShapeId) -> Met {
        self.origin = shapes.get(id).origin;
        let (members, said, left_out) = self.flatten(shapes, id);
        let mut key = members.clone();
        key.sort_unstable();
        if let Some(&(shape, lost)) = self.made.get(&key) {
            return Met { shape, said, lost: lost.or(left_out) };
        }
        let (kind, lost) = match members.as_slice() {
            [] => (Kind::Any, None),
            &[only] => return Met { shape: only, said, lost: left_out },
            all => self.kind(shapes, all),
        };
        let lost = lost.or(left_out);
        let shape = match kind {
            // One of them stands for all.
            Kind::Intersection(first) => first.first().copied().unwrap_or(id),
            Kind::Any
            | Kind::Never
            | Kind::Null
            | Kind::Boolean
            | Kind::Integer
            | Kind::Number
            | Kind::String
            | Kind::Literal(_)
            | Kind::Array(_)
            | Kind::Tuple { .. }
            | Kind::Object(_)
            | Kind::Union(_)
            | Kind::Named(_) => {
                let shape = self.put(shapes, kind, &members);
                self.sources.insert(shape, members);
                shape
            }
        };
        self.made.insert(key, (shape, lost));
        Met { shape, said, lost }
    }

    /// The members of an intersection and of those in it, without names, without made ones and without those that admit everything;
    /// what was said of the last; and why not all of them are there.
    fn flatten(&mut self, shapes: &Shapes, id: ShapeId) -> (Vec<ShapeId>, Vec<String>, Option<&'static str>) {
        let (mut members, mut said, mut seen, mut left_out) = (Vec::new(), Vec::new(), HashSet::new(), None);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(id) = resolve(shapes, id) else { continue };
            if !seen.insert(id) {
                continue;
            }
            let node = shapes.get(id);
            let words = if matches!(node.kind, Kind::Any) { words(node) } else { 0 };
            if !self.charge(1 + words) {
                left_out = Some(TOO_MUCH);
                continue;
            }
            if let Some(sources) = self.sources.get(&id) {
                open.extend(sources.iter().rev());
                continue;
            }
            match &node.kind {
                Kind::Intersection(inner) => open.extend(inner.iter().rev()),
                Kind::Any => say(&mut said, node),
                Kind::Never
                | Kind::Null
                | Kind::Boolean
                | Kind::Integer
                | Kind::Number
                | Kind::String
                | Kind::Literal(_)
                | Kind::Array(_)
                | Kind::Tuple { .. }
                | Kind::Object(_)
                | Kind::Union(_)
                | Kind::Named(_) => members.push(id),
            }
        }
        (members, said, left_out)
    }

    /// What at least two shapes have in common. `Intersection` of one stands for that one.
    fn kind(&mut self, shapes: &mut Shapes, all: &[ShapeId]) -> (Kind, Option<&'static str>) {
        let (unions, others): (Vec<ShapeId>, Vec<ShapeId>) =
            all.iter().copied().partition(|&id| matches!(shapes.get(id).kind, Kind::Union(_)));
        if !unions.is_empty() {
            return self.spread(shapes, &unions, &others);
        }
        if others.iter().all(|&id| matches!(shapes.get(id).kind, Kind::Object(_))) {
            return self.objects(shapes, &others);
        }
        if others.iter().all(|&id| matches!(shapes.get(id).kind, Kind::Array(_) | Kind::Tuple { .. })) {
            return self.arrays(shapes, &others);
        }
        (scalars(shapes, &others), None)
    }

    /// Alternatives beside other shapes: each alternative with the others.
    fn spread(&mut self, shapes: &mut Shapes, unions: &[ShapeId], others: &[ShapeId]) -> (Kind, Option<&'static str>) {
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

    fn objects(&mut self, shapes: &mut Shapes, all: &[ShapeId]) -> (Kind, Option<&'static str>) {
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

    fn arrays(&mut self, shapes: &mut Shapes, all: &[ShapeId]) -> (Kind, Option<&'static str>) {
        let parts: Vec<(Vec<ShapeId>, usize, Option<ShapeId>)> = all
            .iter()
            .filter_map(|&id| match &shapes.get(id).kind {
                Kind::Array(each) => Some((Vec::new(), 0, Some(*each))),
                Kind::Tuple { prefix, required, rest } => Some((prefix.clone(), *required, *rest)),
                Kind::Any
                | Kind::Never
                | Kind::Null
                | Kind::Boolean
                | Kind::Integer
                | Kind::Number
                | Kind::String
                | Kind::Literal(_)
                | Kind::Object(_)
                | Kind::Union(_)
                | Kind::Intersection(_)
                | Kind::Named(_) => None,
            })
            .collect();
        let longest = parts.iter().map(|(prefix, ..)| prefix.len()).max().unwrap_or(0);
        if !self.charge(longest.saturating_mul(parts.len())) {
            return (Kind::Intersection(all.to_vec()), Some(TOO_MUCH));
        }
        let ends = parts.iter().filter(|(.., rest)| rest.is_none()).map(|(prefix, ..)| prefix.len()).min();
        let length = ends.map_or(longest, |end| end.min(longest));
        let required = parts.iter().map(|&(_, required, _)| required).max().unwrap_or(0);
        if required > length && ends.is_some() {
            return (Kind::Never, None);
        }
        let mut lost = None;
        let prefix: Vec<ShapeId> = (0..length)
            .map(|at| {
                let found = parts.iter().filter_map(|(prefix, _, rest)| prefix.get(at).copied().or(*rest)).collect();
                self.field(shapes, found, &mut lost)
            })
            .collect();
        let rest = match ends {
            Some(_) => None,
            None => {
                let found = parts.iter().filter_map(|&(.., rest)| rest).collect();
                Some(self.field(shapes, found, &mut lost))
            }
        };
        match (prefix.as_slice(), rest) {
            ([], Some(each)) => (Kind::Array(each), lost),
            _ => (Kind::Tuple { prefix, required, rest }, lost),
        }
    }

    /// What several shapes of one member have in common, to be found when it is met.
    fn field(&mut self, shapes: &mut Shapes, mut found: Vec<ShapeId>, lost: &mut Option<&'static str>) -> ShapeId {
        let mut seen = HashSet::new();
        found.retain(|&id| seen.insert(id));
        if found.len() > 1 && !self.charge(1 + found.len()) {
            *lost = Some(TOO_MUCH);
            found.truncate(1);
        }
        self.both(shapes, found)
    }

    /// An intersection of at least one shape.
    fn both(&self, shapes: &mut Shapes, members: Vec<ShapeId>) -> ShapeId {
        match members.as_slice() {
            &[only] => only,
            _ => self.add(shapes, Kind::Intersection(members)),
        }
    }

    fn add(&self, shapes: &mut Shapes, kind: Kind) -> ShapeId {
        let id = shapes.add(kind);
        if let Some(node) = shapes.get_mut(id) {
            node.origin = self.origin;
        }
        id
    }

    /// Puts what several shapes have in common into their arena, with what is said of them as long as it can be said again.
    fn put(&mut self, shapes: &mut Shapes, kind: Kind, members: &[ShapeId]) -> ShapeId {
        let (mut doc, mut notes, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        // What is said of alternatives is said where they are.
        let whole = matches!(kind, Kind::Object(_) | Kind::Array(_) | Kind::Tuple { .. });
        for node in members.iter().filter(|_| whole).map(|&id| shapes.get(id)) {
            if !self.charge(words(node)) {
                break;
            }
            doc.extend(node.doc.iter().filter(|line| !line.is_empty()).cloned());
            notes.extend(node.notes.iter().filter(|note| seen.insert((*note).clone())).cloned());
        }
        let id = self.add(shapes, kind);
        if let Some(node) = shapes.get_mut(id) {
            (node.doc, node.notes) = (doc, notes);
        }
        id
    }
}

/// What plain shapes of several kinds have in common.
fn scalars(shapes: &Shapes, all: &[ShapeId]) -> Kind {
    let Some((&first, others)) = all.split_first() else { return Kind::Any };
    let mut narrowest = first;
    for &other in others {
        let (left, right) = (&shapes.get(narrowest).kind, &shapes.get(other).kind);
        if let (Kind::Literal(one), Kind::Literal(two)) = (left, right) {
            if one != two {
                return Kind::Never;
            }
        } else if admits(left, right) {
            narrowest = other;
        } else if !admits(right, left) {
            return Kind::Never;
        }
    }
    Kind::Intersection(vec![narrowest])
}

/// Whether what the narrower admits is of the kind of the wider.
fn admits(wider: &Kind, narrower: &Kind) -> bool {
    use dayfly_runtime::json::JsonKind;
    let literal = if let Kind::Literal(value) = narrower { Some(value) } else { None };
    let is = |kind: JsonKind| literal.is_some_and(|value| value.kind() == kind);
    match wider {
        Kind::Any => true,
        Kind::Null => matches!(narrower, Kind::Null) || is(JsonKind::Null),
        Kind::Boolean => matches!(narrower, Kind::Boolean) || is(JsonKind::Bool),
        Kind::Integer => matches!(narrower, Kind::Integer) || literal.is_some_and(is_integer),
        Kind::Number => matches!(narrower, Kind::Number | Kind::Integer) || is(JsonKind::Number),
        Kind::String => matches!(narrower, Kind::String) || is(JsonKind::String),
        Kind::Array(_) | Kind::Tuple { .. } => {
            matches!(narrower, Kind::Array(_) | Kind::Tuple { .. }) || is(JsonKind::Array)
        }
        Kind::Object(_) => matches!(narrower, Kind::Object(_)) || is(JsonKind::Object),
        Kind::Never | Kind::Literal(_) | Kind::Union(_) | Kind::Intersection(_) | Kind::Named(_) => false,
    }
}

fn is_integer(value: &dayfly_runtime::Json) -> bool {
    value.number_text().is_some() && (!value.is_float() || value.as_f64().is_some_and(|number| number.fract() == 0.0))
}

/// What a shape stands for, without names; nothing when names stand for each other.
pub(super) fn resolve(shapes: &Shapes, id: ShapeId) -> Option<ShapeId> {
    let mut here = id;
    for _ in 0..=shapes.named.len() {
        let &Kind::Named(name) = &shapes.get(here).kind else { return Some(here) };
        here = target(shapes, name)?;
    }
    None
}

/// What a name stands for.
pub(super) fn target(shapes: &Shapes, name: NameId) -> Option<ShapeId> {
    shapes.name(name).map(|named| named.shape)
}

fn alternatives(shapes: &Shapes, union: ShapeId) -> Vec<ShapeId> {
    if let Kind::Union(members) = &shapes.get(union).kind { members.clone() } else { vec![union] }
}

fn members_of(shapes: &Shapes, id: ShapeId) -> usize {
    if let Kind::Object(object) = &shapes.get(id).kind { object.fields.len() } else { 0 }
}

/// How much is said of a shape, in units of work.
fn words(node: &Node) -> usize {
    node.doc.iter().chain(&node.notes).map(|line| line.len().div_ceil(WORD)).sum()
}

fn say(said: &mut Vec<String>, node: &Node) {
    said.extend(node.doc.iter().chain(&node.notes).cloned());
}
