//! The parts of a document that have an address of their own, and their anchors.

use std::collections::HashMap;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::{Entries, Items, JsonKind};

use super::paths::{At, PathId, Paths, Step};

/// Keywords whose value is data: what looks like an address in it is none.
const DATA: &[&str] = &["const", "default", "enum", "example", "examples"];

/// The deepest part that may have an address: deeper than any schema that is accepted.
const DEEPEST: usize = 256;
/// The longest address, in bytes; what is longer is none.
const LONGEST: usize = 512;

/// The addressed parts of a document. The document itself is the first.
#[derive(Debug)]
pub(super) struct Resources<'a> {
    resources: Vec<Resource<'a>>,
    by_uri: HashMap<String, usize>,
    anchors: HashMap<(usize, &'a str), At<'a>>,
    /// How often a dynamic anchor of this name stands in the document.
    dynamic: HashMap<&'a str, usize>,
}

#[derive(Debug)]
struct Resource<'a> {
    at: At<'a>,
    /// The ordinal of the last value inside.
    last: usize,
    uri: String,
    parent: usize,
}

/// A container that is being read.
enum Open<'a> {
    Object { entries: Entries<'a>, around: usize },
    Array { items: Items<'a>, next: usize },
}

impl<'a> Resources<'a> {
    /// Reads a document once.
    pub(super) fn read(root: At<'a>, paths: &mut Paths<'a>) -> Self {
        let document = Resource { at: root, last: usize::MAX, uri: String::new(), parent: 0 };
        let mut found = Self {
            resources: vec![document],
            by_uri: HashMap::new(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
        };
        let old = root.schema.get("$schema").and_then(JsonRef::as_str).is_some_and(|draft| draft.contains("draft-04"));
        let id = if old { "id" } else { "$id" };
        let mut trail: Vec<Step<'a>> = Vec::new();
        let mut open: Vec<Open<'a>> = Vec::new();
        let mut here = 0;
        let mut last = 0;
        let mut entered = Some(root.schema);
        loop {
            if let Some(value) = entered.take() {
                match value.kind() {
                    JsonKind::Object => {
                        let around = here;
                        here = found.object(value, id, here, || At { schema: value, path: path(paths, &trail) });
                        open.push(Open::Object { entries: value.entries(), around });
                    }
                    JsonKind::Array => open.push(Open::Array { items: value.items(), next: 0 }),
                    JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::String => {}
                }
            }
            trail.truncate(open.len().saturating_sub(1));
            match open.last_mut() {
                None => break,
                Some(Open::Object { entries, around }) => match entries.next() {
                    Some((key, value)) => {
                        last = value.ordinal();
                        trail.push(Step::Key(key));
                        let container = matches!(value.kind(), JsonKind::Object | JsonKind::Array);
                        entered =
                            (container && !DATA.contains(&key)).then_some(value).filter(|_| trail.len() < DEEPEST);
                    }
                    None => {
                        if here != *around
                            && let Some(ended) = found.resources.get_mut(here)
                        {
                            ended.last = last;
                        }
                        here = *around;
                        open.pop();
                    }
                },
                Some(Open::Array { items, next }) => match items.next() {
                    Some(value) => {
                        last = value.ordinal();
                        trail.push(Step::Index(*next));
                        *next += 1;
                        entered = Some(value).filter(|_| trail.len() < DEEPEST);
                    }
                    None => drop(open.pop()),
                },
            }
        }
        found
    }

    /// Takes note of an object's address and anchors, and says which resource it is in.
    fn object(&mut self, object: JsonRef<'a>, id: &str, around: usize, at: impl FnOnce() -> At<'a>) -> usize {
        let mut uri = None;
        let mut anchors: Vec<&'a str> = Vec::new();
        for (keyword, value) in object.entries() {
            let Some(text) = value.as_str() else { continue };
            match keyword {
                "$anchor" => anchors.push(text),
                "$dynamicAnchor" => {
                    anchors.push(text);
                    *self.dynamic.entry(text).or_default() += 1;
                }
                // The older drafts write anchors as addresses.
                _ if keyword == id => match text.strip_prefix('#') {
                    Some(anchor) => anchors.push(anchor),
                    None => uri = Some(text.split('#').next().unwrap_or_default()),
                },
                _ => {}
            }
        }
        if uri.is_none() && anchors.is_empty() {
            return around;
        }
        let at = at();
        let mut here = around;
        if let Some(uri) = uri.filter(|uri| !uri.is_empty()) {
            let uri = self.resources.get(around).map_or_else(|| uri.to_owned(), |base| joined(&base.uri, uri));
            if uri.len() > LONGEST {
                return around;
            }
            if at.path == PathId::ROOT {
                here = 0;
                self.resources[0].uri.clone_from(&uri);
            } else {
                here = self.resources.len();
                self.resources.push(Resource { at, last: usize::MAX, uri: uri.clone(), parent: around });
            }
            self.by_uri.entry(uri).or_insert(here);
        }
        for anchor in anchors {
            self.anchors.entry((here, anchor)).or_insert(at);
        }
        here
    }

    /// Which resource a value is in.
    pub(super) fn around(&self, value: JsonRef<'a>) -> usize {
        let ordinal = value.ordinal();
        let mut here = self.resources.partition_point(|resource| resource.at.schema.ordinal() <= ordinal);
        here = here.saturating_sub(1);
        while let Some(resource) = self.resources.get(here).filter(|resource| here != 0 && ordinal > resource.last) {
            here = resource.parent;
        }
        here
    }

    /// The resource that an address refers to, seen from another.
    pub(super) fn by_uri(&self, from: usize, uri: &str) -> Option<usize> {
        let base = self.resources.get(from)?;
        self.by_uri.get(&joined(&base.uri, uri)).copied()
    }

    pub(super) fn at(&self, resource: usize) -> Option<At<'a>> {
        self.resources.get(resource).map(|resource| resource.at)
    }

    pub(super) fn anchor(&self, resource: usize, name: &str) -> Option<At<'a>> {
        self.anchors.get(&(resource, name)).copied()
    }

    /// Whether a dynamic reference could mean more than one schema.
    pub(super) fn is_ambiguous(&self, reference: &str) -> bool {
        let name = reference.split_once('#').map_or(reference, |(_, fragment)| fragment);
        self.dynamic.get(name).is_some_and(|times| *times > 1)
    }
}

fn path<'a>(paths: &mut Paths<'a>, trail: &[Step<'a>]) -> PathId {
    trail.iter().fold(PathId::ROOT, |path, step| paths.step(path, *step))
}

/// An address as it is meant beside another (RFC 3986, section 5, as far as schemas go).
fn joined(base: &str, reference: &str) -> String {
    let has_scheme = reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    });
    if has_scheme || base.is_empty() {
        return reference.to_owned();
    }
    let origin =
        base.find("://").map_or(0, |scheme| base[scheme + 3..].find('/').map_or(base.len(), |at| scheme + 3 + at));
    let (origin, path) = base.split_at(origin);
    if let Some(rest) = reference.strip_prefix('/') {
        return format!("{origin}/{rest}");
    }
    let mut kept: Vec<&str> = path.split('/').collect();
    kept.pop();
    for segment in reference.split('/') {
        match segment {
            "." => {}
            ".." if kept.len() > 1 => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let separator = if path.is_empty() && !origin.is_empty() { "/" } else { "" };
    format!("{origin}{separator}{}", kept.join("/"))
}
