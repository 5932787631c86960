//! What is tested is what is shipped: a package has every file that its code takes in when it is compiled.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use cargo_metadata::Package;

use crate::{metadata, none};

/// Files that must be found, or else nothing was looked for.
const SURELY: [(&str, &str); 5] = [
    ("dayfly-worker-node", "src/bootstrap/main.js"),
    ("dayfly-worker-python", "src/bootstrap/main.py"),
    ("dayfly-sandbox", "warden/main.rs"),
    ("dayfly-tools", "PIPELINE.md"),
    ("dayfly", "README.md"),
];

/// The files that `cargo package` would take, as it lists them.
fn packaged(package: &Package) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--offline", "--allow-dirty", "--quiet", "--manifest-path"])
        .arg(&package.manifest_path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Every file below a directory of the package, or the file itself, as a path from the package.
fn files(root: &Path, path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root.join(path)) else { return vec![path.to_owned()] };
    entries.flat_map(|entry| files(root, &path.join(entry.unwrap().file_name()))).collect()
}

/// The path without its `.` and `..`; it may begin with `..` when it leads out of the package.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir && plain.file_name().is_some() {
            plain.pop();
        } else if component != Component::CurDir {
            plain.push(component);
        }
    }
    plain
}

/// The texts between `before` and the next quotation mark.
fn quoted<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    text.split(before).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0)).collect()
}

/// What the package's code takes in: what it includes by name, and what its build script says that it reads.
fn included(root: &Path) -> BTreeSet<PathBuf> {
    let mut included = BTreeSet::new();
    let sources =
        files(root, Path::new("src")).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
    for source in sources {
        let text = std::fs::read_to_string(root.join(&source)).unwrap();
        let beside = source.parent().unwrap();
        for before in [concat!("include", "_str!(\""), concat!("include", "_bytes!(\""), concat!("include", "!(\"")] {
            included.extend(quoted(&text, before).into_iter().map(|path| plain(&beside.join(path))));
        }
        included.insert(source);
    }
    if let Ok(script) = std::fs::read_to_string(root.join("build.rs")) {
        let read = quoted(&script, "\"cargo::rerun-if-changed=");
        assert!(!read.is_empty(), "{}: a build script that does not say what it reads", root.display());
        included.extend(read.into_iter().flat_map(|path| files(root, Path::new(path))));
    }
    included
}

#[test]
fn a_package_has_every_file_that_its_code_includes() {
    let (mut offences, mut found) = (Vec::new(), BTreeSet::new());
    for package in metadata().workspace_packages() {
        if package.publish.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let (packaged, root) = (packaged(package), package.manifest_path.parent().unwrap());
        for path in included(root.as_std_path()) {
            let path = path.to_str().unwrap();
            if !packaged.contains(path) {
                offences.push(format!("{}: {path}", package.name));
            }
            found.insert(format!("{} {path}", package.name));
        }
    }
    none("a package lacks what its code includes", &offences);
    for (package, path) in SURELY {
        assert!(found.contains(&format!("{package} {path}")), "{package} is not seen to include {path}");
    }
}
