//! Paths into values, as text of bounded length.

use std::fmt::Write as _;

use super::Writer;
use super::tape::Tag;

/// Steps shown at either end of a path.
const STEPS_SHOWN: usize = 8;
/// Characters shown of a key.
const KEY_SHOWN: usize = 64;

/// One step from a container to a value in it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The text of a path of `length` steps, of which `step(n)` is the n-th.
pub(super) fn path_text<'a>(length: usize, step: impl Fn(usize) -> Step<'a>) -> String {
    let mut text = String::new();
    if length <= 2 * STEPS_SHOWN + 1 {
        (0..length).for_each(|nth| push_step(&mut text, step(nth)));
        return text;
    }
    (0..STEPS_SHOWN).for_each(|nth| push_step(&mut text, step(nth)));
    // Writing to a string cannot fail.
    let _ = write!(text, "…({} more)…", length - 2 * STEPS_SHOWN);
    (length - STEPS_SHOWN..length).for_each(|nth| push_step(&mut text, step(nth)));
    text
}

fn push_step(text: &mut String, step: Step<'_>) {
    let key = match step {
        Step::Index(index) => {
            let _ = write!(text, "[{index}]");
            return;
        }
        Step::Key(key) => key,
    };
    let shown = key.char_indices().nth(KEY_SHOWN).map_or(key, |(end, _)| &key[..end]);
    if shown.len() == key.len() && is_identifier(key) {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(key);
        return;
    }
    text.push_str("[\"");
    let _ = super::print::escape(shown, text);
    text.push_str(if shown.len() == key.len() { "\"]" } else { "…\"]" });
}

fn is_identifier(key: &str) -> bool {
    let mut characters = key.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$')
}

impl Writer {
    /// The path of the value that comes next; of the object itself, where a key comes next.
    pub(super) fn path(&self) -> String {
        let mut chain: Vec<usize> = std::iter::successors(self.open(), |at| self.parent(*at)).collect();
        chain.reverse();
        let length = chain.len() - usize::from(self.opens_object() && !self.pending_key());
        path_text(length, |nth| self.path_step(chain[nth], chain.get(nth + 1).copied()))
    }

    /// The step from a container into the container inside it, or to its next value.
    fn path_step(&self, container: usize, inner: Option<usize>) -> Step<'_> {
        let node = self.nodes[container];
        if node.tag() == Tag::Object {
            // A key stands before its value.
            return Step::Key(self.text_of(inner.unwrap_or(self.nodes.len()) - 1));
        }
        // An inner container has been counted, the next value has not.
        Step::Index(node.value() - usize::from(inner.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(steps: &[Step<'_>]) -> String {
        path_text(steps.len(), |nth| steps[nth])
    }

    #[test]
    fn identifiers_are_joined_by_points_and_other_keys_are_quoted() {
        assert_eq!(text(&[Step::Key("args"), Step::Key("items"), Step::Index(3)]), "args.items[3]");
        assert_eq!(text(&[Step::Key("args"), Step::Key("odd-name"), Step::Index(0)]), "args[\"odd-name\"][0]");
        assert_eq!(text(&[Step::Key("a\"\n")]), "[\"a\\\"\\n\"]");
        assert_eq!(text(&[Step::Key("")]), "[\"\"]");
        assert_eq!(text(&[]), "");
    }

    #[test]
    fn long_paths_and_long_keys_are_elided() {
        let deep = path_text(10_000, |_| Step::Index(0));
        assert_eq!(deep, format!("{0}…(9984 more)…{0}", "[0]".repeat(8)));
        let key = "k".repeat(1_000_000);
        assert_eq!(text(&[Step::Key(&key)]), format!("[\"{}…\"]", "k".repeat(64)));
    }
}
