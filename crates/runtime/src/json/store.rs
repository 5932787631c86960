//! What the parser keeps: charges memory before it is taken, and leaves out what is refused.

use super::lex::{NumberToken, StringToken};
use super::measure::too_deep;
use super::number;
use super::tape::{Node, Tag, Tape};
use super::writer::Mark;
use super::{Json, ParseLimits, Refusal, RefusalKind, Writer};

/// What finding duplicates may need for a key: its place in a list that is sorted.
const KEY_SCRATCH: usize = size_of::<usize>();

/// A tape under construction from hostile events, within limits.
#[derive(Debug)]
pub(super) struct Store<'l> {
    limits: &'l ParseLimits,
    writer: Writer,
    spent: usize,
    /// Open containers, those that are not kept included.
    depth: usize,
    /// While set, nothing is kept until the value at this depth is complete.
    skip: Option<usize>,
    /// Where the outermost container's current element begins, and what had been spent there.
    member: Option<(Mark, usize)>,
    refusal: Option<Refusal>,
    scratch: String,
}

impl<'l> Store<'l> {
    pub(super) const fn new(limits: &'l ParseLimits) -> Self {
        Self {
            limits,
            writer: Writer::new(),
            // The value's own allocation.
            spent: size_of::<Tape>(),
            depth: 0,
            skip: None,
            member: None,
            refusal: None,
            scratch: String::new(),
        }
    }

    pub(super) fn finish(self) -> (Json, Option<Refusal>) {
        let json = if self.writer.nodes.is_empty() { Json::null() } else { Json::from_tape(self.writer.finish()) };
        (json, self.refusal)
    }

    pub(super) fn null(&mut self) {
        self.scalar(0, Writer::null);
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.scalar(0, |writer| writer.bool(value));
    }

    pub(super) fn string(&mut self, token: StringToken<'_>) {
        if token.lone_surrogate {
            return self.refuse_scalar(RefusalKind::LoneSurrogate, lone_surrogate());
        }
        self.scalar(token.decoded_len, |writer| writer.text_with(Tag::String, |text| token.push_to(text)));
    }

    pub(super) fn number(&mut self, token: NumberToken<'_>) {
        let most = self.limits.max_number_digits;
        if token.digits > most {
            let reason =
                format!("a number has {} digits, more than the limit of {most}; send it as a string", token.digits);
            return self.refuse_scalar(RefusalKind::TooManyDigits, reason);
        }
        if !token.float {
            if token.text == "-0" {
                return self.refuse_scalar(RefusalKind::NegativeZero, negative_zero());
            }
            return self.scalar(token.text.len(), |writer| writer.text(Tag::Integer, token.text));
        }
        let value = number::to_f64(token.text);
        match number::check_float(value) {
            Ok(()) => {}
            Err(number::NumberError::NegativeZero) => {
                return self.refuse_scalar(RefusalKind::NegativeZero, negative_zero());
            }
            Err(number::NumberError::NotANumber | number::NumberError::Infinite) => {
                let reason = "a number is beyond the range of doubles; send it as a string".to_owned();
                return self.refuse_scalar(RefusalKind::Infinite, reason);
            }
        }
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        number::push_float(value, &mut text);
        self.scalar(text.len(), |writer| writer.text(Tag::Float, &text));
        self.scratch = text;
    }

    pub(super) fn key(&mut self, token: StringToken<'_>) {
        if self.skip.is_some() {
            return;
        }
        // The value's node is paid with its key, so that a key is never left without at least a null.
        let cost = 2 * Node::BYTES + KEY_SCRATCH + token.decoded_len;
        if !self.charge(cost) {
            self.note(RefusalKind::TooLarge, self.path(), || too_large(self.limits));
            if self.depth > 1 {
                self.give_up_member();
            }
            self.skip = Some(1);
            return;
        }
        self.reserve(2, token.decoded_len);
        self.writer.key_with(|text| token.push_to(text));
        if token.lone_surrogate {
            self.note(RefusalKind::LoneSurrogate, self.path(), lone_surrogate);
            self.writer.null();
            self.skip = Some(self.depth);
        }
    }

    pub(super) fn begin(&mut self, tag: Tag) {
        let kept = self.skip.is_none() && self.begin_kept(tag);
        if !kept && self.skip.is_none() {
            self.skip = Some(self.depth);
        }
        self.depth += 1;
    }

    pub(super) fn end(&mut self) {
        self.depth -= 1;
        match self.skip {
            None => self.writer.end(),
            Some(depth) if depth == self.depth => self.skip = None,
            Some(_) => {}
        }
    }

    /// Opens a container, or says that it is not kept.
    fn begin_kept(&mut self, tag: Tag) -> bool {
        if self.depth >= self.limits.max_depth {
            self.refuse_scalar(RefusalKind::TooDeep, too_deep(self.limits.max_depth));
            return false;
        }
        self.begin_member();
        if !self.charge(self.node_cost()) {
            self.exhausted();
            return false;
        }
        self.reserve(1, 0);
        self.writer.begin(tag);
        true
    }

    /// Keeps a value of one node and `text` bytes.
    fn scalar(&mut self, text: usize, write: impl FnOnce(&mut Writer)) {
        if self.skipped() {
            return;
        }
        self.begin_member();
        if !self.charge(self.node_cost() + text) {
            return self.exhausted();
        }
        self.reserve(1, text);
        write(&mut self.writer);
    }

    /// Puts null in the place of a value that is not acceptable.
    fn refuse_scalar(&mut self, kind: RefusalKind, reason: String) {
        if self.skip.is_none() {
            self.note(kind, self.path(), || reason);
        }
        self.null();
    }

    /// Whether the next value of one token is left out; it may be the last one that is.
    fn skipped(&mut self) -> bool {
        let skipped = self.skip.is_some();
        if self.skip == Some(self.depth) {
            self.skip = None;
        }
        skipped
    }

    fn begin_member(&mut self) {
        if self.depth == 1 {
            self.member = Some((self.writer.mark(), self.spent));
        }
    }

    /// The budget is spent at a value: leaves null for it or for what it is part of.
    fn exhausted(&mut self) {
        self.note(RefusalKind::TooLarge, self.path(), || too_large(self.limits));
        if self.depth > 1 {
            self.give_up_member();
            self.skip = Some(1);
        } else if self.depth == 1 && self.charge(self.node_cost()) {
            self.reserve(1, 0);
            self.writer.null();
        }
    }

    /// Replaces the outermost container's current element by null, so that what follows it may still fit.
    fn give_up_member(&mut self) {
        if let Some((mark, spent)) = self.member {
            self.writer.rewind(mark);
            // The element's own node had been paid.
            self.spent = spent + self.node_cost();
            self.writer.null();
        }
    }

    /// What the node of the next value costs: nothing in an object, where its key has paid for it.
    fn node_cost(&self) -> usize {
        if self.writer.opens_object() { 0 } else { Node::BYTES }
    }

    fn charge(&mut self, bytes: usize) -> bool {
        let spent = self.spent.saturating_add(bytes);
        let fits = spent <= self.limits.max_decoded_bytes;
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// Makes room for what has been charged, doubling only into what is left of the budget.
    fn reserve(&mut self, nodes: usize, text: usize) {
        let left = self.limits.max_decoded_bytes.saturating_sub(self.spent) / 2;
        let vec = &mut self.writer.nodes;
        if vec.capacity() - vec.len() < nodes {
            vec.reserve_exact(vec.len().max(4).min(left / Node::BYTES).max(nodes));
        }
        let arena = &mut self.writer.text;
        if arena.capacity() - arena.len() < text {
            arena.reserve_exact(arena.len().max(32).min(left).max(text));
        }
    }

    /// Keeps the first refusal.
    fn note(&mut self, kind: RefusalKind, path: String, reason: impl FnOnce() -> String) {
        if self.refusal.is_none() {
            self.refusal = Some(Refusal::new(kind, path, reason()));
        }
    }

    /// Where the writer stands; nothing once a refusal has been kept.
    fn path(&self) -> String {
        if self.refusal.is_some() { String::new() } else { self.writer.path() }
    }
}

fn too_large(limits: &ParseLimits) -> String {
    let most = limits.max_decoded_bytes;
    format!("the value takes more than the limit of {most} bytes of memory when decoded; send less at a time")
}

fn negative_zero() -> String {
    "a number is negative zero, which does not survive JSON; use 0".to_owned()
}

fn lone_surrogate() -> String {
    "a string holds half of a surrogate pair, which is not a Unicode character; remove it or use U+FFFD".to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::lex::{Lexer, Token};
    use super::*;

    const BUDGET: usize = 100_000;

    /// Feeds a store until its budget is spent, and holds its buffers to a third more at every step.
    fn fill(step: impl Fn(&mut Store<'_>, usize)) {
        let limits = ParseLimits { max_depth: usize::MAX, max_decoded_bytes: BUDGET, max_number_digits: 100 };
        let mut store = Store::new(&limits);
        let mut most = 0;
        for nth in 0.. {
            step(&mut store, nth);
            let held = store.writer.nodes.capacity() * Node::BYTES + store.writer.text.capacity();
            assert!(held <= BUDGET * 4 / 3, "{held} after {nth}");
            most = most.max(store.spent);
            assert!(store.spent <= BUDGET);
            if store.refusal.is_some() {
                break;
            }
        }
        // It was the budget that ended it.
        assert!(most > BUDGET - 1_000, "{most}");
    }

    fn string(store: &mut Store<'_>, length: usize, key: bool) {
        let text = format!("\"{}\"", "x".repeat(length));
        if let Ok(Token::String(token)) = Lexer::new(&text).token() {
            if key { store.key(token) } else { store.string(token) }
        }
    }

    #[test]
    fn buffers_grow_into_the_budget_and_not_beyond() {
        fill(|store, _| store.begin(Tag::Array));
        for length in [0, 1, 7, 100, 999] {
            fill(|store, nth| if nth == 0 { store.begin(Tag::Array) } else { string(store, length, false) });
            fill(|store, nth| match nth {
                0 => store.begin(Tag::Object),
                nth if nth % 2 == 1 => string(store, length, true),
                _ => store.null(),
            });
            // Nodes first, text later, and the other way round.
            fill(|store, nth| if nth < 2_000 { store.begin(Tag::Array) } else { string(store, length, false) });
            fill(|store, nth| match nth {
                0 => store.begin(Tag::Array),
                nth if nth < 300 => string(store, 100, false),
                _ => string(store, length, false),
            });
        }
    }
}
