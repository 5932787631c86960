//! Names of types.

use std::collections::HashMap;

/// The longest part that a name is made of, in characters.
const LONGEST: usize = 48;

/// Types that the declarations or the language have already, of those that a tool and a hint could make up.
const TAKEN: &[&str] = &[
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "ArrayLike",
    "AsyncFunction",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "Atomics",
    "BigInt",
    "Boolean",
    "Buffer",
    "DataView",
    "Date",
    "Error",
    "Event",
    "EventTarget",
    "Exclude",
    "Extract",
    "Function",
    "Generator",
    "Infinity",
    "Intl",
    "Iterable",
    "Iterator",
    "JSON",
    "JsonValue",
    "Map",
    "Math",
    "NaN",
    "NonNullable",
    "Number",
    "Object",
    "Omit",
    "Parameters",
    "Partial",
    "Pick",
    "Promise",
    "PromiseLike",
    "Proxy",
    "RangeError",
    "Readonly",
    "ReadonlyArray",
    "ReadonlyMap",
    "ReadonlySet",
    "Record",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Required",
    "ReturnType",
    "Set",
    "SharedArrayBuffer",
    "String",
    "Symbol",
    "SyntaxError",
    "ThisType",
    "ToolArgsMap",
    "ToolCallError",
    "ToolName",
    "ToolOutputMap",
    "TypeError",
    "URIError",
    "URL",
    "WeakMap",
    "WeakRef",
    "WeakSet",
];

/// What a type should be called: the tool's name and the hint, in capitals at the start of words, of ASCII letters and digits.
pub(super) fn wanted(tool: &str, hint: &str) -> String {
    let mut name = words(tool);
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert_str(0, "Tool");
    }
    let hint = words(hint);
    name.push_str(if hint.is_empty() { "Type" } else { &hint });
    name
}

fn words(text: &str) -> String {
    let mut name = String::new();
    let mut start = true;
    for character in text.chars() {
        if !character.is_ascii_alphanumeric() {
            start = true;
            continue;
        }
        if name.len() == LONGEST {
            break;
        }
        name.push(if start { character.to_ascii_uppercase() } else { character });
        start = false;
    }
    name
}

/// The names that are given in one text: none twice.
pub(super) struct Given {
    /// The number that a further type of this name tries first.
    next: HashMap<String, usize>,
}

impl Given {
    pub(super) fn new() -> Self {
        Self { next: TAKEN.iter().map(|name| ((*name).to_owned(), 2)).collect() }
    }

    /// The name that was wanted, with a number if it is taken.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        let Some(number) = self.next.get(wanted).copied() else {
            self.next.insert(wanted.to_owned(), 2);
            return wanted.to_owned();
        };
        let mut number = number;
        loop {
            let name = format!("{wanted}{number}");
            number += 1;
            if !self.next.contains_key(&name) {
                self.next.insert(name.clone(), 2);
                self.next.insert(wanted.to_owned(), number);
                return name;
            }
        }
    }
}
