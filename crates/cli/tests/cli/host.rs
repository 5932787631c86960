//! What this host can run, and the exit code when it cannot.

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
