//! What references refer to.

use std::borrow::Cow;
use std::collections::HashMap;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

use super::paths::{At, PathId, Paths, Step};
use super::resources::Resources;

/// Containers of fewer members are searched, larger ones indexed.
const INDEXED: usize = 16;

/// Finds what references refer to, each in the time of its own text once the document has been read.
#[derive(Debug)]
pub(super) struct References<'a> {
    root: At<'a>,
    /// Read when the first reference is met: most schemas have none.
    resources: Option<Resources<'a>>,
    members: HashMap<usize, HashMap<&'a str, JsonRef<'a>>>,
    items: HashMap<usize, Vec<JsonRef<'a>>>,
    known: HashMap<(usize, &'a str), Option<Target<'a>>>,
}

/// What a reference refers to.
#[derive(Debug, Clone)]
pub(super) struct Target<'a> {
    pub(super) at: At<'a>,
    /// The last word of the reference; empty for the document.
    pub(super) hint: String,
}

impl<'a> References<'a> {
    pub(super) fn new(root: JsonRef<'a>) -> Self {
        Self {
            root: At { schema: root, path: PathId::ROOT },
            resources: None,
            members: HashMap::new(),
            items: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// What `text`, under a keyword of the schema `from`, refers to.
    pub(super) fn resolve(
        &mut self,
        paths: &mut Paths<'a>,
        from: JsonRef<'a>,
        keyword: &str,
        text: &'a str,
    ) -> Option<Target<'a>> {
        let resources = self.resources.get_or_insert_with(|| Resources::read(self.root, paths));
        let resource = resources.around(from);
        // Who refers decides what a dynamic reference means when there is a choice.
        if keyword != "$ref" && resources.is_ambiguous(text) {
            return None;
        }
        if let Some(known) = self.known.get(&(resource, text)) {
            return known.clone();
        }
        let found = self.search(paths, resource, text);
        self.known.insert((resource, text), found.clone());
        found
    }

    fn search(&mut self, paths: &mut Paths<'a>, from: usize, text: &str) -> Option<Target<'a>> {
        let resources = self.resources.as_ref()?;
        let (uri, fragment) = text.split_once('#').unwrap_or((text, ""));
        let resource = if uri.is_empty() { from } else { resources.by_uri(from, uri)? };
        let start = resources.at(resource)?;
        let fragment = percent_decoded(fragment)?;
        if fragment.is_empty() {
            let last = uri.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            let hint = if start.path == PathId::ROOT { "" } else { last.split('.').next().unwrap_or_default() };
            return Some(Target { at: start, hint: hint.to_owned() });
        }
        let Some(pointer) = fragment.strip_prefix('/') else {
            let at = resources.anchor(resource, &fragment)?;
            return Some(Target { at, hint: fragment.into_owned() });
        };
        let mut at = start;
        let mut hint = String::new();
        for segment in pointer.split('/') {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            at = self.step(paths, at, &segment)?;
            hint = segment;
        }
        Some(Target { at, hint })
    }

    fn step(&mut self, paths: &mut Paths<'a>, at: At<'a>, segment: &str) -> Option<At<'a>> {
        match at.schema.kind() {
            JsonKind::Object => {
                let (key, value) = self.member(at.schema, segment)?;
                Some(at.step(paths, Step::Key(key), value))
            }
            JsonKind::Array => {
                let index = segment.parse().ok()?;
                Some(at.step(paths, Step::Index(index), self.item(at.schema, index)?))
            }
            JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::String => None,
        }
    }

    fn member(&mut self, object: JsonRef<'a>, key: &str) -> Option<(&'a str, JsonRef<'a>)> {
        if object.len() < INDEXED {
            return object.entries().find(|(name, _)| *name == key);
        }
        let index = self.members.entry(object.ordinal()).or_insert_with(|| object.entries().collect());
        index.get_key_value(key).map(|(key, value)| (*key, *value))
    }

    fn item(&mut self, array: JsonRef<'a>, index: usize) -> Option<JsonRef<'a>> {
        if array.len() < INDEXED {
            return array.at(index);
        }
        self.items.entry(array.ordinal()).or_insert_with(|| array.items().collect()).get(index).copied()
    }
}

/// The text that a fragment is the encoding of.
fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| byte == b'%');
        let decoded = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
