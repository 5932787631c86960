//! What a run is asked to do.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio_util::sync::CancellationToken;

use crate::{BoxFuture, Json, Observer, RunError, Standing, names};

/// One program and all that it may call.
///
/// Budgets, caps and layers are not here: they belong to the runtime's own validated configuration.
#[derive(Clone)]
#[non_exhaustive]
pub struct RunRequest {
    /// The source text: the body of an async function, alone or inside one Markdown fence.
    pub program: String,
    /// The global objects that hold the host functions.
    pub bindings: Vec<Namespace>,
    /// Cancels the run from its admission to its last drained call.
    pub cancel: CancellationToken,
    /// Hears of logs and calls as they happen.
    pub observer: Option<Arc<dyn Observer>>,
    /// Where the call stands that the program is run for; of an outermost run the default.
    pub standing: Standing,
}

impl RunRequest {
    /// A program that may call nothing yet.
    #[must_use]
    pub fn new(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            bindings: Vec::new(),
            cancel: CancellationToken::new(),
            observer: None,
            standing: Standing::default(),
        }
    }

    /// Adds a global object of host functions.
    #[must_use]
    pub fn bind(mut self, namespace: Namespace) -> Self {
        self.bindings.push(namespace);
        self
    }

    /// Ends the run when `token` is cancelled.
    #[must_use]
    pub fn cancel_with(mut self, token: CancellationToken) -> Self {
        self.cancel = token;
        self
    }

    /// Says that the program is run for a call of another program, whose [`Call::standing`] this is. Needed where the run is
    /// not started in the host function's own task: there a runtime sees it by itself.
    #[must_use]
    pub fn within(mut self, standing: Standing) -> Self {
        self.standing = standing;
        self
    }

    /// Tells `observer` of logs and calls as they happen.
    #[must_use]
    pub fn observe(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Checks what every runtime must refuse.
    ///
    /// # Errors
    ///
    /// [`RunError::InvalidGlobal`], [`RunError::DuplicateNamespace`], [`RunError::DuplicateFunction`].
    pub fn validate(&self) -> Result<(), RunError> {
        let mut globals = HashSet::new();
        for namespace in &self.bindings {
            names::check_global(&namespace.global)?;
            let error_class = namespace.error_class.as_ref();
            if let Some(class) = error_class {
                names::check_global(&class.name)?;
                names::check_global(&class.property)?;
            }
            for global in std::iter::once(&namespace.global).chain(error_class.map(|class| &class.name)) {
                if !globals.insert(global.as_str()) {
                    return Err(RunError::DuplicateNamespace { global: global.clone() });
                }
            }
            let mut functions = HashSet::new();
            for (name, _) in &namespace.functions {
                if !functions.insert(name.as_str()) {
                    return Err(RunError::DuplicateFunction { global: namespace.global.clone(), name: name.clone() });
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for RunRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunRequest")
            .field("program", &self.program)
            .field("bindings", &self.bindings)
            .finish_non_exhaustive()
    }
}

/// A global object of the program whose members are host functions.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Namespace {
    /// The name of the global object, an identifier in both languages.
    pub global: String,
    /// The members by their exact names (any text), in order.
    pub functions: Vec<(String, HostFunction)>,
    /// The error class that the program sees when a call fails; without one it is the language's own `Error`.
    pub error_class: Option<ErrorClass>,
}

impl Namespace {
    /// A namespace without members.
    #[must_use]
    pub fn new(global: impl Into<String>) -> Self {
        Self { global: global.into(), functions: Vec::new(), error_class: None }
    }

    /// The namespace that Code Mode uses: global `tools`, failures as `ToolCallError` with `toolName`.
    #[must_use]
    pub fn tools() -> Self {
        Self::new("tools").error_class("ToolCallError", "toolName")
    }

    /// Adds a member.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>, function: impl Into<HostFunction>) -> Self {
        self.functions.push((name.into(), function.into()));
        self
    }

    /// Adds a member that is an async closure.
    ///
    /// ```
    /// use dayfly_runtime::{Json, Namespace};
    ///
    /// let tools = Namespace::tools().async_fn("greet", |call| async move {
    ///     let name = call.arguments.get("name").and_then(|name| name.as_str()).unwrap_or("you");
    ///     Ok(Json::from(format!("hello, {name}")))
    /// });
    /// assert_eq!(tools.functions.len(), 1);
    /// ```
    #[must_use]
    pub fn async_fn<F, Fut>(self, name: impl Into<String>, function: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Json, CallError>> + Send + 'static,
    {
        self.function(name, HostFunction::new(function))
    }

    /// Names the error class that a failed call raises and the property that carries the member's name.
    #[must_use]
    pub fn error_class(mut self, name: impl Into<String>, property: impl Into<String>) -> Self {
        self.error_class = Some(ErrorClass { name: name.into(), property: property.into() });
        self
    }
}

/// The error class of a namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorClass {
    /// The class's global name, such as `ToolCallError`.
    pub name: String,
    /// The property that carries the member's name, such as `toolName`; Python sees its snake case as well.
    pub property: String,
}

/// A function of the host that programs may call.
#[derive(Clone)]
pub struct HostFunction(Arc<dyn Fn(Call) -> BoxFuture<'static, Result<Json, CallError>> + Send + Sync>);

impl HostFunction {
    /// Wraps an async closure. A panic in it fails that one call.
    ///
    /// The closure itself is called in the order of the program's calls, one at a time, and must not block; the futures
    /// that it gives run at the same time. What has to keep the order (taking a place in a queue) belongs before the
    /// `async` block:
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use dayfly_runtime::{HostFunction, Json};
    ///
    /// let tickets = AtomicU64::new(0);
    /// let function = HostFunction::new(move |_call| {
    ///     let ticket = tickets.fetch_add(1, Ordering::Relaxed);
    ///     async move { Ok(Json::from(ticket)) }
    /// });
    /// # drop(function);
    /// ```
    pub fn new<F, Fut>(function: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Json, CallError>> + Send + 'static,
    {
        Self(Arc::new(move |call| function(call).boxed()))
    }

    /// Starts the function.
    ///
    /// # Cancellation
    ///
    /// The function is told through [`Call::cancel`] and is expected to return soon after; dropping the future ends
    /// it where it stands.
    #[must_use = "a future does nothing until it is polled"]
    pub fn call(&self, call: Call) -> BoxFuture<'static, Result<Json, CallError>> {
        (self.0)(call)
    }
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostFunction")
    }
}

/// One use of a host function by a program.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Call {
    /// The call's number within its run, from 1, in the order of arrival.
    pub id: u32,
    /// The exact name of the member.
    pub name: String,
    /// The argument; `{}` when the program gave none.
    pub arguments: Json,
    /// Cancelled when the run settles; the function should return soon after.
    pub cancel: CancellationToken,
    /// Where the call's run stands, for runs that are started because of this call.
    pub standing: Standing,
}

impl Call {
    /// A call as a runtime makes it.
    #[must_use]
    pub fn new(id: u32, name: impl Into<String>, arguments: Json, cancel: CancellationToken) -> Self {
        Self { id, name: name.into(), arguments, cancel, standing: Standing::default() }
    }

    /// Says where the call's run stands.
    #[must_use]
    pub fn standing(mut self, standing: Standing) -> Self {
        self.standing = standing;
        self
    }
}

/// Why a call failed, in words that the program (and the model behind it) reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct CallError {
    /// What happened and what to do.
    pub message: String,
}

impl CallError {
    /// A failure with this text.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(names: &[&str]) -> Namespace {
        names.iter().fold(Namespace::tools(), |tools, name| tools.async_fn(*name, |call| async { Ok(call.arguments) }))
    }

    fn problem(namespaces: impl IntoIterator<Item = Namespace>) -> Option<RunError> {
        namespaces.into_iter().fold(RunRequest::new(""), RunRequest::bind).validate().err()
    }

    #[test]
    fn members_may_have_any_names_but_no_name_twice() {
        assert!(problem([tools(&["get-stock", "get_stock", "class", "__proto__", "", "工具", "a\"\n"])]).is_none());
        let twice = problem([tools(&["a", "b", "a"])]);
        assert!(
            matches!(twice, Some(RunError::DuplicateFunction { global, name }) if global == "tools" && name == "a")
        );
    }

    #[test]
    fn globals_and_error_classes_share_one_set_of_names() {
        assert!(problem([tools(&[]), Namespace::new("files")]).is_none());
        let cases = [
            vec![Namespace::new("files"), Namespace::new("files")],
            vec![tools(&[]), Namespace::new("files").error_class("ToolCallError", "fileName")],
            vec![tools(&[]), Namespace::new("ToolCallError")],
            vec![Namespace::new("files").error_class("files", "fileName")],
        ];
        for namespaces in cases {
            assert!(matches!(problem(namespaces), Some(RunError::DuplicateNamespace { .. })));
        }
    }

    #[test]
    fn names_of_globals_classes_and_properties_must_be_bindable_in_both_languages() {
        let cases = [
            Namespace::new("lambda"),
            Namespace::new("tools").error_class("Error", "toolName"),
            Namespace::new("tools").error_class("ToolCallError", "tool-name"),
        ];
        for namespace in cases {
            assert!(matches!(problem([namespace]), Some(RunError::InvalidGlobal { .. })));
        }
    }
}
