//! Texts that go to a model, cut to what it can bear; what is left out is said where it was.

/// The text itself when it fits, else its beginning and its end: a program's last words say most of why it failed.
pub(super) fn ends_of(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(most / 2);
    let tail = text.ceil_char_boundary(text.len() - most / 2);
    let (head, tail, left_out) = (&text[..head], &text[tail..], tail - head);
    format!("{head}\n[{left_out} bytes left out]\n{tail}")
}

/// A tool's name for a sentence: without what would not be seen, and not longer than anyone reads.
pub(super) fn name(name: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = name.chars().filter(|character| !character.is_control()).take(MOST + 1).collect();
    if let Some((cut, _)) = shown.char_indices().nth(MOST) {
        shown.truncate(cut);
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_whole_and_what_does_not_keeps_both_ends() {
        assert_eq!(ends_of("0123456789", 10), "0123456789");
        assert_eq!(ends_of("0123456789a", 10), "01234\n[1 bytes left out]\n6789a");
        assert_eq!(ends_of("ééééééé", 5), "é\n[10 bytes left out]\né");
        assert_eq!(ends_of("é", 0), "\n[2 bytes left out]\n");
    }

    #[test]
    fn names_are_short_and_visible() {
        assert_eq!(name("a\nb"), "ab");
        assert_eq!(name(&"é".repeat(64)), "é".repeat(64));
        assert_eq!(name(&"é".repeat(65)), format!("{}…", "é".repeat(64)));
    }
}
