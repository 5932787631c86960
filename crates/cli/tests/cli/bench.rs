//! A workbench: a private directory with files, and the command run in it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nix::unistd::Pid;

/// A directory that is removed at the end; workers' directories are made in a corner of it.
pub(crate) struct Bench {
    directory: tempfile::TempDir,
}

/// What the command did.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("tmp")).unwrap();
        Self { directory }
    }

    /// A bench with one file of tools, `tools.toml`.
    pub(crate) fn with_tools(tools: &str) -> Self {
        let bench = Self::new();
        bench.file("tools.toml", tools);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A file that can be executed. A process of its own writes it: a child that another test starts meanwhile would have it open
    /// for writing until it executes something, and such a file is busy.
    pub(crate) fn executable(&self, name: &str, text: &str) {
        let source = self.file(&format!("{name}.source"), text);
        let installed = Command::new("install").args(["-m", "755"]).arg(source).arg(self.path(name)).status();
        assert!(installed.unwrap().success());
    }

    /// A named pipe: opening one end waits for the other, which makes it a barrier between processes.
    pub(crate) fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    /// The command, ready to be started in this directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dayfly"));
        command.args(arguments).current_dir(self.directory.path()).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        // What whoever runs the tests has set for their own command is no matter here.
        command.env_remove("DAYFLY_LOG");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        self.command(arguments).output().unwrap().into()
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Done {
        let mut child = self.start(self.command(arguments).stdin(Stdio::piped()));
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap().into()
    }

    /// Runs a program with `tools.toml`, and gives its completion value.
    pub(crate) fn value(&self, name: &str, program: &str) -> serde_json::Value {
        self.file(name, program);
        let done = self.run(&["run", name, "--tools", "tools.toml", "--json"]);
        let result: serde_json::Value = serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{done:?}"));
        assert_eq!(done.code, Some(0), "{result}");
        result["value"].clone()
    }

    pub(crate) fn start(&self, command: &mut Command) -> Child {
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The pid that a process of the bench has written to a file.
    pub(crate) fn pid_in(&self, name: &str) -> Pid {
        Pid::from_raw(self.text(name).trim().parse().unwrap())
    }

    /// Waits until no process of this pid runs in the bench. One that was killed needs a moment, and one whose parent is gone
    /// stays a zombie until init, which is not ours, has reaped it: neither has a directory. Nor is a process of another
    /// directory the one that is meant: it was given the pid afterwards.
    pub(crate) fn assert_gone(&self, pid: Pid) {
        let bench = self.directory.path().canonicalize().unwrap();
        let runs_here = || match fs::read_link(format!("/proc/{pid}/cwd")) {
            Ok(directory) => directory.starts_with(&bench),
            Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while runs_here() {
            assert!(Instant::now() < deadline, "process {pid} is left");
            std::thread::yield_now();
        }
    }

    /// Nothing that a run made for itself is left.
    pub(crate) fn assert_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, Vec::<PathBuf>::new());
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: code(output.status), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Done {
    /// The exit code and both streams, in one comparison.
    pub(crate) fn parts(&self) -> (Option<i32>, &str, &str) {
        (self.code, &self.stdout, &self.stderr)
    }

    /// The command refused, printed nothing, and said on standard error all of `parts`.
    pub(crate) fn assert_refused(&self, code: i32, parts: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not in {}", self.stderr);
        }
    }
}

/// The exit code; a signal that killed the command is a failure of any test.
pub(crate) fn code(status: ExitStatus) -> Option<i32> {
    assert_eq!(status.signal(), None, "the command was killed by a signal");
    status.code()
}

/// Waits until something has been written to a named pipe, and gives it.
pub(crate) fn hear(pipe: PathBuf) -> String {
    let (heard, hears) = mpsc::channel();
    std::thread::spawn(move || heard.send(fs::read_to_string(pipe).unwrap()));
    hears.recv_timeout(Duration::from_secs(60)).expect("nothing was written to the pipe")
}

/// The same program in both languages, by file name.
pub(crate) fn both<'a>(typescript: &'a str, python: &'a str) -> [(&'static str, &'a str); 2] {
    [("program.ts", typescript), ("program.py", python)]
}
