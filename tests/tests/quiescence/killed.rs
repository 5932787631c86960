//! The host is killed with SIGKILL in the middle of a run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;

use dayfly::{Json, Language, Namespace, RunRequest};
use dayfly_tests::alone::{again, in_scenario};
use dayfly_tests::leftovers::{eventually, exists, names_in};
use dayfly_tests::{Both, Host};

const ROOT: &str = "DAYFLY_TEST_ROOT";
const LANGUAGE: &str = "DAYFLY_TEST_LANGUAGE";

/// A program with a child, and a daemon that ignores every signal it can; it tells their pids and stays.
const FAMILY: Both<&str> = Both::new(
    r#"const { spawn, execFileSync } = require("node:child_process");
const child = spawn("/bin/sleep", ["300"]);
execFileSync("/bin/sh", ["-c", "trap '' HUP TERM INT; setsid sh -c 'echo $$ > daemon.pid; exec sleep 300' >/dev/null 2>&1 &"]);
const fs = require("node:fs");
let daemon = 0;
while (!daemon) try { daemon = Number(fs.readFileSync("daemon.pid", "utf8")) } catch {}
await tools.here({ pids: [process.pid, child.pid, daemon], directory: process.cwd() });"#,
    r#"import os, subprocess
child = subprocess.Popen(["/bin/sleep", "300"])
subprocess.run(["/bin/sh", "-c", "trap '' HUP TERM INT; setsid sh -c 'echo $$ > daemon.pid; exec sleep 300' >/dev/null 2>&1 &"])
daemon = 0
while not daemon:
    try: daemon = int(open("daemon.pid").read())
    except (OSError, ValueError): pass
await tools.here(pids=[os.getpid(), child.pid, daemon], directory=os.getcwd())"#,
);

const TEST: &str = "killed::a_host_that_is_killed_in_mid_run_leaves_no_process_and_no_directory";

#[test]
fn a_host_that_is_killed_in_mid_run_leaves_no_process_and_no_directory() {
    if in_scenario(TEST) {
        return be_the_host();
    }
    for language in Language::ALL {
        let root = tempfile::tempdir().unwrap();
        let mut host =
            again(TEST).env(ROOT, root.path()).env(LANGUAGE, language.name()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(host.stdout.take().unwrap()).lines();
        let said = lines.map(Result::unwrap).find_map(|line| line.split_once("HERE ").map(|(_, said)| said.to_owned()));
        let said = Json::parse(&said.expect("the host says where its worker is")).unwrap();
        let pids: Vec<i32> =
            said.get("pids").unwrap().items().map(|pid| i32::try_from(pid.as_i64().unwrap()).unwrap()).collect();
        let directory = said.get("directory").unwrap().as_str().unwrap().to_owned();
        assert_eq!(pids.len(), 3);
        assert!(pids.iter().all(|pid| exists(*pid)), "{language}: {pids:?}");
        assert!(Path::new(&directory).starts_with(root.path()), "{language}: {directory}");

        // SIGKILL: nothing of the host's runs after it.
        host.kill().unwrap();
        host.wait().unwrap();
        for pid in pids {
            eventually(&format!("{language}: the end of process {pid}"), || !exists(pid));
        }

        // A directory may wait for the next start, which takes it away.
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let next = Host::with(|config| config.work_root(root.path()));
            next.still_serves(language).await;
            next.supervisor.shutdown().await;
        });
        assert_eq!(names_in(root.path()), Vec::<String>::new(), "{language}");
    }
}

/// The host that will be killed: it says where its worker is and waits.
fn be_the_host() {
    let root = std::env::var_os(ROOT).unwrap();
    let language = std::env::var(LANGUAGE).unwrap();
    let language = Language::ALL.into_iter().find(|known| known.name() == language).unwrap();
    let here = Namespace::tools().async_fn("here", |call| async move {
        let mut stdout = std::io::stdout();
        writeln!(stdout, "HERE {}", call.arguments).unwrap();
        stdout.flush().unwrap();
        std::future::pending().await
    });
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let host = Host::with(|config| config.work_root(Path::new(&root)));
        host.run(language, RunRequest::new(*FAMILY.of(language)).bind(here)).await;
    });
    panic!("the program ended by itself");
}
