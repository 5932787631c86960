//! Tests that need a process to themselves: the test binary runs itself again for that one test.

use std::process::{Command, Stdio};

const SCENARIO: &str = "DAYFLY_TEST_ALONE";

/// Runs `body` in a process that runs nothing else. `test` is the path of the calling test, as the test binary lists
/// it.
///
/// # Panics
///
/// When `body` panics in its process.
pub fn alone(test: &str, body: impl FnOnce()) {
    alone_with(test, &[], body);
}

/// The same with these variables in the environment of that process.
///
/// # Panics
///
/// When `body` panics in its process.
pub fn alone_with(test: &str, environment: &[(&str, &str)], body: impl FnOnce()) {
    if in_scenario(test) {
        body();
        return;
    }
    let output = again(test).envs(environment.iter().copied()).output().expect("a test binary can run itself");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{test}, alone, ended with {}:\n{stdout}\n{stderr}", output.status);
    assert!(stdout.contains("1 passed"), "{test} is not the name of the test:\n{stdout}");
}

/// Whether this process is the one that [`again`] made for `test`.
#[must_use]
pub fn in_scenario(test: &str) -> bool {
    std::env::var(SCENARIO).is_ok_and(|scenario| scenario == test)
}

/// The command that runs `test` of this binary alone, with its output as it is.
///
/// # Panics
///
/// When this process has no path.
#[must_use]
pub fn again(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a running test has a path"));
    command.args(["--exact", test, "--nocapture", "--test-threads", "1"]);
    command.env(SCENARIO, test).stdin(Stdio::null());
    command
}
