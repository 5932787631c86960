//! The executables of this package that play interpreters.

use std::path::{Path, PathBuf};
use std::process::Command;

/// This package's own binary of this name, beside the running test.
pub(crate) fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let built = test.parent().and_then(Path::parent).expect("it lies in target/<profile>/deps");
    built.join(name)
}

/// Links an executable, or copies it where links are refused. What was put there before is left, since it may be running.
pub(crate) fn put(from: &Path, to: &Path) {
    if to.exists() || std::fs::hard_link(from, to).is_ok() {
        return;
    }
    // By another process: a descriptor of ours that is open for writing, inherited by a worker that is being spawned at
    // this moment, would make the copy a text file that is busy.
    let copied = Command::new("cp").arg(from).arg(to).status().expect("there is a cp");
    assert!(copied.success(), "{} cannot be copied to {}", from.display(), to.display());
}
