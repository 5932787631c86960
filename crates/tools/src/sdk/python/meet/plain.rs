//! Shapes without parts.

use dayfly_runtime::Json;
use dayfly_runtime::json::JsonKind;

use super::super::super::shape::{Kind, ShapeId, Shapes};

/// What plain shapes of several kinds have in common.
pub(super) fn scalars(shapes: &Shapes, all: &[ShapeId]) -> Kind {
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

fn is_integer(value: &Json) -> bool {
    value.number_text().is_some() && (!value.is_float() || value.as_f64().is_some_and(|number| number.fract() == 0.0))
}
