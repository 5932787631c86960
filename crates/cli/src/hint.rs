//! What the person at the terminal may not know when a program failed.

use dayfly::{ExceptionDetail, Fault, Language, ProcessConfig, RunResult};

use crate::program::{Program, language_of_line};

/// A sentence about what probably led to the failure.
pub(crate) fn hint(
    program: &Program,
    has_tools: bool,
    config: &ProcessConfig,
    result: &RunResult,
) -> Option<&'static str> {
    let failure = result.failure.as_ref()?;
    let Fault::Exception(detail) = &failure.fault else { return None };
    // A label and a template string make a program of some texts: then the fence is what fails.
    let at_fence = |line: u32| usize::try_from(line).is_ok_and(|line| is_fence(program.text.lines().nth(line - 1)));
    if stray_fence(&program.text) && (detail.name == "SyntaxError" || detail.line.is_some_and(at_fence)) {
        return Some(ONLY_A_WHOLE_FENCE);
    }
    let mentions_tools = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "tools");
    if !has_tools && mentions_tools(&failure.message) {
        return Some(
            "the program calls tools and was given none; say --tools FILE (`dayfly help run` shows such a file)",
        );
    }
    no_packages(program.language, config).filter(|_| misses_package(detail, &failure.message))
}

/// How a program is given packages, when it has none.
fn no_packages(language: Language, config: &ProcessConfig) -> Option<&'static str> {
    let (given, how) = match language {
        Language::TypeScript => (&config.node_modules, "packages come with --modules DIR, a `node_modules` directory"),
        Language::Python => (
            &config.python_modules,
            "packages come with the venv that --python names, or with --modules DIR, a `site-packages` directory; \
             those of other interpreters are not seen",
        ),
        // No language that this command knows.
        _ => return None,
    };
    given.is_none().then_some(how)
}

fn misses_package(detail: &ExceptionDetail, message: &str) -> bool {
    // Node names the error `Error`, and says what is missing in these words.
    detail.name == "ModuleNotFoundError"
        || message.contains("Cannot find package '")
        || message.contains("Cannot find module '")
}

/// What to do about text around a fence.
pub(crate) const ONLY_A_WHOLE_FENCE: &str =
    "only a Markdown fence around the whole text is taken off; remove the text before and after it";

/// Whether a fence with the tag of a language begins on some line of a text and is not taken off.
pub(crate) fn stray_fence(text: &str) -> bool {
    let before_fence = || {
        let mut start = 0;
        text.split_inclusive('\n').find_map(|line| {
            let before = text.get(..start);
            start += line.len();
            before.filter(|_| is_fence(Some(line)))
        })
    };
    // One within a text of several lines is the program's own.
    let is_open = |before: &str| ["\"\"\"", "'''", "`"].iter().any(|quote| before.matches(quote).count() % 2 == 1);
    matches!(dayfly::unfence(text), std::borrow::Cow::Borrowed(_)) && before_fence().is_some_and(|it| !is_open(it))
}

fn is_fence(line: Option<&str>) -> bool {
    line.and_then(language_of_line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_fence_that_stays_is_stray() {
        for (text, stray) in [
            ("Here it is:\n```ts\nreturn 1\n```", true),
            ("```python\nreturn 1\n```\nIt returns 1.", true),
            ("```py\nreturn 1", true),
            ("```ts\nreturn 1\n```", false),
            ("Here it is:\n```\nreturn 1\n```", false),
            ("return '```ts'", false),
        ] {
            assert_eq!(stray_fence(text), stray, "{text}");
        }
    }
}
