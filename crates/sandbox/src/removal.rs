//! Removing a directory that a hostile program has filled.

use std::collections::hash_map::RandomState;
use std::ffi::{CStr, CString};
use std::fs::Permissions;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::dir::{Dir, Type};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{Mode, SFlag, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};

use crate::WorkDirError;

/// No removal takes longer: a process that has escaped could fill the directory for ever.
const DEADLINE: Duration = Duration::from_secs(60);

/// Removes `path` and everything below. What is gone already is no error.
///
/// Depth is met by flattening: a directory that is not empty moves up to the top under a new name, so no more than two
/// levels are ever open, no path is longer than a name, and nothing recurses. Links are never followed.
pub(crate) fn remove(path: &Path) -> Result<(), WorkDirError> {
    let failed = |errno: Errno| WorkDirError { action: "remove", path: path.to_owned(), source: errno.into() };
    let directory = match open_directory(None, path) {
        Ok(directory) => directory,
        Err(Errno::ENOENT) => return Ok(()),
        // A program put a file or a link in its place.
        Err(Errno::ENOTDIR | Errno::ELOOP) => {
            return gone(unlinkat(AT_FDCWD, path, UnlinkatFlags::NoRemoveDir)).map_err(failed);
        }
        Err(errno) => return Err(failed(errno)),
    };
    let random = RandomState::new().build_hasher().finish();
    let mut top = Top { directory, moved: 0, random, deadline: Instant::now() + DEADLINE };
    while !top.pass().map_err(failed)? {}
    gone(unlinkat(AT_FDCWD, path, UnlinkatFlags::RemoveDir)).map_err(failed)
}

/// The directory to be removed.
struct Top {
    directory: OwnedFd,
    /// How many directories were moved up so far; with `random` it makes their new names, which nobody can have taken.
    moved: u64,
    random: u64,
    deadline: Instant,
}

/// What came of some entries: one that cannot be removed does not keep the others.
#[derive(Default)]
struct Tally {
    done: usize,
    failure: Option<Errno>,
}

impl Tally {
    fn count(&mut self, result: Result<(), Errno>) {
        match result {
            Ok(()) => self.done += 1,
            Err(errno) => self.failure = self.failure.or(Some(errno)),
        }
    }
}

impl Top {
    /// Empties the top once: files go, directories lose one level. Says whether it found nothing more.
    ///
    /// One reading may miss what moves in while it lasts, so the caller repeats it until nothing is found.
    fn pass(&mut self) -> Result<bool, Errno> {
        // Another handle on the same directory, which the listing may hold while `self` moves things.
        let directory = self.directory.try_clone().map_err(|_| Errno::EMFILE)?;
        let mut listing = list(&directory)?;
        let mut tally = Tally::default();
        for (name, is_directory) in entries(&mut listing, &directory) {
            self.check_deadline()?;
            if is_directory {
                self.dissolve(&name, &mut tally)?;
            } else {
                tally.count(gone(unlinkat(&self.directory, &*name, UnlinkatFlags::NoRemoveDir)));
            }
        }
        match tally {
            // Something stays, and trying again would not help.
            Tally { done: 0, failure: Some(errno) } => Err(errno),
            Tally { done, .. } => Ok(done == 0),
        }
    }

    /// Removes one directory of the top: its files go, its directories move up.
    fn dissolve(&mut self, name: &CStr, tally: &mut Tally) -> Result<(), Errno> {
        // Most are empty.
        if remove_empty(&self.directory, name).is_ok() {
            tally.done += 1;
            return Ok(());
        }
        let opened = open_directory(Some(&self.directory), name).and_then(|open| Ok((list(&open)?, open)));
        let (mut listing, directory) = match opened {
            Ok(opened) => opened,
            Err(errno) => {
                tally.count(Err(errno));
                return Ok(());
            }
        };
        for (inner, is_directory) in entries(&mut listing, &directory) {
            self.check_deadline()?;
            tally.count(if !is_directory {
                gone(unlinkat(&directory, &*inner, UnlinkatFlags::NoRemoveDir))
            } else if remove_empty(&directory, &inner).is_ok() {
                Ok(())
            } else {
                self.move_up(&directory, &inner)
            });
        }
        tally.count(remove_empty(&self.directory, name));
        Ok(())
    }

    fn move_up(&mut self, from: &OwnedFd, name: &CStr) -> Result<(), Errno> {
        // Moving a directory changes its `..`, for which it must be writable.
        drop(open_directory(Some(from), name)?);
        self.moved += 1;
        let new = format!("{:016x}-{}", self.random, self.moved);
        renameat(from, name, &self.directory, new.as_str())
    }

    fn check_deadline(&self) -> Result<(), Errno> {
        if Instant::now() < self.deadline { Ok(()) } else { Err(Errno::ETIMEDOUT) }
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

/// The entries but `.` and `..`, and whether each is a directory. What cannot be read is left to the next pass.
fn entries<'a>(listing: &'a mut Dir, directory: &'a OwnedFd) -> impl Iterator<Item = (CString, bool)> + 'a {
    listing.iter().map_while(Result::ok).filter(|entry| ![c".", c".."].contains(&entry.file_name())).map(move |entry| {
        let is_directory = match entry.file_type() {
            Some(kind) => kind == Type::Directory,
            // Some file systems do not tell.
            None => fstatat(directory, entry.file_name(), AtFlags::AT_SYMLINK_NOFOLLOW)
                .is_ok_and(|stat| SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFDIR),
        };
        (entry.file_name().to_owned(), is_directory)
    })
}

fn remove_empty(directory: &OwnedFd, name: &CStr) -> Result<(), Errno> {
    gone(unlinkat(directory, name, UnlinkatFlags::RemoveDir))
}

/// What is gone already was removed.
fn gone(result: Result<(), Errno>) -> Result<(), Errno> {
    match result {
        Ok(()) | Err(Errno::ENOENT) => Ok(()),
        Err(errno) => Err(errno),
    }
}
