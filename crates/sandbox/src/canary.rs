//! A child that only exists to be looked at.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::io::{PipeReader, Read as _};
use std::sync::{Mutex, PoisonError};

use crate::profile::layer;
use crate::tree::Process;
use crate::{Profile, ResourceLimits, SpawnError, SpawnSpec, Spawner, WorkDir, Worker, process};

/// Descriptors that the canary may have: a limit that no host has by chance, so that finding it proves something.
const OPEN_FILES: u64 = 61;
/// How long the canary's tree may take to end once it is killed, in milliseconds.
const END_DEADLINE: u16 = 5000;

/// Whether `open` was verified in this process. Layers depend on the host alone, so once is enough.
static OPEN: Mutex<bool> = Mutex::new(false);

/// Looks at a canary under `open`, the first time.
pub(crate) fn verify_open(spawner: &Spawner) -> Result<(), SpawnError> {
    let mut verified = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !*verified {
        look_at_a_canary(spawner)?;
        *verified = true;
    }
    Ok(())
}

fn look_at_a_canary(spawner: &Spawner) -> Result<(), SpawnError> {
    let host = |action| move |source| SpawnError::Host { action, source };
    let directory = WorkDir::create(&std::env::temp_dir())
        .map_err(|error| SpawnError::Host { action: "make a directory for a test child", source: error.source })?;
    let (out, stdout) = std::io::pipe().map_err(host("make a pipe"))?;
    let (_err, stderr) = std::io::pipe().map_err(host("make a pipe"))?;
    // The warden's own program, which waits to be killed when its argument says so: no interpreter is needed, and none
    // of this host's programs is trusted to behave.
    let worker = spawner.spawn_blocking(SpawnSpec {
        executable: "/proc/self/fd/4".into(),
        arguments: vec![CString::from(c"dayfly-canary"), CString::from(c"idle")],
        directory: directory.path().to_owned(),
        stdout: stdout.into(),
        stderr: stderr.into(),
        socket: None,
        bootstrap: Some(spawner.warden()),
        limits: ResourceLimits { open_files: Some(OPEN_FILES), ..ResourceLimits::default() },
        profile: Profile::Open,
    })?;
    let found = parent_death(out).and_then(|()| inspect(&worker, &directory));
    let ended = end(worker);
    if let Err(error) = directory.remove() {
        // The next start finds it; it says nothing about the layers.
        tracing::debug!(%error, "a test child's directory stays behind");
    }
    found.and(ended)
}

/// The canary tells this itself, as its first act: /proc does not show it.
fn parent_death(mut out: PipeReader) -> Result<(), SpawnError> {
    let mut signal = [0];
    let told = out.read_exact(&mut signal);
    let holds = told.is_ok() && i32::from(signal[0]) == libc::SIGKILL;
    expect(layer::PARENT_DEATH, holds, || format!("the signal is {}, {told:?}", signal[0]))
}

fn inspect(worker: &Worker, directory: &WorkDir) -> Result<(), SpawnError> {
    let pid = worker.pid();
    let missing = |layer| move || SpawnError::Canary { layer, found: "/proc does not show the child".to_owned() };
    let process = Process::open(pid).ok_or_else(missing(layer::REAPING))?;
    let stat = process.stat().ok_or_else(missing(layer::REAPING))?;
    expect(layer::REAPING, stat.parent == worker.warden_pid(), || format!("its parent is {}", stat.parent))?;
    expect(layer::SESSION, stat.session == pid, || format!("its session is {}", stat.session))?;

    let status = process.read("status").ok_or_else(missing(layer::SIGNALS))?;
    let status = String::from_utf8_lossy(&status).into_owned();
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map_or("absent", str::trim);
    expect(layer::NO_NEW_PRIVS, field("NoNewPrivs:") == "1", || format!("NoNewPrivs is {}", field("NoNewPrivs:")))?;
    let ignored = field("SigIgn:");
    expect(layer::SIGNALS, is_zero(ignored), || format!("ignored signals are {ignored}"))?;
    let umask = field("Umask:");
    expect(layer::WORKING_DIRECTORY, umask == "0077", || format!("the umask is {umask}"))?;

    let environment = process.read("environ").ok_or_else(missing(layer::ENVIRONMENT))?;
    expect(layer::ENVIRONMENT, environment.is_empty(), || format!("it has {} bytes", environment.len()))?;

    let limits = process.read("limits").ok_or_else(missing(layer::RLIMITS))?;
    let limits = String::from_utf8_lossy(&limits).into_owned();
    let limit = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_ascii_whitespace().take(2).map(|value| value.parse().unwrap_or(u64::MAX)).collect::<Vec<_>>()
    };
    let core = limit("Max core file size");
    let no_core = core.len() == 2 && core.iter().all(|bytes| *bytes <= 1);
    expect(layer::CORE_DUMPS, no_core, || format!("soft and hard limit are {core:?}"))?;
    let files = limit("Max open files");
    let lowered = files.len() == 2 && files.iter().all(|count| *count <= OPEN_FILES);
    expect(layer::RLIMITS, lowered, || format!("soft and hard limit of open files are {files:?}"))?;

    let own = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    expect(layer::WORKING_DIRECTORY, own == directory.path(), || format!("it is in {}", own.display()))?;
    let descriptors = descriptors(pid).ok_or_else(missing(layer::DESCRIPTORS))?;
    let expected = BTreeSet::from([0, 1, 2, 4]);
    expect(layer::DESCRIPTORS, descriptors == expected, || format!("open are {descriptors:?}"))
}

fn is_zero(hexadecimal: &str) -> bool {
    !hexadecimal.is_empty() && hexadecimal.bytes().all(|digit| digit == b'0')
}

fn descriptors(pid: i32) -> Option<BTreeSet<i32>> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
    entries.map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Kills the canary; its whole tree must be gone then.
fn end(mut worker: Worker) -> Result<(), SpawnError> {
    let pid = worker.pid();
    worker.kill();
    let gone = process::has_ended(worker.pidfd(), END_DEADLINE);
    let exit = worker.try_reap().map_err(|source| SpawnError::Host { action: "wait for a test child", source })?;
    let killed = exit.is_some_and(|exit| exit.signal == Some(libc::SIGKILL));
    let left = Process::open(pid).is_some();
    expect(layer::REAPING, gone && killed && !left, || format!("told to end, it gave {exit:?}; it is there: {left}"))
}

fn expect(layer: &'static str, holds: bool, found: impl FnOnce() -> String) -> Result<(), SpawnError> {
    if holds { Ok(()) } else { Err(SpawnError::Canary { layer, found: found() }) }
}
