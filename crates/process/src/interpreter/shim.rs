//! From a path to the binary that it is or stands for.

use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dayfly_runtime::CancellationToken;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::candidates::end_of_links;
use super::venv;
use crate::dialect::Dialect;
use crate::supervisor::Shared;

/// The ELF binary that `found` is, or stands for.
pub(super) async fn binary(shared: &Shared, dialect: &'static Dialect, found: PathBuf) -> Result<PathBuf, String> {
    let real = found.canonicalize().map_err(|error| unreachable(&found, &error))?;
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

/// Why nothing is at the end of a path.
fn unreachable(found: &Path, error: &io::Error) -> String {
    if !found.is_symlink() {
        return error.to_string();
    }
    let end = end_of_links(found);
    if venv(found).is_some() {
        // A venv outlives the interpreter that it was made with.
        format!(
            "belongs to a virtual environment whose interpreter {} is gone; make the environment again",
            end.display()
        )
    } else {
        format!("is a link to {}: {error}", end.display())
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
