//! From a JSON Schema to shapes.

use dayfly_runtime::Json;

use super::shape::{Kind, ShapeId, Shapes};

/// A schema as shapes.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) shapes: Shapes,
    /// What stands for the schema itself.
    pub(super) root: ShapeId,
}

/// Lowers a schema of any kind; what no shape can say is widened there, and said in [`Shapes::widened`].
pub(super) fn lower(schema: &Json) -> Lowered {
    let _ = schema;
    let mut shapes = Shapes::default();
    let root = shapes.add(Kind::Any);
    Lowered { shapes, root }
}
