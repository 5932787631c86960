//! What a declaration still owes, as types: only a complete one can be given a body.

use dayfly_runtime::Json;

use super::Project;
use crate::Content;
use crate::schema::SchemaError;

/// The output's schema is known from the Rust type; how it is rendered has not been said.
#[non_exhaustive]
pub struct NeedsRender {
    pub(super) output: Result<Json, SchemaError>,
}

/// Neither the output's schema nor how it is rendered has been said.
#[non_exhaustive]
pub struct NeedsOutput;

/// Everything mandatory but the body has been said.
#[non_exhaustive]
pub struct Complete {
    pub(super) output: Result<Json, SchemaError>,
    pub(super) render: Project<Vec<Content>>,
    pub(super) presentation_meta: Option<Project<Json>>,
}
