//! Tokens, as far as brackets and chains need them.

use super::{
    Refused,
    slash::{self, Before, Slash},
};
use crate::StripErrorKind;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A number, a string or a regular expression.
    Literal,
    /// A template without substitutions, or the last piece of one.
    Template,
    /// `(`, `[`, `{`, or `${` with the template text before it.
    Open,
    /// `)`, `]`, `}`. The `}` that ends a substitution comes before the template text behind it.
    Close,
    /// Any other punctuation, what is in [`MARKS`] in one piece and the rest character by character.
    Mark,
}

/// A token and how it stands to the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) offset: usize,
    /// Whether a line ends between it and the token before.
    pub(super) on_new_line: bool,
    /// What the token before leaves to expect.
    pub(super) before: Before,
}

/// A bracket that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    /// `(`, with what may follow its `)`.
    Round(Before),
    Square,
    Curly,
    /// `${`.
    Substitution,
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'s> {
    source: &'s str,
    at: usize,
    on_new_line: bool,
    before: Before,
    /// The last token's text, for what depends on it.
    last: &'s str,
    /// Whether the last word was a member's name, behind `.` or `?.`.
    last_was_member: bool,
    /// Whether a substitution has just been closed, so that template text follows.
    in_template: bool,
    open: Vec<(Bracket, usize)>,
}

/// Punctuation that would mean something else in pieces. `<=` opens no type arguments, `<` may.
const MARKS: [&str; 7] = ["...", "=>", "++", "--", "?.", "??", "<="];

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            at: if source.starts_with("#!") { line_end(source, 0) } else { 0 },
            on_new_line: false,
            before: Before::Operator,
            last: "",
            last_was_member: false,
            in_template: false,
            open: Vec::new(),
        }
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token<'s>>, Refused> {
        let in_template = std::mem::take(&mut self.in_template);
        if !in_template {
            self.skip_space()?;
        }
        let start = self.at;
        let (on_new_line, before) = (std::mem::take(&mut self.on_new_line), self.before);
        let Some(first) = self.rest().chars().next() else {
            return if in_template { self.template(start, 0).map(|_| None) } else { Ok(None) };
        };
        let kind = match first {
            _ if in_template => self.template(start, 0)?,
            '"' | '\'' => self.string(first)?,
            '`' => self.template(start, 1)?,
            '(' | '[' | '{' => self.open_bracket(first),
            ')' | ']' | '}' => self.close_bracket(first)?,
            '/' => self.slash(on_new_line)?,
            '0'..='9' => self.number(),
            '.' if self.rest().as_bytes().get(1).is_some_and(u8::is_ascii_digit) => self.number(),
            _ if is_word(first) => self.word(),
            _ => self.mark(first, on_new_line),
        };
        let text = self.source.get(start..self.at).unwrap_or_default();
        self.last = text;
        Ok(Some(Token { kind, text, offset: start, on_new_line, before }))
    }

    fn skip_space(&mut self) -> Result<(), Refused> {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return Ok(()) };
            if is_line_end(first) {
                self.on_new_line = true;
                self.at += first.len_utf8();
            } else if first.is_whitespace() || first == '\u{feff}' {
                self.at += first.len_utf8();
            } else if rest.starts_with("//") {
                self.at = line_end(self.source, self.at);
            } else if rest.starts_with("/*") {
                let Some(length) = rest.get(2..).and_then(|body| body.find("*/")) else {
                    return Err(unterminated(self.at, "comment", "close it with `*/`"));
                };
                self.on_new_line |= rest.get(..length + 2).is_some_and(|comment| comment.contains(is_line_end));
                self.at += length + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn string(&mut self, quote: char) -> Result<Kind, Refused> {
        let start = self.at;
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((index, character)) = characters.next() {
            match character {
                // `\` and a line end continue the string; of `\r\n` the `\n` is let through below.
                '\\' => drop(characters.next()),
                '\n' if self.rest().get(..index).is_some_and(|text| text.ends_with("\\\r")) => {}
                '\n' | '\r' => break,
                _ if character == quote => {
                    self.at += index + 1;
                    self.before = Before::Operand;
                    return Ok(Kind::Literal);
                }
                _ => {}
            }
        }
        Err(unterminated(
            start,
            "string",
            "close it on the same line; a quote inside it is written with a `\\` before it, and text of several lines is \
             a template literal",
        ))
    }

    /// Reads template text, behind `skip` bytes, to its end or to the next `${`.
    fn template(&mut self, start: usize, skip: usize) -> Result<Kind, Refused> {
        let mut characters = self.rest().char_indices().skip(skip).peekable();
        while let Some((index, character)) = characters.next() {
            match character {
                '\\' => drop(characters.next()),
                '`' => {
                    self.at += index + 1;
                    self.before = Before::Operand;
                    return Ok(Kind::Template);
                }
                '$' if characters.peek().is_some_and(|&(_, next)| next == '{') => {
                    self.at += index + 2;
                    self.before = Before::Operator;
                    self.open.push((Bracket::Substitution, start));
                    return Ok(Kind::Open);
                }
                _ => {}
            }
        }
        Err(unterminated(start, "template literal", "close it with a backtick"))
    }

    fn open_bracket(&mut self, first: char) -> Kind {
        let bracket = match first {
            '(' => Bracket::Round(slash::after_parenthesis(self.last, self.last_was_member)),
            '[' => Bracket::Square,
            _ => Bracket::Curly,
        };
        self.open.push((bracket, self.at));
        self.before = Before::Operator;
        self.at += 1;
        Kind::Open
    }

    fn close_bracket(&mut self, first: char) -> Result<Kind, Refused> {
        let Some((bracket, opened)) = self.open.pop() else {
            return Err(Refused {
                kind: StripErrorKind::Syntax,
                offset: Some(self.at),
                message: format!("`{first}` closes nothing"),
                hint: Some("remove it, or open the bracket that it closes"),
            });
        };
        let (closing, before) = match bracket {
            Bracket::Round(before) => (')', before),
            Bracket::Square => (']', Before::Operand),
            // Behind a block a `/` begins a regular expression, behind an object it divides.
            Bracket::Curly => ('}', Before::Unclear),
            Bracket::Substitution => ('}', Before::Operator),
        };
        if first != closing {
            let line = self.source.get(..opened).unwrap_or_default().matches('\n').count() + 1;
            return Err(Refused {
                kind: StripErrorKind::Syntax,
                offset: Some(self.at),
                message: format!("`{first}` stands where `{closing}` should close the bracket of line {line}"),
                hint: None,
            });
        }
        self.before = before;
        self.in_template = bracket == Bracket::Substitution;
        self.at += 1;
        Ok(Kind::Close)
    }

    fn slash(&mut self, on_new_line: bool) -> Result<Kind, Refused> {
        match slash::read(self.source, self.at, self.before, on_new_line)? {
            Slash::Divides => {
                self.before = Before::Operator;
                self.at += 1;
                Ok(Kind::Mark)
            }
            Slash::RegularExpression { end } => {
                self.before = Before::Operand;
                self.at = end;
                Ok(Kind::Literal)
            }
            Slash::Either { end } => {
                self.before = Before::Unclear;
                self.at = end;
                Ok(Kind::Literal)
            }
        }
    }

    fn number(&mut self) -> Kind {
        let rest = self.rest();
        self.at += rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len());
        self.before = Before::Operand;
        Kind::Literal
    }

    fn word(&mut self) -> Kind {
        let rest = self.rest();
        let mut length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        // The braces of an escape, `\u{61}`, are no brackets.
        while rest.get(..length).is_some_and(|word| word.ends_with("\\u"))
            && let Some(escape) = rest.get(length..).filter(|escape| escape.starts_with('{'))
        {
            length += escape.find('}').map_or(1, |end| end + 1);
            let more = rest.get(length..).unwrap_or_default();
            length += more.find(|c: char| !is_word(c)).unwrap_or(more.len());
        }
        self.last_was_member = matches!(self.last, "." | "?.");
        self.before = slash::after_word(rest.get(..length).unwrap_or_default(), self.last_was_member);
        self.at += length;
        Kind::Word
    }

    fn mark(&mut self, first: char, on_new_line: bool) -> Kind {
        let rest = self.rest();
        let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
        // `?.5` is a conditional and a number.
        let mark = mark.filter(|mark| **mark != "?." || !rest.as_bytes().get(2).is_some_and(u8::is_ascii_digit));
        self.at += mark.map_or(first.len_utf8(), |mark| mark.len());
        self.before = match mark.copied().unwrap_or_default() {
            // Behind an operand on the same line these are its suffix, otherwise a prefix.
            "++" | "--" => suffix(self.before, on_new_line),
            "" if first == '!' => suffix(self.before, on_new_line),
            // The end of type arguments, or an operator.
            "" if first == '>' => Before::Unclear,
            _ => Before::Operator,
        };
        Kind::Mark
    }
}

fn suffix(before: Before, on_new_line: bool) -> Before {
    if before == Before::Operand && on_new_line { Before::Operator } else { before }
}

fn unterminated(offset: usize, what: &str, hint: &'static str) -> Refused {
    Refused {
        kind: StripErrorKind::Syntax,
        offset: Some(offset),
        message: format!("this {what} is not closed"),
        hint: Some(hint),
    }
}

/// Whether a character belongs to an identifier. What no identifier may hold does no harm here: the parser refuses it.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '$' | '\\' | '#')
        || (!c.is_ascii() && !c.is_whitespace() && c != '\u{feff}')
}

pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Where the line of `at` ends.
pub(super) fn line_end(source: &str, at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    at + rest.find(is_line_end).unwrap_or(rest.len())
}
