//! How shapes will be laid out: which names are written where they stand, and what fits on a line.

use crate::sdk::lower::Lowered;
use crate::sdk::shape::{Kind, NameId, Rest, ShapeId, Shapes};

use super::text::key_width;

/// Shapes that are written in place of their name inside each other, at most.
const NESTED: u8 = 6;
/// What is wider than this has lines of its own.
const WIDE: usize = 90;

/// The layout of one schema's shapes.
pub(super) struct Plan<'a> {
    pub(super) shapes: &'a Shapes,
    /// By name: whether what it stands for is written in its place.
    inline: Vec<bool>,
    /// The names that are declared, in the order in which they are met.
    pub(super) declared: Vec<NameId>,
    layout: Vec<Layout>,
    /// Whether comments say what is an integer: it matters to who gives a value, and not to who is given one.
    pub(super) says_integers: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Layout {
    /// About how many characters it takes on one line.
    width: usize,
    /// Whether something inside has a comment, and so a line of its own.
    commented: bool,
    done: bool,
}

impl<'a> Plan<'a> {
    /// Plans how a schema is written.
    pub(super) fn new(lowered: &'a Lowered, says_integers: bool) -> Self {
        let shapes = &lowered.shapes;
        let mut plan = Self {
            shapes,
            inline: vec![false; shapes.named.len()],
            declared: Vec::new(),
            layout: vec![Layout::default(); shapes.len()],
            says_integers,
        };
        plan.names(lowered.root);
        plan.measure(lowered.root);
        for name in plan.declared.clone() {
            if let Some(named) = shapes.name(name) {
                plan.measure(named.shape);
            }
        }
        plan
    }

    /// What is written in place of a name, if anything is.
    pub(super) fn in_place(&self, name: NameId) -> Option<ShapeId> {
        self.inline
            .get(name.index())
            .copied()
            .unwrap_or(false)
            .then(|| self.shapes.name(name))?
            .map(|named| named.shape)
    }

    /// Whether a shape is written on one line.
    pub(super) fn is_flat(&self, id: ShapeId) -> bool {
        let layout = self.layout.get(id.index()).copied().unwrap_or_default();
        !layout.commented && layout.width <= WIDE
    }

    /// Whether a shape is written on one line however long it is: nothing inside needs lines.
    pub(super) fn is_plain(&self, id: ShapeId) -> bool {
        !self.layout.get(id.index()).copied().unwrap_or_default().commented
    }

    /// Decides which names are declared: those that are used more than once, and so all that recur.
    fn names(&mut self, root: ShapeId) {
        let mut uses = vec![0_usize; self.inline.len()];
        let mut nested = vec![0_u8; self.inline.len()];
        let mut order = Vec::new();
        let mut pending = vec![(root, 0_u8)];
        let mut inside = Vec::new();
        while let Some((id, depth)) = pending.pop() {
            let node = self.shapes.get(id);
            if let Kind::Named(name) = node.kind
                && let Some(used) = uses.get_mut(name.index())
            {
                *used += 1;
                if *used == 1 {
                    order.push(name);
                    let depth = if depth >= NESTED { 0 } else { depth + 1 };
                    nested[name.index()] = depth;
                    pending.extend(self.shapes.name(name).map(|named| (named.shape, depth)));
                }
                continue;
            }
            inside.clear();
            children(&node.kind, &mut inside);
            pending.extend(inside.iter().rev().map(|child| (*child, depth)));
        }
        for name in order {
            let (uses, nested) = (uses[name.index()], nested[name.index()]);
            if nested > 0 && (uses == 1 || self.is_small(name)) {
                self.inline[name.index()] = true;
            } else {
                self.declared.push(name);
            }
        }
    }

    /// Whether a name says no less than what it stands for.
    fn is_small(&self, name: NameId) -> bool {
        let Some(node) = self.shapes.name(name).map(|named| self.shapes.get(named.shape)) else { return true };
        let simple = matches!(
            node.kind,
            Kind::Any | Kind::Never | Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String
        );
        simple && node.doc.is_empty()
    }

    /// Measures a shape and all that is written inside it.
    fn measure(&mut self, root: ShapeId) {
        let mut pending = vec![(root, false)];
        let mut inside = Vec::new();
        while let Some((id, ready)) = pending.pop() {
            if self.layout.get(id.index()).is_none_or(|layout| layout.done) {
                continue;
            }
            if ready {
                let layout = self.layout_of(id);
                self.layout[id.index()] = layout;
                continue;
            }
            pending.push((id, true));
            inside.clear();
            self.written_inside(id, &mut inside);
            pending.extend(inside.iter().map(|child| (*child, false)));
        }
    }

    /// The shapes whose text is part of a shape's.
    fn written_inside(&self, id: ShapeId, into: &mut Vec<ShapeId>) {
        into.extend(self.behind(id));
        children(&self.shapes.get(id).kind, into);
    }

    fn layout_of(&self, id: ShapeId) -> Layout {
        let mut inside = Vec::new();
        let kind = &self.shapes.get(id).kind;
        self.written_inside(id, &mut inside);
        let mut layout = Layout { width: 0, commented: false, done: true };
        for child in inside {
            let inner = self.layout.get(child.index()).copied().unwrap_or_default();
            layout.width = layout.width.saturating_add(inner.width).saturating_add(4);
            layout.commented |= inner.commented;
        }
        match kind {
            Kind::Object(object) => {
                layout.width += object.fields.iter().map(|field| key_width(&field.name) + 1).sum::<usize>() + 4;
                layout.commented |= object.fields.iter().any(|field| self.has_words(field.shape));
                layout.width += match object.rest {
                    Rest::Open => 24,
                    Rest::Each(_) => 20,
                    Rest::Unstated | Rest::Closed if object.fields.is_empty() => 28,
                    Rest::Unstated | Rest::Closed => 0,
                };
                if let Rest::Each(each) = object.rest {
                    layout.commented |= self.has_words(each);
                }
            }
            Kind::Union(parts) => layout.commented |= parts.iter().any(|part| self.says(*part, false)),
            Kind::Literal(value) => layout.width += value.root().serialized_len(),
            Kind::Any
            | Kind::Never
            | Kind::Null
            | Kind::Boolean
            | Kind::Integer
            | Kind::Number
            | Kind::String
            | Kind::Array(_)
            | Kind::Tuple { .. }
            | Kind::Intersection(_) => layout.width += 8,
            Kind::Named(name) => layout.width += if self.in_place(*name).is_some() { 0 } else { 16 },
        }
        layout
    }

    /// Whether a comment stands at a shape; without `integer`, that it is one goes without saying.
    fn says(&self, id: ShapeId, integer: bool) -> bool {
        let mut here = id;
        loop {
            let node = self.shapes.get(here);
            if !node.doc.is_empty() || !node.notes.is_empty() {
                return true;
            }
            if self.says_integers && (integer || here != id) && is_integer(self.shapes, here) {
                return true;
            }
            here = match (self.behind(here), &node.kind) {
                (Some(inner), _) => inner,
                (None, Kind::Array(item)) => *item,
                (None, _) => return false,
            };
        }
    }

    /// Whether a comment stands at a member.
    pub(super) fn has_words(&self, id: ShapeId) -> bool {
        self.says(id, true)
    }

    /// What is written in place of a shape that is a name, and whose words therefore are said with it.
    pub(super) fn behind(&self, id: ShapeId) -> Option<ShapeId> {
        if let Kind::Named(name) = self.shapes.get(id).kind { self.in_place(name) } else { None }
    }
}

/// Whether a shape is a number without a fraction, or may be one and no other number: no type of TypeScript says so.
pub(super) fn is_integer(shapes: &Shapes, id: ShapeId) -> bool {
    let is_integer = |id: ShapeId| matches!(shapes.get(id).kind, Kind::Integer);
    if let Kind::Union(parts) = &shapes.get(id).kind {
        parts.iter().any(|part| is_integer(*part))
    } else {
        is_integer(id)
    }
}

/// What a shape is made of.
pub(super) fn children(kind: &Kind, into: &mut Vec<ShapeId>) {
    match kind {
        Kind::Array(item) => into.push(*item),
        Kind::Tuple { prefix, rest, .. } => into.extend(prefix.iter().chain(rest)),
        Kind::Object(object) => {
            into.extend(object.fields.iter().map(|field| field.shape));
            if let Rest::Each(each) = object.rest {
                into.push(each);
            }
        }
        Kind::Union(parts) | Kind::Intersection(parts) => into.extend(parts),
        Kind::Any
        | Kind::Never
        | Kind::Null
        | Kind::Boolean
        | Kind::Integer
        | Kind::Number
        | Kind::String
        | Kind::Literal(_)
        | Kind::Named(_) => {}
    }
}
