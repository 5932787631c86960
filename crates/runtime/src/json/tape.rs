//! The flat representation: one node per value and per key, and one arena of text.

/// What a node stands for. Fits the low three bits of [`Node::head`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Null,
    Bool,
    /// A number whose text has neither fraction nor exponent.
    Integer,
    /// A finite double, printed as the shortest text that reads back as the same double.
    Float,
    /// A string value or a key.
    String,
    Array,
    Object,
    /// A key that a later one of the same object replaces; gone when a tape is finished.
    Dead,
}

const TAG_BITS: u32 = 3;
const TAG_MASK: usize = (1 << TAG_BITS) - 1;

/// One value or key, in 16 bytes.
///
/// Text: `head` holds where it begins in the arena, `size` its length. Containers: `head` holds the number of
/// elements or entries, `size` the number of nodes of the whole subtree; while one is being written, `size` is the index
/// of its parent instead, so that a tape under construction is its own stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    head: usize,
    size: usize,
}

impl Node {
    pub(super) const BYTES: usize = size_of::<Self>();

    pub(super) const fn new(tag: Tag, value: usize, size: usize) -> Self {
        let tag = match tag {
            Tag::Null => 0,
            Tag::Bool => 1,
            Tag::Integer => 2,
            Tag::Float => 3,
            Tag::String => 4,
            Tag::Array => 5,
            Tag::Object => 6,
            Tag::Dead => 7,
        };
        Self { head: value << TAG_BITS | tag, size }
    }

    pub(super) const fn tag(self) -> Tag {
        match self.head & TAG_MASK {
            0 => Tag::Null,
            1 => Tag::Bool,
            2 => Tag::Integer,
            3 => Tag::Float,
            4 => Tag::String,
            5 => Tag::Array,
            6 => Tag::Object,
            _ => Tag::Dead,
        }
    }

    /// Where the text begins, how many elements there are, or 1 for `true`.
    pub(super) const fn value(self) -> usize {
        self.head >> TAG_BITS
    }

    /// The text's length, the subtree's nodes, or the parent of an unfinished container.
    pub(super) const fn size(self) -> usize {
        self.size
    }

    pub(super) const fn has_text(self) -> bool {
        matches!(self.tag(), Tag::Integer | Tag::Float | Tag::String | Tag::Dead)
    }

    pub(super) const fn is_container(self) -> bool {
        matches!(self.tag(), Tag::Array | Tag::Object)
    }

    /// The number of nodes of a finished subtree.
    pub(super) const fn span(self) -> usize {
        if self.is_container() { self.size } else { 1 }
    }
}

/// A finished value: never empty, spans exact, no dead keys, text in the order of the nodes.
#[derive(Debug)]
pub(super) struct Tape {
    pub(super) nodes: Box<[Node]>,
    pub(super) text: Box<str>,
}

impl Tape {
    pub(super) fn text_of(&self, node: Node) -> &str {
        &self.text[node.value()..node.value() + node.size()]
    }
}
