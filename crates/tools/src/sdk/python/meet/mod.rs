//! Intersections, which Python's types have none of: what all of several shapes admit, as one shape.
//!
//! Exact where the work is bounded; where it is not, one of the shapes stands for all, which admits more.

mod arrays;
mod objects;
mod plain;

use std::collections::{HashMap, HashSet};

use super::super::shape::{Kind, NameId, Node, ShapeId, Shapes};
use plain::scalars;

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
        let shape = if let Kind::Intersection(first) = &kind {
            // One of them stands for all.
            first.first().copied().unwrap_or(id)
        } else {
            let shape = self.put(shapes, kind, &members);
            self.sources.insert(shape, members);
            shape
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

/// How much is said of a shape, in units of work.
fn words(node: &Node) -> usize {
    node.doc.iter().chain(&node.notes).map(|line| line.len().div_ceil(WORD)).sum()
}

fn say(said: &mut Vec<String>, node: &Node) {
    said.extend(node.doc.iter().chain(&node.notes).cloned());
}
