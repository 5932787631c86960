//! Workers for tests: started whole, waited for without polling.

use std::ffi::CString;
use std::io::{PipeReader, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dayfly_sandbox::{Exit, Profile, ResourceLimits, SpawnError, SpawnSpec, Spawner, WorkDir, Worker};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A started worker with the reading ends of its pipes.
pub(crate) struct Run {
    pub(crate) worker: Worker,
    /// None when it had ended before it could be looked at.
    pub(crate) interpreter: Option<Known>,
    pub(crate) out: PipeReader,
    pub(crate) err: PipeReader,
    pub(crate) directory: Private,
}

/// A private directory that is removed before the test program ends, not by a thread that ends with it.
pub(crate) struct Private(Option<WorkDir>);

impl Private {
    pub(crate) fn path(&self) -> &Path {
        self.0.as_ref().unwrap().path()
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        self.0.take().unwrap().remove().unwrap();
    }
}

/// A specification with a private directory, the reading end of its standard output, and nobody at its standard error.
pub(crate) fn prepare(program: &str, arguments: &[&str]) -> (SpawnSpec, PipeReader, Private) {
    let directory = WorkDir::create(&std::env::temp_dir()).unwrap();
    let (out, stdout) = std::io::pipe().unwrap();
    let stderr = std::fs::File::options().write(true).open("/dev/null").unwrap();
    let spec = SpawnSpec {
        executable: program.into(),
        arguments: [program].iter().chain(arguments).map(|text| CString::new(*text).unwrap()).collect(),
        directory: directory.path().to_owned(),
        stdout: stdout.into(),
        stderr: stderr.into(),
        socket: None,
        bootstrap: None,
        limits: ResourceLimits::default(),
        profile: Profile::Open,
    };
    (spec, out, Private(Some(directory)))
}

/// Starts `program` with these arguments (`argv[0]` is added), after `adapt` has changed its specification.
pub(crate) fn start(
    spawner: &Spawner,
    program: &str,
    arguments: &[&str],
    adapt: impl FnOnce(&mut SpawnSpec),
) -> Result<Run, SpawnError> {
    let (mut spec, out, directory) = prepare(program, arguments);
    let (err, stderr) = std::io::pipe().unwrap();
    spec.stderr = stderr.into();
    adapt(&mut spec);
    let worker = spawner.spawn_blocking(spec)?;
    let interpreter = Known::open(worker.pid()).ok();
    Ok(Run { worker, interpreter, out, err, directory })
}

/// Starts a shell script.
pub(crate) fn shell(spawner: &Spawner, script: &str) -> Run {
    start(spawner, "/bin/sh", &["-c", script], |_| {}).unwrap()
}

/// Starts a Python program; `None`, said aloud, on a machine without `/usr/bin/python3`.
pub(crate) fn python(spawner: &Spawner, program: &str) -> Option<Run> {
    python_adapted(spawner, program, |_| {})
}

/// The same with a socket as descriptor 3; the host's end of it comes along.
pub(crate) fn python_with_socket(spawner: &Spawner, program: &str) -> Option<(Run, UnixStream)> {
    let (socket, host) = UnixStream::pair().unwrap();
    python_adapted(spawner, program, |spec| spec.socket = Some(socket.into())).map(|run| (run, host))
}

/// The real binary. Its absence is said past the test harness, which would swallow it.
pub(crate) fn python_binary() -> Option<String> {
    let binary = std::fs::canonicalize("/usr/bin/python3").ok().and_then(|path| path.to_str().map(str::to_owned));
    if binary.is_none() {
        std::io::stderr().write_all(b"SKIPPED: /usr/bin/python3 is missing\n").unwrap();
    }
    binary
}

fn python_adapted(spawner: &Spawner, program: &str, adapt: impl FnOnce(&mut SpawnSpec)) -> Option<Run> {
    let binary = python_binary()?;
    Some(start(spawner, &binary, &["-I", "-S", "-c", program], adapt).unwrap())
}

impl Run {
    /// Reads standard output up to the first line break.
    pub(crate) fn line(&mut self) -> String {
        let mut line = Vec::new();
        let mut byte = [0];
        while self.out.read(&mut byte).unwrap() == 1 && byte != *b"\n" {
            line.extend(byte);
        }
        String::from_utf8(line).unwrap()
    }

    /// Reads standard output until every process that had it is gone.
    pub(crate) fn rest(&mut self) -> String {
        let mut text = String::new();
        self.out.read_to_string(&mut text).unwrap();
        text
    }

    /// Waits until the whole tree is gone.
    pub(crate) fn wait(&mut self) -> Exit {
        wait_for(self.worker.pidfd());
        self.worker.try_reap().unwrap().expect("a readable pidfd means that the tree is gone")
    }

    /// The warden's state and what it is called.
    pub(crate) fn warden_state(&self) -> String {
        status(self.worker.warden_pid(), "State")
    }

    pub(crate) fn status(&self, name: &str) -> String {
        status(self.worker.pid(), name)
    }
}

/// Waits for what a pidfd stands for to end. The deadline only keeps a failing test from hanging.
pub(crate) fn wait_for(pidfd: impl AsFd) {
    let mut set = [PollFd::new(pidfd.as_fd(), PollFlags::POLLIN)];
    assert_eq!(poll(&mut set, PollTimeout::from(60_000_u16)).unwrap(), 1, "still running after a minute");
}

/// Waits for what is on its way; the deadline only keeps a failing test from hanging.
pub(crate) fn eventually(holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "not within a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A process that was there when its number was heard: whoever has that number later is another.
#[derive(Debug)]
pub(crate) struct Known {
    /// Only for messages.
    _pid: i32,
    pidfd: OwnedFd,
}

impl Known {
    /// Of a process that goes on for now.
    pub(crate) fn new(pid: i32) -> Self {
        Self::open(pid).unwrap()
    }

    #[expect(unsafe_code, reason = "neither std nor nix has pidfd_open")]
    fn open(pid: i32) -> nix::Result<Self> {
        // SAFETY: takes two numbers.
        let fd = nix::errno::Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
        // SAFETY: a new descriptor that nobody else knows.
        let pidfd = unsafe { OwnedFd::from_raw_fd(i32::try_from(fd).unwrap()) };
        Ok(Self { _pid: pid, pidfd })
    }

    /// Whether it has not ended.
    pub(crate) fn lives(&self) -> bool {
        poll(&mut [PollFd::new(self.pidfd.as_fd(), PollFlags::POLLIN)], PollTimeout::ZERO).unwrap() == 0
    }
}

impl AsFd for Known {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

/// A field of `/proc/PID/status`.
pub(crate) fn status(pid: i32, name: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.unwrap_or_else(|| panic!("{name} in {text}")).trim().to_owned()
}

/// One of the ignored tests of this program, in a process of its own: what it does there is process-wide.
///
/// It has a pipe as its standard input, which ends when the test does.
pub(crate) fn role(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([name, "--exact", "--ignored", "--nocapture", "--test-threads=1"]).stdin(Stdio::piped());
    command
}

/// The descriptors of a process and what they lead to.
pub(crate) fn descriptors(pid: &str) -> Vec<(i32, PathBuf)> {
    let folder = format!("/proc/{pid}/fd");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut found: Vec<_> = entries
        .map(|entry| entry.unwrap())
        // The one that lists is gone when it is looked at.
        .filter_map(|entry| {
            let target = std::fs::read_link(entry.path()).ok()?;
            (target != Path::new(&format!("/proc/{}/fd", std::process::id())))
                .then(|| (entry.file_name().to_str().unwrap().parse().unwrap(), target))
        })
        .collect();
    found.sort();
    found
}

/// The children of this process, whichever thread started them.
pub(crate) fn children() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}
