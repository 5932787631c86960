//! Assembling a prompt.

use std::collections::BTreeMap;
use std::sync::Arc;

use dayfly_runtime::Language;
use futures_util::FutureExt as _;

use super::{Assembly, AssemblyError, CODE_ONLY_ORDER, CODE_ONLY_SECTION, SDK_ORDER, SDK_SECTION, Section};
use crate::pipeline::{Contained, Panicked, contain};
use crate::registry::{Hook, RUN_CODE};
use crate::{ListenerHandle, Presentation, Registry, Scope, ToolSchema, sdk};

impl Scope {
    /// Assembles what this scope's model is shown: the sections of its prompt, and the tools of the request.
    ///
    /// Of an unchanged scope it is the same to the byte.
    ///
    /// # Errors
    ///
    /// [`AssemblyError`] when programs are asked for and cannot be run or written, when `tool_order` names a tool that is not
    /// contributed, and when a section or a listener panics.
    ///
    /// # Cancellation
    ///
    /// Dropping the future drops the listener that is running.
    pub async fn assemble(&self) -> Result<Assembly, AssemblyError> {
        let mut assembly = self.contribute()?;
        for listener in &self.hooks().assemble {
            let (scope, so_far) = (self.clone(), assembly);
            let listening = Contained::new(|| listener(scope, so_far));
            assembly = listening.await.map_err(|Panicked(panic)| AssemblyError::ListenerPanicked { panic })?;
        }
        Ok(assembly)
    }

    /// Hears of every assembly of this scope and of the scopes nested in it: it is given the assembly so far and returns the
    /// next one. What the last listener returns is what the model is shown; nothing is put back.
    pub fn on_assemble<F, Fut>(&self, listener: F) -> ListenerHandle
    where
        F: Fn(Self, Assembly) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Assembly> + Send + 'static,
    {
        self.listen(Hook::Assemble(Arc::new(move |scope, assembly| listener(scope, assembly).boxed())))
    }

    /// What the scope contributes before any listener.
    fn contribute(&self) -> Result<Assembly, AssemblyError> {
        let presentation = self.presentation();
        let tools = self.contribute_tools(presentation)?;
        let mut sections: BTreeMap<(i32, String), String> = BTreeMap::new();
        let registered = self.registered_sections();
        if presentation.has_code() && !registered.contains_key(SDK_SECTION) {
            sections.insert((SDK_ORDER, SDK_SECTION.to_owned()), self.declarations(presentation)?);
        }
        if presentation == Presentation::Code && !registered.contains_key(CODE_ONLY_SECTION) {
            sections.insert((CODE_ONLY_ORDER, CODE_ONLY_SECTION.to_owned()), code_only());
        }
        for (id, section) in registered {
            let text = contain(|| (section.text)(self))
                .map_err(|Panicked(panic)| AssemblyError::SectionPanicked { id: id.as_ref().to_owned(), panic })?;
            sections.insert((section.order, id.as_ref().to_owned()), text);
        }
        let sections = sections.into_iter().map(|((order, id), text)| Section { id, order, text }).collect();
        Ok(Assembly { sections, tools })
    }

    fn contribute_tools(&self, presentation: Presentation) -> Result<Vec<ToolSchema>, AssemblyError> {
        let mut tools = match presentation {
            Presentation::Native | Presentation::Both => self.schemas(),
            Presentation::Code => Vec::new(),
        };
        if presentation.has_code() {
            let transport = self.transport().ok_or_else(|| self.no_runtime(presentation))?;
            let place = tools.partition_point(|tool| tool.name.as_str() < RUN_CODE);
            tools.insert(place, transport.schema().clone());
        }
        self.put_in_order(tools, presentation)
    }

    /// Those that the configuration names come first, in its order.
    fn put_in_order(
        &self,
        mut tools: Vec<ToolSchema>,
        presentation: Presentation,
    ) -> Result<Vec<ToolSchema>, AssemblyError> {
        let order = &self.core().config.tool_order;
        let rank: BTreeMap<&str, usize> = order.iter().enumerate().map(|(rank, name)| (name.as_str(), rank)).collect();
        let missing: Vec<&str> =
            order.iter().map(String::as_str).filter(|name| !tools.iter().any(|tool| tool.name == *name)).collect();
        if !missing.is_empty() {
            return Err(AssemblyError::ToolOrder {
                missing: listed(&missing),
                contributed: listed(&tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>()),
                scope: self.name().to_owned(),
                presentation,
            });
        }
        // Stable: of those that are not named the order stays.
        tools.sort_by_key(|tool| rank.get(tool.name.as_str()).copied().unwrap_or(usize::MAX));
        Ok(tools)
    }

    fn declarations(&self, presentation: Presentation) -> Result<String, AssemblyError> {
        let core = self.core();
        let language = core.language.ok_or_else(|| self.no_runtime(presentation))?;
        let section = core.declarations.section(language, &self.tools());
        let no_renderer = || AssemblyError::NoRenderer { language, known: languages() };
        Ok(section.ok_or_else(no_renderer)?.as_ref().to_owned())
    }

    fn no_runtime(&self, presentation: Presentation) -> AssemblyError {
        AssemblyError::NoRuntime { scope: self.name().to_owned(), presentation }
    }
}

impl Registry {
    /// [`Scope::assemble`] of the global scope.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Cancellation
    ///
    /// As there.
    pub async fn assemble(&self) -> Result<Assembly, AssemblyError> {
        self.global().assemble().await
    }
}

/// The rule that comes before what is said of single tools.
fn code_only() -> String {
    format!(
        "You call tools by writing programs: `{RUN_CODE}` is the only tool that you may call directly. Every other tool that is named \
         below is called from inside a `{RUN_CODE}` program; a direct call of it fails."
    )
}

fn languages() -> String {
    let known = Language::ALL.into_iter().filter(|language| sdk::instructions(*language).is_some());
    known.map(Language::name).collect::<Vec<_>>().join(", ")
}

/// Names for a sentence: the first few, and how many more there are.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match (names.len(), names.len().checked_sub(SHOWN)) {
        (0, _) => "nothing".to_owned(),
        (_, None | Some(0)) => shown.join(", "),
        (_, Some(more)) => format!("{} and {more} more", shown.join(", ")),
    }
}
