//! Which names Python takes as they are, and the names of declared types.

use std::collections::{HashMap, HashSet};

/// How long each part of a type's name may be: a tool has up to 256 bytes, a member of a schema has no limit.
const MAX_PART: usize = 40;

/// What a type is called whose hint has no letter.
pub(super) const TYPE_NAME: &str = "Type";

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// What annotations are written with. As a name in a class body each would hide the type from what follows it there.
const TYPE_WORDS: [&str; 17] = [
    "Any",
    "Callable",
    "Coroutine",
    "Literal",
    "Never",
    "NotRequired",
    "Protocol",
    "TypeAlias",
    "TypedDict",
    "Union",
    "bool",
    "dict",
    "float",
    "int",
    "list",
    "overload",
    "str",
];

/// What the text itself declares, and the builtins that begin as types do, of CPython 3.10 to 3.14.
const RESERVED: [&str; 75] = [
    "ToolCallError",
    "Tools",
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
];

/// Whether a name may stand in a class body, as a method or a member, and mean itself there.
///
/// Python rewrites what begins with `__` and normalises what is not ASCII, so neither is written as a name.
pub(super) fn is_attribute(name: &str) -> bool {
    let mut letters = name.bytes();
    letters.next().is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && letters.all(|letter| letter == b'_' || letter.is_ascii_alphanumeric())
        && !name.starts_with("__")
        && !KEYWORDS.contains(&name)
        && !TYPE_WORDS.contains(&name)
}

/// The words of a text, each with a capital: `get_file-info` is `GetFileInfo`. ASCII letters and digits alone.
pub(super) fn capitalised(text: &str) -> String {
    let mut name = String::new();
    let mut begins = true;
    for letter in text.chars() {
        if name.len() == MAX_PART {
            break;
        }
        if letter.is_ascii_alphanumeric() {
            name.push(if begins { letter.to_ascii_uppercase() } else { letter });
        }
        begins = !letter.is_ascii_alphanumeric();
    }
    name
}

/// Gives each type of one tool a name that no other has.
#[derive(Debug)]
pub(super) struct Namer {
    prefix: String,
    /// Names of members, which stand in class bodies beside the names of types.
    members: HashSet<String>,
    taken: HashSet<String>,
    /// The number to try next, by name: without it, many types of one name would cost the square of their number.
    next: HashMap<String, usize>,
}

impl Namer {
    /// Names begin with what identifies the tool.
    pub(super) fn new(prefix: String) -> Self {
        Self { prefix, members: HashSet::new(), taken: HashSet::new(), next: HashMap::new() }
    }

    /// Keeps the name of a member free.
    pub(super) fn avoid(&mut self, member: &str) {
        if member.starts_with(|first: char| first.is_ascii_uppercase()) && !self.members.contains(member) {
            self.members.insert(member.to_owned());
        }
    }

    /// A name from what a type is: `FilterItem`.
    pub(super) fn name(&mut self, hint: &str) -> String {
        let mut base = capitalised(hint);
        if base.len() <= self.prefix.len() || !base.starts_with(&self.prefix) {
            base.insert_str(0, &self.prefix);
        }
        if !base.starts_with(|first: char| first.is_ascii_alphabetic()) {
            base.insert_str(0, TYPE_NAME);
        }
        let mut name = base.clone();
        while !self.is_free(&name) {
            let number = self.next.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}{number}");
        }
        self.taken.insert(name.clone());
        name
    }

    fn is_free(&self, name: &str) -> bool {
        !(self.taken.contains(name)
            || self.members.contains(name)
            || KEYWORDS.contains(&name)
            || TYPE_WORDS.contains(&name)
            || RESERVED.contains(&name))
    }

    /// All names that were given.
    pub(super) fn into_names(self) -> HashSet<String> {
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_python_reads_as_itself_is_an_attribute() {
        for name in ["search", "_private", "a1", "match", "type", "self", "args"] {
            assert!(is_attribute(name), "{name}");
        }
        for name in ["", "1a", "a-b", "class", "None", "__init__", "__x", "é", "ﬁle", "a\n", "list", "a b"] {
            assert!(!is_attribute(name), "{name:?}");
        }
    }

    #[test]
    fn names_of_types_are_unique_and_hide_nothing() {
        let mut namer = Namer::new("Runtime".to_owned());
        namer.avoid("RuntimeField");
        let names: Vec<_> =
            ["args", "error", "error", "field", "runtime_info", "", "runtime"].map(|hint| namer.name(hint)).into();
        assert_eq!(
            names,
            [
                "RuntimeArgs",
                "RuntimeError2",
                "RuntimeError3",
                "RuntimeField2",
                "RuntimeInfo",
                "Runtime",
                "RuntimeRuntime"
            ]
        );
        assert_eq!(Namer::new(String::new()).name("名前"), "Type");
        assert_eq!(Namer::new(String::new()).name("3d"), "Type3d");
    }

    #[test]
    fn many_types_of_one_name_are_numbered_in_linear_time() {
        let mut namer = Namer::new(String::new());
        let last = (0..50_000).map(|_| namer.name("item")).last();
        assert_eq!(last.as_deref(), Some("Item50000"));
    }
}
