//! Layers around the body that come with the registry.

mod around;

pub use around::{Around, AroundLayer};
