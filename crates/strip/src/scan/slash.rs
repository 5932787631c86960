//! Whether a `/` divides or begins a regular expression.
//!
//! The grammar decides that by what stands before, and mostly the token before tells. Where it does not (`}`, `>`, a new line
//! behind an operand that a type may have ended), both readings are looked at, and if they would find different
//! brackets the text is refused. A guess could be made to hide brackets in what only looks like a literal.

use super::{
    Refused,
    lexer::{is_line_end, is_word, line_end},
};
use crate::StripErrorKind;

/// What a token leaves to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// An operand ended, so an operator may follow: a `/` divides.
    Operand,
    /// An operand must follow: a `/` begins a regular expression.
    Operator,
    /// The token alone does not tell.
    Unclear,
}

/// How a `/` is to be read.
pub(super) enum Slash {
    Divides,
    /// A regular expression with its flags, up to `end`.
    RegularExpression {
        end: usize,
    },
    /// Either way there is no bracket and no literal up to `end`.
    Either {
        end: usize,
    },
}

/// Keywords behind which an operand follows.
const OPERAND_FOLLOWS: [&str; 14] = [
    "return",
    "typeof",
    "instanceof",
    "in",
    "new",
    "delete",
    "void",
    "throw",
    "case",
    "do",
    "else",
    "extends",
    "default",
    "finally",
];

/// Words that are keywords in one place and names in another, or behind which neither reading is legal.
const UNCLEAR: [&str; 20] = [
    "await", "yield", "of", "let", "break", "continue", "debugger", "import", "export", "class", "function", "var",
    "const", "if", "for", "while", "with", "switch", "try", "enum",
];

/// Keywords whose parentheses are followed by a statement.
const HEADED: [&str; 4] = ["if", "for", "while", "with"];

/// What a word leaves to expect. `member`: it is a name behind a dot.
pub(super) fn after_word(word: &str, member: bool) -> Before {
    if member {
        Before::Operand
    } else if word.contains('\\') || UNCLEAR.contains(&word) {
        // An escaped keyword is an error, and is read on as a keyword.
        Before::Unclear
    } else if OPERAND_FOLLOWS.contains(&word) {
        Before::Operator
    } else {
        Before::Operand
    }
}

/// What a `)` leaves to expect, from the word before its `(`.
pub(super) fn after_parenthesis(word: &str, member: bool) -> Before {
    if member {
        Before::Operand
    } else if word.contains('\\') || word == "await" {
        // `for await (…)`, or a call.
        Before::Unclear
    } else if HEADED.contains(&word) {
        Before::Operator
    } else {
        Before::Operand
    }
}

/// Reads the `/` at `at`, which begins no comment.
pub(super) fn read(source: &str, at: usize, before: Before, on_new_line: bool) -> Result<Slash, Refused> {
    let close = close_of(source, at);
    let with_flags = |close: usize| {
        let rest = source.get(close + 1..).unwrap_or_default();
        close + 1 + rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
    };
    match (before, close) {
        (Before::Operand, _) if !on_new_line => Ok(Slash::Divides),
        (Before::Operator, Some(close)) => Ok(Slash::RegularExpression { end: with_flags(close) }),
        (Before::Operator, None) => Err(Refused {
            kind: StripErrorKind::Syntax,
            offset: Some(at),
            message: "this regular expression is not closed".into(),
            hint: Some("close it with `/` on the same line"),
        }),
        (Before::Operand | Before::Unclear, None) => Ok(Slash::Divides),
        (Before::Operand | Before::Unclear, Some(close)) => {
            let end_of_line = line_end(source, close);
            let body = source.get(at + 1..close).unwrap_or_default();
            let behind = source.get(close + 1..end_of_line).unwrap_or_default();
            if !is_plain(body) || behind.starts_with('*') || (behind.starts_with('/') && !is_plain(behind)) {
                return Err(unclear(at));
            }
            if behind.starts_with('/') {
                // A division and a comment, or a regular expression divided.
                Ok(Slash::Either { end: end_of_line })
            } else if body.trim_end().ends_with(is_word) {
                // Two divisions, or a regular expression whose flags come next.
                Ok(Slash::Either { end: close + 1 })
            } else if behind.contains('/') {
                Err(unclear(at))
            } else {
                // A division would want an operand before the second `/`, and a regular expression there is not closed.
                Ok(Slash::RegularExpression { end: with_flags(close) })
            }
        }
    }
}

fn unclear(at: usize) -> Refused {
    Refused {
        kind: StripErrorKind::Unsupported,
        offset: Some(at),
        message: "it is not clear whether this `/` divides or begins a regular expression".into(),
        hint: Some("end the statement before it with a semicolon, or keep a division on one line"),
    }
}

/// Where a regular expression that begins at `at` has its closing `/`, if it has one on its line.
fn close_of(source: &str, at: usize) -> Option<usize> {
    let mut in_class = false;
    let mut characters = source.get(at + 1..)?.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            _ if is_line_end(character) => return None,
            '\\' if characters.next().is_none_or(|(_, escaped)| is_line_end(escaped)) => return None,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at + 1 + index),
            _ => {}
        }
    }
    None
}

/// Whether a text holds nothing that could be a bracket, or begin or end a literal or a comment.
fn is_plain(text: &str) -> bool {
    !text.contains(['(', ')', '[', ']', '{', '}', '"', '\'', '`', '\\', '*'])
        && !text.trim_start_matches('/').contains('/')
}
