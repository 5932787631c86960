//! Text to values, within limits.

use super::lex::{LexError, Lexer, Token};
use super::nesting::Nesting;
use super::number::MAX_NUMBER_DIGITS;
use super::store::Store;
use super::tape::Tag;
use super::{Json, Refusal};

/// What a parsed value may be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "written out by its users; another limit is another decision for each")]
pub struct ParseLimits {
    /// The most arrays and objects inside one another; a scalar has depth 0, `[]` has 1. Default 10,000.
    pub max_depth: usize,
    /// The most bytes of memory the decoded value may take: 32 at once, 16 for each value, 24 more for each key, and
    /// the bytes of their text, charged before they are allocated. Default 1 GiB.
    ///
    /// Buffers that grow may be a third larger for a moment, and the parser itself takes one bit per level of nesting.
    pub max_decoded_bytes: usize,
    /// The most digits of a number, fraction and exponent included. Default [`MAX_NUMBER_DIGITS`].
    pub max_number_digits: usize,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { max_depth: 10_000, max_decoded_bytes: 1 << 30, max_number_digits: MAX_NUMBER_DIGITS }
    }
}

impl ParseLimits {
    /// No limit but the one on digits: for text of the host's own.
    pub const TRUSTED: Self =
        Self { max_depth: usize::MAX, max_decoded_bytes: usize::MAX, max_number_digits: MAX_NUMBER_DIGITS };
}

/// Well-formed JSON, and the first thing in it that is not acceptable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "taken apart by its users")]
pub struct Parsed {
    /// The value, with null in the place of everything that was refused.
    pub json: Json,
    /// The first refusal; without one the value is exactly what was written.
    pub refusal: Option<Refusal>,
}

/// Text that is no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The bytes are not UTF-8.
    #[error("the text is not UTF-8 from byte {offset} on; encode it as UTF-8")]
    NotUtf8 {
        /// The first byte that is not.
        offset: usize,
    },
    /// The text is not JSON.
    #[error("not JSON at line {line}, column {column} (byte {offset}): {problem}")]
    Syntax {
        /// The byte at which it stops being JSON.
        offset: usize,
        /// Its line, from 1.
        line: usize,
        /// The character in that line, from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// The text is JSON, but not acceptable.
    #[error("not acceptable JSON: {0}")]
    Refused(Refusal),
}

impl Json {
    /// Reads trusted text: of any depth and any size.
    ///
    /// # Errors
    ///
    /// [`ParseError::Syntax`], and [`ParseError::Refused`] for what is not lossless: `-0`, `1e400`, half a surrogate
    /// pair, more than [`MAX_NUMBER_DIGITS`] digits.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let parsed = parse_text(text, &ParseLimits::TRUSTED)?;
        match parsed.refusal {
            None => Ok(parsed.json),
            Some(refusal) => Err(ParseError::Refused(refusal)),
        }
    }

    /// Reads hostile bytes, within limits.
    ///
    /// What is well-formed and not acceptable is no error: the first such thing is recorded with its path, null is put
    /// in its place, and the rest is read all the same. When the memory budget is spent, the element of the outermost
    /// array or object in which that happened becomes null as a whole and gives its memory back; elements after it
    /// are kept when they fit, and left out when not even a null does.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    /// use dayfly_runtime::json::ParseLimits;
    ///
    /// let parsed = Json::parse_with(br#"{"args": {"items": [1, -0]}}"#, &ParseLimits::default())?;
    /// assert_eq!(parsed.json.to_string(), r#"{"args":{"items":[1,null]}}"#);
    /// assert_eq!(parsed.refusal.map(|refusal| refusal.path), Some("args.items[1]".to_owned()));
    /// # Ok::<(), dayfly_runtime::json::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ParseError::NotUtf8`] and [`ParseError::Syntax`].
    pub fn parse_with(bytes: &[u8], limits: &ParseLimits) -> Result<Parsed, ParseError> {
        let text = std::str::from_utf8(bytes).map_err(|error| ParseError::NotUtf8 { offset: error.valid_up_to() })?;
        parse_text(text, limits)
    }
}

impl std::str::FromStr for Json {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

fn parse_text(text: &str, limits: &ParseLimits) -> Result<Parsed, ParseError> {
    let parser = Parser { lexer: Lexer::new(text), store: Store::new(limits), nesting: Nesting::default() };
    parser.run().map_err(|error| {
        let before = &text.as_bytes()[..error.offset];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        ParseError::Syntax {
            offset: error.offset,
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
            column: text[line_start..error.offset].chars().count() + 1,
            problem: error.problem,
        }
    })
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

impl Expect {
    const fn name(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::ValueOrEnd => "a value or `]`",
            Self::Key => "a key in double quotes",
            Self::KeyOrEnd => "a key in double quotes or `}`",
            Self::Colon => "`:`",
            Self::CommaOrEnd => "`,` or the end of the array or object",
            Self::Nothing => "the end of the text",
        }
    }
}

struct Parser<'t, 'l> {
    lexer: Lexer<'t>,
    store: Store<'l>,
    nesting: Nesting,
}

impl Parser<'_, '_> {
    fn run(mut self) -> Result<Parsed, LexError> {
        let mut expect = Expect::Value;
        loop {
            let token = self.lexer.token()?;
            if expect == Expect::Nothing && matches!(token, Token::End) {
                let (json, refusal) = self.store.finish();
                return Ok(Parsed { json, refusal });
            }
            expect = self.step(expect, token)?;
        }
    }

    /// Takes one token and says what may follow it.
    fn step(&mut self, expect: Expect, token: Token<'_>) -> Result<Expect, LexError> {
        match (expect, token) {
            (Expect::Value | Expect::ValueOrEnd, Token::Null) => self.store.null(),
            (Expect::Value | Expect::ValueOrEnd, Token::Bool(value)) => self.store.bool(value),
            (Expect::Value | Expect::ValueOrEnd, Token::Number(token)) => self.store.number(token),
            (Expect::Value | Expect::ValueOrEnd, Token::String(token)) => self.store.string(token),
            (Expect::Value | Expect::ValueOrEnd, Token::BeginArray) => {
                self.nesting.push(false);
                self.store.begin(Tag::Array);
                return Ok(Expect::ValueOrEnd);
            }
            (Expect::Value | Expect::ValueOrEnd, Token::BeginObject) => {
                self.nesting.push(true);
                self.store.begin(Tag::Object);
                return Ok(Expect::KeyOrEnd);
            }
            (Expect::Key | Expect::KeyOrEnd, Token::String(token)) => {
                self.store.key(token);
                return Ok(Expect::Colon);
            }
            (Expect::Colon, Token::Colon) => return Ok(Expect::Value),
            (Expect::CommaOrEnd, Token::Comma) => {
                return Ok(if self.nesting.top() == Some(true) { Expect::Key } else { Expect::Value });
            }
            (Expect::ValueOrEnd, Token::EndArray) | (Expect::KeyOrEnd, Token::EndObject) => self.end(),
            (Expect::CommaOrEnd, Token::EndArray) if self.nesting.top() == Some(false) => self.end(),
            (Expect::CommaOrEnd, Token::EndObject) if self.nesting.top() == Some(true) => self.end(),
            (expect, token) => return Err(self.unexpected(expect, token)),
        }
        Ok(if self.nesting.top().is_none() { Expect::Nothing } else { Expect::CommaOrEnd })
    }

    fn end(&mut self) {
        self.nesting.pop();
        self.store.end();
    }

    fn unexpected(&self, expect: Expect, token: Token<'_>) -> LexError {
        let found = match token {
            Token::Null => "null",
            Token::Bool(_) => "a boolean",
            Token::Number(_) => "a number",
            Token::String(_) => "a string",
            Token::BeginArray => "`[`",
            Token::EndArray => "`]`",
            Token::BeginObject => "`{`",
            Token::EndObject => "`}`",
            Token::Colon => "`:`",
            Token::Comma => "`,`",
            Token::End => "the end of the text",
        };
        let problem = format!("expected {}, found {found}", expect.name());
        LexError { offset: self.lexer.token_start, problem }
    }
}
