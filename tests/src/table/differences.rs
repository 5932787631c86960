//! What of a run is not as its case says.

use std::fmt::Debug;

pub(super) fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(1_500).collect();
    if short.len() < text.len() { format!("{short}… ({} bytes)", text.len()) } else { short }
}

/// All that differs.
#[derive(Default)]
pub(super) struct Differences(Vec<String>);

impl Differences {
    pub(super) fn add(&mut self, difference: String) {
        self.0.push(difference);
    }

    pub(super) fn equal<T: PartialEq + Debug>(&mut self, what: &str, got: &T, wanted: &T) {
        if got != wanted {
            self.add(format!(
                "{what} is {} and should be {}",
                excerpt(&format!("{got:?}")),
                excerpt(&format!("{wanted:?}"))
            ));
        }
    }

    pub(super) fn contains_all(&mut self, what: &str, got: &str, wanted: &[&str]) {
        for part in wanted.iter().filter(|part| !got.contains(**part)) {
            self.add(format!("{what} does not say {part:?}: {:?}", excerpt(got)));
        }
    }

    /// A text that the program, or its model, reads names nothing of the host.
    pub(super) fn nothing_of_the_host(&mut self, text: &str) {
        for private in [env!("CARGO_MANIFEST_DIR").trim_end_matches("/tests"), "node:internal", "worker-python"] {
            if text.contains(private) {
                self.add(format!("{private:?} of the host is in {:?}", excerpt(text)));
            }
        }
    }

    /// Nothing, or everything under the case's title.
    pub(super) fn of(self, title: &str, program: &str) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(format!("{title}\n  {}\n  program:\n{}", self.0.join("\n  "), excerpt(program)))
    }
}
