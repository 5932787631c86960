//! What a model is shown: presentations, sections, order, listeners, and what is refused before it is asked.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod assembly;
mod direct_calls;
mod instructions;
mod presentations;
mod support;
