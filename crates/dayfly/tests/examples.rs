//! The example of an embedding does what it says.

use std::process::Command;

#[test]
fn embed_runs_both_languages() {
    // `target/<profile>/deps/<this test>` and `target/<profile>/examples/embed`: `cargo test` builds both.
    let own = std::env::current_exe().unwrap();
    let example = own.parent().unwrap().with_file_name("examples").join("embed");
    assert!(example.exists(), "{} is not built; run `cargo build --example embed`", example.display());
    let output = Command::new(example).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "typescript printed: two prices: 3 and 4\n\
         typescript returned: {\"total\":7}\n\
         python printed: failed call: there is no such item; ask for tea or cake\n\
         python returned: {\"total\":8}\n\
         prices asked for: 4\n"
    );
}
