//! The program's text and its language.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use dayfly::{ByteSize, Language};

use crate::hint;

/// Why there is no program to run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramError {
    #[error("failed to read {}: {source}; check the path", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is a directory; name the program's file", path.display())]
    Directory { path: PathBuf },
    #[error("{} is not UTF-8: byte {offset} cannot be part of a text; save it as UTF-8", path.display())]
    NotUtf8 { path: PathBuf, offset: usize },
    #[error(
        "{} is longer than the limit of {limit}; pass data through a tool, or raise it with --limit max_program_bytes=SIZE",
        path.display()
    )]
    TooLong { path: PathBuf, limit: ByteSize },
    #[error("{} has no program in it: it is blank", path.display())]
    Blank { path: PathBuf },
    #[error(
        "the language of {} cannot be guessed from its name (.ts, .mts, .js, .mjs, .py) or a Markdown fence; say --lang ts or --lang py",
        path.display()
    )]
    Language { path: PathBuf },
    #[error("the language of {} cannot be told: {}", path.display(), hint::ONLY_A_WHOLE_FENCE)]
    Prose { path: PathBuf },
}

/// A program and what it is written in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) language: Language,
}

impl Program {
    /// Reads at most `limit` bytes of a file, or of standard input for `-` and for none.
    pub(crate) fn read(file: Option<&Path>, language: Option<Language>, limit: ByteSize) -> Result<Self, ProgramError> {
        let named = file.filter(|path| path.as_os_str() != "-");
        let path = named.unwrap_or(Path::new("standard input")).to_owned();
        let failed = |source: io::Error| {
            let path = path.clone();
            if source.kind() == io::ErrorKind::IsADirectory {
                ProgramError::Directory { path }
            } else {
                ProgramError::Read { path, source }
            }
        };
        let mut bytes = Vec::new();
        match named {
            Some(name) => read_to(File::open(name).map_err(failed)?, limit.as_u64(), &mut bytes).map_err(failed)?,
            None => {
                if io::stdin().is_terminal() {
                    crate::output::note("reading the program from the terminal; end it with Ctrl-D");
                }
                read_to(io::stdin().lock(), limit.as_u64(), &mut bytes).map_err(failed)?;
            }
        }
        if u64::try_from(bytes.len()).is_ok_and(|length| length > limit.as_u64()) {
            return Err(ProgramError::TooLong { path, limit });
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| ProgramError::NotUtf8 { path: path.clone(), offset: error.utf8_error().valid_up_to() })?;
        if dayfly::unfence(&text).trim().is_empty() {
            return Err(ProgramError::Blank { path });
        }
        let language = language
            .or_else(|| named.and_then(language_of_name))
            .or_else(|| language_of_fence(&text))
            .ok_or_else(|| {
                if hint::stray_fence(&text) { ProgramError::Prose { path } } else { ProgramError::Language { path } }
            })?;
        Ok(Self { text, language })
    }
}

fn read_to(source: impl Read, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    // One byte more tells a program of exactly the limit from a longer one.
    source.take(limit.saturating_add(1)).read_to_end(bytes).map(drop)
}

fn language_of_name(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "ts" | "mts" | "js" | "mjs" => Some(Language::TypeScript),
        "py" => Some(Language::Python),
        _ => None,
    }
}

/// The language that the opening line of a Markdown fence names.
fn language_of_fence(text: &str) -> Option<Language> {
    text.lines().find(|line| !line.trim().is_empty()).and_then(language_of_line)
}

/// The language that a line names which opens a Markdown fence.
pub(crate) fn language_of_line(line: &str) -> Option<Language> {
    let line = line.trim();
    let tag = ["```", "~~~"].iter().find_map(|fence| line.strip_prefix(fence))?.trim_start_matches(['`', '~']);
    match tag.split_whitespace().next()?.to_ascii_lowercase().as_str() {
        "ts" | "typescript" | "mts" | "js" | "javascript" | "mjs" => Some(Language::TypeScript),
        "py" | "python" | "python3" => Some(Language::Python),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_names_the_language() {
        for (name, language) in [
            ("a.ts", Some(Language::TypeScript)),
            ("a.mts", Some(Language::TypeScript)),
            ("dir.py/a.JS", Some(Language::TypeScript)),
            ("a.mjs", Some(Language::TypeScript)),
            ("a.py", Some(Language::Python)),
            ("a.rb", None),
            ("py", None),
        ] {
            assert_eq!(language_of_name(Path::new(name)), language, "{name}");
        }
    }

    #[test]
    fn the_tag_of_a_fence_names_the_language() {
        for (text, language) in [
            ("```ts\nreturn 1\n```", Some(Language::TypeScript)),
            ("\n\n  ```TypeScript title=x\nreturn 1\n```", Some(Language::TypeScript)),
            ("~~~python\nreturn 1\n~~~", Some(Language::Python)),
            ("````py\nreturn 1\n````", Some(Language::Python)),
            ("```\nreturn 1\n```", None),
            ("return 1 // ```ts", None),
            ("", None),
        ] {
            assert_eq!(language_of_fence(text), language, "{text}");
        }
    }
}
