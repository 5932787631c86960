//! What this host can run, and the exit code when it cannot.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::bench::{Bench, both};

#[test]
fn an_interpreter_that_is_not_there_is_exit_code_3_with_what_was_looked_for() {
    for (file, program) in both("return 1", "return 1") {
        let flag = if file.ends_with("ts") { "--node" } else { "--python" };
        let bench = Bench::new();
        bench.file(file, program);
        bench.file("not-executable", "");
        for interpreter in ["./nowhere", "./not-executable", "/bin/true"] {
            let done = bench.run(&["run", file, flag, interpreter]);
            let named = interpreter.trim_start_matches("./");
            done.assert_refused(3, &["no usable interpreter for", named, "Install"]);
        }
        bench.assert_clean();
    }
}

#[test]
fn the_doctor_names_the_interpreters_and_the_layers() {
    let bench = Bench::new();
    let done = bench.run(&["doctor"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done:?}");
    for part in
        ["typescript: ", "python: ", "profile: open", "no-new-privs: applied", "not part of the profile `open`: "]
    {
        assert!(done.stdout.contains(part), "{part:?} is not in {}", done.stdout);
    }
    bench.assert_clean();
}

#[test]
fn the_doctor_says_the_same_as_json() {
    let done = Bench::new().run(&["doctor", "--json"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done:?}");
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    let languages: Vec<_> = report["interpreters"].as_array().unwrap().iter().map(|one| &one["language"]).collect();
    assert_eq!(languages, [&json!("typescript"), &json!("python")]);
    assert!(report["interpreters"].as_array().unwrap().iter().all(|one| one["version"].is_string()), "{report}");
    assert_eq!(report["isolation"]["profile"], json!("open"));
}

#[test]
fn the_doctor_of_a_host_without_an_interpreter_ends_with_3_and_says_why() {
    let done = Bench::new().run(&["doctor", "--python", "/bin/true"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.stdout.contains("python: not usable: "), "{done:?}");
    assert!(done.stdout.contains("/bin/true: "), "{done:?}");
}

/// The real binary that `name` in PATH stands for.
fn binary(name: &str, words: [&str; 2]) -> PathBuf {
    let output = Command::new(name).args(words).output().unwrap();
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

fn python() -> PathBuf {
    binary("python3", ["-c", "import os, sys; print(os.path.realpath(sys.executable))"])
}

/// A venv with a package of its own, made as `python -m venv` makes one.
fn venv(bench: &Bench) -> PathBuf {
    let made = Command::new(python()).args(["-m", "venv", "--without-pip"]).arg(bench.path("env")).status().unwrap();
    assert!(made.success());
    let lib = fs::read_dir(bench.path("env/lib")).unwrap().next().unwrap().unwrap().path();
    fs::write(lib.join("site-packages/mayfly.py"), "wings = 4").unwrap();
    lib.join("site-packages")
}

#[test]
fn a_venv_is_named_by_its_directory_or_its_interpreter_and_brings_its_packages() {
    let bench = Bench::new();
    let packages = venv(&bench);
    bench.file("program.py", "import mayfly\nreturn mayfly.wings");
    for named in ["env", "./env/", "env/bin", "env/bin/python", "env/bin/python3"] {
        let done = bench.run(&["run", "program.py", "--python", named]);
        assert_eq!(done.parts(), (Some(0), "4\n", ""), "{named}");
    }
    bench.file("dayfly.toml", "python = \"env\"\n");
    let done = bench.run(&["run", "program.py", "--config", "dayfly.toml"]);
    assert_eq!(done.parts(), (Some(0), "4\n", ""));
    // The packages alone, for the interpreter of the host.
    let python = python();
    let host = ["run", "program.py", "--python", python.to_str().unwrap()];
    let done = bench.run(&[&host[..], &["--modules", packages.to_str().unwrap()]].concat());
    assert_eq!(done.parts(), (Some(0), "4\n", ""));
    let done = bench.run(&host);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.stderr.contains("packages come with the venv that --python names, or with --modules DIR"), "{done:?}");
    bench.assert_clean();
}

#[test]
fn a_program_that_misses_a_package_of_node_is_answered_with_how_to_give_it() {
    let bench = Bench::new();
    for program in ["await import('mayfly')", "require('mayfly')"] {
        bench.file("program.ts", program);
        let done = bench.run(&["run", "program.ts"]);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.stderr.contains("packages come with --modules DIR, a `node_modules` directory"), "{done:?}");
    }
    fs::create_dir_all(bench.path("node_modules/mayfly")).unwrap();
    fs::write(bench.path("node_modules/mayfly/index.js"), "module.exports = 4").unwrap();
    bench.file("program.ts", "return require('mayfly')");
    let done = bench.run(&["run", "program.ts", "--modules", "node_modules"]);
    assert_eq!(done.parts(), (Some(0), "4\n", ""));
}

#[test]
fn an_installation_of_node_is_named_by_its_directory() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("installed/bin")).unwrap();
    symlink(binary("node", ["-p", "process.execPath"]), bench.path("installed/bin/node")).unwrap();
    bench.file("program.ts", "return 1");
    for named in ["installed", "installed/bin", "installed/bin/node"] {
        let done = bench.run(&["run", "program.ts", "--node", named]);
        assert_eq!(done.parts(), (Some(0), "1\n", ""), "{named}");
    }
}

#[test]
fn a_directory_without_an_interpreter_is_answered_with_what_was_looked_for() {
    let bench = Bench::new();
    bench.file("program.py", "return 1");
    let done = bench.run(&["run", "program.py", "--python", "tmp"]);
    done.assert_refused(3, &["python3, python3.14", "/tmp/bin and", "/tmp as configured by `python`: found none"]);
    done.assert_refused(3, &["name one with `python`: its file, or the directory that has it in `bin`"]);
}

#[test]
fn a_venv_whose_interpreter_is_gone_is_said_to_be() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("env/bin")).unwrap();
    bench.file("env/pyvenv.cfg", "");
    symlink("/nowhere/python3", bench.path("env/bin/python3")).unwrap();
    symlink("python3", bench.path("env/bin/python")).unwrap();
    bench.file("program.py", "return 1");
    for named in ["env", "env/bin/python"] {
        let done = bench.run(&["run", "program.py", "--python", named]);
        let said =
            "belongs to a virtual environment whose interpreter /nowhere/python3 is gone; make the environment again";
        done.assert_refused(3, &[said]);
        assert_eq!(done.stderr.matches("is gone").count(), 1, "{done:?}");
    }
}

/// Node 26 from the tools that `.ci/run` fetches (`tests/npm`).
fn newest_node() -> Option<PathBuf> {
    let fetched = Path::new(env!("CARGO_BIN_EXE_dayfly")).ancestors().nth(2)?.join("dev/node_modules");
    let modules = std::env::var_os("DAYFLY_DEV_NODE_MODULES").map_or(fetched, PathBuf::from);
    Some(modules.join("node26/bin/node")).filter(|node| node.is_file())
}

#[test]
fn a_node_that_takes_more_memory_to_start_than_there_is_says_how_much() {
    let Some(node) = newest_node() else {
        let required = std::env::var("DAYFLY_REQUIRE_DEV_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "DAYFLY_DEV_NODE_MODULES must name a node_modules directory with node26 in it");
        eprintln!("SKIPPED: Node 26 in little memory; set DAYFLY_DEV_NODE_MODULES (see tests/npm)");
        return;
    };
    let bench = Bench::new();
    bench.file("program.ts", "return 1");
    let done = bench.run(&["run", "program.ts", "--node", node.to_str().unwrap(), "--memory", "64MiB"]);
    done.assert_refused(
        3,
        &["did not start within the `memory` of 64MiB: Node.js 26.", "takes up to", "set `memory` to"],
    );
    assert!(!done.stderr.contains("Install") && !done.stderr.contains("signal"), "{done:?}");
    let (_, advised) = done.stderr.trim_end().rsplit_once("such as ").unwrap();
    let done = bench.run(&["run", "program.ts", "--node", node.to_str().unwrap(), "--memory", advised]);
    assert_eq!(done.parts(), (Some(0), "1\n", ""));
}
