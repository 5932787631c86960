//! The forged worker's side: it plays the script that lies beside its executable.

use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};

use super::{Ending, Script, Step};

/// The file beside the executable that holds the script of the next workers.
pub(super) const SCRIPT: &str = "script";

/// The file that holds the script of the next worker alone, which takes it away.
pub(super) const NEXT: &str = "next";

/// The first argument of a worker whose socket is its standard input.
const PLAY: &str = "--play";

/// What the executable `forged-worker` does.
///
/// # Errors
///
/// When it was given nothing that it understands.
pub fn main() -> io::Result<()> {
    let mut arguments = std::env::args();
    let executable = arguments.next().unwrap_or_default();
    let arguments: Vec<String> = arguments.collect();
    if arguments.first().is_some_and(|first| first == PLAY) {
        let script = Script::from_bytes(&take(Path::new(&executable))?);
        return play(&script.ok_or_else(|| io::Error::other("the script cannot be read"))?);
    }
    let third = std::fs::read_link("/proc/self/fd/3").unwrap_or_default();
    if third.as_os_str().as_encoded_bytes().starts_with(b"socket:") {
        // A descriptor that was inherited has no safe owner, but standard input has: a shell moves it there.
        let shell = ["-c", r#"exec "$0" "$@" <&3 3<&-"#, &executable, PLAY];
        return Err(Command::new("/bin/sh").args(shell).exec());
    }
    // Node is asked for its version by `-e`, CPython by `-c`; what CPython is asked to compile may be any text.
    let node = arguments.iter().any(|argument| argument == "-e");
    let answer = if node { "node 99.0.0" } else { "cpython 3.99.0" };
    io::stdout().write_all(answer.as_bytes())
}

/// The script that was meant for this worker alone, or that of all.
fn take(executable: &Path) -> io::Result<Vec<u8>> {
    let taken = executable.with_file_name(format!("taken.{}", std::process::id()));
    match std::fs::rename(executable.with_file_name(NEXT), &taken) {
        Ok(()) => {
            let script = std::fs::read(&taken);
            std::fs::remove_file(taken)?;
            script
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::fs::read(executable.with_file_name(SCRIPT)),
        Err(error) => Err(error),
    }
}

/// What the host has sent so far.
#[derive(Debug, Default)]
struct Heard {
    started: bool,
    replies: u32,
    ended: bool,
    deaf: bool,
}

type Shared = Arc<(Mutex<Heard>, Condvar)>;

fn play(script: &Script) -> io::Result<()> {
    let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let shared = Shared::default();
    let (listener, heard) = (stream.try_clone()?, Arc::clone(&shared));
    std::thread::spawn(move || listen(listener, &heard));
    for step in &script.steps {
        match step {
            Step::Send(bytes) => {
                if (&stream).write_all(bytes).is_err() {
                    return Ok(());
                }
            }
            Step::Pause(duration) => std::thread::sleep(*duration),
            Step::AwaitStart => wait(&shared, |heard| heard.started),
            Step::AwaitReplies(count) => wait(&shared, |heard| heard.replies >= *count),
            Step::StopReading => lock(&shared.0).deaf = true,
            Step::Stdout(bytes) => io::stdout().write_all(bytes).and_then(|()| io::stdout().flush())?,
            Step::Stderr(bytes) => io::stderr().write_all(bytes)?,
            Step::HalfClose => stream.shutdown(Shutdown::Write)?,
            Step::HalfCloseReading => stream.shutdown(Shutdown::Read)?,
            Step::End(Ending::Exit(code)) => std::process::exit((*code).into()),
            Step::End(Ending::Kill(signal)) => kill(*signal),
            Step::End(Ending::Linger) => stay(),
            Step::End(Ending::CloseAndSpin) => close_and_spin(),
        }
    }
    Ok(())
}

/// Kills this process.
fn kill(signal: u8) -> ! {
    let kill = format!("kill -{signal} $$");
    // The shell takes this process's place.
    let error = Command::new("/bin/sh").args(["-c", &kill]).exec();
    panic!("there is no shell: {error}");
}

/// Gives the socket up with this process's image, and spins in the next one.
fn close_and_spin() -> ! {
    let error = Command::new("/bin/sh").args(["-c", "exec <&-; while :; do :; done"]).exec();
    panic!("there is no shell: {error}");
}

fn stay() -> ! {
    loop {
        std::thread::park();
    }
}

fn lock(heard: &Mutex<Heard>) -> std::sync::MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn wait(shared: &Shared, happened: impl Fn(&Heard) -> bool) {
    let (heard, news) = &**shared;
    let mut heard = lock(heard);
    while !happened(&heard) && !heard.ended {
        heard = news.wait(heard).unwrap_or_else(std::sync::PoisonError::into_inner);
    }
}

/// Reads the host's frames, of which only the kinds count.
fn listen(mut stream: UnixStream, shared: &Shared) {
    let mut buffer = vec![0; 64 << 10];
    let (mut header, mut skip) = (Vec::new(), 0_usize);
    let (heard, news) = &**shared;
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        let mut bytes = &buffer[..read];
        let mut now = lock(heard);
        while !bytes.is_empty() {
            let passed = skip.min(bytes.len());
            skip -= passed;
            bytes = &bytes[passed..];
            let wanted = (16 - header.len()).min(bytes.len());
            header.extend(&bytes[..wanted]);
            bytes = &bytes[wanted..];
            if let Ok([_, _, _, _, _, _, kind, _, _, _, _, _, length @ ..]) = <[u8; 16]>::try_from(&*header) {
                skip = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
                now.started |= kind == 0x81;
                now.replies += u32::from(kind == 0x82);
                header.clear();
            }
        }
        news.notify_all();
        if now.deaf {
            return;
        }
    }
    lock(heard).ended = true;
    news.notify_all();
}
