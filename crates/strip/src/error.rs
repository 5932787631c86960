//! Why a program was refused, as data a model can act on.

use crate::position::{Position, Positions};
use std::fmt;

/// Characters of the source line shown on each side of the column.
const EXCERPT_REACH: usize = 80;

/// What kind of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StripErrorKind {
    /// The text is not TypeScript.
    Syntax,
    /// The text is TypeScript, but holds a construct that erasing types cannot turn into JavaScript, or that has no
    /// meaning in the body of a function.
    Unsupported,
    /// The text is longer or nested deeper than [`StripLimits`](crate::StripLimits) allows.
    Limit,
    /// The stripper itself failed: no thread could be started, or the parser panicked. The program did nothing wrong
    /// that could be named.
    Internal,
}

/// A program that cannot be stripped: what is wrong, where, and what to write instead.
///
/// `Display` gives the whole message on several lines, with the source line and a caret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct StripError {
    /// The kind of refusal.
    pub kind: StripErrorKind,
    /// What is wrong, in one line, without the position.
    pub message: String,
    /// What to write instead, where that is known.
    pub hint: Option<String>,
    /// Where it is. `None` when no place is to blame (the whole text is too long, the stripper failed).
    pub position: Option<Position>,
    /// The source line at the position, cut to about 160 characters around it.
    pub excerpt: Option<Excerpt>,
    /// Where it is a static `import` that is refused: the first [`StaticImport::MOST`] that the program has.
    pub imports: Vec<StaticImport>,
}

/// A static `import` of values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StaticImport {
    /// The module, as the program writes it.
    pub module: String,
    /// The names that it imports by name.
    pub names: Vec<String>,
    /// Its line.
    pub line: u32,
    /// What does the same where it stands: `const fs = await import("node:fs")`.
    pub instead: String,
}

impl StaticImport {
    /// More are not kept: nobody reads them.
    pub const MOST: usize = 10;
}

/// A piece of one source line with the place that matters in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text, without its line end; an ellipsis stands for what was cut.
    pub text: String,
    /// How many characters of `text` precede the place.
    pub caret: usize,
}

impl StripError {
    pub(crate) fn at(
        kind: StripErrorKind,
        source: &str,
        offset: usize,
        message: impl Into<String>,
        hint: Option<&str>,
    ) -> Self {
        let mut positions = Positions::new(source);
        let position = positions.advance(offset);
        let excerpt = Excerpt::around(positions.line_text(), position.column);
        Self {
            kind,
            message: message.into(),
            hint: hint.map(str::to_owned),
            position: Some(position),
            excerpt: Some(excerpt),
            imports: Vec::new(),
        }
    }

    /// With all imports that have to be written otherwise, so that no reader mends one after the other.
    pub(crate) fn with_imports(mut self, imports: Vec<StaticImport>) -> Self {
        if let [first, others @ ..] = imports.as_slice()
            && !others.is_empty()
        {
            let others = others.iter().map(|other| format!(", and in line {} `{}`", other.line, other.instead));
            self.hint = Some(format!("write `{}`{}", first.instead, others.collect::<String>()));
        }
        self.imports = imports;
        self
    }

    pub(crate) fn nowhere(kind: StripErrorKind, message: impl Into<String>, hint: Option<&str>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: hint.map(str::to_owned),
            position: None,
            excerpt: None,
            imports: Vec::new(),
        }
    }
}

impl Excerpt {
    fn around(line: &str, column: u32) -> Self {
        let mut units = 1;
        let before = line.chars().take_while(|c| {
            let taken = units < column;
            units += if c.len_utf16() == 2 { 2 } else { 1 };
            taken
        });
        let before = before.count();
        let first = before.saturating_sub(EXCERPT_REACH);
        let mut text = String::new();
        if first > 0 {
            text.push('…');
        }
        let caret = before - first + usize::from(first > 0);
        let mut rest = line.chars().skip(first);
        // A tab stays one character, so that the caret below it can repeat it.
        text.extend(
            rest.by_ref()
                .take(before - first + EXCERPT_REACH)
                .map(|c| if c.is_control() && c != '\t' { ' ' } else { c }),
        );
        if rest.next().is_some() {
            text.push('…');
        }
        Self { text, caret }
    }
}

impl fmt::Display for StripError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, " (line {line}, column {column})")?;
        }
        if let Some(excerpt) = &self.excerpt {
            let indent: String =
                excerpt.text.chars().take(excerpt.caret).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n  {}\n  {indent}^", excerpt.text)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nInstead: {hint}")?;
        }
        Ok(())
    }
}
