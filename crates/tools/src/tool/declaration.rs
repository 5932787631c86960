//! Declaring a tool, step by step.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dayfly_runtime::Json;
use dayfly_runtime::json::ConvertError;
use futures_util::FutureExt as _;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{DeclarationError, invalid_arguments, invalid_output};
use super::output::{IntoContent, plain};
use super::state::{Complete, NeedsOutput, NeedsRender};
use super::{Body, CallPresenter, Classifier, Finalizer, Inner, Project, ResultPresenter, Tool, ToolSchema, Warning};
use crate::present::{CallView, DurableResult, ResultView};
use crate::schema::{IntoSchema, Schema, SchemaError, input_of, output_of};
use crate::{Content, Execution, RunContext, ToolFailure, ToolOutcome};

static IDENTITIES: AtomicU64 = AtomicU64::new(0);

/// The longest name of a tool in bytes.
const MAX_NAME_BYTES: usize = 1_024;

/// The arguments of a tool that takes none: any object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NoArguments {}

/// A tool that is being declared: `A` is what its body takes, `O` what it returns, `S` what is still owed.
///
/// The order is: what makes the output ([`render`](Self::render) or [`output`](Self::output)), anything optional, and
/// [`execute`](Self::execute), which checks the whole and makes the [`Tool`]. A declaration without an output has no
/// `execute`, so a tool without one does not compile.
#[must_use = "a declaration is a tool once `execute` has given it a body"]
pub struct Declaration<A, O, S> {
    parts: Parts,
    codec: Codec<A, O>,
    state: S,
}

/// What has been said so far, with types erased.
struct Parts {
    name: String,
    description: String,
    input: Result<Json, SchemaError>,
    validates_itself: bool,
    finalizer: Option<Finalizer>,
    timeout: Option<Duration>,
    retryable: bool,
    transport: bool,
    concurrency_safe: Option<Classifier>,
    present_call: Option<CallPresenter>,
    present_result: Option<ResultPresenter>,
}

/// How Rust values and JSON turn into each other.
struct Codec<A, O> {
    arguments: fn(&Json) -> Result<A, ConvertError>,
    encode: fn(O) -> Result<Json, ConvertError>,
    value: fn(&Json) -> Result<O, ConvertError>,
}

impl<A, O> Clone for Codec<A, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, O> Copy for Codec<A, O> {}

impl<A: 'static, O: 'static> Codec<A, O> {
    fn arguments(self, tool: &str, arguments: &Json) -> Result<A, ToolFailure> {
        (self.arguments)(arguments).map_err(|error| invalid_arguments(tool, &error.to_string()))
    }

    /// A pure function of Rust values as one of JSON.
    fn project<T>(
        self,
        tool: &str,
        project: impl Fn(&A, &O) -> Result<T, ToolFailure> + Send + Sync + 'static,
    ) -> Project<T> {
        let tool = tool.to_owned();
        Arc::new(move |arguments, value| {
            let value = (self.value)(value).map_err(|error| invalid_output(&tool, &error.to_string()))?;
            project(&self.arguments(&tool, arguments)?, &value)
        })
    }
}

impl Tool {
    /// A tool whose arguments and canonical value are Rust types.
    ///
    /// Their schemas come from `schemars`, the values go through `serde`. What the schema says is checked first, so a
    /// model is told of every violation at once; what only the type's own `Deserialize` refuses is told second.
    ///
    /// ```
    /// use dayfly_tools::{Tool, ToolFailure};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct ReadFile {
    ///     /// Absolute file path
    ///     path: String,
    /// }
    ///
    /// let read_file = Tool::typed::<ReadFile, String>("read_file")
    ///     .description("Read a file from disk.")
    ///     .render(|_, text| text.clone())
    ///     .concurrency_safe(|_| true)
    ///     .execute(|arguments, _| async move {
    ///         std::fs::read_to_string(arguments.path).map_err(ToolFailure::from_error)
    ///     })?;
    /// assert_eq!(read_file.name(), "read_file");
    /// # Ok::<(), dayfly_tools::DeclarationError>(())
    /// ```
    pub fn typed<A, O>(name: impl Into<String>) -> Declaration<A, O, NeedsRender>
    where
        A: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + DeserializeOwned + JsonSchema + 'static,
    {
        let codec = Codec {
            arguments: |json: &Json| json.deserialize(),
            encode: |value: O| Json::from_serialize(&value),
            value: |json: &Json| json.deserialize(),
        };
        Declaration::new(name.into(), input_of::<A>(), codec, NeedsRender { output: output_of::<O>() })
    }

    /// A tool whose arguments are described by a JSON Schema of any draft, or by [`Parameters`](crate::schema::Parameters).
    pub fn raw(name: impl Into<String>, input: impl IntoSchema) -> Declaration<Json, Json, NeedsOutput> {
        let codec =
            Codec { arguments: |json: &Json| Ok(json.clone()), encode: Ok, value: |json: &Json| Ok(json.clone()) };
        Declaration::new(name.into(), input.into_schema(), codec, NeedsOutput)
    }
}

impl<A, O, S> Declaration<A, O, S> {
    fn new(name: String, input: Result<Json, SchemaError>, codec: Codec<A, O>, state: S) -> Self {
        let parts = Parts {
            name,
            description: String::new(),
            input,
            validates_itself: false,
            finalizer: None,
            timeout: None,
            retryable: false,
            transport: false,
            concurrency_safe: None,
            present_call: None,
            present_result: None,
        };
        Self { parts, codec, state }
    }

    fn complete(
        self,
        output: impl FnOnce(S) -> Result<Json, SchemaError>,
        render: Project<Vec<Content>>,
    ) -> Declaration<A, O, Complete> {
        let state = Complete { output: output(self.state), render, presentation_meta: None };
        Declaration { parts: self.parts, codec: self.codec, state }
    }
}

impl<A: 'static, O: 'static, S> Declaration<A, O, S> {
    /// What the tool does and when to use it; the model reads it.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.parts.description = description.into();
        self
    }

    /// How long a call may take. Not shown to the model, and enforced by the timeout layer alone.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.parts.timeout = Some(timeout);
        self
    }

    /// Says that a failed call may be made again with the same arguments: the retry layer asks.
    pub const fn retryable(mut self) -> Self {
        self.parts.retryable = true;
        self
    }

    /// Says that this is the registry's own way to programs.
    pub(crate) const fn transport(mut self) -> Self {
        self.parts.transport = true;
        self
    }

    /// Says of which arguments a call may overlap others; only `true` is parallel.
    ///
    /// A body that is let overlap does not change state that others read, or does so in any order with the same effect.
    pub fn concurrency_safe(mut self, classify: impl Fn(&A) -> bool + Send + Sync + 'static) -> Self {
        let decode = self.codec.arguments;
        self.parts.concurrency_safe =
            Some(Arc::new(move |arguments| decode(arguments).is_ok_and(|arguments| classify(&arguments))));
        self
    }

    /// Has the last word on what the model is shown, of every outcome, failures included.
    ///
    /// `None` leaves the content as it is. Must be total and quick: it runs exactly once for each call.
    pub fn finalize_content(
        mut self,
        finalize: impl Fn(&Execution, &ToolOutcome) -> Option<Vec<Content>> + Send + Sync + 'static,
    ) -> Self {
        self.parts.finalizer = Some(Arc::new(finalize));
        self
    }

    /// How a user interface shows a call; `None` is the generic card.
    pub fn present_call(mut self, present: impl Fn(&A) -> Option<CallView> + Send + Sync + 'static) -> Self {
        let decode = self.codec.arguments;
        self.parts.present_call = Some(Arc::new(move |arguments| present(&decode(arguments).ok()?)));
        self
    }

    /// How a user interface shows a result, from the arguments and what is durable of the outcome; `None` is the
    /// generic card.
    pub fn present_result(
        mut self,
        present: impl Fn(&A, &DurableResult) -> Option<ResultView> + Send + Sync + 'static,
    ) -> Self {
        let decode = self.codec.arguments;
        self.parts.present_result = Some(Arc::new(move |arguments, result| present(&decode(arguments).ok()?, result)));
        self
    }
}

impl<A: 'static, O: 'static> Declaration<A, O, NeedsRender> {
    /// Says how a canonical value becomes what the model is shown. Pure: the same for the same arguments and value.
    pub fn render<C: IntoContent>(
        self,
        render: impl Fn(&A, &O) -> C + Send + Sync + 'static,
    ) -> Declaration<A, O, Complete> {
        let project =
            self.codec.project(&self.parts.name, move |arguments, value| Ok(render(arguments, value).into_content()));
        self.complete(|state| state.output, project)
    }

    /// Shows the model a string as it is and every other value as indented JSON.
    pub fn render_plain(self) -> Declaration<A, O, Complete> {
        self.complete(|state| state.output, Arc::new(|_, value| Ok(plain(value))))
    }
}

impl Declaration<Json, Json, NeedsOutput> {
    /// Leaves checking the arguments to the tool itself.
    pub const fn validates_itself(mut self) -> Self {
        self.parts.validates_itself = true;
        self
    }

    /// Declares the canonical value and how it becomes what the model is shown.
    pub fn output<C: IntoContent>(
        self,
        schema: impl IntoSchema,
        render: impl Fn(&Json, &Json) -> C + Send + Sync + 'static,
    ) -> Declaration<Json, Json, Complete> {
        let output = schema.into_schema();
        self.complete(|_| output, Arc::new(move |arguments, value| Ok(render(arguments, value).into_content())))
    }

    /// Declares the canonical value, and shows the model a string as it is and every other value as indented JSON.
    pub fn output_plain(self, schema: impl IntoSchema) -> Declaration<Json, Json, Complete> {
        self.output(schema, |_, value| plain(value))
    }
}

impl<A: 'static, O: 'static> Declaration<A, O, Complete> {
    /// Derives durable metadata for user interfaces from a call's canonical value. Pure, as `render` is.
    pub fn presentation_meta(mut self, project: impl Fn(&A, &O) -> Json + Send + Sync + 'static) -> Self {
        let project = self.codec.project(&self.parts.name, move |arguments, value| Ok(project(arguments, value)));
        self.state.presentation_meta = Some(project);
        self
    }

    /// Gives the tool its body and checks the whole declaration.
    ///
    /// The body returns only the canonical value. It must watch the context's cancel token, or hand it on, and end only
    /// when what it started has ended.
    ///
    /// # Errors
    ///
    /// [`DeclarationError`].
    pub fn execute<F, Fut>(self, body: F) -> Result<Tool, DeclarationError>
    where
        F: Fn(A, RunContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O, ToolFailure>> + Send + 'static,
    {
        let (codec, tool) = (self.codec, self.parts.name.clone());
        let body: Body = Arc::new(move |arguments, context| {
            let arguments = match codec.arguments(&tool, &arguments) {
                Ok(arguments) => arguments,
                Err(failure) => return std::future::ready(Err(failure)).boxed(),
            };
            let (running, tool) = (body(arguments, context), tool.clone());
            async move { (codec.encode)(running.await?).map_err(|error| invalid_output(&tool, &error.to_string())) }
                .boxed()
        });
        self.parts.finish(self.state, body)
    }
}

impl Parts {
    fn finish(self, complete: Complete, body: Body) -> Result<Tool, DeclarationError> {
        let tool = check_name(self.name)?;
        if self.timeout.is_some_and(|timeout| timeout.is_zero() || timeout == Duration::MAX) {
            return Err(DeclarationError::Timeout { tool });
        }
        let in_input = |source| DeclarationError::InputSchema { tool: tool.clone(), source };
        let in_output = |source| DeclarationError::OutputSchema { tool: tool.clone(), source };
        let input = Schema::compile(self.input.map_err(in_input)?, "input").map_err(in_input)?;
        let output = Schema::compile(complete.output.map_err(in_output)?, "output").map_err(in_output)?;
        let mut warnings: Vec<Warning> = input.warnings().iter().chain(output.warnings()).cloned().collect();
        if !input.says_object() {
            warnings.push(Warning::InputNotAnObject);
        }
        let inner = Inner {
            identity: IDENTITIES.fetch_add(1, Ordering::Relaxed),
            schema: ToolSchema { name: tool.clone(), description: self.description, input: input.document().clone() },
            output_schema: output.document().clone(),
            input: (!self.validates_itself).then_some(input),
            output,
            body,
            render: complete.render,
            presentation_meta: complete.presentation_meta,
            finalizer: self.finalizer,
            timeout: self.timeout,
            retryable: self.retryable,
            transport: self.transport,
            concurrency_safe: self.concurrency_safe,
            present_call: self.present_call,
            present_result: self.present_result,
            warnings,
            sdk: crate::sdk::Kept::default(),
        };
        Ok(Tool { inner: Arc::new(inner) })
    }
}

fn check_name(name: String) -> Result<String, DeclarationError> {
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(DeclarationError::Name { name: name.chars().take(64).collect() });
    }
    Ok(name)
}
