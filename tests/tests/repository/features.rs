//! Who uses one language does not compile the other.

use std::process::Command;

use crate::root;

/// The packages that the front door needs with these features, on this machine and without a network.
fn packages(features: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "-p", "dayfly", "--no-default-features", "--features", features])
        .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn each_language_stands_alone_and_python_needs_no_parser_of_typescript() {
    let python = packages("python");
    assert!(python.iter().any(|name| name == "dayfly-worker-python"), "{python:?}");
    let foreign = |name: &&String| name.starts_with("oxc") || *name == "dayfly-strip" || *name == "dayfly-worker-node";
    assert_eq!(python.iter().filter(foreign).collect::<Vec<_>>(), Vec::<&String>::new());
    let typescript = packages("typescript");
    assert!(typescript.iter().any(|name| name.starts_with("oxc")), "{typescript:?}");
    assert!(!typescript.iter().any(|name| name == "dayfly-worker-python"), "{typescript:?}");
}
