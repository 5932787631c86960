//! What a text probably is that is no TypeScript: the parser's own advice would lead further away.

use crate::{StripError, StripErrorKind};

/// Words that end with a colon in Python what begins a block.
const BLOCKS: [&str; 10] = ["class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while"];

const FENCE: &str = "give the program alone: a Markdown fence is taken off only where it stands around the whole text";
const FENCE_INSIDE: &str = "a backtick inside a template literal ends it: put a `\\` before each one of the fence";
const PYTHON: &str = "write it in TypeScript: this line is Python";
const QUOTE: &str = "a quote inside a text ends it: put a `\\` before it, or write the text as a template literal";
const RESULT: &str = "give an object with `return { … }`: by itself a `{` opens a block";

/// The error with better advice, where the text shows what was meant.
pub(crate) fn explained(mut error: StripError, source: &str) -> StripError {
    let Some(position) = error.position.filter(|_| error.kind == StripErrorKind::Syntax) else { return error };
    let number = usize::try_from(position.line).unwrap_or(usize::MAX);
    let line = source.lines().nth(number.saturating_sub(1)).unwrap_or_default();
    let (before, rest) = line.split_at(byte_of(line, position.column));
    if before.ends_with('<') && rest.starts_with('/') || rest.starts_with("/>") {
        "JSX is not supported: it calls a library that is not here".clone_into(&mut error.message);
        error.hint = Some("return plain data, or write the markup as text in a template literal".to_owned());
        return error;
    }
    let line_before = source.lines().take(number.saturating_sub(1)).filter(|line| !line.trim().is_empty()).last();
    let hint = if let Some(before) = before_fence(source) {
        if is_in_template(before) { FENCE_INSIDE } else { FENCE }
    } else if is_python(line) {
        PYTHON
    } else if before.ends_with(is_quote) && rest.starts_with(is_letter) {
        QUOTE
    } else if is_python_here(before, rest) || line_before.is_some_and(is_bare_import) {
        PYTHON
    } else if rest.starts_with(':') && before.trim_end().ends_with(is_quote) && source.trim_start().starts_with('{') {
        RESULT
    } else {
        return error;
    };
    error.hint = Some(hint.to_owned());
    error
}

/// The byte of a column in UTF-16 units, from 1.
fn byte_of(line: &str, column: u32) -> usize {
    let mut units = 1;
    let here = line.char_indices().find(|(_, character)| {
        let is_here = units >= column;
        units += if character.len_utf16() == 2 { 2 } else { 1 };
        is_here
    });
    here.map_or(line.len(), |(byte, _)| byte)
}

/// What stands before the first line that begins with a fence and is in no comment.
fn before_fence(source: &str) -> Option<&str> {
    let (mut start, mut in_comment) = (0, false);
    for line in source.split_inclusive('\n') {
        if line.trim_start().starts_with("```") && !in_comment {
            return source.get(..start);
        }
        start += line.len();
        in_comment = match (line.rfind("/*"), line.rfind("*/")) {
            (None, None) => in_comment,
            (opened, closed) => opened > closed,
        };
    }
    None
}

/// Whether a template literal is open at the end. A text that is no program has backticks in pairs as well.
fn is_in_template(before: &str) -> bool {
    let mut escaped = false;
    let backticks = before.chars().filter(|&character| {
        let counts = character == '`' && !escaped;
        escaped = character == '\\' && !escaped;
        counts
    });
    backticks.count() % 2 == 1
}

fn is_letter(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

const fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\'')
}

/// Whether no line of TypeScript is written so.
fn is_python(line: &str) -> bool {
    let line = line.trim();
    let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    line.starts_with("def ")
        || line.starts_with("async def ")
        || line.starts_with("# ")
        || line.starts_with("from ") && line.contains(" import ")
        || is_bare_import(line)
        || line.ends_with(':') && BLOCKS.contains(&word)
}

/// `import json`, of which the parser complains at what comes next.
fn is_bare_import(line: &str) -> bool {
    line.trim().strip_prefix("import ").is_some_and(|rest| {
        // `import fs from node:fs` has only lost its quotes.
        !rest.contains(is_quote) && !rest.contains(['{', '*', '=']) && !rest.contains(" from ")
    })
}

/// Whether the place itself shows it: `f"…"`, `a and b`.
fn is_python_here(before: &str, rest: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let prefixed = before.strip_suffix('f').is_some_and(|before| !before.ends_with(is_word));
    let word = rest.trim_start().split(|c: char| !is_word(c)).next().unwrap_or_default();
    prefixed && rest.starts_with(is_quote) || matches!(word, "and" | "or" | "not")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StripLimits, strip};

    fn hint(source: &str) -> String {
        let error = strip(source, &StripLimits::default()).unwrap_err();
        format!("{}\n{}", error.message, error.hint.unwrap_or_default())
    }

    #[test]
    fn what_is_something_else_is_told_to_be_it() {
        for (source, told) in [
            ("def f(x):\n    return x", PYTHON),
            ("async def main():\n    return 1", PYTHON),
            ("import json\nreturn json.dumps({})", PYTHON),
            ("for i in range(3):\n    print(i)", PYTHON),
            ("# the order\nconst r = 1", PYTHON),
            ("const r = 1\nif r == 1:\n    print(r)", PYTHON),
            ("try:\n    x = 1\nexcept Exception as e:\n    pass", PYTHON),
            ("const x = f\"hello {name}\"", PYTHON),
            ("return a and b", PYTHON),
            ("Here it is:\n```ts\nreturn 1\n```", FENCE),
            ("Write `x`:\n```ts\nreturn `1`\n```", FENCE),
            ("const text = `\n```js\n1\n```\n`;\nreturn text", FENCE_INSIDE),
            ("const s = 'rock 'and' roll'", QUOTE),
            ("{ \"total\": 1, \"n\": 2 }", RESULT),
            ("return say(\"He said \"hello\" to me\")", QUOTE),
            ("const el = <div>hi</div>;", "JSX is not supported"),
            ("return <div className=\"x\">{1}</div>;", "JSX is not supported"),
            ("const el = <br />;", "JSX is not supported"),
        ] {
            assert!(hint(source).contains(told), "{source:?}: {}", hint(source));
        }
    }

    #[test]
    fn what_is_only_wrong_is_not_taken_for_something_else() {
        for source in [
            "const r = f({ a: 1 };",
            "return [1, 2",
            "const s = \"a\" 5",
            "switch (a) { case 1:: }",
            "import { a from \"b\"",
            "return \u{1F600}",
            "import fs from node:fs",
            "/*\n```\n*/\nconst x = = 2",
            "/* a */ const text = \"/*\" /* b */\n/* c\n```\n*/\nconst x = = 2",
        ] {
            let told = hint(source);
            assert!(
                ![PYTHON, FENCE, FENCE_INSIDE, RESULT, QUOTE, "JSX"].iter().any(|other| told.contains(other)),
                "{source:?}: {told}"
            );
        }
    }
}
