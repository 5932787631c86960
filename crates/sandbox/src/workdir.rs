//! A private, empty directory for one worker.

use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder, Permissions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::stale::Owner;
use crate::{WorkDirError, removal};

/// An empty directory that only the host's user may enter, mode 0700; removed with all that a program left in it.
///
/// Its name tells which process of which PID namespace owns it, so that [`remove_stale`](crate::remove_stale) finds what
/// a crashed host has left.
#[derive(Debug)]
pub struct WorkDir {
    path: PathBuf,
    removed: bool,
}

impl WorkDir {
    /// Makes one in `root`, which must exist.
    ///
    /// # Errors
    ///
    /// [`WorkDirError`] when `root` cannot be written, or `/proc` does not show this process.
    pub fn create(root: &Path) -> Result<Self, WorkDirError> {
        let failed = |action, path: &Path| {
            let path = path.to_owned();
            move |source| WorkDirError { action, path, source }
        };
        let root = fs::canonicalize(root).map_err(failed("find the directory for private directories", root))?;
        let owner = Owner::current().map_err(failed("identify this process in /proc for a directory in", &root))?;
        loop {
            // Keys of a fresh RandomState are random; a taken name is no harm, only another try.
            let path = root.join(owner.name(RandomState::new().build_hasher().finish()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    // The host's umask may have taken something away.
                    let mode = fs::metadata(&path).map(|metadata| metadata.permissions().mode() & 0o777);
                    if !matches!(mode, Ok(0o700)) {
                        fs::set_permissions(&path, Permissions::from_mode(0o700))
                            .map_err(failed("make private the directory", &path))?;
                    }
                    return Ok(Self { path, removed: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed("make the private directory", &path)(error)),
            }
        }
    }

    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts a symbolic link to `target` into it, such as `node_modules`.
    ///
    /// # Errors
    ///
    /// [`WorkDirError`] when the name is taken or is no plain name.
    pub fn link(&self, name: &str, target: &Path) -> Result<(), WorkDirError> {
        let path = self.path.join(name);
        let plain = Path::new(name).file_name().is_some_and(|file| file == name);
        let made = if plain { symlink(target, &path) } else { Err(io::ErrorKind::InvalidFilename.into()) };
        made.map_err(|source| WorkDirError { action: "make the link", path, source })
    }

    /// Removes it and everything in it, whatever a program has made of it: any depth, any mode, any count. Symbolic links
    /// are removed and never followed.
    ///
    /// Blocks for as long as the file system needs: call it where blocking is allowed, once the worker is gone.
    ///
    /// # Errors
    ///
    /// [`WorkDirError`] when something stays behind: a file that a root worker made immutable, or what is left after a
    /// minute. Everything else is removed all the same, and the next start of the host tries again.
    pub fn remove(mut self) -> Result<(), WorkDirError> {
        self.removed = true;
        removal::remove(&self.path)
    }
}

impl Drop for WorkDir {
    /// The backstop: removes it on a thread of its own. What that leaves, the next start of the host finds.
    fn drop(&mut self) {
        if self.removed {
            return;
        }
        let path = std::mem::take(&mut self.path);
        let sweep = move || {
            if let Err(error) = removal::remove(&path) {
                tracing::warn!(%error, "a private directory stays behind");
            }
        };
        if let Err(error) = std::thread::Builder::new().name("dayfly-sweep".to_owned()).spawn(sweep) {
            tracing::warn!(%error, "no thread to remove a private directory");
        }
    }
}
