//! Names that both languages can bind, and names that are nearly right.

use crate::RunError;

/// Words with a meaning of their own in JavaScript or Python, and globals that programs rely on.
const RESERVED: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "def",
    "default",
    "del",
    "delete",
    "do",
    "elif",
    "else",
    "enum",
    "eval",
    "except",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "global",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "is",
    "lambda",
    "let",
    "match",
    "new",
    "nonlocal",
    "not",
    "null",
    "or",
    "package",
    "pass",
    "private",
    "protected",
    "public",
    "raise",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "arguments",
    "NaN",
    "Infinity",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "Boolean",
    "Buffer",
    "Date",
    "Error",
    "Function",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "console",
    "exports",
    "fetch",
    "globalThis",
    "global",
    "module",
    "process",
    "queueMicrotask",
    "require",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "Exception",
    "BaseException",
    "bool",
    "bytes",
    "dict",
    "float",
    "int",
    "len",
    "list",
    "object",
    "open",
    "print",
    "range",
    "set",
    "str",
    "tuple",
];

/// Checks that `global` can name a global object in every language.
///
/// # Errors
///
/// [`RunError::InvalidGlobal`] when it is not an ASCII identifier, is reserved, or is a dunder name.
pub fn check_global(global: &str) -> Result<(), RunError> {
    let refuse = |reason| Err(RunError::InvalidGlobal { global: global.to_owned(), reason });
    let mut characters = global.chars();
    match characters.next() {
        None => return refuse("it is empty"),
        Some(first) if first.is_ascii_alphabetic() || first == '_' => {}
        Some(_) => return refuse("it does not begin with an ASCII letter or an underscore"),
    }
    if !characters.all(|character| character.is_ascii_alphanumeric() || character == '_') {
        return refuse("it holds a character that is not an ASCII letter, digit or underscore");
    }
    if global.starts_with("__") {
        return refuse("names that begin with two underscores belong to the languages");
    }
    if RESERVED.contains(&global) {
        return refuse("it has a meaning of its own in TypeScript or Python");
    }
    Ok(())
}

/// At most three of `names` that are nearly `wanted`, nearest first.
///
/// Names that differ only in case and separators are nearest; then by edit distance without these, up to a third of the
/// length. Of names that are equally near, the one that is nearer with its case and separators comes first.
#[must_use]
pub fn nearest_names<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // A hostile name must not buy quadratic work.
    const LONGEST: usize = 64;
    if wanted.len() > 4 * LONGEST {
        return Vec::new();
    }
    let exact: Vec<char> = wanted.chars().collect();
    let wanted: Vec<char> = fold(wanted);
    let mut near: Vec<(usize, usize, &str)> = names
        .into_iter()
        .filter(|name| name.len() <= 4 * LONGEST)
        .filter_map(|name| {
            let folded = fold(name);
            let distance = edit_distance(&wanted, &folded);
            let is_near = distance <= wanted.len().max(folded.len()).div_ceil(3);
            is_near.then(|| (distance, edit_distance(&exact, &name.chars().collect::<Vec<_>>()), name))
        })
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(.., name)| name).collect()
}

fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|character| !matches!(character, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let cost = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_identifiers_are_accepted() {
        for name in ["tools", "ToolCallError", "_private", "t1"] {
            assert!(check_global(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_that_some_language_cannot_bind_are_refused() {
        for name in ["", "1a", "a-b", "工具", "class", "def", "__proto__", "print", "console", "a b"] {
            assert!(matches!(check_global(name), Err(RunError::InvalidGlobal { .. })), "{name}");
        }
    }

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["read_file", "write_file", "grep", "list_files"];
        assert_eq!(nearest_names("readFile", names), ["read_file"]);
        assert_eq!(nearest_names("read_fil", names), ["read_file"]);
        assert_eq!(nearest_names("zzzz", names), Vec::<&str>::new());
    }

    #[test]
    fn of_names_that_differ_by_separators_the_one_with_the_same_comes_first() {
        let names = ["get-stock", "get_stock", "put_stock", "pet_stock"];
        assert_eq!(nearest_names("get_stok", names), ["get_stock", "get-stock", "pet_stock"]);
        assert_eq!(nearest_names("get-stok", names), ["get-stock", "get_stock", "pet_stock"]);
        assert_eq!(nearest_names("GET_STOCK", names), ["get_stock", "get-stock", "pet_stock"]);
    }
}
