//! Comments.

use crate::sdk::shape::{Kind, ShapeId};

use super::plan::{Plan, is_integer};
use super::text::comment;

/// What is said of one shape.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) lines: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// All that is said of a shape: by itself, by what is written in place of its name, and by such items of an array.
/// Without `integer`, that it is one goes without saying.
pub(super) fn words_of(plan: &Plan<'_>, id: ShapeId, integer: bool) -> Words {
    let mut words = Words::default();
    let mut prefix = String::new();
    let mut here = id;
    loop {
        let node = plan.shapes.get(here);
        for (nth, line) in node.doc.iter().enumerate() {
            words.lines.push(if nth == 0 { format!("{prefix}{line}") } else { line.clone() });
        }
        let said = prefix.to_lowercase();
        if plan.says_integers && (integer || here != id) && is_integer(plan.shapes, here) {
            words.notes.push(format!("{said}integer"));
        }
        words.notes.extend(node.notes.iter().map(|note| format!("{said}{note}")));
        if let Some(inner) = plan.behind(here) {
            here = inner;
        } else if let Kind::Array(item) = node.kind
            && prefix.len() < 24
        {
            prefix.push_str("Each: ");
            here = item;
        } else {
            return words;
        }
    }
}

impl Words {
    pub(super) const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.notes.is_empty()
    }

    /// Writes a comment on lines of its own, and the beginning of the line after it.
    pub(super) fn block(mut self, indent: usize, out: &mut String) {
        if self.is_empty() {
            return;
        }
        if !self.notes.is_empty() {
            let notes = self.notes.join("; ");
            match self.lines.as_mut_slice() {
                [] => self.lines.push(notes),
                [only] => only.push_str(&format!(" ({notes})")),
                _ => self.lines.push(format!("({notes})")),
            }
        }
        if let [only] = self.lines.as_slice() {
            out.push_str("/** ");
            comment(only, out);
            out.push_str(" */");
        } else {
            out.push_str("/**");
            for line in &self.lines {
                new_line(indent, out);
                out.push_str(" *");
                if !line.is_empty() {
                    out.push(' ');
                    comment(line, out);
                }
            }
            new_line(indent, out);
            out.push_str(" */");
        }
        new_line(indent, out);
    }

    /// Writes a comment within a line.
    pub(super) fn inline(self, out: &mut String) {
        if self.is_empty() {
            return;
        }
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
        let notes = self.notes.join("; ");
        let said = match (lines.is_empty(), notes.is_empty()) {
            (true, _) => notes,
            (false, true) => lines.join(" "),
            (false, false) => format!("{} ({notes})", lines.join(" ")),
        };
        out.push_str("/** ");
        comment(&said, out);
        out.push_str(" */ ");
    }
}

/// Begins a line.
pub(super) fn new_line(indent: usize, out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
    for _ in 0..indent {
        out.push_str("  ");
    }
}
