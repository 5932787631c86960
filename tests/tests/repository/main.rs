//! The rules of the repository that can be checked by reading it.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod features;
mod fixed;
mod packaged;
mod specification;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// A file that git would track, with its path from the root.
struct Source {
    path: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every text file of the tree. What is built, fetched or belongs to git is not of the tree.
fn sources() -> Vec<Source> {
    const NOT_OF_THE_TREE: &[&str] = &[".git", "target", "node_modules", "__pycache__"];
    let root = root();
    let mut found = Vec::new();
    let mut pending = vec![root.clone()];
    while let Some(directory) = pending.pop() {
        // What others make and remove meanwhile is not of the tree.
        let Ok(entries) = std::fs::read_dir(&directory) else {
            assert!(!directory.exists(), "{} cannot be read", directory.display());
            continue;
        };
        for entry in entries {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if NOT_OF_THE_TREE.contains(&name.as_str()) {
                continue;
            }
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file() {
                let path = entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                if let Ok(text) = std::fs::read_to_string(entry.path()) {
                    found.push(Source { path, text });
                }
            }
        }
    }
    assert!(found.len() > 30, "only {} files were found under {}", found.len(), root.display());
    found
}

fn has_extension(source: &Source, extensions: &[&str]) -> bool {
    Path::new(&source.path).extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}

fn code() -> impl Iterator<Item = Source> {
    sources().into_iter().filter(|source| has_extension(source, &["rs", "js", "mjs", "cjs", "ts", "py"]))
}

fn rust() -> impl Iterator<Item = Source> {
    sources().into_iter().filter(|source| has_extension(source, &["rs"]))
}

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

/// Every manifest of a member, as its path from the root and its table.
fn manifests() -> Vec<(String, toml::Table)> {
    metadata()
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let path = package.manifest_path.strip_prefix(root()).unwrap().to_string();
            let table = std::fs::read_to_string(&package.manifest_path).unwrap().parse().unwrap();
            (path, table)
        })
        .collect()
}

/// Fails with every offence at once.
#[track_caller]
fn none(rule: &str, offences: &[String]) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
}

#[test]
fn the_arrows_between_crates_point_one_way() {
    const ALLOWED: &[(&str, &[&str])] = &[
        ("dayfly-runtime", &[]),
        ("dayfly-strip", &[]),
        ("dayfly-worker-node", &[]),
        ("dayfly-worker-python", &[]),
        ("dayfly-wire", &["dayfly-runtime"]),
        ("dayfly-sandbox", &["dayfly-runtime"]),
        (
            "dayfly-process",
            &[
                "dayfly-runtime",
                "dayfly-wire",
                "dayfly-sandbox",
                "dayfly-strip",
                "dayfly-worker-node",
                "dayfly-worker-python",
            ],
        ),
        ("dayfly-tools", &["dayfly-runtime"]),
        ("dayfly", &["dayfly-runtime", "dayfly-process", "dayfly-tools"]),
        ("dayfly-cli", &["dayfly"]),
    ];
    const MAY_USE_ALL: &[&str] = &["dayfly-tests", "dayfly-benches"];

    let metadata = metadata();
    let members: BTreeSet<&str> =
        metadata.workspace_packages().into_iter().map(|package| package.name.as_str()).collect();
    let mut offences = Vec::new();
    for package in metadata.workspace_packages() {
        if MAY_USE_ALL.contains(&package.name.as_str()) {
            continue;
        }
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == package.name.as_str()) else {
            offences.push(format!("{} is a new crate: say here what it may use", package.name));
            continue;
        };
        for dependency in &package.dependencies {
            let ours = members.contains(dependency.name.as_str());
            if ours && dependency.kind != DependencyKind::Development && !allowed.contains(&dependency.name.as_str()) {
                offences.push(format!("{} uses {}", package.name, dependency.name));
            }
        }
    }
    none("an arrow that is not in the design's map", &offences);
    for (name, _) in ALLOWED {
        assert!(members.contains(name), "{name} is in the map and not in the workspace");
    }
}

#[test]
fn no_file_of_code_is_longer_than_600_lines() {
    let offences: Vec<String> = code()
        .map(|source| (source.text.lines().count(), source.path))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    none("split these by subject", &offences);
}

#[test]
fn lints_are_expected_with_a_reason_and_never_allowed() {
    let attributes = [concat!("#[", "allow"), concat!("#![", "allow")];
    let mut offences = Vec::new();
    for source in rust() {
        for (number, line) in (1..).zip(source.text.lines()) {
            if attributes.iter().any(|attribute| line.contains(attribute)) {
                offences.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    none("use #[expect(…, reason = \"…\")]", &offences);
}

#[test]
fn no_module_is_named_after_nothing() {
    const NAMELESS: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc"];
    let offences: Vec<String> = code()
        .map(|source| source.path)
        .filter(|path| path.split(['/', '.']).any(|part| NAMELESS.contains(&part)))
        .collect();
    none("name the subject", &offences);
}

#[test]
fn unsafe_code_lives_in_the_sandbox_and_nowhere_else() {
    let root: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(root["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("deny"));
    // With the lint denied everywhere, unsafe code needs an attribute that lifts it, and that names the lint.
    let lint = concat!("unsafe", "_code");
    let offences: Vec<String> = rust()
        .filter(|source| !source.path.starts_with("crates/sandbox/") && source.text.contains(lint))
        .map(|source| source.path)
        .filter(|path| path != "tests/tests/repository/main.rs")
        .collect();
    none("unsafe code outside crates/sandbox", &offences);
}

#[test]
fn protocol_matches_have_no_wildcard_arm() {
    let root: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(root["workspace"]["lints"]["clippy"]["wildcard_enum_match_arm"].as_str(), Some("warn"));
    // Clippy, with warnings denied, holds the rule; lifting it in the wire would be the offence.
    let offences: Vec<String> = rust()
        .filter(|source| source.path.starts_with("crates/wire/"))
        .filter(|source| source.text.contains("wildcard_enum_match_arm"))
        .map(|source| source.path)
        .collect();
    none("a wildcard arm on a protocol enum", &offences);
}

#[test]
fn every_member_has_a_description_a_licence_and_the_lint_table() {
    let mut offences = Vec::new();
    for package in metadata().workspace_packages() {
        if package.description.as_deref().unwrap_or_default().is_empty() {
            offences.push(format!("{} has no description", package.name));
        }
        if package.license.as_deref() != Some("MIT OR Apache-2.0") {
            offences.push(format!("{} is not licensed MIT OR Apache-2.0", package.name));
        }
        if package.rust_version.is_none() {
            offences.push(format!("{} states no minimum Rust version", package.name));
        }
    }
    for (path, table) in manifests() {
        if table.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool) != Some(true) {
            offences.push(format!("{path} does not take the workspace's lints"));
        }
    }
    none("incomplete manifests", &offences);
}

#[test]
fn versions_stand_only_in_the_workspace_table() {
    let mut offences = Vec::new();
    for (path, table) in manifests() {
        let targets = table.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
        let owners = std::iter::once(&table).chain(targets.filter_map(toml::Value::as_table));
        for owner in owners {
            for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
                for (name, wanted) in owner.get(kind).and_then(toml::Value::as_table).into_iter().flatten() {
                    if wanted.get("workspace").and_then(toml::Value::as_bool) != Some(true) {
                        offences.push(format!("{path}: {name}"));
                    }
                }
            }
        }
    }
    none("write `workspace = true` and put the version into the root's table", &offences);
}

#[test]
fn every_version_of_the_workspace_table_is_used() {
    let root: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let used: BTreeSet<String> = metadata()
        .workspace_packages()
        .into_iter()
        .flat_map(|package| package.dependencies.iter().map(|dependency| dependency.name.clone()))
        .collect();
    let offences: Vec<String> = root["workspace"]["dependencies"]
        .as_table()
        .unwrap()
        .keys()
        .filter(|name| !used.contains(*name) && *name != "dayfly-cli")
        .cloned()
        .collect();
    none("no member uses these", &offences);
}

#[test]
fn the_changelog_speaks_of_this_version() {
    let text = std::fs::read_to_string(root().join("CHANGELOG.md")).expect("there is a CHANGELOG.md");
    let version = env!("CARGO_PKG_VERSION");
    let spoken = text
        .lines()
        .any(|line| line.starts_with("## ") && (line.to_lowercase().contains("unreleased") || line.contains(version)));
    assert!(spoken, "CHANGELOG.md has neither a heading for {version} nor one for what is unreleased");
}

#[test]
fn the_licences_are_those_of_the_manifests() {
    let mit = std::fs::read_to_string(root().join("LICENSE-MIT")).unwrap();
    let apache = std::fs::read_to_string(root().join("LICENSE-APACHE")).unwrap();
    assert!(mit.contains("The Dayfly developers") && mit.contains("Permission is hereby granted"));
    assert!(apache.contains("The Dayfly developers") && apache.contains("Version 2.0, January 2004"));
}

#[test]
fn the_tree_names_no_machine_and_no_registry() {
    let marks = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("\"reso", "lved\":"),
        concat!("registry.", "npm"),
        concat!("registry", ".yarn"),
        concat!("index", "-url"),
        concat!("pypi", ".org/simple"),
    ];
    let mut offences = Vec::new();
    for source in sources() {
        for (number, line) in (1..).zip(source.text.lines()) {
            for mark in marks.iter().filter(|mark| line.contains(**mark)) {
                offences.push(format!("{}:{number}: {mark}", source.path));
            }
        }
    }
    none("paths of one machine, or download addresses", &offences);
}
