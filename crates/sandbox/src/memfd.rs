//! Files that exist in memory only.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};

/// The warden's program, compiled by the build script.
const WARDEN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/warden"));

/// A file in memory with these bytes, which nobody can change, shrink or grow again; its offset is 0.
///
/// The name is what `/proc` shows. Close-on-exec.
///
/// # Errors
///
/// The kernel's, when it has no memory or descriptor left.
pub fn sealed_memfd(name: &str, bytes: &[u8]) -> io::Result<OwnedFd> {
    seal(create(name, libc::MFD_NOEXEC_SEAL)?, bytes)
}

/// The warden's program as a file that can be executed.
pub(crate) fn warden() -> io::Result<OwnedFd> {
    seal(create("dayfly-warden", libc::MFD_EXEC)?, WARDEN)
}

/// A file in memory that its reader may write to: the recipe, in which a failed step is marked.
pub(crate) fn recipe(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(create("dayfly-recipe", libc::MFD_NOEXEC_SEAL)?);
    file.write_all(bytes)?;
    Ok(file.into())
}

/// Since Linux 6.3 a memfd should say whether it will be executed, and must where `vm.memfd_noexec` is set; before, the
/// flag is refused.
fn create(name: &str, executable: libc::c_uint) -> Result<OwnedFd, Errno> {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    match memfd_create(name, flags | MFdFlags::from_bits_retain(executable)) {
        Err(Errno::EINVAL) => memfd_create(name, flags),
        other => other,
    }
}

fn seal(file: OwnedFd, bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(file);
    file.write_all(bytes)?;
    io::Seek::rewind(&mut file)?;
    let seals = SealFlag::F_SEAL_WRITE | SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_SEAL;
    fcntl(&file, FcntlArg::F_ADD_SEALS(seals))?;
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_sealed_file_is_read_whole_and_refuses_every_change() {
        let mut file = File::from(sealed_memfd("test", b"bootstrap").unwrap());
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "bootstrap");
        for refused in [file.write_all(b"x").unwrap_err(), file.set_len(0).unwrap_err(), file.set_len(99).unwrap_err()]
        {
            assert_eq!(refused.raw_os_error(), Some(libc::EPERM));
        }
    }
}
