//! The simplest form of shapes, from the inside out.

use std::collections::HashSet;

use crate::sdk::shape::{Kind, Object, Rest, ShapeId, Shapes};

/// Puts every shape into its simplest form. What a shape is made of has higher numbers, and so is done before it.
pub(super) fn settle(shapes: &mut Shapes) {
    for id in shapes.ids().rev() {
        let Some(node) = shapes.get_mut(id) else { continue };
        match std::mem::replace(&mut node.kind, Kind::Any) {
            Kind::Union(parts) => union(shapes, id, parts),
            Kind::Intersection(parts) => intersection(shapes, id, parts),
            Kind::Array(item) => array(shapes, id, item),
            Kind::Tuple { prefix, required, rest } => tuple(shapes, id, prefix, required, rest),
            Kind::Object(members) => object(shapes, id, members),
            settled @ (Kind::Any
            | Kind::Never
            | Kind::Null
            | Kind::Boolean
            | Kind::Integer
            | Kind::Number
            | Kind::String
            | Kind::Literal(_)
            | Kind::Named(_)) => set(shapes, id, settled),
        }
    }
}

fn set(shapes: &mut Shapes, id: ShapeId, kind: Kind) {
    if let Some(node) = shapes.get_mut(id) {
        node.kind = kind;
    }
}

fn is(shapes: &Shapes, id: ShapeId, kind: fn(&Kind) -> bool) -> bool {
    kind(&shapes.get(id).kind)
}

/// Whether nothing is said of a shape in words.
fn wordless(shapes: &Shapes, id: ShapeId) -> bool {
    let node = shapes.get(id);
    node.doc.is_empty() && node.notes.is_empty()
}

fn never(kind: &Kind) -> bool {
    matches!(kind, Kind::Never)
}

fn any(kind: &Kind) -> bool {
    matches!(kind, Kind::Any)
}

/// Makes a shape what one of its parts is, with the words of both.
fn become_part(shapes: &mut Shapes, id: ShapeId, part: ShapeId) {
    let Some(inner) = shapes.get_mut(part) else { return };
    let kind = std::mem::replace(&mut inner.kind, Kind::Any);
    let doc = std::mem::take(&mut inner.doc);
    let notes = std::mem::take(&mut inner.notes);
    if let Some(node) = shapes.get_mut(id) {
        node.kind = kind;
        node.doc.extend(doc);
        node.notes.extend(notes);
    }
}

fn union(shapes: &mut Shapes, id: ShapeId, parts: Vec<ShapeId>) {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        let plain = wordless(shapes, part);
        match shapes.get_mut(part).map(|node| &mut node.kind) {
            Some(Kind::Never) | None => {}
            Some(Kind::Union(inner)) if plain => flat.append(inner),
            Some(_) => flat.push(part),
        }
    }
    if flat.iter().any(|part| is(shapes, *part, any)) {
        return set(shapes, id, Kind::Any);
    }
    let mut seen = HashSet::new();
    let mut booleans = Vec::new();
    flat.retain(|part| {
        let node = shapes.get(*part);
        if !(node.doc.is_empty() && node.notes.is_empty()) {
            return true;
        }
        let key = match &node.kind {
            Kind::Null => "null".to_owned(),
            Kind::Boolean => "boolean".to_owned(),
            Kind::Integer => "integer".to_owned(),
            Kind::Number => "number".to_owned(),
            Kind::String => "string".to_owned(),
            Kind::Named(name) => format!("#{}", name.index()),
            Kind::Literal(value) => {
                if value.as_bool().is_some() {
                    booleans.push(*part);
                }
                format!("={value}")
            }
            Kind::Any
            | Kind::Never
            | Kind::Array(_)
            | Kind::Tuple { .. }
            | Kind::Object(_)
            | Kind::Union(_)
            | Kind::Intersection(_) => return true,
        };
        seen.insert(key)
    });
    // Every integer is a number, and true and false are all there is.
    if seen.contains("number") {
        flat.retain(|part| !(is(shapes, *part, |kind| matches!(kind, Kind::Integer)) && wordless(shapes, *part)));
    }
    if seen.contains("=true")
        && seen.contains("=false")
        && let Some(first) = booleans.first().copied()
    {
        flat.retain(|part| *part == first || !booleans.contains(part));
        set(shapes, first, Kind::Boolean);
    }
    match flat.as_slice() {
        [] => set(shapes, id, Kind::Never),
        [part] => become_part(shapes, id, *part),
        _ => set(shapes, id, Kind::Union(flat)),
    }
}

fn intersection(shapes: &mut Shapes, id: ShapeId, parts: Vec<ShapeId>) {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        let plain = wordless(shapes, part);
        match shapes.get_mut(part).map(|node| &mut node.kind) {
            Some(Kind::Never) => return set(shapes, id, Kind::Never),
            Some(Kind::Any) if plain => {}
            Some(Kind::Intersection(inner)) if plain => flat.append(inner),
            Some(_) => flat.push(part),
            None => {}
        }
    }
    match flat.as_slice() {
        [] => set(shapes, id, Kind::Any),
        [part] => become_part(shapes, id, *part),
        _ => set(shapes, id, Kind::Intersection(flat)),
    }
}

/// Moves what is said of an item to the array.
fn lift(shapes: &mut Shapes, id: ShapeId, item: ShapeId, which: &str) {
    let Some(inner) = shapes.get_mut(item) else { return };
    let doc = std::mem::take(&mut inner.doc);
    let notes = std::mem::take(&mut inner.notes);
    if let Some(node) = shapes.get_mut(id) {
        for (nth, line) in doc.into_iter().enumerate() {
            node.doc.push(if nth == 0 { format!("{which}: {line}") } else { line });
        }
        node.notes.extend(notes.into_iter().map(|note| format!("{}: {note}", which.to_lowercase())));
    }
}

fn array(shapes: &mut Shapes, id: ShapeId, item: ShapeId) {
    lift(shapes, id, item, "Each");
    let empty = is(shapes, item, never);
    let kind = if empty { Kind::Tuple { prefix: Vec::new(), required: 0, rest: None } } else { Kind::Array(item) };
    set(shapes, id, kind);
}

fn tuple(shapes: &mut Shapes, id: ShapeId, mut prefix: Vec<ShapeId>, required: usize, mut rest: Option<ShapeId>) {
    if let Some(end) = prefix.iter().position(|item| is(shapes, *item, never)) {
        if end < required {
            return set(shapes, id, Kind::Never);
        }
        prefix.truncate(end);
        rest = None;
    }
    rest = rest.filter(|rest| !is(shapes, *rest, never));
    for (nth, item) in prefix.iter().enumerate() {
        lift(shapes, id, *item, &format!("Item {nth}"));
    }
    if let Some(rest) = rest {
        lift(shapes, id, rest, "The rest");
    }
    let kind = match rest {
        Some(rest) if prefix.is_empty() => Kind::Array(rest),
        rest => Kind::Tuple { prefix, required, rest },
    };
    set(shapes, id, kind);
}

fn object(shapes: &mut Shapes, id: ShapeId, mut members: Object) {
    if members.fields.iter().any(|field| field.required && is(shapes, field.shape, never)) {
        return set(shapes, id, Kind::Never);
    }
    if let Rest::Each(each) = members.rest {
        if is(shapes, each, never) {
            members.rest = Rest::Closed;
        } else if is(shapes, each, any) && wordless(shapes, each) {
            members.rest = Rest::Open;
        }
    }
    set(shapes, id, Kind::Object(members));
}
