//! A walk over a value in the order of its text, which knows where it is.

use super::JsonRef;
use super::path::{Step, path_text};
use super::tape::Tag;

/// Visits a value and everything in it, outer values first.
pub(super) struct Walk<'a> {
    root: JsonRef<'a>,
    next: usize,
    open: Vec<Open>,
}

/// A container around the current value.
struct Open {
    object: bool,
    /// The index after its last node.
    end: usize,
    /// The current element's key, as an index of a node, or its position.
    at: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(root: JsonRef<'a>) -> Self {
        Self { root, next: root.index, open: Vec::new() }
    }

    /// The next value.
    pub(super) fn step(&mut self) -> Option<JsonRef<'a>> {
        let tape = self.root.tape;
        if let Some(last) = self.next.checked_sub(1).filter(|last| *last >= self.root.index) {
            let node = tape.nodes[last];
            if node.is_container() {
                let object = node.tag() == Tag::Object;
                self.open.push(Open { object, end: last + node.size(), at: usize::MAX });
            }
        }
        while self.open.last().is_some_and(|open| open.end == self.next) {
            self.open.pop();
        }
        match self.open.last_mut() {
            None if self.next > self.root.index => return None,
            None => {}
            Some(open) if open.object => {
                open.at = self.next;
                self.next += 1;
            }
            // The first element follows `usize::MAX`.
            Some(open) => open.at = open.at.wrapping_add(1),
        }
        self.next += 1;
        Some(JsonRef { tape, index: self.next - 1 })
    }

    /// The number of containers around the current value.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The key of the current value, when it is directly in an object.
    pub(super) fn key(&self) -> Option<&'a str> {
        let open = self.open.last().filter(|open| open.object)?;
        Some(self.root.tape.text_of(self.root.tape.nodes[open.at]))
    }

    /// The path of the current value.
    pub(super) fn path(&self) -> String {
        path_text(self.open.len(), |nth| {
            let Open { object, at, .. } = self.open[nth];
            if object { Step::Key(self.root.tape.text_of(self.root.tape.nodes[at])) } else { Step::Index(at) }
        })
    }
}
