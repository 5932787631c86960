//! A store that is a directory of files.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::store::{Slice, SpillError, SpillStore};

/// What a store may keep unless it is told otherwise.
const MOST: u64 = 1 << 30;
/// The beginning of every name.
const PREFIX: &str = "spill-";

/// Keeps each text as one file `spill-<n>` in a directory of its owner's alone (mode 0700, files 0600).
///
/// Nothing is ever removed: whoever owns the session removes the directory with it. A store that is opened again goes on with the
/// next number. One directory belongs to one store at a time.
#[derive(Debug)]
pub struct DirectoryStore {
    directory: PathBuf,
    most: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    next: u64,
    used: u64,
}

impl DirectoryStore {
    /// Opens a directory, which is made when it is not there.
    ///
    /// # Errors
    ///
    /// What making or reading it failed with.
    pub fn open(directory: impl AsRef<Path>) -> io::Result<Self> {
        let directory = std::path::absolute(directory)?;
        DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
        let mut state = State { next: 1, used: 0 };
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let name = entry.file_name();
            if let Some(number) = name.to_str().and_then(number_of) {
                state.next = state.next.max(number.saturating_add(1));
                state.used = state.used.saturating_add(entry.metadata()?.len());
            }
        }
        Ok(Self { directory, most: MOST, state: Mutex::new(state) })
    }

    /// Sets how many bytes are kept in all. Default 1 GiB.
    #[must_use]
    pub const fn capacity(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Takes a name and room for this many bytes.
    fn reserve(&self, bytes: u64) -> Result<u64, SpillError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let used = state.used;
        if used.saturating_add(bytes) > self.most {
            return Err(SpillError::Full { bytes, used, most: self.most });
        }
        let number = state.next;
        state.next = number.saturating_add(1);
        state.used = used.saturating_add(bytes);
        Ok(number)
    }

    fn give_back(&self, bytes: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used = state.used.saturating_sub(bytes);
    }
}

impl SpillStore for DirectoryStore {
    fn keep(&self, text: &str) -> Result<String, SpillError> {
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        let locator = format!("{PREFIX}{}", self.reserve(bytes)?);
        let path = self.directory.join(&locator);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let written = options.open(&path).and_then(|mut file| {
            file.write_all(text.as_bytes()).inspect_err(|_| {
                // Half a text is none; that it cannot be removed either is what the first failure says.
                let _ = fs::remove_file(&path);
            })
        });
        match written {
            Ok(()) => Ok(locator),
            Err(source) => {
                self.give_back(bytes);
                Err(SpillError::Io { action: "keep a text", source })
            }
        }
    }

    fn read(&self, locator: &str, offset: u64, length: u64) -> Result<Slice, SpillError> {
        let failed = |source| SpillError::Io { action: "read what is kept", source };
        // What is not a name of this store's making is never a path.
        let path = number_of(locator).map(|number| self.directory.join(format!("{PREFIX}{number}")));
        let unknown = || SpillError::Unknown { locator: locator.chars().take(64).collect() };
        let path = path.ok_or_else(unknown)?;
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(unknown()),
            Err(source) => return Err(failed(source)),
        };
        let total = file.metadata().map_err(failed)?.len();
        if offset > total {
            return Err(SpillError::BeyondTheEnd { offset, total });
        }
        // Up to three bytes before the offset may belong to the character there, and up to three of the end are of one that is cut.
        let begin = offset.saturating_sub(3);
        file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(offset.saturating_sub(begin).saturating_add(length)).read_to_end(&mut bytes).map_err(failed)?;
        let start = (begin..=offset).rev().find(|at| *at == begin || is_boundary(&bytes, at - begin)).unwrap_or(begin);
        let skip = usize::try_from(start - begin).unwrap_or_default();
        let mut part = bytes.split_off(skip.min(bytes.len()));
        let whole = part.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
        part.truncate(whole);
        Ok(Slice::new(String::from_utf8(part).unwrap_or_default(), start, total))
    }
}

/// Whether a character begins at this byte, or the text ends there.
fn is_boundary(bytes: &[u8], at: u64) -> bool {
    let byte = usize::try_from(at).ok().and_then(|at| bytes.get(at));
    byte.is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000)
}

fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(PREFIX)?;
    let number: u64 = digits.parse().ok()?;
    // `+1` and `01` are numbers and no names.
    (number.to_string() == digits).then_some(number)
}
