//! What a program may cost before it is refused unparsed.

/// Caps on a program's text, checked by a linear scan before the parser sees it.
///
/// The parser is a recursive descent over text that a model wrote and that may be hostile. Together the caps bound its
/// stack, which is sized from them (32 MiB of address space by default), its time (a quarter of a second of CPU in a
/// release build, two seconds in a debug build), and its memory (180 times the text at worst, which the first one bounds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StripLimits {
    /// Most bytes of source text. Default: 1 MiB.
    pub max_source_bytes: usize,
    /// Most brackets open at once: `(`, `[`, `{`, `${`. Default: 256.
    ///
    /// Code that people and models write stays under 30.
    pub max_depth: usize,
    /// Most tokens that can nest without brackets, over all open brackets together. Default: 10,000.
    ///
    /// Chains (`!!!!x`, `a => b => c`, `a + b + c`, `a.b.c`, `x as A as B`, `else if`) nest the syntax tree one level per
    /// token or two, so their length is their depth. A comma or the end of a statement begins the count anew.
    pub max_run: usize,
    /// Most reads of a token, estimated. Default: 2,000,000.
    ///
    /// Where TypeScript is ambiguous (`<`, `(` before an arrow, `?`) the parser tries one reading and then another, inside
    /// which it tries again. A token counts once for each attempt that can be under way around it, times the attempts that are
    /// made anew inside others. Plain programs stay under 10 per token.
    pub max_work: u64,
}

impl Default for StripLimits {
    fn default() -> Self {
        Self { max_source_bytes: 1 << 20, max_depth: 256, max_run: 10_000, max_work: 2_000_000 }
    }
}

impl StripLimits {
    /// The stack reserved for parsing one program within these limits. Address space: only what is used is backed.
    ///
    /// Measured in a debug build, whose frames are the largest: at most 6 KiB for a bracket, and 1 KiB for a token of a
    /// chain. A test fills the limits with every known way to nest and wants half of the reserve untouched.
    pub(crate) fn stack_bytes(&self) -> usize {
        (8 << 20) + self.max_depth * (16 << 10) + self.max_run * (2 << 10)
    }
}
