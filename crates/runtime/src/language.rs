//! The languages of programs.

use std::fmt;

/// The language a program is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// TypeScript whose types can be erased, on Node.
    TypeScript,
    /// Python on CPython.
    Python,
}

impl Language {
    /// Every language Dayfly knows.
    pub const ALL: [Self; 2] = [Self::TypeScript, Self::Python];

    /// The lower-case name: `typescript`, `python`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TypeScript => "typescript",
            Self::Python => "python",
        }
    }

    /// The name that a program's own source has in its stack traces.
    #[must_use]
    pub const fn program_file(self) -> &'static str {
        match self {
            Self::TypeScript => "program.ts",
            Self::Python => "program.py",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
