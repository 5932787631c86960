//! From the program's text to what the interpreter is given.

use dayfly_runtime::{Failure, Language, Namespace, unfence};

use super::forgotten::Forgotten;
use crate::config::Limits;

/// A program that may be started.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// What the interpreter is given.
    pub(super) code: String,
    /// A function that is all there is of the program and is never called.
    pub(super) uncalled: Option<String>,
    /// An async function that the program starts and does not wait for.
    pub(super) unawaited: Option<String>,
    /// The line of a value at the end that nothing takes.
    pub(super) unreturned: Option<u32>,
    /// Calls whose promises the program uses like their answers.
    pub(super) forgotten: Vec<Forgotten>,
    /// Calls of names that no function has.
    pub(super) unknown: Vec<Unknown>,
}

/// A call of a name that no function has.
#[derive(Debug)]
pub(super) struct Unknown {
    /// How the interpreter says it, when nobody catches it.
    pub(super) uncaught: String,
    /// What the reader is told otherwise.
    pub(super) note: String,
}

/// Takes the fence off, and the types.
///
/// # Cancellation
///
/// It is not cancelled: the stripper's caps bound it.
pub(super) async fn prepare(
    language: Language,
    program: String,
    namespaces: &[Namespace],
    limits: &Limits,
) -> Result<Prepared, Failure> {
    match language {
        #[cfg(feature = "typescript")]
        Language::TypeScript => typescript::prepare(program, namespaces, limits).await,
        _ => {
            let _ = (limits, namespaces);
            Ok(Prepared { code: unfence(&program).into_owned(), ..Prepared::default() })
        }
    }
}

#[cfg(feature = "typescript")]
mod typescript {
    use dayfly_runtime::{ExceptionDetail, Failure, Fault, Namespace, unfence};
    use dayfly_strip::{Mention, StripError, StripLimits, Stripped, UsedPromise, strip};

    use super::super::imports;
    use super::super::unknown::{Called, unknown};
    use super::{Forgotten, Prepared};
    use crate::config::Limits;

    pub(super) async fn prepare(
        program: String,
        namespaces: &[Namespace],
        limits: &Limits,
    ) -> Result<Prepared, Failure> {
        let mut caps = StripLimits::default();
        caps.max_source_bytes = limits.max_program_bytes.as_usize();
        let stripped = tokio::task::spawn_blocking(move || strip(&unfence(&program), &caps)).await;
        match stripped {
            Ok(Ok(Stripped { code, uncalled, unawaited, unreturned, used_promises, called: calls, .. })) => {
                let calls: Vec<Called> = calls.into_iter().map(called).collect();
                Ok(Prepared {
                    code,
                    uncalled,
                    unawaited,
                    unreturned: unreturned.map(|position| position.line),
                    forgotten: used_promises.into_iter().map(forgotten).collect(),
                    unknown: unknown(&calls, namespaces),
                })
            }
            Ok(Err(mut refused)) => {
                if let Some(hint) = imports::instead(&refused.imports, namespaces) {
                    refused.hint = Some(hint);
                }
                Err(failure(&refused))
            }
            // The tokio runtime is ending, and this future with it: nothing is known of the program.
            Err(error) if error.is_cancelled() => std::future::pending().await,
            Err(_) => Err(Failure::new(
                Fault::Exception(ExceptionDetail::default()),
                "the program could not be read; simplify it and try again",
            )),
        }
    }

    fn forgotten(it: UsedPromise) -> Forgotten {
        Forgotten { namespace: it.namespace, function: it.function, callee: it.callee, line: it.position.line }
    }

    fn called(it: Mention) -> Called {
        Called { namespace: it.namespace, function: it.member, line: it.position.line }
    }

    fn failure(refused: &StripError) -> Failure {
        let mut detail = ExceptionDetail::default();
        detail.name = "SyntaxError".to_owned();
        detail.line = refused.position.map(|position| position.line);
        detail.column = refused.position.map(|position| position.column);
        Failure::new(Fault::Exception(detail), refused.to_string())
    }
}
