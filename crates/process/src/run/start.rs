//! From a place to a worker that is ready for its program.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use dayfly_runtime::{Language, RunError};
use dayfly_wire::{Accepted, Session, Violation, WireLimits, WorkerMessage};
use tokio::io::AsyncReadExt as _;
use tokio::time::Instant;

use super::Stop;
use super::link::{Link, Next, Turn};
use super::settle::signal_name;
use crate::config::Limits;
use crate::interpreter::{Interpreter, last_words};
use crate::supervisor::Shared;
use crate::worker::{Launch, WorkerProcess, host};

/// A worker that has said `ready`.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) process: WorkerProcess,
    pub(super) link: Link,
    pub(super) session: Session,
    pub(super) interpreter: Arc<Interpreter>,
}

pub(super) fn wire_limits(limits: &Limits) -> WireLimits {
    let max_frame_bytes = u32::try_from(limits.max_frame_bytes.as_u64()).unwrap_or(u32::MAX);
    WireLimits::new(max_frame_bytes, limits.max_decoded_bytes.as_usize(), limits.max_depth)
}

/// Spawns a worker and waits for its `ready`; `None` when the run was stopped first, and then nothing is left of it.
pub(super) async fn start(shared: &Arc<Shared>, language: Language, stop: &Stop) -> Result<Option<Started>, RunError> {
    let interpreter = tokio::select! {
        biased;
        () = stop.stopped() => return Ok(None),
        interpreter = shared.interpreter(language) => interpreter?,
    };
    shared.verify().await?;
    let deadline = Instant::now() + shared.limits.ready_deadline;
    let (ours, theirs) = UnixStream::pair().map_err(host("make the worker's socket"))?;
    ours.set_nonblocking(true).map_err(host("make the worker's socket"))?;
    let launch = Launch {
        executable: &interpreter.path,
        arguments: interpreter.arguments.clone(),
        dialect: interpreter.dialect,
        memory: shared.limits.memory,
        socket: Some(OwnedFd::from(theirs)),
        bootstrap: Some(Arc::clone(&interpreter.bootstrap)),
        packages: interpreter.modules.clone().filter(|_| interpreter.dialect.links_modules),
    };
    // Not interrupted: it takes milliseconds, and what it starts must be ended in order.
    let mut process = WorkerProcess::launch(shared, launch).await?;
    let mut link = Link::new(ours, wire_limits(&shared.limits)).map_err(host("watch the worker's socket"))?;
    let mut session = Session::new();
    let unready = tokio::select! {
        biased;
        () = stop.stopped() => {
            process.end().await;
            return Ok(None);
        }
        () = tokio::time::sleep_until(deadline) => "it said nothing".to_owned(),
        said = handshake(&mut link, &mut session) => match said {
            Ok(()) => return Ok(Some(Started { process, link, session, interpreter })),
            Err(Some(violation)) => violation.to_string(),
            Err(None) => "it closed its socket".to_owned(),
        },
    };
    let mut words = Vec::new();
    let exit = process.end().await;
    // The process is gone: what it wrote is in the pipe, and reading it waits for nothing.
    let _: io::Result<_> = tokio::time::timeout(
        std::time::Duration::from_secs(1),
        (&mut process.stderr).take(4 << 10).read_to_end(&mut words),
    )
    .await
    .unwrap_or(Ok(0));
    let ending = match (exit.code, exit.signal) {
        (Some(code), _) => format!(" and exited with code {code}"),
        // The signal is ours, for a worker that was still there.
        (None, Some(signal)) if signal != 9 => format!(" and was killed by {}", signal_name(signal)),
        (None, _) => String::new(),
    };
    let words = String::from_utf8_lossy(&words);
    let words = match words.trim() {
        "" => String::new(),
        words if words.contains("out of memory") => format!(": {}", last_words(words, shared.limits.memory)),
        words => format!(": {words}"),
    };
    Err(RunError::NotReady {
        language,
        deadline: shared.limits.ready_deadline,
        reason: format!("{unready}{ending} ({} {}){words}", interpreter.path.display(), interpreter.version),
    })
}

/// Reads until `ready`; `Err(None)` is the end of the stream.
///
/// What has arrived behind `ready` by then came before `start`, and is a violation: left for later it would be taken
/// for the program's, or wait for bytes that never come.
async fn handshake(link: &mut Link, session: &mut Session) -> Result<(), Option<Violation>> {
    let mut ready = false;
    loop {
        while let Next::Message(message, _) = link.next().map_err(Some)? {
            ready |= is_ready(session, message)?;
        }
        if ready && !link.is_decoding() {
            return Ok(());
        }
        if link.ended() && !link.is_decoding() {
            return Err(None);
        }
        match link.turn(true).await {
            Turn::Moved => {}
            Turn::Decoded(message, _) => ready |= is_ready(session, message.map_err(Some)?)?,
        }
    }
}

/// Takes a message, which `ready` alone may be, and once.
fn is_ready(session: &mut Session, message: WorkerMessage) -> Result<bool, Option<Violation>> {
    match session.accept(message).map_err(Some)? {
        Accepted::Ready { language, version } => {
            tracing::debug!(%language, version, "ready");
            Ok(true)
        }
        Accepted::Call { .. } | Accepted::Log(_) | Accepted::Settled(_) | Accepted::Ignored(_) => Ok(false),
    }
}
