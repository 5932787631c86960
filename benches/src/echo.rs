//! The least host that there can be: one thread that blocks on the socket and sends every argument back as it came.
//!
//! What a call costs with it is the worker's share and the kernel's; a real host can only add to it.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;

use dayfly::Language;
use dayfly_wire::{HEADER_BYTES, HostMessage, Start, StartNamespace, WireLimits};

/// A worker that plays rounds with such a host.
#[derive(Debug)]
pub struct EchoedPlayer {
    child: Child,
    socket: UnixStream,
    next: mpsc::Sender<usize>,
    over: mpsc::Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl EchoedPlayer {
    /// Starts a worker on `interpreter` with a program as [`Player::start`](crate::Player::start) makes it.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn start(interpreter: &Path, language: Language, before: &str, round: &str) -> Self {
        let (ours, theirs) = UnixStream::pair().unwrap_or_else(|error| panic!("no socket: {error}"));
        let child = launch(interpreter, language, theirs).unwrap_or_else(|error| panic!("{language}: {error}"));
        let socket = ours.try_clone().unwrap_or_else(|error| panic!("no socket: {error}"));
        let program = crate::player::program(language, before, round);
        let (next, jobs) = mpsc::channel();
        let (done, over) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            // It ends with the socket.
            let _ = serve(ours, program, &jobs, &done);
        });
        assert!(over.recv().is_ok(), "{language}: the worker did not become ready");
        Self { child, socket, next, over, thread: Some(thread) }
    }

    /// Plays one round of `count` calls and waits for its end.
    ///
    /// # Panics
    ///
    /// When the worker has ended.
    pub fn round(&self, count: usize) {
        let played = self.next.send(count).is_ok() && self.over.recv().is_ok();
        assert!(played, "a worker has ended");
    }
}

impl Drop for EchoedPlayer {
    fn drop(&mut self) {
        // Either may be over already.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.child.kill();
        let _ = self.child.wait();
        (self.next, _) = mpsc::channel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Starts the interpreter as a host does, as far as the worker can tell: a shell moves the descriptors into place.
fn launch(interpreter: &Path, language: Language, socket: UnixStream) -> io::Result<Child> {
    let (bootstrap, arguments) = if language == Language::Python {
        (dayfly_worker_python::BOOTSTRAP, dayfly_worker_python::arguments())
    } else {
        let mut arguments = dayfly_worker_node::arguments(512);
        arguments.extend(["-e", dayfly_worker_node::LOADER].map(str::to_owned));
        (dayfly_worker_node::BOOTSTRAP, arguments)
    };
    let file = std::env::temp_dir().join(format!("dayfly-bench-{}-{language}", std::process::id()));
    File::create(&file)?.write_all(bootstrap.as_bytes())?;
    Command::new("/bin/sh")
        .args(["-c", "exec 3<&0 4<\"$1\" 0</dev/null; rm -f \"$1\"; shift; exec \"$@\"", "sh"])
        .arg(&file)
        .arg(interpreter)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(socket)))
        .spawn()
}

/// Reads frames and sends their arguments back, until the socket ends.
fn serve(
    mut socket: UnixStream,
    program: String,
    jobs: &mpsc::Receiver<usize>,
    done: &mpsc::Sender<()>,
) -> io::Result<()> {
    let functions = ["echo", "next"];
    let namespace = StartNamespace::new("tools", functions).error_class("ToolCallError", "toolName");
    let start = Start::new(program, &WireLimits::DEFAULT).namespace(namespace);
    let start = HostMessage::Start(start).encode().map_err(io::Error::other)?;
    let mut buffer: Vec<u8> = Vec::new();
    let mut replies: Vec<u8> = Vec::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let read = socket.read(&mut chunk)?;
        if read == 0 {
            return Ok(());
        }
        buffer.extend_from_slice(&chunk[..read]);
        let mut at = 0;
        while let Some(frame) = whole(&buffer[at..]) {
            let (header, payload) = frame.split_at(HEADER_BYTES);
            match header[6] {
                // It is ready.
                1 => socket.write_all(&start)?,
                2 => match payload.strip_prefix(br#"{"global":"tools","name":"echo","args":"#) {
                    Some(rest) => reply(&mut replies, header, rest.strip_suffix(b"}").unwrap_or(rest)),
                    None => {
                        let _ = done.send(());
                        let Ok(count) = jobs.recv() else { return Ok(()) };
                        reply(&mut replies, header, format!("\"{count}\"").as_bytes());
                    }
                },
                _ => return Err(io::Error::other(String::from_utf8_lossy(payload).into_owned())),
            }
            at += frame.len();
        }
        buffer.drain(..at);
        socket.write_all(&replies)?;
        replies.clear();
    }
}

fn whole(bytes: &[u8]) -> Option<&[u8]> {
    let length = bytes.get(12..HEADER_BYTES)?.try_into().map(u32::from_le_bytes).ok()?;
    bytes.get(..HEADER_BYTES + usize::try_from(length).ok()?)
}

fn reply(replies: &mut Vec<u8>, header: &[u8], value: &[u8]) {
    let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
    replies.extend_from_slice(&header[..6]);
    replies.extend_from_slice(&[0x82, 0]);
    replies.extend_from_slice(&header[8..12]);
    replies.extend_from_slice(&length.to_le_bytes());
    replies.extend_from_slice(value);
}
