//! Trying a candidate under the conditions of a worker.

use std::ffi::CString;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dayfly_runtime::{CancellationToken, RunError};
use dayfly_sandbox::sealed_memfd;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;

use super::{Interpreter, Tried, Version, venv};
use crate::config::ByteSize;
use crate::dialect::Dialect;
use crate::supervisor::Shared;
use crate::worker::{Launch, WorkerProcess, host};

/// What a probe may print. A compiled bootstrap is a few times its source.
const MOST_OUTPUT: u64 = 4 << 20;

/// Tries one file; `Err` is a host that cannot try anything.
pub(super) async fn try_candidate(
    shared: &Shared,
    dialect: &'static Dialect,
    found: PathBuf,
) -> Result<Tried, RunError> {
    let outcome = match examine(shared, dialect, &found).await {
        Ok(interpreter) => Ok(interpreter),
        Err(Refusal::Candidate(problem)) => Err(problem),
        // A candidate whose execution is refused is this candidate's problem.
        Err(Refusal::Host(RunError::Layer { remedy, .. })) => Err(remedy),
        Err(Refusal::Host(error)) => return Err(error),
    };
    Ok(Tried { found, outcome })
}

enum Refusal {
    Candidate(String),
    Host(RunError),
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Self {
        Self::Host(error)
    }
}

fn refuse<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Candidate(problem.into()))
}

async fn examine(shared: &Shared, dialect: &'static Dialect, found: &Path) -> Result<Interpreter, Refusal> {
    let path = match binary(shared, dialect, found.to_owned()).await {
        Ok(path) => path,
        Err(problem) => return refuse(problem),
    };
    let seal = |bytes: &[u8]| sealed_memfd("dayfly-bootstrap", bytes).map(Arc::new).map_err(host("hold the bootstrap"));
    let source = seal(dialect.bootstrap.as_bytes())?;
    let printed = capture(shared, dialect, &path, &(dialect.probe)(&shared.limits), &source).await?;
    let end = printed.iter().position(|byte| *byte == b'\n').unwrap_or(printed.len());
    let (answer, ready_made) = printed.split_at(end);
    let text = String::from_utf8_lossy(answer);
    let Some((implementation, version)) = text.split_once(' ') else {
        return refuse(format!("printed {:?} instead of its version", excerpt(&text)));
    };
    let Some(version) = Version::parse(version) else {
        return refuse(format!("printed {:?} instead of its version", excerpt(&text)));
    };
    if implementation != dialect.implementation {
        return refuse(format!("is {implementation:?}, not {}", dialect.product));
    }
    if version < dialect.floor {
        return refuse(format!("is version {version}, and {} or newer is needed", dialect.floor));
    }
    let arguments = argument_vector(&path, (dialect.arguments)(&shared.limits).iter().map(String::as_str))?;
    let bootstrap = match (ready_made.get(1..).unwrap_or_default(), dialect.compiler) {
        ([], None) => source,
        ([], Some(compiler)) => {
            let compiled = capture(shared, dialect, &path, &compiler(), &source).await?;
            if compiled.is_empty() {
                return refuse("could not compile the bootstrap");
            }
            seal(&compiled)?
        }
        (ready_made, _) => seal(ready_made)?,
    };
    let modules = (dialect.modules)(&shared.limits, &path, version);
    Ok(Interpreter { dialect, path, version, arguments, bootstrap, modules })
}

/// What the interpreter at `path` prints, run as a worker is run.
async fn capture(
    shared: &Shared,
    dialect: &'static Dialect,
    path: &Path,
    arguments: &[String],
    bootstrap: &Arc<OwnedFd>,
) -> Result<Vec<u8>, Refusal> {
    let arguments = argument_vector(path, arguments.iter().map(String::as_str))?;
    let launch = Launch {
        executable: path,
        arguments,
        dialect,
        socket: None,
        bootstrap: Some(Arc::clone(bootstrap)),
        packages: None,
    };
    let mut process = WorkerProcess::launch(shared, launch).await?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let finished = {
        let WorkerProcess { stdout: out, stderr: err, .. } = &mut process;
        let both = async { tokio::try_join!(read_all(out, &mut stdout), read_all(err, &mut stderr)) };
        tokio::select! {
            biased;
            () = shared.closing.cancelled() => None,
            finished = tokio::time::timeout(shared.limits.ready_deadline, both) => Some(finished),
        }
    };
    let exit = process.end().await;
    let Some(finished) = finished else { return Err(Refusal::Host(RunError::ShutDown)) };
    match finished {
        Err(_) => refuse(format!("did not answer within {:?}", shared.limits.ready_deadline)),
        Ok(Err(error)) => Err(Refusal::Host(host("read what an interpreter printed")(error))),
        Ok(Ok(_)) if exit.code == Some(0) => Ok(stdout),
        Ok(Ok(_)) => {
            let ending = match (exit.code, exit.signal) {
                (Some(code), _) => format!("exited with code {code}"),
                (None, Some(signal)) => format!("was killed by signal {signal}"),
                (None, None) => "ended".to_owned(),
            };
            let words = last_words(&String::from_utf8_lossy(&stderr), shared.limits.memory);
            refuse(format!("{ending} when asked for its version: {words}"))
        }
    }
}

/// The arguments behind the interpreter's own path, by which a venv's interpreter knows its venv.
fn argument_vector<'a>(path: &'a Path, arguments: impl Iterator<Item = &'a str>) -> Result<Vec<CString>, Refusal> {
    let words = std::iter::once(path.as_os_str().as_encoded_bytes()).chain(arguments.map(str::as_bytes));
    let words: Result<Vec<_>, _> = words.map(CString::new).collect();
    words.or_else(|_| refuse("its path holds a NUL byte"))
}

async fn read_all(pipe: &mut pipe::Receiver, into: &mut Vec<u8>) -> io::Result<()> {
    pipe.take(MOST_OUTPUT).read_to_end(into).await.map(|_| ())
}

fn excerpt(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// Why an interpreter ended. One that has too little memory says so above a long stack of its own.
fn last_words(stderr: &str, memory: ByteSize) -> String {
    match stderr.lines().find(|line| line.contains("out of memory")) {
        Some(line) => {
            let line = excerpt(line.trim_start_matches(['#', ' ']));
            format!("{line}; it needs more memory than the configured `memory` of {memory}")
        }
        None => excerpt(stderr),
    }
}

/// The ELF binary that `found` is, or stands for.
async fn binary(shared: &Shared, dialect: &'static Dialect, found: PathBuf) -> Result<PathBuf, String> {
    let real = found.canonicalize().map_err(|error| error.to_string())?;
    if !real.is_file() {
        return Err("is not a file".to_owned());
    }
    match starts_with(&real, b"\x7fELF") {
        // The path of a venv's interpreter is what makes it the venv's.
        Ok(true) if venv(&found).is_some() => return Ok(found),
        Ok(true) => return Ok(real),
        Ok(false) => {}
        Err(error) => return Err(error.to_string()),
    }
    if !starts_with(&real, b"#!").unwrap_or(false) {
        return Err("is neither a binary nor a script".to_owned());
    }
    // A version manager's shim: a worker has an empty environment, in which no shim works, so it is asked once, with
    // the host's own environment, for what it stands for.
    let arguments = dialect.unwrap;
    let closing = shared.closing.clone();
    let asked = tokio::task::spawn_blocking(move || ask(&found, arguments, &closing)).await;
    let answer = asked.map_err(|error| error.to_string())??;
    let real = PathBuf::from(&answer).canonicalize().map_err(|error| format!("stands for {answer:?}: {error}"))?;
    match starts_with(&real, b"\x7fELF") {
        Ok(true) if venv(Path::new(&answer)).is_some() => Ok(PathBuf::from(answer)),
        Ok(true) => Ok(real),
        Ok(false) | Err(_) => Err(format!("is a script that stands for {answer:?}, which is not a binary")),
    }
}

fn starts_with(path: &Path, magic: &[u8]) -> io::Result<bool> {
    let mut start = Vec::with_capacity(magic.len());
    std::fs::File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(start.starts_with(magic))
}

/// Runs the shim with a deadline and gives its last line. Whatever it started ends with it.
fn ask(shim: &Path, arguments: &[&str], closing: &CancellationToken) -> Result<String, String> {
    const DEADLINE: Duration = Duration::from_secs(10);
    let mut child = Command::new(shim)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("is a script that cannot be run: {error}"))?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() < DEADLINE && !closing.is_cancelled() => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(None) | Err(_) => {
                // Not reaped yet, so its group is still its own.
                if let Ok(group) = i32::try_from(child.id()) {
                    let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
                }
                let _ = child.wait();
                return Err("is a script that did not answer".to_owned());
            }
        }
    };
    // A path: it fits the pipe, so nothing was lost by not reading before the end.
    let mut printed = String::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(64 << 10).read_to_string(&mut printed).map_err(|error| error.to_string())?;
    }
    match printed.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) if status.success() => Ok(line.trim().to_owned()),
        // What a version manager's shim says of a version that it knows by name only.
        _ if status.code() == Some(127) => {
            Err(format!("is a script that ended with {status} (no such version installed)"))
        }
        _ => Err(format!("is a script that ended with {status} when asked for its binary")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_that_lacks_memory_is_said_to_and_not_shown_with_its_stack() {
        let stderr = "\n\n#\n# Fatal process out of memory: Failed to reserve virtual memory for CodeRange\n#\n\
                      ----- Native stack trace -----\n\n 1: 0xa9e1c1  [node]\n14: 0x8b0eee _start [node]\n";
        let words = last_words(stderr, ByteSize::mib(512));
        let wanted = "Fatal process out of memory: Failed to reserve virtual memory for CodeRange; \
                      it needs more memory than the configured `memory` of 512MiB";
        assert_eq!(words, wanted);
        assert_eq!(last_words("a warning\nthe last line\n\n", ByteSize::mib(512)), "the last line");
    }
}
