//! The kinds of the open containers, in one bit each: what hostile depth costs the parser.

/// A stack of bits.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    words: Vec<u64>,
    depth: usize,
}

impl Nesting {
    const BITS: usize = u64::BITS as usize;

    pub(super) fn push(&mut self, object: bool) {
        let (word, bit) = (self.depth / Self::BITS, self.depth % Self::BITS);
        if word == self.words.len() {
            self.words.push(0);
        }
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(object) << bit;
        self.depth += 1;
    }

    pub(super) const fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether the innermost container is an object; absent outside of all.
    pub(super) fn top(&self) -> Option<bool> {
        let top = self.depth.checked_sub(1)?;
        Some(self.words[top / Self::BITS] >> (top % Self::BITS) & 1 == 1)
    }
}
