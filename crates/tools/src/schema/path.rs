//! From the validator's pointers to the paths that messages use.

use std::fmt::Write as _;

use dayfly_runtime::JsonRef;
use dayfly_runtime::json::JsonKind;

/// Steps shown at either end of a path.
const STEPS_SHOWN: usize = 8;
/// Characters shown of a key.
const KEY_SHOWN: usize = 64;

/// The value at a JSON Pointer, and its path such as `items[3].name`.
///
/// The value decides what a number in the pointer is: an index of an array, a key of an object.
pub(super) fn resolve<'a>(root: JsonRef<'a>, pointer: &str) -> (Option<JsonRef<'a>>, String) {
    let mut value = Some(root);
    let mut steps = Vec::new();
    for segment in pointer.split('/').skip(1) {
        let key = segment.replace("~1", "/").replace("~0", "~");
        let index = value.filter(|value| value.kind() == JsonKind::Array).and_then(|_| key.parse::<usize>().ok());
        match index {
            Some(index) => {
                steps.push(format!("[{index}]"));
                value = value.and_then(|value| value.at(index));
            }
            None => {
                steps.push(key_step(&key));
                value = value.and_then(|value| value.get(&key));
            }
        }
    }
    (value, join(&steps))
}

/// The path of the value with this ordinal.
pub(super) fn path_of(root: JsonRef<'_>, ordinal: usize) -> String {
    let mut steps = Vec::new();
    let mut around = root;
    while around.ordinal() != ordinal {
        // What is inside a container comes after it and before its next sibling.
        let item = around.items().enumerate().take_while(|(_, item)| item.ordinal() <= ordinal).last();
        let entry = around.entries().take_while(|(_, value)| value.ordinal() <= ordinal).last();
        let (step, value) = match (item, entry) {
            (Some((index, item)), _) => (format!("[{index}]"), item),
            (None, Some((key, value))) => (key_step(key), value),
            (None, None) => break,
        };
        steps.push(step);
        around = value;
    }
    join(&steps)
}

/// A pointer into a schema as a path to append to a word, such as `.properties.name.pattern`.
pub(super) fn pointer_path(pointer: &str) -> String {
    // Where schemas are concerned, a number is nearly always the place of one in a list of them.
    let step = |segment: &str| match segment.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => key_step(&segment.replace("~1", "/").replace("~0", "~")),
    };
    pointer.split('/').skip(1).map(step).collect()
}

/// A key as a step of a path.
fn key_step(key: &str) -> String {
    let mut characters = key.chars();
    let plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$');
    if plain && key.len() <= KEY_SHOWN { format!(".{key}") } else { format!("[{}]", quoted(key, KEY_SHOWN)) }
}

/// The beginning of a text, in JSON's own quotes.
pub(super) fn quoted(text: &str, characters: usize) -> String {
    let shown = text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end]);
    let mut quoted = dayfly_runtime::Json::from(shown).to_string();
    if shown.len() < text.len() {
        quoted.insert(quoted.len() - 1, '…');
    }
    quoted
}

fn join(steps: &[String]) -> String {
    let mut path = String::new();
    if steps.len() <= 2 * STEPS_SHOWN + 1 {
        path.extend(steps.iter().map(String::as_str));
    } else {
        path.extend(steps[..STEPS_SHOWN].iter().map(String::as_str));
        // Writing to a string cannot fail.
        let _ = write!(path, "…({} more)…", steps.len() - 2 * STEPS_SHOWN);
        path.extend(steps[steps.len() - STEPS_SHOWN..].iter().map(String::as_str));
    }
    path.strip_prefix('.').map_or(path.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use dayfly_runtime::Json;

    use super::*;

    fn path(value: &str, pointer: &str) -> String {
        resolve(Json::parse(value).expect("the test's own JSON").root(), pointer).1
    }

    #[test]
    fn a_number_is_an_index_of_an_array_and_a_key_of_an_object() {
        assert_eq!(path(r#"{"items": [{"name": 1}]}"#, "/items/0/name"), "items[0].name");
        assert_eq!(path(r#"{"0": {"1": 2}}"#, "/0/1"), r#"["0"]["1"]"#);
        assert_eq!(path("1", ""), "");
        assert_eq!(path(r#"{"": 1}"#, "/"), r#"[""]"#);
        assert_eq!(path(r#"{"a/b~c": 1}"#, "/a~1b~0c"), r#"["a/b~c"]"#);
    }

    #[test]
    fn every_value_is_found_again_by_its_ordinal() {
        let value = Json::parse(r#"{"a": [1, {"b": [], "c": [2, [3]]}], "d": null}"#).expect("the test's own JSON");
        for pointer in ["", "/a", "/a/0", "/a/1", "/a/1/b", "/a/1/c", "/a/1/c/0", "/a/1/c/1", "/a/1/c/1/0", "/d"] {
            let (inner, path) = resolve(value.root(), pointer);
            assert_eq!(path_of(value.root(), inner.expect("is there").ordinal()), path);
        }
    }

    #[test]
    fn long_paths_and_long_keys_are_elided() {
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(path(&deep, &"/0".repeat(100)), format!("{0}…(84 more)…{0}", "[0]".repeat(8)));
        let key = "k".repeat(1_000);
        assert_eq!(path("{}", &format!("/{key}")), format!("[\"{}…\"]", "k".repeat(64)));
    }
}
