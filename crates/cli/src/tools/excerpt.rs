//! What a program may read of text that a command wrote.

/// The last `limit` characters, as printable text.
pub(super) fn tail(bytes: &[u8], limit: usize) -> String {
    let text = printable(bytes);
    let count = text.chars().count();
    match count.checked_sub(limit) {
        None | Some(0) => text,
        Some(excess) => std::iter::once('…').chain(text.chars().skip(excess)).collect(),
    }
}

/// The first `limit` characters, as printable text.
pub(super) fn head(bytes: &[u8], limit: usize) -> String {
    let text = printable(bytes);
    match text.char_indices().nth(limit) {
        None => text,
        Some((end, _)) => text[..end].chars().chain(std::iter::once('…')).collect(),
    }
}

/// Broken UTF-8 becomes U+FFFD and control characters other than line breaks and tabs become escapes: what a command
/// writes ends up in a model's context and on terminals.
fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    for character in text.trim_end().chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_keeps_the_asked_end_and_says_so() {
        assert_eq!(tail("one\ntwo\n".as_bytes(), 100), "one\ntwo");
        assert_eq!(tail("äöü".as_bytes(), 2), "…öü");
        assert_eq!(head("äöü".as_bytes(), 2), "äö…");
        assert_eq!(head("äö".as_bytes(), 2), "äö");
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(tail(b"\x1b[31mred\x1b[0m\ta\r\n", 100), "\\u{1b}[31mred\\u{1b}[0m\ta");
        assert_eq!(tail(b"\xff\xfe", 100), "\u{fffd}\u{fffd}");
    }
}
