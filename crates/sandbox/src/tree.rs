//! A process and everything that descends from it, as `/proc` shows it.
//!
//! Everything read here is about processes that may be hostile: names may contain any byte, lists may be long, and a
//! number may have changed its owner between two reads. Nothing recurses, and nothing is trusted that was not checked
//! through the open directory of the very process.

use std::collections::{HashSet, VecDeque};
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use nix::dir::Dir;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;

/// No tree is walked further: a program that starts more processes is under-counted, and ended by the wall.
const MOST_PROCESSES: usize = 4096;
/// Nor are the children of more threads listed in one walk, which takes some 50 ms then.
const MOST_THREADS: usize = 8192;

const PROC: &str = "/proc";

/// What is read of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    /// `Z` for one that has ended and waits to be reaped.
    pub(crate) state: u8,
    pub(crate) parent: i32,
    pub(crate) session: i32,
    /// Ticks that it spent itself, ended threads included.
    pub(crate) own_ticks: u64,
    /// Ticks of the descendants that it has reaped.
    pub(crate) reaped_ticks: u64,
    /// When it started, in ticks since the machine did; with the number it names one process for ever.
    pub(crate) started: u64,
}

impl Stat {
    /// Parses `/proc/PID/stat`. The name, between the first `(` and the **last** `)`, may contain anything.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let behind_name = text.iter().rposition(|byte| *byte == b')')? + 1;
        let text = std::str::from_utf8(text.get(behind_name..)?).ok()?;
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        // Fields are counted from 1 in proc(5); the state is the third.
        let field = |number: usize| fields.get(number - 3).copied();
        let ticks = |number: usize| field(number).and_then(|text| text.parse::<u64>().ok());
        Some(Self {
            state: *field(3)?.as_bytes().first()?,
            parent: field(4)?.parse().ok()?,
            session: field(6)?.parse().ok()?,
            own_ticks: ticks(14)?.saturating_add(ticks(15)?),
            reaped_ticks: ticks(16)?.saturating_add(ticks(17)?),
            started: ticks(22)?,
        })
    }
}

/// The open `/proc/PID` of one process: reads through it fail when the process is gone, whoever has its number then.
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) directory: OwnedFd,
}

impl Process {
    pub(crate) fn open(pid: i32) -> Option<Self> {
        Self::open_in(Path::new(PROC), pid)
    }

    fn open_in(proc: &Path, pid: i32) -> Option<Self> {
        let flags = OFlag::O_DIRECTORY | OFlag::O_RDONLY | OFlag::O_CLOEXEC;
        let directory = nix::fcntl::open(&proc.join(pid.to_string()), flags, Mode::empty()).ok()?;
        Some(Self { pid, directory })
    }

    pub(crate) fn stat(&self) -> Option<Stat> {
        Stat::parse(&self.read("stat")?)
    }

    /// A file of the process, at most 64 KiB of it.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        const MOST: u64 = 64 * 1024;
        let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC;
        let file = openat(&self.directory, name, flags, Mode::empty()).ok()?;
        let mut bytes = Vec::new();
        std::fs::File::from(file).take(MOST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The numbers of its children, whichever thread started them; looks at no more than `threads`, and counts them down.
    fn children(&self, threads: &mut usize) -> Vec<i32> {
        let flags = OFlag::O_DIRECTORY | OFlag::O_RDONLY | OFlag::O_CLOEXEC;
        let Ok(tasks) = Dir::openat(&self.directory, "task", flags, Mode::empty()) else { return Vec::new() };
        let mut children = Vec::new();
        for task in tasks.into_iter().flatten() {
            let Ok(name) = task.file_name().to_str() else { continue };
            if name.starts_with('.') {
                continue;
            }
            let Some(left) = threads.checked_sub(1) else { break };
            *threads = left;
            let list = self.read(&format!("task/{name}/children")).unwrap_or_default();
            let list = String::from_utf8_lossy(&list);
            children.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        }
        children
    }
}

/// Calls `visit` for every descendant of `root`, parents before their children, `root` not included.
///
/// A process that moves while the walk is under way (its parent died) may be missed; none is visited twice.
pub(crate) fn walk(root: &Process, visit: impl FnMut(&Process, &Stat)) {
    walk_in(Path::new(PROC), root, visit);
}

/// The same, where `proc` shows the processes: no test starts as many as the bounds take.
fn walk_in(proc: &Path, root: &Process, mut visit: impl FnMut(&Process, &Stat)) {
    let mut seen = HashSet::from([root.pid]);
    let mut threads = MOST_THREADS;
    let mut queue = VecDeque::from([(root.pid, root.children(&mut threads))]);
    while let Some((parent, children)) = queue.pop_front() {
        for pid in children {
            if seen.len() > MOST_PROCESSES {
                return;
            }
            if !seen.insert(pid) {
                continue;
            }
            let Some(process) = Process::open_in(proc, pid) else { continue };
            let Some(stat) = process.stat() else { continue };
            // The number may belong to a stranger by now, or the process to a new parent under which it will be met.
            if stat.parent != parent {
                seen.remove(&pid);
                continue;
            }
            visit(&process, &stat);
            queue.push_back((pid, process.children(&mut threads)));
        }
    }
}

/// The open directory of a process that is known not to have ended since its pidfd was made.
pub(crate) fn open_root(pid: i32, pidfd: &OwnedFd) -> Option<Process> {
    let process = Process::open(pid)?;
    // Asked after the directory was opened: if the process still runs, the directory is its own.
    (!crate::process::has_ended(pidfd.as_fd(), 0)).then_some(process)
}

/// Sends SIGKILL to every descendant; gives how many had not ended yet.
pub(crate) fn kill_descendants(root: &Process) -> usize {
    let mut alive = 0;
    walk(root, |process, stat| {
        if stat.state != b'Z' {
            alive += 1;
            // What refuses the signal is not ours to kill: a set-uid program cannot exist under no_new_privs.
            let _ = crate::process::send(process.directory.as_fd(), nix::sys::signal::Signal::SIGKILL);
        }
    });
    alive
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "S 7 8 9 0 -1 4194560 1 2 3 4 100 20 30 4 20 0 1 0 555 6 7";

    #[test]
    fn a_name_made_to_look_like_fields_changes_nothing() {
        let expected = Stat { state: b'S', parent: 7, session: 9, own_ticks: 120, reaped_ticks: 34, started: 555 };
        for name in ["node", ") R 1 1 1 1 1", "a b", "((", "\u{1}) Z ("] {
            assert_eq!(Stat::parse(format!("42 ({name}) {LINE}\n").as_bytes()), Some(expected), "{name:?}");
        }
    }

    #[test]
    fn what_is_cut_short_is_no_stat() {
        let whole = format!("42 (node) {LINE}");
        for end in 0..whole.len() {
            let _ = Stat::parse(&whole.as_bytes()[..end]);
        }
        assert_eq!(Stat::parse(b"42 (node) S 7 8 9"), None);
        assert_eq!(Stat::parse(b""), None);
    }

    /// Adds a process to what `proc` shows, one thread of which has started the children.
    fn show(proc: &Path, pid: i32, parent: i32, children: &[i32]) {
        let directory = proc.join(pid.to_string());
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("stat"), format!("{pid} (node) S {parent} {}", &LINE[4..])).unwrap();
        if !children.is_empty() {
            show_thread(proc, pid, 1);
            let list: String = children.iter().map(|child| format!("{child} ")).collect();
            std::fs::write(directory.join("task/1/children"), list).unwrap();
        }
    }

    /// Adds a thread without children.
    fn show_thread(proc: &Path, pid: i32, thread: i32) {
        std::fs::create_dir_all(proc.join(format!("{pid}/task/{thread}"))).unwrap();
    }

    /// What a walk from process 1 on visits, in order.
    fn visited(proc: &Path) -> Vec<i32> {
        let mut pids = Vec::new();
        walk_in(proc, &Process::open_in(proc, 1).unwrap(), |process, _| pids.push(process.pid));
        pids
    }

    #[test]
    fn a_walk_takes_in_4096_processes_and_no_more() {
        let proc = tempfile::tempdir().unwrap();
        let last = 1 + 4_096;
        let children: Vec<i32> = (2..=last).collect();
        show(proc.path(), 1, 0, &children);
        for pid in &children {
            show(proc.path(), *pid, 1, &[]);
        }
        assert_eq!(visited(proc.path()), children);

        // One more beside the last, and one below it: neither is met.
        show(proc.path(), last, 1, &[last + 2]);
        show(proc.path(), last + 1, 1, &[]);
        show(proc.path(), last + 2, last, &[]);
        show(proc.path(), 1, 0, &(2..=last + 1).collect::<Vec<_>>());
        assert_eq!(visited(proc.path()), children);
    }

    #[test]
    fn a_walk_lists_the_children_of_8192_threads_and_no_more() {
        let proc = tempfile::tempdir().unwrap();
        for pid in 1..5 {
            show(proc.path(), pid, pid - 1, &[pid + 1]);
        }
        show(proc.path(), 5, 4, &[]);
        // The lists of processes 2 and 3 are the last two that are read.
        for thread in 2..=8_190 {
            show_thread(proc.path(), 1, thread);
        }
        assert_eq!(visited(proc.path()), [2, 3, 4]);
        show_thread(proc.path(), 1, 8_191);
        assert_eq!(visited(proc.path()), [2, 3]);
    }
}
