//! The store that is a directory.

use std::os::unix::fs::PermissionsExt as _;

use dayfly_tools::spill::{DirectoryStore, SpillError, SpillStore as _};

use crate::support::Directory;

#[test]
fn what_is_kept_is_read_back_whole_and_in_parts_that_never_cut_a_character() {
    let directory = Directory::new();
    let store = DirectoryStore::open(directory.path()).unwrap();
    let text = "aé漢😀".repeat(1_000);
    let locator = store.keep(&text).unwrap();
    let whole = store.read(&locator, 0, u64::MAX).unwrap();
    assert_eq!((whole.text.as_str(), whole.offset, whole.total, whole.next()), (text.as_str(), 0, 10_000, None));
    for length in [4, 5, 7, 64, 4_096] {
        let (mut offset, mut read) = (Some(0), String::new());
        while let Some(at) = offset {
            let slice = store.read(&locator, at, length).unwrap();
            assert_eq!(slice.offset, at);
            assert!(!slice.text.is_empty() && slice.text.len() as u64 <= length, "{length}");
            read.push_str(&slice.text);
            offset = slice.next();
        }
        assert_eq!(read, text, "{length}");
    }
    // Within the four bytes of the last character.
    for offset in 9_996..10_000 {
        let slice = store.read(&locator, offset, 10).unwrap();
        assert_eq!((slice.text.as_str(), slice.offset), ("😀", 9_996), "{offset}");
    }
    assert_eq!(store.read(&locator, 10_000, 10).unwrap().text, "");
    assert!(matches!(
        store.read(&locator, 10_001, 10),
        Err(SpillError::BeyondTheEnd { offset: 10_001, total: 10_000 })
    ));
}

#[test]
fn only_names_of_the_stores_own_making_are_read() {
    let directory = Directory::new();
    let store = DirectoryStore::open(directory.path()).unwrap();
    store.keep("kept").unwrap();
    std::fs::write(directory.path().join("secret"), "secret").unwrap();
    for locator in
        ["secret", "../secret", "spill-2", "spill-01", "spill-+1", "spill-1/../secret", "spill-", "", "/etc/passwd"]
    {
        assert!(matches!(store.read(locator, 0, 10), Err(SpillError::Unknown { .. })), "{locator}");
    }
    let error = store.read(&"x".repeat(10_000), 0, 10).unwrap_err().to_string();
    assert!(error.len() < 200 && error.contains("use the locator"), "{error}");
}

#[test]
fn a_store_that_is_full_says_so_and_keeps_nothing_of_what_does_not_fit() {
    let directory = Directory::new();
    let store = DirectoryStore::open(directory.path()).unwrap().capacity(10);
    store.keep("12345678").unwrap();
    let error = store.keep("123").unwrap_err();
    assert!(matches!(error, SpillError::Full { bytes: 3, used: 8, most: 10 }), "{error}");
    assert_eq!(directory.names(), ["spill-1"]);
    assert_eq!(store.keep("12").unwrap(), "spill-2");
}

#[test]
fn a_store_that_is_opened_again_goes_on_and_its_files_are_its_owners_alone() {
    let directory = Directory::new();
    let first = DirectoryStore::open(directory.path()).unwrap();
    first.keep("one").unwrap();
    drop(first);
    let again = DirectoryStore::open(directory.path()).unwrap().capacity(4);
    assert!(matches!(again.keep("two"), Err(SpillError::Full { used: 3, .. })));
    assert_eq!(again.keep("2").unwrap(), "spill-2");
    assert_eq!(again.read("spill-1", 0, 10).unwrap().text, "one");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(directory.path()), mode(&directory.path().join("spill-1"))), (0o700, 0o600));
}

#[test]
fn a_directory_that_is_gone_is_an_error_in_words() {
    let directory = Directory::new();
    let store = DirectoryStore::open(directory.path()).unwrap();
    std::fs::remove_dir(directory.path()).unwrap();
    let error = store.keep("text").unwrap_err().to_string();
    assert!(error.starts_with("failed to keep a text: "), "{error}");
}
