//! What is shown of a text that is too long.

use super::read::READ_SPILLED;

/// The beginning and the end of a text, at most this many bytes of it, with a sentence between them that says what is left out and how
/// it is read.
pub(super) fn preview(text: &str, most: usize, kept: &Result<String, String>) -> String {
    // Results say most at their beginning; of logs the end counts.
    let head = text.floor_char_boundary(most / 4 * 3);
    let tail = text.ceil_char_boundary(text.len().saturating_sub(most / 4)).max(head);
    let (bytes, lines) = (text.len(), text.lines().count());
    let left_out = tail - head;
    let way = match kept {
        Ok(locator) => format!(
            "the whole is kept as `{locator}`: read parts of it with the tool `{READ_SPILLED}` \
             ({{\"locator\": \"{locator}\", \"offset\": {head}, \"length\": 4096}})"
        ),
        Err(problem) => format!("the rest is lost, because it could not be kept: {problem}"),
    };
    let (head, tail) = (&text[..head], &text[tail..]);
    format!("{head}\n[{left_out} bytes are left out here, of {bytes} in {lines} lines; {way}]\n{tail}")
}
