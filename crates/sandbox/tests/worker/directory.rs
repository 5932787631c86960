//! Private directories, and what hostile programs leave in them.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use dayfly_sandbox::{WorkDir, remove_stale};
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::{Mode, mkdirat};
use tempfile::tempdir;

/// A root in memory where there is one: these trees are large, and some disks take milliseconds a file.
fn roomy() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempdir()).unwrap()
}

#[test]
fn it_is_new_empty_and_private() {
    let root = tempdir().unwrap();
    let one = WorkDir::create(root.path()).unwrap();
    let other = WorkDir::create(root.path()).unwrap();
    assert_ne!(one.path(), other.path());
    let metadata = fs::metadata(one.path()).unwrap();
    assert_eq!((metadata.mode() & 0o7777, metadata.uid()), (0o700, nix::unistd::geteuid().as_raw()));
    assert_eq!(fs::read_dir(one.path()).unwrap().count(), 0);
    one.remove().unwrap();
    other.remove().unwrap();
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn a_root_that_does_not_exist_is_an_error_that_names_it() {
    let error = WorkDir::create(Path::new("/nonexistent/root")).unwrap_err();
    assert!(error.to_string().contains("/nonexistent/root"), "{error}");
}

#[test]
fn a_link_is_put_in_under_a_plain_name_only() {
    let root = tempdir().unwrap();
    let directory = WorkDir::create(root.path()).unwrap();
    directory.link("node_modules", Path::new("/srv/packages")).unwrap();
    assert_eq!(fs::read_link(directory.path().join("node_modules")).unwrap(), Path::new("/srv/packages"));
    for name in ["node_modules", "", "..", "a/b", "/etc/x"] {
        assert!(directory.link(name, Path::new("/srv")).is_err(), "{name:?}");
    }
    directory.remove().unwrap();
}

#[test]
fn links_are_removed_and_never_followed() {
    let root = tempdir().unwrap();
    let outside = tempdir().unwrap();
    fs::write(outside.path().join("kept"), "kept").unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let directory = WorkDir::create(root.path()).unwrap();
    fs::create_dir(directory.path().join("inner")).unwrap();
    for place in ["link", "inner/link"] {
        symlink(outside.path(), directory.path().join(place)).unwrap();
    }
    symlink("loop", directory.path().join("loop")).unwrap();
    directory.remove().unwrap();
    assert_eq!(fs::read_to_string(outside.path().join("kept")).unwrap(), "kept");
    assert_eq!(fs::metadata(outside.path()).unwrap().mode() & 0o777, 0o500, "its mode is untouched");
}

/// Digs `depth` directories into `top`, deeper than any path can say.
fn dig(top: &Path, depth: usize) {
    let mut here: OwnedFd = fs::File::open(top).unwrap().into();
    for level in 0..depth {
        let name = if level % 2 == 0 { "d" } else { "a-name-that-is-somewhat-longer-than-the-other-one" };
        mkdirat(&here, name, Mode::S_IRWXU).unwrap();
        here = openat(&here, name, OFlag::O_DIRECTORY, Mode::empty()).unwrap();
    }
    let flags = OFlag::O_CREAT | OFlag::O_WRONLY;
    drop(openat(&here, "bottom", flags, Mode::S_IRUSR).unwrap());
}

#[test]
fn a_tree_deeper_than_any_path_is_removed() {
    let root = roomy();
    let directory = WorkDir::create(root.path()).unwrap();
    dig(directory.path(), 30_000);
    directory.remove().unwrap();
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn directories_without_any_permission_are_removed() {
    let root = tempdir().unwrap();
    let directory = WorkDir::create(root.path()).unwrap();
    let inner = directory.path().join("a/b/c");
    fs::create_dir_all(&inner).unwrap();
    fs::write(inner.join("file"), "x").unwrap();
    for shut in [&*inner, inner.parent().unwrap(), &directory.path().join("a"), directory.path()] {
        fs::set_permissions(shut, fs::Permissions::from_mode(0o000)).unwrap();
    }
    directory.remove().unwrap();
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn many_entries_of_every_kind_are_removed() {
    let root = roomy();
    let directory = WorkDir::create(root.path()).unwrap();
    for number in 0..20_000 {
        fs::write(directory.path().join(format!("file {number}")), "").unwrap();
    }
    for number in 0..300 {
        let inner = directory.path().join(format!("directory {number}"));
        fs::create_dir_all(inner.join("same/same")).unwrap();
        fs::write(inner.join("same/\u{1b}[31m\n"), "").unwrap();
    }
    nix::unistd::mkfifo(&directory.path().join("fifo"), Mode::S_IRWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(directory.path().join("socket")).unwrap();
    directory.remove().unwrap();
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn a_directory_that_is_gone_already_is_no_error() {
    let root = tempdir().unwrap();
    let directory = WorkDir::create(root.path()).unwrap();
    fs::remove_dir(directory.path()).unwrap();
    directory.remove().unwrap();
}

#[test]
fn only_what_a_dead_owner_left_is_stale() {
    let root = tempdir().unwrap();
    let outside = tempdir().unwrap();
    fs::write(outside.path().join("kept"), "kept").unwrap();
    let live = WorkDir::create(root.path()).unwrap();
    let name = live.path().file_name().unwrap().to_str().unwrap().to_owned();
    let parts: Vec<&str> = name.split('-').collect();
    let [prefix, namespace, pid, started, random] = parts[..] else { panic!("{name}") };
    let dead = format!("{prefix}-{namespace}-{pid}-1{started}-{random}");
    let elsewhere = format!("{prefix}-1{namespace}-{pid}-1{started}-{random}");
    let linked = format!("{prefix}-{namespace}-{pid}-2{started}-{random}");
    let file = format!("{prefix}-{namespace}-{pid}-3{started}-{random}");
    fs::create_dir_all(root.path().join(&dead).join("deep/er")).unwrap();
    fs::create_dir(root.path().join(&elsewhere)).unwrap();
    symlink(outside.path(), root.path().join(&linked)).unwrap();
    fs::write(root.path().join(&file), "").unwrap();
    fs::create_dir(root.path().join("dayfly-notes")).unwrap();

    // A program may have put a link or a file in the place of its directory: those go, and what a link names stays.
    assert_eq!(remove_stale(root.path()).unwrap(), 3);
    let mut left: Vec<_> =
        fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    let mut expected = vec![name, elsewhere, "dayfly-notes".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
    assert!(outside.path().join("kept").exists());
    assert_eq!(remove_stale(Path::new("/nonexistent/root")).unwrap(), 0);
    fs::remove_dir(live.path()).unwrap();
    symlink(outside.path(), live.path()).unwrap();
    let path = live.path().to_owned();
    live.remove().unwrap();
    assert!(fs::symlink_metadata(path).is_err());
    assert!(outside.path().join("kept").exists());
}
