//! Something that each language has its own of.

use dayfly::Language;

/// One of each.
#[derive(Debug, Clone, Copy)]
pub struct Both<T> {
    /// For TypeScript.
    pub typescript: T,
    /// For Python.
    pub python: T,
}

impl<T> Both<T> {
    /// TypeScript's and Python's.
    #[must_use]
    pub const fn new(typescript: T, python: T) -> Self {
        Self { typescript, python }
    }

    /// The one of `language`.
    ///
    /// # Panics
    ///
    /// When Dayfly has learned a language that the tests have not.
    #[must_use]
    pub fn of(&self, language: Language) -> &T {
        match language {
            Language::TypeScript => &self.typescript,
            Language::Python => &self.python,
            other => panic!("the tests have no programs in {other}"),
        }
    }
}
