//! Text of others inside Python text: string literals, comments and docstrings.

use std::fmt::Write as _;

/// Whether a character would end a line, be refused by the compiler, or change how what stands beside it is shown.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A string literal of exactly this text, on one line.
pub(super) fn literal(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            hidden if is_hidden(hidden) => {
                let code = u32::from(hidden);
                // Writing into a string does not fail.
                let _ = if code < 0x100 { write!(out, "\\x{code:02x}") } else { write!(out, "\\u{code:04x}") };
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}

/// Text for a comment or a docstring, by line: without what is hidden, without blank lines around it.
pub(super) fn lines(texts: &[String]) -> Vec<String> {
    let split = texts.iter().flat_map(|text| text.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}']));
    let mut lines: Vec<String> = split
        .map(|line| {
            let shown: String = line.chars().map(|letter| if is_hidden(letter) { ' ' } else { letter }).collect();
            shown.trim_end().to_owned()
        })
        .skip_while(String::is_empty)
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line of comments, each a sentence or a phrase, one after the other.
pub(super) fn joined(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        if !text.is_empty() {
            text.push_str(if text.ends_with(['.', '!', '?', ':', ';', ',']) { " " } else { "; " });
        }
        text.push_str(line);
    }
    text
}

/// A docstring of these lines; nothing when there are none.
pub(super) fn docstring(out: &mut String, lines: &[String], indent: &str) {
    if lines.is_empty() {
        return;
    }
    let mut body = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            body.push('\n');
            if !line.is_empty() {
                body.push_str(indent);
            }
        }
        body.push_str(if number == 0 { line.trim_start() } else { line });
    }
    out.push_str(indent);
    if body.contains('\\') && !body.contains("\"\"\"") && !body.ends_with(['\\', '"']) {
        // A pattern or a path is read as it was written.
        out.push('r');
    } else if body.contains('\\') || body.contains("\"\"\"") || body.ends_with('"') {
        body = body.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
        if body.ends_with('"') && !body.ends_with("\\\"") {
            body.pop();
            body.push_str("\\\"");
        }
    }
    out.push_str("\"\"\"");
    out.push_str(&body);
    out.push_str("\"\"\"\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docstring_of(text: &str) -> String {
        let mut out = String::new();
        docstring(&mut out, &lines(&[text.to_owned()]), "  ");
        out
    }

    #[test]
    fn a_literal_is_one_line_and_shows_what_is_hidden() {
        let mut out = String::new();
        literal(&mut out, "a\"b\\c\nd\0e\u{202e}f\u{7f}é");
        assert_eq!(out, r#""a\"b\\c\nd\x00e\u202ef\x7fé""#);
    }

    #[test]
    fn a_docstring_ends_where_it_should() {
        assert_eq!(docstring_of(r"a\d+"), "  r\"\"\"a\\d+\"\"\"\n");
        assert_eq!(docstring_of(r"ends in \"), "  \"\"\"ends in \\\\\"\"\"\n");
        assert_eq!(docstring_of(r#"says "hi""#), "  \"\"\"says \"hi\\\"\"\"\"\n");
        assert_eq!(docstring_of(r#"a """ b"#), "  \"\"\"a \\\"\\\"\\\" b\"\"\"\n");
        assert_eq!(docstring_of("one\r\n\ntwo\0\u{2028}three\n"), "  \"\"\"one\n\n\n  two\n  three\"\"\"\n");
        assert_eq!(docstring_of(" \n\t"), "");
    }

    #[test]
    fn phrases_are_joined_as_sentences_are() {
        let phrases = ["How many.".to_owned(), "at least 1".to_owned(), "default 10".to_owned()];
        assert_eq!(joined(&phrases), "How many. at least 1; default 10");
    }
}
