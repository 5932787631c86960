//! What must be known of a value before it goes somewhere narrower.

use super::tape::Tag;
use super::walk::Walk;
use super::{Json, JsonRef, Refusal, RefusalKind, number};

impl Json {
    /// How many arrays and objects are inside one another at most; a scalar has depth 0, `[]` has 1.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.root().depth()
    }

    /// Refuses what does not reach a reader of doubles, such as JavaScript, unchanged; see [`JsonRef::check_doubles`].
    ///
    /// # Errors
    ///
    /// [`RefusalKind::InexactInteger`] with the path of the first such integer.
    pub fn check_doubles(&self) -> Result<(), Refusal> {
        self.root().check_doubles()
    }

    /// Refuses a value that is nested deeper than `most`.
    ///
    /// # Errors
    ///
    /// [`RefusalKind::TooDeep`] with the path of the first array or object that is too deep.
    pub fn check_depth(&self, most: usize) -> Result<(), Refusal> {
        self.root().check_depth(most)
    }
}

impl JsonRef<'_> {
    /// How many arrays and objects are inside one another at most; a scalar has depth 0, `[]` has 1.
    #[must_use]
    pub fn depth(self) -> usize {
        let mut deepest = 0;
        let mut walk = Walk::new(self);
        while let Some(value) = walk.step() {
            deepest = deepest.max(walk.depth() + usize::from(value.node().is_container()));
        }
        deepest
    }

    /// Refuses integers that no double is: a reader such as JavaScript would round them.
    ///
    /// ```
    /// use dayfly_runtime::Json;
    ///
    /// assert!(Json::parse("[9007199254740992]")?.check_doubles().is_ok());
    /// let refusal = Json::parse("[0, 9007199254740993]")?.check_doubles().unwrap_err();
    /// assert_eq!(refusal.path, "[1]");
    /// # Ok::<(), dayfly_runtime::json::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RefusalKind::InexactInteger`] with the path of the first such integer.
    pub fn check_doubles(self) -> Result<(), Refusal> {
        let mut walk = Walk::new(self);
        while let Some(value) = walk.step() {
            if value.node().tag() == Tag::Integer && !number::is_exact_double(self.tape.text_of(value.node())) {
                let reason = "an integer is not exactly a double and would be rounded; send it as a string";
                return Err(Refusal::new(RefusalKind::InexactInteger, walk.path(), reason.to_owned()));
            }
        }
        Ok(())
    }

    /// Refuses a value that is nested deeper than `most`.
    ///
    /// # Errors
    ///
    /// [`RefusalKind::TooDeep`] with the path of the first array or object that is too deep.
    pub fn check_depth(self, most: usize) -> Result<(), Refusal> {
        let mut walk = Walk::new(self);
        while let Some(value) = walk.step() {
            if walk.depth() >= most && value.node().is_container() {
                return Err(Refusal::new(RefusalKind::TooDeep, walk.path(), too_deep(most)));
            }
        }
        Ok(())
    }
}

pub(super) fn too_deep(most: usize) -> String {
    format!("a value is nested deeper than the limit of {most} levels; flatten it or send less")
}
