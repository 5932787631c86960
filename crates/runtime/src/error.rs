//! Why no program was started.

use std::time::Duration;

use crate::Language;

/// The seam was misused, or this host cannot run programs. No program has started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Two namespaces, or a namespace and an error class, have one global name.
    #[error("two bindings share the global name {global:?}; give each namespace and each error class its own name")]
    DuplicateNamespace {
        /// The name.
        global: String,
    },
    /// A namespace has two members of one name.
    #[error("namespace {global:?} has two functions named {name:?}; names must be unique within a namespace")]
    DuplicateFunction {
        /// The namespace's global name.
        global: String,
        /// The member's name.
        name: String,
    },
    /// A global name is not an identifier in every language, or has a meaning of its own there.
    #[error("{global:?} cannot be a global name: {reason}; use an ASCII identifier such as \"tools\"")]
    InvalidGlobal {
        /// The name.
        global: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The program text is longer than the runtime accepts.
    #[error(
        "the program has {bytes} bytes, more than the limit of {limit}; pass data through a tool instead of the source"
    )]
    ProgramTooLarge {
        /// Its size.
        bytes: usize,
        /// The cap.
        limit: u64,
    },
    /// The runtime has been shut down.
    #[error("the runtime has been shut down; build a new one")]
    ShutDown,
    /// Too many runs are waiting for a place.
    #[error("{limit} runs are waiting already; retry later, or raise `queue_length` or `max_concurrent_runs`")]
    QueueFull {
        /// The length of the queue.
        limit: usize,
    },
    /// No place became free in time.
    #[error("no place became free within {waited:?}; retry later, or raise `queue_wait` or `max_concurrent_runs`")]
    QueueTimeout {
        /// How long the run waited.
        waited: Duration,
    },
    /// A run was started inside a host function of a run, and so on, too many times.
    #[error(
        "runs are nested more than {limit} levels deep; raise `max_nested_runs`, or do not run programs from tools"
    )]
    NestedTooDeep {
        /// The cap.
        limit: usize,
    },
    /// No usable interpreter was found.
    #[error("no usable interpreter for {language}: {problem}")]
    Interpreter {
        /// The language.
        language: Language,
        /// What was looked for, where, what was wrong with each candidate, and what to install.
        problem: String,
    },
    /// A layer that the profile requires cannot be applied on this host.
    #[error("this host refuses the layer {layer:?} (errno {errno}): {remedy}")]
    Layer {
        /// The layer.
        layer: String,
        /// The kernel's answer.
        errno: i32,
        /// What to do.
        remedy: String,
    },
    /// The worker did not become ready.
    #[error("the {language} worker was not ready within {deadline:?}: {reason}")]
    NotReady {
        /// The language.
        language: Language,
        /// The deadline.
        deadline: Duration,
        /// What happened instead, with the last words on standard error.
        reason: String,
    },
    /// The host could not make what a worker needs.
    #[error("failed to {action}: {source}")]
    Host {
        /// What was attempted, completing "failed to …".
        action: &'static str,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}
