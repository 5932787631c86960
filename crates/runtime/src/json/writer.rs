//! Writes a tape from events; every other way to make a value goes through it.

use std::fmt::Write as _;

use super::compact::compact;
use super::tape::{Node, Tag, Tape};

/// The parent of the outermost container.
const OUTERMOST: usize = usize::MAX;

/// An object of at most this many keys is searched for duplicates pair by pair, without scratch memory.
const FEW_KEYS: usize = 8;

/// A tape under construction. Its callers keep the grammar: a key before each value of an object and nowhere else.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) nodes: Vec<Node>,
    pub(super) text: String,
    open: usize,
    /// Whether a key has been written and its value has not.
    pending_key: bool,
    any_dead: bool,
    scratch: Vec<usize>,
}

/// A point of a [`Writer`] to which it can return.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    nodes: usize,
    text: usize,
    open: usize,
    count: usize,
    pending_key: bool,
}

impl Writer {
    pub(super) const fn new() -> Self {
        Self {
            nodes: Vec::new(),
            text: String::new(),
            open: OUTERMOST,
            pending_key: false,
            any_dead: false,
            scratch: Vec::new(),
        }
    }

    /// The index of the innermost unfinished container.
    pub(super) const fn open(&self) -> Option<usize> {
        if self.open == OUTERMOST { None } else { Some(self.open) }
    }

    /// Whether the innermost unfinished container is an object.
    pub(super) fn opens_object(&self) -> bool {
        self.open().is_some_and(|open| self.nodes[open].tag() == Tag::Object)
    }

    /// Whether a key has been written and its value has not.
    pub(super) const fn pending_key(&self) -> bool {
        self.pending_key
    }

    /// The container around an unfinished one.
    pub(super) fn parent(&self, container: usize) -> Option<usize> {
        Some(self.nodes[container].size()).filter(|parent| *parent != OUTERMOST)
    }

    pub(super) fn text_of(&self, index: usize) -> &str {
        let node = self.nodes[index];
        &self.text[node.value()..node.value() + node.size()]
    }

    pub(super) fn null(&mut self) {
        self.push(Node::new(Tag::Null, 0, 0));
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.push(Node::new(Tag::Bool, usize::from(value), 0));
    }

    /// An integer's or a float's canonical text, or a string.
    pub(super) fn text(&mut self, tag: Tag, text: &str) {
        self.push(Node::new(tag, self.text.len(), text.len()));
        self.text.push_str(text);
    }

    /// A value whose text the caller appends to the arena.
    pub(super) fn text_with(&mut self, tag: Tag, append: impl FnOnce(&mut String)) {
        let start = self.text.len();
        append(&mut self.text);
        self.push(Node::new(tag, start, self.text.len() - start));
    }

    pub(super) fn integer(&mut self, value: impl std::fmt::Display) {
        self.text_with(Tag::Integer, |text| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{value}");
        });
    }

    /// A finite double that is not negative zero.
    pub(super) fn float(&mut self, value: f64) {
        self.text_with(Tag::Float, |text| super::number::push_float(value, text));
    }

    pub(super) fn key(&mut self, key: &str) {
        self.key_with(|text| text.push_str(key));
    }

    /// A key whose text the caller appends to the arena.
    pub(super) fn key_with(&mut self, append: impl FnOnce(&mut String)) {
        let start = self.text.len();
        append(&mut self.text);
        self.count_one();
        self.pending_key = true;
        self.nodes.push(Node::new(Tag::String, start, self.text.len() - start));
    }

    /// Opens an array or an object.
    pub(super) fn begin(&mut self, tag: Tag) {
        let index = self.nodes.len();
        self.push(Node::new(tag, 0, self.open));
        self.open = index;
    }

    /// Closes the innermost container.
    pub(super) fn end(&mut self) {
        let index = self.open;
        let node = self.nodes[index];
        self.open = node.size();
        let dead = if node.tag() == Tag::Object { self.bury_duplicates(index, node.value()) } else { 0 };
        self.nodes[index] = Node::new(node.tag(), node.value() - dead, self.nodes.len() - index);
    }

    /// Copies a finished subtree.
    pub(super) fn splice(&mut self, tape: &Tape, index: usize) {
        let nodes = &tape.nodes[index..index + tape.nodes[index].span()];
        let mut with_text = nodes.iter().filter(|node| node.has_text());
        let (from, to) = with_text.next().map_or((0, 0), |first| {
            let last = with_text.next_back().unwrap_or(first);
            (first.value(), last.value() + last.size())
        });
        let base = self.text.len();
        self.text.push_str(&tape.text[from..to]);
        self.place();
        self.nodes.extend(nodes.iter().map(|node| {
            if node.has_text() { Node::new(node.tag(), node.value() - from + base, node.size()) } else { *node }
        }));
    }

    /// The current point, before a value.
    pub(super) fn mark(&self) -> Mark {
        let count = self.open().map_or(0, |open| self.nodes[open].value());
        Mark { nodes: self.nodes.len(), text: self.text.len(), open: self.open, count, pending_key: self.pending_key }
    }

    /// Forgets everything written after `mark`.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.text.truncate(mark.text);
        self.open = mark.open;
        self.pending_key = mark.pending_key;
        if let Some(open) = self.open() {
            let node = self.nodes[open];
            self.nodes[open] = Node::new(node.tag(), mark.count, node.size());
        }
    }

    /// The finished tape; of nothing, it is `null`.
    pub(super) fn finish(mut self) -> Tape {
        while self.open().is_some() {
            self.end();
        }
        if self.nodes.is_empty() {
            self.null();
        }
        if self.any_dead {
            return compact(self.nodes, self.text);
        }
        Tape { nodes: self.nodes.into_boxed_slice(), text: self.text.into_boxed_str() }
    }

    fn push(&mut self, node: Node) {
        self.place();
        self.nodes.push(node);
    }

    /// Accounts for a value that is about to be appended; in an object its key has been counted.
    fn place(&mut self) {
        self.pending_key = false;
        if !self.opens_object() {
            self.count_one();
        }
    }

    fn count_one(&mut self) {
        if let Some(open) = self.open() {
            let node = self.nodes[open];
            self.nodes[open] = Node::new(node.tag(), node.value() + 1, node.size());
        }
    }

    /// Marks each key of the object at `index` that occurs again later, and says how many there were.
    fn bury_duplicates(&mut self, index: usize, count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        let mut keys = std::mem::take(&mut self.scratch);
        keys.clear();
        let mut few = [0; FEW_KEYS];
        let places = self.places_of_keys(index).take(count);
        let dead = if count <= FEW_KEYS {
            few.iter_mut().zip(places).for_each(|(slot, place)| *slot = place);
            self.bury_among_few(&few[..count])
        } else {
            keys.extend(places);
            self.bury_sorted(&mut keys)
        };
        self.scratch = keys;
        self.any_dead |= dead > 0;
        dead
    }

    /// The indices of the keys of an object whose content is finished, and on past its end.
    fn places_of_keys(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index + 1), |key| {
            let value = key + 1;
            self.nodes.get(value).map(|node| value + node.span())
        })
    }

    fn bury_among_few(&mut self, keys: &[usize]) -> usize {
        let mut dead = 0;
        for (nth, key) in keys.iter().enumerate() {
            if keys[nth + 1..].iter().any(|later| self.text_of(*key) == self.text_of(*later)) {
                self.bury(*key);
                dead += 1;
            }
        }
        dead
    }

    /// Sorting keeps hostile objects of a million equal keys at n log n.
    fn bury_sorted(&mut self, keys: &mut [usize]) -> usize {
        keys.sort_unstable_by(|left, right| self.text_of(*left).cmp(self.text_of(*right)).then(left.cmp(right)));
        let mut dead = 0;
        for pair in keys.windows(2) {
            if self.text_of(pair[0]) == self.text_of(pair[1]) {
                self.bury(pair[0]);
                dead += 1;
            }
        }
        dead
    }

    fn bury(&mut self, key: usize) {
        let node = self.nodes[key];
        self.nodes[key] = Node::new(Tag::Dead, node.value(), node.size());
    }
}
