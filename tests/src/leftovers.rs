//! What a process has: descriptors, children and threads, to be compared before and after.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long something that is on its way may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How long nothing may change before a process is taken to be at rest, and in how many looks: the time alone would pass
/// while the whole machine stands still.
const REST: (Duration, u32) = (Duration::from_millis(100), 25);

/// What this process has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Possessions {
    /// Open descriptors, with what they are.
    pub descriptors: BTreeMap<u32, String>,
    /// Children, dead or alive, of any of its threads.
    pub children: Vec<i32>,
    /// Threads by their ids, with their names. A thread gives itself its name, so that a young one has its parent's.
    pub threads: BTreeMap<i32, String>,
}

impl Possessions {
    /// What this process has now.
    ///
    /// # Panics
    ///
    /// When `/proc` cannot be read.
    #[must_use]
    pub fn now() -> Self {
        let mut descriptors = BTreeMap::new();
        for entry in fs::read_dir("/proc/self/fd").expect("/proc is there") {
            let Ok(entry) = entry else { continue };
            let number = entry.file_name().to_string_lossy().parse().expect("a descriptor is a number");
            // The descriptor of this very listing is gone when it is asked for.
            let Ok(target) = fs::read_link(entry.path()) else { continue };
            if target.starts_with("/proc/") && target.ends_with("fd") {
                continue;
            }
            // The inode of a pipe or socket says nothing; that there is one does.
            let target = target.to_string_lossy();
            descriptors.insert(number, target.split_once(":[").map_or(&*target, |(kind, _)| kind).to_owned());
        }
        let (mut children, mut threads) = (Vec::new(), BTreeMap::new());
        for task in fs::read_dir("/proc/self/task").expect("/proc is there").flatten() {
            let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            children.extend(list.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
            if let Ok(name) = fs::read_to_string(task.path().join("comm")) {
                let id = task.file_name().to_string_lossy().parse().expect("a thread is a number");
                threads.insert(id, name.trim().to_owned());
            }
        }
        children.sort_unstable();
        Self { descriptors, children, threads }
    }

    /// What this process has when what was on its way out is gone: a look before something is tried. `meanwhile` is done
    /// between two looks.
    ///
    /// # Panics
    ///
    /// When what it has goes on changing for a minute.
    pub fn at_rest(mut meanwhile: impl FnMut()) -> Self {
        let started = Instant::now();
        let (mut seen, mut since, mut looks) = (Self::now(), started, 0);
        while since.elapsed() < REST.0 || looks < REST.1 {
            assert!(started.elapsed() < PATIENCE, "what this process has still changes after {PATIENCE:?}: {seen:#?}");
            meanwhile();
            std::thread::sleep(Duration::from_millis(2));
            let now = Self::now();
            looks += 1;
            if now != seen {
                (seen, since, looks) = (now, Instant::now(), 0);
            }
        }
        seen
    }

    /// Whether this is `earlier` and nothing more. The threads may be fewer: one that was joined is listed for a moment
    /// longer, and a pool lets its idle ones go.
    fn is_no_more_than(&self, earlier: &Self) -> bool {
        self.descriptors == earlier.descriptors
            && self.children == earlier.children
            && self.threads.keys().all(|id| earlier.threads.contains_key(id))
    }
}

/// Waits until this process has `wanted` and no more; what is on its way out may take a moment. `meanwhile` is done
/// between two looks.
///
/// # Panics
///
/// When it still has something else after a minute.
pub fn settles_to(wanted: &Possessions, mut meanwhile: impl FnMut()) {
    let started = Instant::now();
    loop {
        let now = Possessions::now();
        if now.is_no_more_than(wanted) {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "after {PATIENCE:?} this process has\n{now:#?}\ninstead of\n{wanted:#?}");
        meanwhile();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The names in a directory.
///
/// # Panics
///
/// When it cannot be read.
#[must_use]
pub fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Whether a process of this id exists, a zombie included.
#[must_use]
pub fn exists(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

/// Waits until `happened` is true; nothing else tells of the deaths of processes that are not one's own children.
///
/// # Panics
///
/// When it does not happen in a minute.
pub fn eventually(what: &str, mut happened: impl FnMut() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed() < PATIENCE, "{what} did not happen within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
