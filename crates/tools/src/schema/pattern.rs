//! Patterns that a linear-time engine cannot take, such as those with look-around.
//!
//! Nothing enforces them. The schema that the model is shown asks for them in words, the tool has a warning, and the
//! schema that values are held against is made weaker, never stricter: where a pattern is inside a keyword that would
//! turn weaker into stricter (`not`, `oneOf`, `if`, `maxContains`), that keyword is weakened too, with a warning of its
//! own.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::PatternOptions;
use serde_json::{Map, Value, json};

use super::SchemaError;
use super::keywords::{inner_schemas, refers};
use super::path::{pointer_path, quoted};
use crate::Warning;

/// The most memory that one compiled pattern may take, and its automaton when it runs.
const PATTERN_BYTES: usize = 1 << 20;
/// The most different patterns in a schema: with 1 MiB for each they bound what a schema of a stranger can take.
pub const MAX_PATTERNS: usize = 256;
/// Characters shown of a pattern.
const PATTERN_SHOWN: usize = 200;

/// The engine that patterns run on.
pub(super) fn engine() -> PatternOptions<jsonschema::Regex> {
    PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES)
}

/// What became of a document with patterns that the engine cannot take.
pub(super) struct Relaxed {
    /// The document for the model, which asks for the patterns in words.
    pub(super) shown: Value,
    /// The document without them.
    pub(super) enforced: Value,
    pub(super) warnings: Vec<Warning>,
}

/// Takes out the patterns that the engine cannot take; `None` when it can take all.
///
/// # Errors
///
/// [`SchemaError::Invalid`] for a pattern that is no regular expression at all.
pub(super) fn relax(document: &Value, role: &str) -> Result<Option<Relaxed>, SchemaError> {
    let mut relaxation = Relaxation { role, verdicts: BTreeMap::new(), invalid: None, warnings: Vec::new() };
    let mut shown = document.clone();
    relaxation.annotate(&mut shown, "");
    if let Some(invalid) = relaxation.invalid {
        return Err(invalid);
    }
    if relaxation.warnings.is_empty() {
        return Ok(None);
    }
    let mut enforced = document.clone();
    relaxation.weaken(&mut enforced, "");
    Ok(Some(Relaxed { shown, enforced, warnings: relaxation.warnings }))
}

struct Relaxation<'r> {
    role: &'r str,
    /// Whether the engine takes each pattern.
    verdicts: BTreeMap<String, bool>,
    invalid: Option<SchemaError>,
    warnings: Vec<Warning>,
}

impl Relaxation<'_> {
    /// Finds the patterns, and asks for them in words where they stand.
    fn annotate(&mut self, schema: &mut Value, pointer: &str) {
        let Value::Object(schema) = schema else { return };
        inner_schemas(schema, |_, step, inner| self.annotate(inner, &format!("{pointer}{step}")));
        let own = schema.get("pattern").and_then(Value::as_str).map(str::to_owned);
        if let Some(pattern) = own.filter(|pattern| self.refuses(pattern, pointer, "/pattern")) {
            append_description(schema, &format!("Must match the regular expression `{pattern}`; nothing checks that."));
        }
        let keys = schema.get("patternProperties").and_then(Value::as_object);
        let keys: Vec<String> = keys.map_or_else(Vec::new, |keys| keys.keys().cloned().collect());
        for key in keys.into_iter().filter(|key| self.refuses(key, pointer, "/patternProperties")) {
            let words = format!(
                "Properties whose names match the regular expression `{key}` are described under `patternProperties`; \
                 nothing checks that."
            );
            append_description(schema, &words);
        }
    }

    /// Whether the engine cannot take a pattern; notes what follows.
    fn refuses(&mut self, pattern: &str, pointer: &str, keyword: &str) -> bool {
        let role = self.role;
        let path = || format!("{role}{}", pointer_path(&format!("{pointer}{keyword}")));
        let takes = match self.verdicts.get(pattern) {
            Some(takes) => *takes,
            None => match self.judge(pattern) {
                Ok(takes) => takes,
                Err(reason) => {
                    self.invalid.get_or_insert(SchemaError::Invalid { path: path(), reason });
                    return false;
                }
            },
        };
        if !takes {
            self.warnings.push(Warning::UnenforcedPattern { path: path(), pattern: quoted(pattern, PATTERN_SHOWN) });
        }
        !takes
    }

    /// Whether the engine takes a pattern that has not been met before; why not, when nothing does.
    fn judge(&mut self, pattern: &str) -> Result<bool, String> {
        if self.verdicts.len() == MAX_PATTERNS {
            return Err(format!("the schema has more than {MAX_PATTERNS} different patterns; use fewer"));
        }
        let alone = json!({"pattern": pattern});
        let takes = jsonschema::options().offline().with_pattern_options(engine()).build(&alone).is_ok();
        // An engine with look-around says whether it is a regular expression at all.
        if !takes && jsonschema::options().offline().build(&alone).is_err() {
            return Err(format!(
                "{} is not a regular expression, or far too large a one",
                quoted(pattern, PATTERN_SHOWN)
            ));
        }
        self.verdicts.insert(pattern.to_owned(), takes);
        Ok(takes)
    }

    fn refused(&self, pattern: &str) -> bool {
        self.verdicts.get(pattern) == Some(&false)
    }

    /// Takes the patterns out, and says whether what is left may accept more than it did.
    fn weaken(&mut self, schema: &mut Value, pointer: &str) -> bool {
        let Value::Object(schema) = schema else { return false };
        let mut weaker = BTreeSet::new();
        inner_schemas(schema, |keyword, step, inner| {
            if self.weaken(inner, &format!("{pointer}{step}")) {
                weaker.insert(keyword.to_owned());
            }
        });
        // Where a reference leads is not followed: what is behind it may have become weaker.
        let mut any = !weaker.is_empty() || refers(schema);
        if schema.get("pattern").and_then(Value::as_str).is_some_and(|pattern| self.refused(pattern)) {
            schema.remove("pattern");
            any = true;
        }
        any |= self.weaken_pattern_properties(schema);
        for keyword in ["not", "oneOf", "if", "contains"] {
            if weaker.contains(keyword) && make_monotone(schema, keyword) {
                let path = format!("{}{}", self.role, pointer_path(&format!("{pointer}/{keyword}")));
                self.warnings.push(Warning::Weakened { path });
            }
        }
        any
    }

    /// Any property may be one of those that a refused pattern describes, so all of them count as described.
    fn weaken_pattern_properties(&self, schema: &mut Map<String, Value>) -> bool {
        let Some(Value::Object(patterns)) = schema.get_mut("patternProperties") else { return false };
        let before = patterns.len();
        patterns.retain(|pattern, _| !self.refused(pattern));
        let any = patterns.len() < before;
        if any {
            patterns.insert(String::new(), Value::Bool(true));
        }
        any
    }
}

/// Rewrites a keyword whose weaker inside would make it stricter, so that it accepts everything it accepted before.
fn make_monotone(schema: &mut Map<String, Value>, keyword: &str) -> bool {
    let also = match keyword {
        "not" => return schema.remove("not").is_some(),
        "contains" => return schema.remove("maxContains").is_some(),
        "oneOf" => json!({"anyOf": schema.remove("oneOf")}),
        // `if` and `then`, or `else`: one of the two holds whichever way the condition went.
        _ => {
            let then = schema.remove("then").unwrap_or(Value::Bool(true));
            let otherwise = schema.remove("else").unwrap_or(Value::Bool(true));
            json!({"anyOf": [{"allOf": [schema.remove("if"), then]}, otherwise]})
        }
    };
    let mut all = schema.remove("allOf").map_or_else(Vec::new, |all| match all {
        Value::Array(all) => all,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![all],
    });
    all.push(also);
    schema.insert("allOf".to_owned(), Value::Array(all));
    true
}

fn append_description(schema: &mut Map<String, Value>, words: &str) {
    let before = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let after = if before.is_empty() { words.to_owned() } else { format!("{before}\n{words}") };
    schema.insert("description".to_owned(), Value::String(after));
}
