//! Where interpreters are looked for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::dialect::Dialect;
use crate::supervisor::Shared;

/// Searched after PATH, which a service's may be without.
const USUAL_DIRECTORIES: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Files that may be the interpreter, the preferred ones first; the configured one alone where there is one.
pub(crate) fn candidates(dialect: &Dialect, shared: &Shared) -> Vec<PathBuf> {
    if let Some(path) = (dialect.configured)(&shared.limits) {
        return vec![path.to_owned()];
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .chain(USUAL_DIRECTORIES.iter().map(PathBuf::from))
        .collect();
    search(dialect.names, &directories)
}

/// Every existing file of these names, each real file once.
fn search(names: &[&str], directories: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    // A directory that comes first in PATH wins over a name that comes first in the list, as in a shell.
    for directory in directories {
        for name in names {
            let candidate = directory.join(name);
            if candidate.is_file() && seen.insert(real(&candidate)) {
                found.push(candidate);
            }
        }
    }
    found
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_directory_wins_and_each_real_file_is_tried_once() {
        let root = tempfile::tempdir().unwrap();
        let (first, second) = (root.path().join("first"), root.path().join("second"));
        for directory in [&first, &second] {
            std::fs::create_dir(directory).unwrap();
        }
        std::fs::write(first.join("nodejs"), "").unwrap();
        std::fs::write(second.join("node"), "").unwrap();
        std::os::unix::fs::symlink(first.join("nodejs"), second.join("nodejs")).unwrap();
        let found = search(&["node", "nodejs"], &[first.clone(), second.clone()]);
        assert_eq!(found, [first.join("nodejs"), second.join("node")]);
    }
}
