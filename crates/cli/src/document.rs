//! Files that a person writes: TOML or JSON, with the line and column of what is wrong.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocumentError {
    #[error("failed to read {}: {source}; check the path", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is a directory; name a file", path.display())]
    Directory { path: PathBuf },
    #[error("{} is not UTF-8 at byte {offset}; save it as UTF-8", path.display())]
    NotUtf8 { path: PathBuf, offset: usize },
    #[error("the format of {} cannot be told from its name; name it .toml or .json", path.display())]
    Format { path: PathBuf },
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Content { path: PathBuf, line: usize, column: usize, problem: String },
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String, DocumentError> {
    let bytes = fs::read(path).map_err(|source| {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::IsADirectory {
            DocumentError::Directory { path }
        } else {
            DocumentError::Read { path, source }
        }
    })?;
    String::from_utf8(bytes)
        .map_err(|error| DocumentError::NotUtf8 { path: path.to_owned(), offset: error.utf8_error().valid_up_to() })
}

/// Reads a value from a file, in the format that its extension names.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, DocumentError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("toml") => {
            let text = read(path)?;
            toml::from_str(&text).map_err(|error| toml_problem(path, &text, &error))
        }
        Some("json") => {
            let text = read(path)?;
            serde_json::from_str(&text).map_err(|error| json_problem(path, &text, &error))
        }
        _ if path.is_dir() => Err(DocumentError::Directory { path: path.to_owned() }),
        _ => Err(DocumentError::Format { path: path.to_owned() }),
    }
}

/// A problem of a TOML text, at its line and column.
pub(crate) fn toml_problem(path: &Path, text: &str, error: &toml::de::Error) -> DocumentError {
    let deep = says_too_deep(error.message());
    // Of a key of too many parts the library does not say where it is.
    let offset = error.span().map_or_else(|| if deep { long_key(text) } else { 0 }, |span| span.start);
    let (line, column) = position(text, offset);
    let problem = if deep {
        format!("{}, or write the file in JSON, which may have {JSON_DEPTH}", too_deep("TOML", TOML_DEPTH))
    } else {
        error.message().to_owned()
    };
    DocumentError::Content { path: path.to_owned(), line, column, problem }
}

/// The levels that the libraries read, from the outermost value on: for them each is a frame of the stack.
const TOML_DEPTH: usize = 80;
const JSON_DEPTH: usize = 127;

fn too_deep(format: &str, most: usize) -> String {
    format!(
        "it is nested deeper here than the {most} levels that a {format} file may have; move inner parts of a schema into `$defs`"
    )
}

/// Whether a library refuses a text for its depth. It has no kind of error for that, only these words; tests hold them.
fn says_too_deep(message: &str) -> bool {
    message.contains("recursion limit") || message.contains("recurse further")
}

/// Where the first line begins that has a key of too many parts, such as `[a.b.c]` or `a.b.c = 1`.
fn long_key(text: &str) -> usize {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.matches('.').count() >= TOML_DEPTH - 1 {
            return offset;
        }
        offset += line.len();
    }
    0
}

fn json_problem(path: &Path, text: &str, error: &serde_json::Error) -> DocumentError {
    // The library's text ends with the position, which is said in front here.
    let end = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let message = message.strip_suffix(&end).unwrap_or(&message);
    let problem = if says_too_deep(message) { too_deep("JSON", JSON_DEPTH) } else { message.to_owned() };
    // The library counts bytes, and says 0 when nothing of the line has been read.
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let (_, column) = position(line, error.column().saturating_sub(1));
    DocumentError::Content { path: path.to_owned(), line: error.line().max(1), column, problem }
}

/// The line and the column of a byte, from 1, in characters.
pub(crate) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("ä=1\nb", 2), (1, 2));
        assert_eq!(position("ä=1\nb", 5), (2, 1));
        assert_eq!(position("a\n\nb", 99), (3, 2));
    }
}
