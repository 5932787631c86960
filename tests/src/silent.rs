//! Interpreters that say nothing: what is starting stays so until a test ends it.

use std::path::{Path, PathBuf};

use crate::binaries::{built, put};
use crate::leftovers::{eventually, names_in};

/// A real binary that answers as an interpreter does and is silent as a worker.
///
/// # Panics
///
/// When the running test has no path.
#[must_use]
pub fn silent_interpreter() -> PathBuf {
    built("silent-interpreter")
}

/// The same in `directory`, which does not even say its version.
///
/// # Panics
///
/// When it cannot be put there.
#[must_use]
pub fn mute_interpreter(directory: &Path) -> PathBuf {
    named(directory, "mute-interpreter")
}

/// The same in `directory`, which takes 200 MiB to say its version, and ends where there are none.
///
/// # Panics
///
/// When it cannot be put there.
#[must_use]
pub fn greedy_interpreter(directory: &Path) -> PathBuf {
    named(directory, "greedy-interpreter")
}

fn named(directory: &Path, name: &str) -> PathBuf {
    let path = directory.join(name);
    put(&silent_interpreter(), &path);
    path
}

/// Waits until `count` such processes run in private directories below `root`.
///
/// # Panics
///
/// When they do not in a minute.
pub async fn silent_processes(root: &Path, count: usize) {
    let root = root.to_owned();
    let seen = tokio::task::spawn_blocking(move || {
        eventually("the start of a silent process", || {
            names_in(&root).iter().filter(|name| root.join(name).join("silent").exists()).count() >= count
        });
    });
    seen.await.expect("silent processes start");
}

/// The processes that run the binary at `path`.
///
/// # Panics
///
/// When `/proc` cannot be read.
#[must_use]
pub fn processes_of(path: &Path) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == path)).collect()
}
