//! Why a registration or a restriction is refused.

/// A tool that cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The layer has a tool of this name already.
    #[error(
        "a tool named `{name}` is registered in this scope already; dispose of that one first, or shadow it from a nested scope"
    )]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The name belongs to the registry itself.
    #[error("`{name}` is reserved for the registry's own transport; give the tool another name")]
    Reserved {
        /// The name.
        name: String,
    },
}

/// A restriction that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestrictError {
    /// The global scope has nothing to restrict.
    #[error(
        "the global scope inherits no tools, so there is nothing to restrict; restrict an agent's scope, or do not register the tool"
    )]
    Global,
    /// The filter names nothing.
    #[error("the filter names no tool; name at least one, or apply no restriction")]
    Empty,
    /// The scope inherits no tool of this name.
    #[error("no tool named `{name}` is inherited by this scope; restrict after its registration, or correct the name")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The tool is the scope's own.
    #[error(
        "`{name}` is registered in this very scope, and a restriction masks only what is inherited; dispose of its registration instead"
    )]
    Local {
        /// The name.
        name: String,
    },
    /// The name belongs to the registry itself.
    #[error("`{name}` is reserved for the registry's own transport and cannot be restricted")]
    Reserved {
        /// The name.
        name: String,
    },
}
