//! Names that stand for nothing but themselves.

use dayfly_runtime::Json;

use super::pointer_to;
use crate::sdk::shape::{Kind, ShapeId, Shapes, Widened};

/// Where a name is referred to without an object or an array in between.
struct Edge {
    shape: ShapeId,
    to: usize,
    /// Of alternatives, one that is the whole again adds nothing.
    alternative: bool,
}

/// Cuts what no language can declare: `A = A | string` is `string`, and `A = A` says nothing.
pub(super) fn cut(shapes: &mut Shapes, document: &Json) {
    let edges: Vec<Vec<Edge>> = shapes.named.iter().map(|named| edges(shapes, named.shape)).collect();
    let mut state = vec![State::New; edges.len()];
    let mut cuts = Vec::new();
    for start in 0..edges.len() {
        if state[start] != State::New {
            continue;
        }
        state[start] = State::Open;
        let mut path = vec![(start, 0)];
        while let Some((name, next)) = path.last_mut() {
            let Some(edge) = edges[*name].get(*next) else {
                state[*name] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match state.get(edge.to) {
                Some(State::Open) => cuts.push((edge.shape, edge.alternative, edge.to)),
                Some(State::New) => {
                    state[edge.to] = State::Open;
                    path.push((edge.to, 0));
                }
                Some(State::Done) | None => {}
            }
        }
    }
    for (shape, alternative, name) in cuts {
        let mut origin = 0;
        if let Some(node) = shapes.get_mut(shape) {
            origin = node.origin;
            node.kind = if alternative { Kind::Never } else { Kind::Any };
        }
        if !alternative {
            let hint = shapes.named.get(name).map(|named| named.hint.clone()).unwrap_or_default();
            let reason = if hint.is_empty() {
                "the reference to the whole schema leads back to itself".to_owned()
            } else {
                format!("the reference to `{hint}` leads back to itself")
            };
            shapes.widened.push(Widened { path: pointer_to(document, origin), reason });
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

fn edges(shapes: &Shapes, start: ShapeId) -> Vec<Edge> {
    let mut found = Vec::new();
    let mut pending = vec![(start, false)];
    while let Some((shape, alternative)) = pending.pop() {
        match &shapes.get(shape).kind {
            Kind::Named(name) => found.push(Edge { shape, to: name.index(), alternative }),
            Kind::Union(parts) => pending.extend(parts.iter().rev().map(|part| (*part, true))),
            Kind::Intersection(parts) => pending.extend(parts.iter().rev().map(|part| (*part, false))),
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
            | Kind::Object(_) => {}
        }
    }
    found
}
