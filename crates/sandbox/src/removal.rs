//! Removing a directory that a hostile program has filled.

use std::ffi::{CStr, CString};
use std::fs::Permissions;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat, renameat};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};

use crate::WorkDirError;

/// Removes `path` and everything below. What is gone already is no error.
///
/// Depth is met by flattening: a directory that is not empty moves up to the top under a new name, so no more than two
/// levels are ever open, no path is longer than a name, and nothing recurses. Links are never followed.
pub(crate) fn remove(path: &Path) -> Result<(), WorkDirError> {
    let failed = |errno: Errno| WorkDirError { action: "remove", path: path.to_owned(), source: errno.into() };
    let top = match open_directory(None, path) {
        Ok(top) => top,
        Err(Errno::ENOENT) => return Ok(()),
        Err(errno) => return Err(failed(errno)),
    };
    let mut top = Top { directory: top, moved: 0, random: random() };
    while top.pass().map_err(failed)? {}
    match unlinkat(AT_FDCWD, path, UnlinkatFlags::RemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => Ok(()),
        Err(errno) => Err(failed(errno)),
    }
}

fn random() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// The directory to be removed.
struct Top {
    directory: OwnedFd,
    /// How many directories were moved up so far; with `random` it makes their new names, which nobody can have taken.
    moved: u64,
    random: u64,
}

impl Top {
    /// Empties the top once: files go, directories are emptied by one level. Says whether anything was there.
    ///
    /// One reading may miss what moves in while it lasts, so the caller repeats it until nothing is found.
    fn pass(&mut self) -> Result<bool, Errno> {
        let mut listing = list(&self.directory)?;
        let mut found = false;
        let mut progress = false;
        let mut first_failure = None;
        for (name, is_directory) in entries(&mut listing) {
            found = true;
            let done = if is_directory { self.dissolve(&name) } else { unlink(&self.directory, &name) };
            match done {
                Ok(()) => progress = true,
                Err(errno) => first_failure = first_failure.or(Some(errno)),
            }
        }
        match first_failure {
            // Something stays, and trying again would not help.
            Some(errno) if !progress => Err(errno),
            Some(_) | None => Ok(found),
        }
    }

    /// Removes one directory of the top: its files go, its directories move up.
    fn dissolve(&mut self, name: &CStr) -> Result<(), Errno> {
        // Most are empty.
        if remove_empty(&self.directory, name).is_ok() {
            return Ok(());
        }
        let directory = open_directory(Some(&self.directory), name)?;
        let mut listing = list(&directory)?;
        for (inner, is_directory) in entries(&mut listing) {
            if is_directory {
                if remove_empty(&directory, &inner).is_err() {
                    self.move_up(&directory, &inner)?;
                }
            } else {
                unlink(&directory, &inner)?;
            }
        }
        match remove_empty(&self.directory, name) {
            // The listing missed something, or the program's last breath added it: the next pass finds it.
            Err(Errno::ENOTEMPTY | Errno::EEXIST) => Ok(()),
            other => other,
        }
    }

    fn move_up(&mut self, from: &OwnedFd, name: &CStr) -> Result<(), Errno> {
        // Moving a directory changes its `..`, for which it must be writable.
        drop(open_directory(Some(from), name)?);
        self.moved += 1;
        let new = format!("{:016x}-{}", self.random, self.moved);
        renameat(from, name, &self.directory, new.as_str())
    }
}

/// Opens a directory, never a link to one, and makes it ours to read, write and enter if a program has taken that away.
fn open_directory<P: nix::NixPath + ?Sized>(parent: Option<&OwnedFd>, name: &P) -> Result<OwnedFd, Errno> {
    let base = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let open = |flags| match parent {
        Some(parent) => openat(parent, name, flags, Mode::empty()),
        None => openat(AT_FDCWD, name, flags, Mode::empty()),
    };
    // O_PATH opens whatever its mode is; through it, chmod meets exactly this directory and no link put in its place.
    let handle = open(base | OFlag::O_PATH)?;
    let itself = format!("/proc/self/fd/{}", handle.as_raw_fd());
    let chmod = std::fs::metadata(&itself).and_then(|metadata| {
        let is_ours = metadata.permissions().mode() & 0o700 == 0o700;
        if is_ours { Ok(()) } else { std::fs::set_permissions(&itself, Permissions::from_mode(0o700)) }
    });
    chmod.map_err(|error: io::Error| error.raw_os_error().map_or(Errno::EIO, Errno::from_raw))?;
    openat(&handle, c".", base | OFlag::O_RDONLY, Mode::empty())
}

fn list(directory: &OwnedFd) -> Result<Dir, Errno> {
    // A descriptor of its own, because the listing has a position.
    Dir::openat(directory, c".", OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())
}

/// The entries but `.` and `..`, and whether each is a directory.
fn entries(listing: &mut Dir) -> impl Iterator<Item = (CString, bool)> + '_ {
    listing
        .iter()
        .flatten()
        .filter(|entry| ![c".", c".."].contains(&entry.file_name()))
        // A file system that does not tell the type is asked by trying: unlinking a directory is refused.
        .map(|entry| (entry.file_name().to_owned(), entry.file_type() == Some(Type::Directory)))
}

fn unlink(directory: &OwnedFd, name: &CStr) -> Result<(), Errno> {
    match unlinkat(directory, name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => Ok(()),
        Err(errno) => Err(errno),
    }
}

fn remove_empty(directory: &OwnedFd, name: &CStr) -> Result<(), Errno> {
    match unlinkat(directory, name, UnlinkatFlags::RemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => Ok(()),
        Err(errno) => Err(errno),
    }
}
