//! Directories that a host left behind when it crashed.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::tree::Process;
use crate::{WorkDirError, removal};

const PREFIX: &str = "dayfly";

/// The process that a directory belongs to: its number alone may be another's by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    /// The inode of the PID namespace in which the number counts: a container that shares the root sees other numbers.
    namespace: u64,
    pid: u32,
    /// When it started, in ticks since the machine did.
    started: u64,
}

impl Owner {
    pub(crate) fn current() -> io::Result<Self> {
        let pid = std::process::id();
        let started = started(pid).ok_or(io::ErrorKind::NotFound)?;
        Ok(Self { namespace: fs::metadata("/proc/self/ns/pid")?.ino(), pid, started })
    }

    pub(crate) fn name(self, random: u64) -> String {
        let Self { namespace, pid, started } = self;
        format!("{PREFIX}-{namespace}-{pid}-{started}-{random:016x}")
    }

    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        if parts.next()? != PREFIX {
            return None;
        }
        let owner =
            Self { namespace: number(parts.next()?)?, pid: number(parts.next()?)?, started: number(parts.next()?)? };
        let random = parts.next()?;
        let is_random = random.len() == 16 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_random && parts.next().is_none()).then_some(owner)
    }

    fn lives(self) -> bool {
        started(self.pid) == Some(self.started)
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    // `parse` would take a sign as well.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn started(pid: u32) -> Option<u64> {
    let stat = Process::open(i32::try_from(pid).ok()?)?.stat()?;
    // A zombie owns nothing any more.
    (stat.state != b'Z').then_some(stat.started)
}

/// Removes the private directories in `root` whose owner no longer lives; gives how many were removed.
///
/// Left alone are those of living processes, of other users, and of other PID namespaces (another container's processes
/// cannot be seen from here). A root that does not exist holds nothing. Blocks; call it when a host starts.
///
/// # Errors
///
/// [`WorkDirError`] when `root` cannot be read. A directory that cannot be removed is logged and skipped.
pub fn remove_stale(root: &Path) -> Result<usize, WorkDirError> {
    let failed = |source| WorkDirError { action: "look for stale directories in", path: root.to_owned(), source };
    let here = Owner::current().map_err(failed)?;
    let user = nix::unistd::geteuid().as_raw();
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(failed(error)),
    };
    let mut removed = 0;
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let Some(owner) = entry.file_name().to_str().and_then(Owner::parse) else { continue };
        if owner.namespace != here.namespace || owner.lives() {
            continue;
        }
        // Not following a link. An entry that has gone meanwhile was removed by another host that starts.
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.uid() != user {
            continue;
        }
        match removal::remove(&entry.path()) {
            Ok(()) => removed += 1,
            Err(error) => tracing::warn!(%error, "a stale directory stays behind"),
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_owner() {
        let owner = Owner { namespace: 4_026_531_836, pid: 42, started: 1_234_567 };
        assert_eq!(Owner::parse(&owner.name(7)), Some(owner));
        assert!(Owner::current().unwrap().lives());
    }

    #[test]
    fn what_is_not_exactly_such_a_name_is_nobodys() {
        for name in [
            "dayfly",
            "dayfly-1-2-3",
            "dayfly-1-2-3-",
            "dayfly-1-2-3-0000000000000000-x",
            "dayfly-1-+2-3-0000000000000000",
            "dayfly-1-2-3-000000000000000g",
            "dayfly-a-2-3-0000000000000000",
            "mayfly-1-2-3-0000000000000000",
        ] {
            assert_eq!(Owner::parse(name), None, "{name}");
        }
    }

    #[test]
    fn another_start_time_is_another_process() {
        let mut owner = Owner::current().unwrap();
        owner.started += 1;
        assert!(!owner.lives());
    }
}
