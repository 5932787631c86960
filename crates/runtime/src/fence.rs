//! The Markdown fence that models like to put around a program.

use std::borrow::Cow;

/// Info strings of a fence that is taken off. Any other word is left for the language to complain about.
const LANGUAGES: [&str; 11] =
    ["", "ts", "typescript", "mts", "js", "javascript", "mjs", "python", "py", "python3", "text"];

/// Takes a Markdown fence off that encloses the whole program, and leaves its lines empty, so that every other line
/// keeps its number.
///
/// Opening: at least three backticks or tildes and one of the language names of either language, or none. Closing: at least as many of
/// the same character, alone on the last line that is not blank. What lies between is not looked at (a program may hold
/// fences in its strings). Text before the opening or after the closing, or no closing: the text comes back as it was.
#[must_use]
pub fn unfence(source: &str) -> Cow<'_, str> {
    enclosed(source).map_or(Cow::Borrowed(source), Cow::Owned)
}

fn enclosed(source: &str) -> Option<String> {
    let body = source.trim_start_matches('\u{feff}');
    let open_start = source.len() - body.trim_start().len();
    let open_end = open_start + source.get(open_start..)?.find('\n')?;
    let opening = source.get(open_start..open_end)?.trim_end();
    let mark = opening.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let width = run(opening, mark);
    let info = opening.get(width..)?.trim();
    if width < 3 || !LANGUAGES.iter().any(|language| info.eq_ignore_ascii_case(language)) {
        return None;
    }

    let text = source.trim_end();
    let close_start = text.rfind('\n')? + 1;
    let closing = text.get(close_start..)?.trim_start();
    if close_start <= open_end || run(closing, mark) < width || run(closing, mark) != closing.len() {
        return None;
    }
    let inside = source.get(open_end..close_start)?;
    let mut program = String::with_capacity(source.len());
    program.extend(source.get(..open_end)?.chars().filter(|c| matches!(c, '\n' | '\r')));
    program.push_str(inside);
    program.extend(source.get(close_start..)?.chars().filter(|c| matches!(c, '\n' | '\r')));
    Some(program)
}

/// How many bytes of `mark` the text begins with.
fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_around_the_whole_program_leaves_empty_lines() {
        for (source, program) in [
            ("```ts\nreturn 1\n```", "\nreturn 1\n"),
            ("```\nreturn 1\n```\n", "\nreturn 1\n\n"),
            ("\n\n  ```TypeScript \nreturn 1\n  ```  \n\n", "\n\n\nreturn 1\n\n\n"),
            ("~~~~python\nreturn '''~~~'''\n~~~~~", "\nreturn '''~~~'''\n"),
            ("```py\r\nreturn 1\r\n```\r\n", "\r\nreturn 1\r\n\r\n"),
            ("\u{feff}```js\nreturn 1\n```", "\nreturn 1\n"),
            ("````ts\nconst s = `\n```\n`\n````", "\nconst s = `\n```\n`\n"),
            ("```ts\nconst s = `\n```json\n{}\n```\n`\n```", "\nconst s = `\n```json\n{}\n```\n`\n"),
            ("```\n```", "\n"),
        ] {
            let given = unfence(source);
            assert_eq!(given, program, "{source:?}");
            let line_of = |text: &str| text.lines().position(|line| line.contains("return"));
            assert_eq!(line_of(&given), line_of(source), "{source:?}");
        }
    }

    #[test]
    fn what_is_not_one_closed_fence_around_everything_stays_as_it_was() {
        for source in [
            "",
            "```",
            "```ts",
            "return 1",
            "```ts\nreturn 1",
            "return 1\n```",
            "```ts\nreturn 1\n~~~",
            "````ts\nreturn 1\n```",
            "``\nreturn 1\n``",
            "```ts\nreturn 1\n```\nThis returns 1.",
            "```rust\nfn main() {}\n```",
            "Here it is:\n```ts\nreturn 1\n```",
            "`a\nb`",
        ] {
            assert!(matches!(unfence(source), Cow::Borrowed(text) if text == source), "{source:?}");
        }
    }
}
