//! What `unevaluatedProperties` and `unevaluatedItems` would have to look through.
//!
//! To compile one of them the validator follows every way from its schema through the schemas that are held against the
//! same value, and where references make a diamond, each way again: measured, twelve diamonds on top of one another take
//! seconds and fourteen a minute. Compiling cannot be stopped, so the ways are counted first.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::SchemaError;
use super::keywords::{in_place_schemas, references};

/// The most schemas that all `unevaluatedProperties` and `unevaluatedItems` of a schema may have to look through, each
/// counted as often as there are ways to it: measured, a tenth of a second in a debug build.
pub const MAX_UNEVALUATED: u64 = 2_048;

/// What a schema of another document counts: only the drafts' own meta-schemas are known, and they are small.
const FOREIGN: u64 = 64;

/// Refuses a document that would take too long to compile.
pub(super) fn check_unevaluated(document: &Value) -> Result<(), SchemaError> {
    let mut ways = Ways::of(document);
    let total = ways.closed.clone().into_iter().fold(0_u64, |total, schema| total.saturating_add(ways.from(schema)));
    if total > MAX_UNEVALUATED { Err(SchemaError::TooIntricate) } else { Ok(()) }
}

/// The ways between the schemas of a document.
struct Ways<'d> {
    /// The schemas with one of the two keywords.
    closed: Vec<&'d Map<String, Value>>,
    /// The documents within the document: the whole, and each part with an identifier.
    resources: Vec<&'d Map<String, Value>>,
    anchors: HashMap<&'d str, Vec<&'d Map<String, Value>>>,
    /// The resource that each schema with a reference is in.
    around: HashMap<usize, &'d Map<String, Value>>,
    /// How many ways lead on from a schema; absent while they are being counted.
    counted: HashMap<usize, Option<u64>>,
}

/// What tells schemas of one document apart.
fn key(schema: &Map<String, Value>) -> usize {
    std::ptr::from_ref(schema).addr()
}

fn identifier(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("$id").or_else(|| schema.get("id")).and_then(Value::as_str)
}

impl<'d> Ways<'d> {
    fn of(document: &'d Value) -> Self {
        let mut ways = Self {
            closed: Vec::new(),
            resources: document.as_object().into_iter().collect(),
            anchors: HashMap::new(),
            around: HashMap::new(),
            counted: HashMap::new(),
        };
        let mut pending = vec![(document, document.as_object())];
        while let Some((value, around)) = pending.pop() {
            let around = value.as_object().map_or(around, |schema| ways.note(schema, around));
            match value {
                Value::Object(entries) => pending.extend(entries.values().map(|value| (value, around))),
                Value::Array(items) => pending.extend(items.iter().map(|value| (value, around))),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        ways
    }

    /// Notes what there is to know of a schema, and says which resource its content is in.
    fn note(
        &mut self,
        schema: &'d Map<String, Value>,
        around: Option<&'d Map<String, Value>>,
    ) -> Option<&'d Map<String, Value>> {
        let mut around = around;
        match identifier(schema).map(|id| id.strip_prefix('#').ok_or(id)) {
            // An older draft's anchor.
            Some(Ok(anchor)) => self.anchors.entry(anchor).or_default().push(schema),
            Some(Err(_)) => {
                self.resources.push(schema);
                around = Some(schema);
            }
            None => {}
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = schema.get(keyword).and_then(Value::as_str) {
                self.anchors.entry(anchor).or_default().push(schema);
            }
        }
        if schema.contains_key("unevaluatedProperties") || schema.contains_key("unevaluatedItems") {
            self.closed.push(schema);
        }
        if let Some(around) = around {
            self.around.insert(key(schema), around);
        }
        around
    }

    /// How many schemas are looked through from here. A circle would be looked through in every order.
    fn from(&mut self, schema: &'d Map<String, Value>) -> u64 {
        match self.counted.get(&key(schema)) {
            Some(counted) => return counted.unwrap_or(u64::MAX),
            None => self.counted.insert(key(schema), None),
        };
        let mut count = 1_u64;
        for inner in in_place_schemas(schema) {
            count = count.saturating_add(self.from(inner));
        }
        for reference in references(schema) {
            // The one that counts most of those that may be meant.
            let targets = self.targets(schema, reference);
            let most = targets.into_iter().map(|target| self.from(target)).max();
            count = count.saturating_add(most.unwrap_or(FOREIGN));
        }
        self.counted.insert(key(schema), Some(count));
        count
    }

    /// The schemas that a reference may mean.
    fn targets(&self, schema: &Map<String, Value>, reference: &str) -> Vec<&'d Map<String, Value>> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resources: Vec<_> = if base.is_empty() {
            self.around.get(&key(schema)).copied().into_iter().collect()
        } else {
            let name = base.rsplit('/').next().unwrap_or(base);
            let named = |resource: &&Map<String, Value>| {
                identifier(resource).is_some_and(|id| id.trim_end_matches('#').ends_with(name))
            };
            self.resources.iter().copied().filter(named).collect()
        };
        if fragment.is_empty() {
            return resources;
        }
        let fragment = percent_decoded(fragment);
        if !fragment.starts_with('/') {
            return self.anchors.get(fragment.as_str()).cloned().unwrap_or_default();
        }
        resources.into_iter().filter_map(|resource| pointed(resource, &fragment)).collect()
    }
}

/// The schema at a pointer into a resource.
fn pointed<'d>(resource: &'d Map<String, Value>, pointer: &str) -> Option<&'d Map<String, Value>> {
    let (first, rest) =
        pointer.strip_prefix('/')?.split_once('/').map_or((&pointer[1..], ""), |(first, rest)| (first, rest));
    let first = resource.get(&first.replace("~1", "/").replace("~0", "~"))?;
    if rest.is_empty() { first.as_object() } else { first.pointer(&format!("/{rest}"))?.as_object() }
}

/// A fragment without its percent signs, where they are well formed.
fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let decoded = (*first == b'%').then(|| std::str::from_utf8(after.get(..2)?).ok()).flatten();
        match decoded.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
