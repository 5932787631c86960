//! What a program may cost before it is refused unparsed.

/// Caps on a program's text, checked by a linear scan before the parser sees it.
///
/// The parser is a recursive descent over text that a model wrote and that may be hostile. The three caps together
/// bound its stack (which is [sized from them](StripLimits::stack_bytes)) and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StripLimits {
    /// Most bytes of source text. Default: 1 MiB.
    pub max_source_bytes: usize,
    /// Most brackets open at once: `(`, `[`, `{`, `${`. Default: 200.
    ///
    /// Code that people and models write stays under 30. Bounds the parser's repeated attempts too, some of which cost
    /// a constant factor per level.
    pub max_depth: usize,
    /// Most tokens in one unbroken run: a statement, an element of a list, an arm of a type. Default: 4,000.
    ///
    /// Chains without brackets (`!!!!x`, `a => b => c`, `a + b + c`, `a.b.c`, `x as A as B`, `else if`) nest the syntax
    /// tree one level per token or two, so their length is their depth. Runs of enclosing brackets count together.
    pub max_run: usize,
    /// Most `<` in one unbroken run. Default: 100.
    ///
    /// Whether `<` opens type arguments is found out by trying, and trying again inside: each further level makes every
    /// outer attempt longer.
    pub max_angle: usize,
}

impl Default for StripLimits {
    fn default() -> Self {
        Self { max_source_bytes: 1 << 20, max_depth: 200, max_run: 4_000, max_angle: 100 }
    }
}

impl StripLimits {
    /// The stack reserved for parsing one program within these limits. Address space: only what is used is backed.
    pub(crate) fn stack_bytes(&self) -> usize {
        256 << 20
    }
}
