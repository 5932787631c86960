//! Where interpreters are looked for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::dialect::Dialect;
use crate::supervisor::Shared;

/// Searched after PATH, which a service's may be without.
const USUAL_DIRECTORIES: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Files that may be the interpreter, the preferred ones first; the configured one alone where there is one.
pub(super) fn candidates(dialect: &Dialect, shared: &Shared) -> Vec<PathBuf> {
    match (dialect.configured)(&shared.limits) {
        Some(path) if path.is_dir() => return search(dialect.names, &inside(path), Links::Dangling),
        Some(path) => return vec![path.to_owned()],
        None => {}
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .chain(USUAL_DIRECTORIES.iter().map(PathBuf::from))
        .collect();
    search(dialect.names, &directories, Links::Whole)
}

/// Where the interpreter is looked for, in words.
pub(super) fn places(dialect: &Dialect, shared: &Shared) -> String {
    let (names, key) = (dialect.names.join(", "), dialect.config_key);
    match (dialect.configured)(&shared.limits) {
        Some(path) if path.is_dir() => {
            let [bin, directory] = inside(path).map(|directory| directory.display().to_string());
            format!("{names} in {bin} and {directory} as configured by `{key}`")
        }
        Some(path) => format!("{} as configured by `{key}`", path.display()),
        None => format!("{names} in PATH and the usual directories"),
    }
}

/// Where a configured directory has its interpreter: a venv and an installation in `bin`, which may be what is named.
fn inside(directory: &Path) -> [PathBuf; 2] {
    [directory.join("bin"), directory.to_owned()]
}

/// Which links are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    /// Those to a file.
    Whole,
    /// Those to nothing as well, of which something is to be said.
    Dangling,
}

/// Every existing file of these names, each real file once.
fn search(names: &[&str], directories: &[PathBuf], links: Links) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    // A directory that comes first in PATH wins over a name that comes first in the list, as in a shell.
    for directory in directories {
        for name in names {
            let candidate = directory.join(name);
            let exists = candidate.is_file() || (links == Links::Dangling && candidate.is_symlink());
            if exists && seen.insert(real(&candidate)) {
                found.push(candidate);
            }
        }
    }
    found
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| end_of_links(path))
}

/// Where links lead, also when nothing is there.
pub(super) fn end_of_links(path: &Path) -> PathBuf {
    // As many as the kernel follows: links may go in a circle.
    const MOST_LINKS: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = end.read_link() else { break };
        end = end.parent().unwrap_or(Path::new("/")).join(target);
    }
    end
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
        let found = search(&["node", "nodejs"], &[first.clone(), second.clone()], Links::Whole);
        assert_eq!(found, [first.join("nodejs"), second.join("node")]);
    }

    #[test]
    fn links_that_lead_to_the_same_nothing_are_one_candidate() {
        let root = tempfile::tempdir().unwrap();
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, root.path().join(name)).unwrap();
        link("/nowhere/python3", "python3");
        link("python3", "python");
        link("circle", "circle");
        let directories = [root.path().to_owned()];
        assert_eq!(search(&["python3", "python"], &directories, Links::Dangling), [root.path().join("python3")]);
        assert_eq!(search(&["python3", "python"], &directories, Links::Whole), Vec::<PathBuf>::new());
        assert_eq!(end_of_links(&root.path().join("python")), PathBuf::from("/nowhere/python3"));
        assert_eq!(end_of_links(&root.path().join("circle")), root.path().join("circle"));
    }
}
