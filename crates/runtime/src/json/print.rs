//! Values as text.

use std::fmt::{self, Write};

use super::plain::plain_len;
use super::tape::Tag;
use super::{Json, JsonRef};

/// Characters that `Debug` shows.
const DEBUG_SHOWN: usize = 500;
/// Spaces of indentation per level.
const INDENT: usize = 2;
/// The deepest level that is indented: indentation is at most ten characters in all.
const INDENTED_LEVELS: usize = 5;

impl Json {
    /// Writes the value as compact JSON.
    ///
    /// # Errors
    ///
    /// Whatever `out` gives back.
    pub fn write_to(&self, out: &mut impl Write) -> fmt::Result {
        self.root().write_to(out)
    }

    /// The exact length in bytes of the compact JSON, without building it.
    #[must_use]
    pub fn serialized_len(&self) -> usize {
        self.root().serialized_len()
    }

    /// The value as indented JSON: two spaces a level, at most ten in all; deeper subtrees are compact.
    #[must_use]
    pub fn to_pretty(&self) -> String {
        self.root().to_pretty()
    }
}

impl JsonRef<'_> {
    /// Writes the value as compact JSON.
    ///
    /// # Errors
    ///
    /// Whatever `out` gives back.
    pub fn write_to(self, out: &mut impl Write) -> fmt::Result {
        print(self, out, 0)
    }

    /// The exact length in bytes of the compact JSON, without building it.
    #[must_use]
    pub fn serialized_len(self) -> usize {
        let mut counter = Counter(0);
        // Counting cannot fail.
        let _ = self.write_to(&mut counter);
        counter.0
    }

    /// The value as indented JSON: two spaces a level, at most ten in all; deeper subtrees are compact.
    #[must_use]
    pub fn to_pretty(self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = print(self, &mut text, INDENTED_LEVELS);
        text
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root().fmt(f)
    }
}

impl fmt::Display for JsonRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

/// The compact JSON, cut after five hundred characters.
impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.root(), f)
    }
}

/// The compact JSON, cut after five hundred characters.
impl fmt::Debug for JsonRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut head = Head { text: String::new(), left: DEBUG_SHOWN };
        let whole = self.write_to(&mut head).is_ok();
        f.write_str(&head.text)?;
        if whole { Ok(()) } else { f.write_char('…') }
    }
}

/// A container whose end has not been written yet.
struct Open {
    /// The index after its last node.
    end: usize,
    object: bool,
    /// Whether its elements stand on lines of their own.
    indented: bool,
}

/// Writes the subtree at `value`; the first `levels` levels are indented.
fn print(value: JsonRef<'_>, out: &mut impl Write, levels: usize) -> fmt::Result {
    let tape = value.tape;
    let end = value.index + value.node().span();
    let mut open: Vec<Open> = Vec::new();
    let mut index = value.index;
    // Whether the next node is the first of its container.
    let mut first = true;
    while index < end {
        if let Some(container) = open.last() {
            if !first {
                out.write_char(',')?;
            }
            if container.indented {
                new_line(out, open.len())?;
            }
            if container.object {
                write_string(tape.text_of(tape.nodes[index]), out)?;
                out.write_str(if container.indented { ": " } else { ":" })?;
                index += 1;
            }
        }
        first = false;
        let node = tape.nodes[index];
        index += 1;
        match node.tag() {
            Tag::Null => out.write_str("null")?,
            Tag::Bool => out.write_str(if node.value() == 1 { "true" } else { "false" })?,
            Tag::Integer | Tag::Float => out.write_str(tape.text_of(node))?,
            Tag::String | Tag::Dead => write_string(tape.text_of(node), out)?,
            Tag::Array | Tag::Object => {
                let object = node.tag() == Tag::Object;
                out.write_char(if object { '{' } else { '[' })?;
                let indented = open.len() < levels && node.value() > 0;
                open.push(Open { end: index - 1 + node.size(), object, indented });
                first = true;
            }
        }
        while open.last().is_some_and(|container| container.end == index) {
            let Some(container) = open.pop() else { break };
            if container.indented {
                new_line(out, open.len())?;
            }
            out.write_char(if container.object { '}' } else { ']' })?;
            first = false;
        }
    }
    Ok(())
}

fn new_line(out: &mut impl Write, level: usize) -> fmt::Result {
    out.write_char('\n')?;
    (0..level * INDENT).try_for_each(|_| out.write_char(' '))
}

fn write_string(text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    escape(text, out)?;
    out.write_char('"')
}

/// Writes a string's content: quotes, backslashes and control characters escaped, everything else as it is.
pub(super) fn escape(text: &str, out: &mut impl Write) -> fmt::Result {
    let mut rest = text;
    loop {
        let (plain, special) = rest.split_at(plain_len(rest.as_bytes()));
        out.write_str(plain)?;
        let Some(byte) = special.bytes().next() else { return Ok(()) };
        // What is escaped is ASCII, so a character begins behind it.
        rest = &special[1..];
        match byte {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            0x08 => out.write_str("\\b")?,
            0x0C => out.write_str("\\f")?,
            _ => write!(out, "\\u{byte:04x}")?,
        }
    }
}

/// Counts bytes.
struct Counter(usize);

impl Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Keeps the first characters and refuses the rest.
struct Head {
    text: String,
    left: usize,
}

impl Write for Head {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(character);
        }
        Ok(())
    }
}
