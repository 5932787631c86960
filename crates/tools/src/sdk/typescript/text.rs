//! Text that others wrote, as TypeScript.

use std::fmt::Write as _;

/// Writes a string literal.
pub(super) fn string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            character if is_unseen(character) => escape(character, out),
            character => out.push(character),
        }
    }
    out.push('"');
}

/// Writes the name of a member: as it is where that is an identifier, quoted where it is not.
pub(super) fn key(name: &str, out: &mut String) {
    if is_identifier(name) {
        out.push_str(name);
    } else {
        string(name, out);
    }
}

/// How many bytes [`key`] writes, about.
pub(super) fn key_width(name: &str) -> usize {
    if is_identifier(name) { name.len() } else { name.len() + 2 }
}

/// Whether a name needs no quotes. Those of other scripts get them: what counts as a letter depends on the Unicode version.
pub(in crate::sdk) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_' || first == b'$')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
}

/// Writes a line of a comment, which cannot end the comment.
pub(super) fn comment(line: &str, out: &mut String) {
    let mut star = false;
    for character in line.chars() {
        match character {
            '/' if star => out.push_str("\\/"),
            '\t' => out.push('\t'),
            character if is_unseen(character) => escape(character, out),
            character => out.push(character),
        }
        star = character == '*';
    }
}

/// Characters that cannot be seen, end a line, or change how what follows is shown.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

fn escape(character: char, out: &mut String) {
    // All of them are in the basic plane. Writing to a string cannot fail.
    let _ = write!(out, "\\u{:04x}", u32::from(character));
}
