//! The list of changes to a source text, and the text that comes of it.

use oxc_span::Span;

/// Changes that keep every byte where it is: regions blanked, single ASCII characters put into them.
///
/// Blanking comes first and the puts after it, whatever the order in which they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    blanks: Vec<Blank>,
    puts: Vec<(u32, u8)>,
}

#[derive(Debug)]
struct Blank {
    span: Span,
    /// Whether a `)` stands at the end of it.
    closes: bool,
}

impl Edits {
    /// Replaces the region by white space of the same width, its own white space and line ends kept.
    pub(crate) fn blank(&mut self, span: Span) {
        self.blanks.push(Blank { span, closes: false });
    }

    /// Blanks a region that starts with an ASCII character, and puts a `)` in place of its last character.
    pub(crate) fn blank_and_close(&mut self, span: Span) {
        self.blanks.push(Blank { span, closes: true });
    }

    /// Puts one ASCII character at `offset`, where a character of one byte stands or stood before it was blanked.
    pub(crate) fn put(&mut self, offset: u32, character: u8) {
        debug_assert!(character.is_ascii());
        self.puts.push((offset, character));
    }

    /// The changed text. `None` when a change falls between two bytes of one character, which is a defect here.
    pub(crate) fn apply(mut self, source: &str) -> Option<String> {
        if self.blanks.is_empty() && self.puts.is_empty() {
            return Some(source.to_owned());
        }
        self.blanks.sort_unstable_by_key(|blank| (blank.span.start, blank.span.end));
        let mut code = String::with_capacity(source.len());
        let mut done = 0;
        for Blank { span, closes } in &self.blanks {
            // Regions nest (a declaration and the marks in it), so one may begin inside what is already blank.
            let start = usize::try_from(span.start).ok()?.max(done);
            let end = usize::try_from(span.end).ok()?;
            if end <= done {
                continue;
            }
            code.push_str(source.get(done..start)?);
            let region = source.get(start..end)?;
            if *closes {
                push_blank_and_close(&mut code, region);
            } else {
                region.chars().for_each(|character| push_blank(&mut code, character));
            }
            done = end;
        }
        code.push_str(source.get(done..)?);
        if self.puts.is_empty() {
            return Some(code);
        }
        let mut bytes = code.into_bytes();
        for (offset, character) in self.puts {
            *bytes.get_mut(usize::try_from(offset).ok()?)? = character;
        }
        String::from_utf8(bytes).ok()
    }
}

/// White space as wide as `character`, both in bytes and in UTF-16 units.
fn push_blank(code: &mut String, character: char) {
    match character {
        '\t'
        | '\u{b}'
        | '\u{c}'
        | ' '
        | '\n'
        | '\r'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}'
        | '\u{feff}' => code.push(character),
        _ => code.push_str(match character.len_utf8() {
            1 => " ",
            2 => "\u{a0}",
            3 => "\u{2002}",
            // No white space has four bytes; these two have four together, and two UTF-16 units as the character has.
            _ => " \u{feff}",
        }),
    }
}

/// White space as wide as `region`, but for a `)` at its end.
fn push_blank_and_close(code: &mut String, region: &str) {
    let mut characters = region.chars();
    let (first, last) = (characters.next(), characters.next_back());
    // The bytes that the last character has and a `)` has not go to the first one, which has one byte.
    match last.map(char::len_utf8) {
        Some(2) => code.push('\u{a0}'),
        Some(3..) => code.push('\u{2002}'),
        Some(_) => first.into_iter().for_each(|character| push_blank(code, character)),
        None => {}
    }
    characters.for_each(|character| push_blank(code, character));
    if last.is_some_and(|last| last.len_utf16() == 2) {
        code.push(' ');
    }
    code.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_as_wide_as_what_they_replace_in_bytes_and_in_utf16_units() {
        let source = "a é 型 \u{1F600}\t\r\n\u{2028}\u{3000} z";
        let mut edits = Edits::default();
        edits.blank(Span::new(2, u32::try_from(source.len() - 2).unwrap()));
        let code = edits.apply(source).unwrap();
        assert_eq!(code.len(), source.len());
        assert_eq!(code.encode_utf16().count(), source.encode_utf16().count());
        assert_eq!(code, "a \u{a0} \u{2002}  \u{feff}\t\r\n\u{2028}\u{3000} z");
    }

    #[test]
    fn a_parenthesis_at_the_end_of_a_region_keeps_its_width_whatever_character_it_replaces() {
        for (region, blank) in [
            (": T", "  )"),
            (": \u{e9}", "\u{a0} )"),
            (":\n 型", "\u{2002}\n )"),
            (": \u{1F600}", "\u{2002}  )"),
            (":", ")"),
        ] {
            let source = format!("(){region} => 1");
            let mut edits = Edits::default();
            edits.blank_and_close(Span::new(2, 2 + u32::try_from(region.len()).unwrap()));
            let code = edits.apply(&source).unwrap();
            assert_eq!(code, format!("(){blank} => 1"));
            assert_eq!(code.len(), source.len());
            assert_eq!(code.encode_utf16().count(), source.encode_utf16().count());
        }
    }

    #[test]
    fn nested_and_touching_regions_blank_once_and_a_put_wins_over_a_blank() {
        let mut edits = Edits::default();
        edits.put(3, b';');
        edits.blank(Span::new(4, 6));
        edits.blank(Span::new(2, 8));
        edits.blank(Span::new(8, 9));
        assert_eq!(edits.apply("0123456789").unwrap(), "01 ;     9");
    }
}
