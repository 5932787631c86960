//! Where in a document things are.

use dayfly_runtime::{Json, JsonRef};

/// A step into a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// A path in [`Paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathId(u32);

/// Paths that share their beginnings, so that making one costs the same wherever it ends.
#[derive(Debug, Default)]
pub(super) struct Paths<'a> {
    steps: Vec<(PathId, Step<'a>)>,
}

impl PathId {
    /// The document itself.
    pub(super) const ROOT: Self = Self(u32::MAX);

    fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'a> Paths<'a> {
    /// One step further.
    pub(super) fn step(&mut self, from: PathId, step: Step<'a>) -> PathId {
        // The budget of a lowering is far below this many steps.
        let id = PathId(u32::try_from(self.steps.len()).unwrap_or(u32::MAX));
        self.steps.push((from, step));
        id
    }

    /// The path as a JSON pointer.
    pub(super) fn pointer(&self, path: PathId) -> String {
        let mut steps = Vec::new();
        let mut here = path;
        while let Some((from, step)) = self.steps.get(here.index()) {
            steps.push(*step);
            here = *from;
        }
        let mut text = String::new();
        for step in steps.into_iter().rev() {
            text.push('/');
            match step {
                Step::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => text.push_str(&index.to_string()),
            }
        }
        text
    }
}

/// A part of the document, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) schema: JsonRef<'a>,
    pub(super) path: PathId,
}

impl<'a> At<'a> {
    /// What is one step into this.
    pub(super) fn step(self, paths: &mut Paths<'a>, step: Step<'a>, schema: JsonRef<'a>) -> Self {
        Self { schema, path: paths.step(self.path, step) }
    }

    /// What stands under a keyword.
    pub(super) fn under(self, paths: &mut Paths<'a>, keyword: &'static str, schema: JsonRef<'a>) -> Self {
        self.step(paths, Step::Key(keyword), schema)
    }

    /// What stands in the list or the object under a keyword.
    pub(super) fn within(
        self,
        paths: &mut Paths<'a>,
        keyword: &'static str,
        step: Step<'a>,
        schema: JsonRef<'a>,
    ) -> Self {
        let path = paths.step(self.path, Step::Key(keyword));
        Self { schema, path: paths.step(path, step) }
    }
}

/// The JSON pointer to the part of a document that has this ordinal.
pub(in crate::sdk) fn pointer_to(document: &Json, ordinal: usize) -> String {
    let mut paths = Paths::default();
    let mut at = At { schema: document.root(), path: PathId::ROOT };
    while at.schema.ordinal() < ordinal {
        // Of what is inside, the last that does not begin after it holds it.
        let member = at.schema.entries().take_while(|(_, value)| value.ordinal() <= ordinal).last();
        let item = at.schema.items().enumerate().take_while(|(_, value)| value.ordinal() <= ordinal).last();
        let next = member
            .map(|(key, value)| (Step::Key(key), value))
            .or_else(|| item.map(|(nth, value)| (Step::Index(nth), value)));
        let Some((step, value)) = next else { break };
        at = at.step(&mut paths, step, value);
    }
    paths.pointer(at.path)
}
