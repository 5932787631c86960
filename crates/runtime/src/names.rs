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
/// Work is bounded whatever the names are: of very many, or very long ones, the likeliest are compared.
#[must_use]
pub fn nearest_names<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if wanted.len() > LONGEST {
        return Vec::new();
    }
    let exact: Vec<char> = wanted.chars().collect();
    let wanted: Vec<char> = fold(wanted);
    let mut candidates: Vec<Candidate<'a>> = names
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        .filter_map(|name| Candidate::of(name, &wanted))
        .collect();
    // Those that share the most cost the least and are the likeliest.
    candidates.sort_by_key(|candidate| candidate.cells);
    let mut cells = MOST_CELLS;
    let mut near: Vec<(usize, usize, &str)> = Vec::new();
    for Candidate { name, folded, most, cells: cost } in candidates {
        let Some(left) = cells.checked_sub(cost) else { break };
        cells = left;
        let (left, right) = differing(&wanted, &folded);
        let distance = edit_distance(left, right);
        if distance > most {
            continue;
        }
        let name_exact: Vec<char> = name.chars().collect();
        let (left, right) = differing(&exact, &name_exact);
        let exactly = cells.checked_sub(left.len() * right.len());
        cells = exactly.unwrap_or(0);
        near.push((distance, exactly.map_or(most, |_| edit_distance(left, right)), name));
    }
    near.sort();
    near.into_iter().take(3).map(|(.., name)| name).collect()
}

/// The longest name that is compared, in bytes.
const LONGEST: usize = 256;
/// So many steps of a comparison are made in all: a hostile program may ask for one unknown name after the other.
const MOST_CELLS: usize = 100_000;

/// A name that may be meant.
struct Candidate<'a> {
    name: &'a str,
    folded: Vec<char>,
    /// The largest distance at which it is near.
    most: usize,
    /// What it costs to be compared.
    cells: usize,
}

impl<'a> Candidate<'a> {
    /// Nothing where the lengths alone say that it is not near.
    fn of(name: &'a str, wanted: &[char]) -> Option<Self> {
        let folded = fold(name);
        let most = wanted.len().max(folded.len()).div_ceil(3);
        let cells = {
            let (left, right) = differing(wanted, &folded);
            left.len() * right.len()
        };
        (wanted.len().abs_diff(folded.len()) <= most).then_some(Self { name, folded, most, cells })
    }
}

/// Two texts without what they begin and end with in common, which adds nothing to their distance.
fn differing<'t>(left: &'t [char], right: &'t [char]) -> (&'t [char], &'t [char]) {
    let same = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (left.get(same..).unwrap_or_default(), right.get(same..).unwrap_or_default());
    let same = left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right).count();
    (left.get(..left.len() - same).unwrap_or_default(), right.get(..right.len() - same).unwrap_or_default())
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
    fn very_many_names_take_no_more_work_than_a_few_and_the_likeliest_is_found_among_them() {
        let far: Vec<String> = (0..20_000).map(|nth| format!("{nth:0256}")).collect();
        let names = || far.iter().map(String::as_str);
        let wanted = "z".repeat(250);
        let time = |most: usize| {
            let start = std::time::Instant::now();
            assert_eq!(nearest_names(&wanted, names().take(most)), Vec::<&str>::new());
            start.elapsed()
        };
        time(10);
        // Two thousand times the names, which are looked at but not compared: compared, they would take two thousand times as long.
        assert!(time(20_000) < 1_000 * time(10).max(std::time::Duration::from_millis(5)));
        let meant = "z".repeat(251);
        assert_eq!(nearest_names(&wanted, names().chain([meant.as_str()])), [meant.as_str()]);
    }

    #[test]
    fn of_names_that_differ_by_separators_the_one_with_the_same_comes_first() {
        let names = ["get-stock", "get_stock", "put_stock", "pet_stock"];
        assert_eq!(nearest_names("get_stok", names), ["get_stock", "get-stock", "pet_stock"]);
        assert_eq!(nearest_names("get-stok", names), ["get-stock", "get_stock", "pet_stock"]);
        assert_eq!(nearest_names("GET_STOCK", names), ["get_stock", "get-stock", "pet_stock"]);
    }
}
