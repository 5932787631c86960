//! Whether calls may overlap.

/// How a call is scheduled among others of its batch or run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a call overlaps others or it does not")]
pub enum ToolMode {
    /// Its body may overlap the bodies of other parallel calls.
    Parallel,
    /// It waits for those before it, runs alone, and bars those behind it.
    Exclusive,
}
