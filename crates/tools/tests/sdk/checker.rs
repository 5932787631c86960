//! The TypeScript compiler, run once over many texts.
//!
//! Needs Node and a `node_modules` directory with `typescript` (`tests/npm` has the lock file); its path is in
//! `DAYFLY_DEV_NODE_MODULES`. Without it the tests say so and pass, unless `DAYFLY_REQUIRE_DEV_TOOLS=1`.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

const CONFIG: &str = r#"{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2022", "lib": ["es2022"], "types": [],
    "module": "esnext", "moduleDetection": "force"}, "include": ["*.ts"]}"#;

/// The compiler, if there is one.
pub(crate) fn compiler() -> Option<PathBuf> {
    let found = std::env::var_os("DAYFLY_DEV_NODE_MODULES").map(PathBuf::from);
    let found = found.map(|modules| modules.join("typescript/bin/tsc")).filter(|compiler| compiler.is_file());
    if found.is_none() {
        let required = std::env::var("DAYFLY_REQUIRE_DEV_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "DAYFLY_DEV_NODE_MODULES must name a node_modules directory with typescript in it");
        eprintln!("SKIPPED: tsc --strict; set DAYFLY_DEV_NODE_MODULES to a node_modules directory (see tests/npm)");
    }
    found
}

/// What `tsc --strict` says of these modules, each a name and its text; nothing when it has nothing to say.
pub(crate) fn complaints(compiler: &PathBuf, modules: &[(String, String)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tsconfig.json"), CONFIG).unwrap();
    for (name, text) in modules {
        fs::write(folder.path().join(format!("{name}.ts")), text).unwrap();
    }
    let output = Command::new("node").arg(compiler).args(["--pretty", "false", "-p"]).arg(folder.path()).output();
    let output = output.expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let said: Vec<String> = said.lines().map(str::to_owned).collect();
    assert_eq!(output.status.success(), said.is_empty(), "{said:?}");
    said
}

#[test]
fn a_checker_that_finds_nothing_would_be_noticed() {
    let Some(compiler) = compiler() else { return };
    let wrong =
        [("wrong".to_owned(), "const a: string = 5;\n".to_owned()), ("right".to_owned(), "const a = 5;\n".to_owned())];
    let said = complaints(&compiler, &wrong);
    assert!(said.len() == 1 && said[0].contains("wrong.ts(1,7)"), "{said:?}");
}
