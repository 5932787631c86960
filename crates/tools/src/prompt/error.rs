//! Why a prompt cannot be assembled: misconfiguration, said before a model is asked.

use dayfly_runtime::Language;

use crate::Presentation;

/// A prompt that cannot be assembled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyError {
    /// Programs are asked for, and nothing runs them.
    #[error(
        "{} presents its tools as `{}`, and nothing is there to run programs: give the registry a runtime with \
         `Registry::builder().code_runtime(…)`, or use the mode `native`",
        whose(scope), presentation.name()
    )]
    NoRuntime {
        /// The name of the scope; empty for the global one.
        scope: String,
        /// How it presents its tools.
        presentation: Presentation,
    },
    /// Programs are asked for in a language that tools cannot be declared in.
    #[error(
        "the registry's programs are written in {language}, and there is no renderer that declares tools in it: use a runtime \
         of one of the languages {known}, or the mode `native`"
    )]
    NoRenderer {
        /// The runtime's language.
        language: Language,
        /// The languages that there are renderers for.
        known: String,
    },
    /// The configured order names a tool that this assembly does not have.
    #[error(
        "`tool_order` names {missing}, which {} does not contribute in the mode `{}`: it contributes {contributed}. \
         Take the name out of `tool_order`, register the tool, or change the mode",
        whose(scope), presentation.name()
    )]
    ToolOrder {
        /// The names that are missing.
        missing: String,
        /// What is there, or how much of it.
        contributed: String,
        /// The name of the scope; empty for the global one.
        scope: String,
        /// How it presents its tools.
        presentation: Presentation,
    },
    /// A section's text could not be made.
    #[error("the text of the section `{id}` could not be made, because what makes it panicked: {panic}")]
    SectionPanicked {
        /// The section's id.
        id: String,
        /// The panic's message.
        panic: String,
    },
    /// A listener failed.
    #[error("the prompt was not assembled, because a listener that may change it panicked: {panic}")]
    ListenerPanicked {
        /// The panic's message.
        panic: String,
    },
}

/// A scope in words: the global one has no name.
fn whose(scope: &str) -> String {
    if scope.is_empty() { "the registry".to_owned() } else { format!("the scope `{scope}`") }
}
