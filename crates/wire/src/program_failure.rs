//! How a worker says that its program failed.

/// The payload of a `failed` frame. All of it is what a hostile worker claims.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgramFailure {
    /// What kind of failure.
    pub kind: ProgramFailureKind,
    /// What happened, in words.
    pub message: String,
    /// The class of what was thrown.
    pub name: Option<String>,
    /// The line in the program as given, from 1.
    pub line: Option<u32>,
    /// The column in that line, from 1.
    pub column: Option<u32>,
    /// Frames of the program, one a line.
    pub stack: Option<String>,
    /// Where the completion is not lossless, such as `result.items[3]`.
    pub path: Option<String>,
}

impl ProgramFailure {
    /// A failure of which nothing more is known.
    #[must_use]
    pub fn new(kind: ProgramFailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), name: None, line: None, column: None, stack: None, path: None }
    }
}

/// The kinds of failure that a worker itself can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new kind must break the build wherever it is not handled")]
pub enum ProgramFailureKind {
    /// The program threw, or could not be compiled.
    Exception,
    /// The completion is not lossless JSON, or is deeper or longer than the host takes.
    InvalidOutput,
    /// The output cap is spent.
    OutputLimit,
}

impl ProgramFailureKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Exception, Self::InvalidOutput, Self::OutputLimit];

    /// The name on the wire and in reports: `exception`, `invalid-output`, `output-limit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::InvalidOutput => "invalid-output",
            Self::OutputLimit => "output-limit",
        }
    }
}
