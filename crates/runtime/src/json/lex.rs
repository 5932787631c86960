//! Text to tokens. A token borrows: nothing is decoded before its size is known.

use super::plain::plain_len;

/// A piece of JSON text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Token<'a> {
    Null,
    Bool(bool),
    Number(NumberToken<'a>),
    String(StringToken<'a>),
    BeginArray,
    EndArray,
    BeginObject,
    EndObject,
    Colon,
    Comma,
    End,
}

/// A number as written, which follows JSON's grammar.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberToken<'a> {
    pub(super) text: &'a str,
    /// Whether it has a fraction or an exponent.
    pub(super) float: bool,
    /// All digits, those of the exponent included.
    pub(super) digits: usize,
}

/// A string as written, without its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct StringToken<'a> {
    raw: &'a str,
    /// The bytes it decodes to.
    pub(super) decoded_len: usize,
    /// Whether an escape is half of a surrogate pair; it decodes to U+FFFD.
    pub(super) lone_surrogate: bool,
}

/// Where the text stops being JSON, and how.
#[derive(Debug)]
pub(super) struct LexError {
    pub(super) offset: usize,
    pub(super) problem: String,
}

#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// Where the last token began.
    pub(super) token_start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, position: 0, token_start: 0 }
    }

    /// The next token; [`Token::End`] again and again at the end.
    pub(super) fn token(&mut self) -> Result<Token<'a>, LexError> {
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.position += self.rest().iter().take_while(|byte| space(byte)).count();
        self.token_start = self.position;
        let Some(first) = self.rest().first().copied() else { return Ok(Token::End) };
        let single = match first {
            b'[' => Token::BeginArray,
            b']' => Token::EndArray,
            b'{' => Token::BeginObject,
            b'}' => Token::EndObject,
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => return self.string().map(Token::String),
            b'-' | b'0'..=b'9' => return self.number().map(Token::Number),
            _ => return self.word(),
        };
        self.position += 1;
        Ok(single)
    }

    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.position..]
    }

    fn fail<T>(&self, offset: usize, problem: impl Into<String>) -> Result<T, LexError> {
        debug_assert!(offset <= self.text.len());
        Err(LexError { offset, problem: problem.into() })
    }

    fn word(&mut self) -> Result<Token<'a>, LexError> {
        let words = [("null", Token::Null), ("true", Token::Bool(true)), ("false", Token::Bool(false))];
        for (word, token) in words {
            if self.rest().starts_with(word.as_bytes()) {
                self.position += word.len();
                return Ok(token);
            }
        }
        let found = self.text[self.position..].chars().next().unwrap_or_default();
        let problem = match found {
            'N' | 'I' => "NaN and infinities are not JSON; use null or a string".to_owned(),
            '\'' => "strings are written in double quotes".to_owned(),
            found => format!("expected a value, found {found:?}"),
        };
        self.fail(self.position, problem)
    }

    fn number(&mut self) -> Result<NumberToken<'a>, LexError> {
        let start = self.position;
        let mut float = false;
        if self.rest().first() == Some(&b'-') {
            self.position += 1;
        }
        let whole_start = self.position;
        let mut digits = self.digits()?;
        if digits > 1 && self.text.as_bytes()[whole_start] == b'0' {
            return self.fail(whole_start, "a number may not begin with a zero");
        }
        if self.rest().first() == Some(&b'.') {
            float = true;
            self.position += 1;
            digits += self.digits()?;
        }
        if matches!(self.rest().first(), Some(b'e' | b'E')) {
            float = true;
            self.position += 1;
            if matches!(self.rest().first(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            digits += self.digits()?;
        }
        Ok(NumberToken { text: &self.text[start..self.position], float, digits })
    }

    /// At least one digit.
    fn digits(&mut self) -> Result<usize, LexError> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return self.fail(self.position, "expected a digit");
        }
        self.position += count;
        Ok(count)
    }

    fn string(&mut self) -> Result<StringToken<'a>, LexError> {
        self.position += 1;
        let start = self.position;
        let mut decoded_len = 0;
        let mut lone_surrogate = false;
        loop {
            let plain = plain_len(self.rest());
            decoded_len += plain;
            self.position += plain;
            let Some(special) = self.rest().first().copied() else {
                return self.fail(self.text.len(), "the string does not end");
            };
            match special {
                b'"' => {
                    let raw = &self.text[start..self.position];
                    self.position += 1;
                    return Ok(StringToken { raw, decoded_len, lone_surrogate });
                }
                b'\\' => match escape(self.rest()) {
                    Some((character, length)) => {
                        lone_surrogate |= character.is_none();
                        decoded_len += character.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8();
                        self.position += length;
                    }
                    None => return self.fail(self.position, "the escape is none of JSON's"),
                },
                _ => return self.fail(self.position, "a control character in a string must be escaped"),
            }
        }
    }
}

impl StringToken<'_> {
    /// Appends the decoded string.
    pub(super) fn push_to(&self, text: &mut String) {
        let mut rest = self.raw;
        // An escape is longer than what it stands for.
        if self.decoded_len == rest.len() {
            return text.push_str(rest);
        }
        while let Some(plain) = rest.find('\\') {
            text.push_str(&rest[..plain]);
            rest = &rest[plain..];
            let (character, length) = escape(rest.as_bytes()).unwrap_or((None, rest.len()));
            text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &rest[length..];
        }
        text.push_str(rest);
    }
}

/// The character of the escape that `bytes` begins with, absent for half a surrogate pair, and the escape's length.
fn escape(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let simple = match bytes.get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(bytes),
        _ => return None,
    };
    Some((Some(simple), 2))
}

fn unicode_escape(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let first = hex_unit(bytes)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first), 6));
    }
    match bytes.get(6..).and_then(hex_unit) {
        Some(second) if (0xDC00..0xE000).contains(&second) => {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            Some((char::from_u32(code), 12))
        }
        _ => Some((None, 6)),
    }
}

/// The code unit of `\uXXXX`.
fn hex_unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}
