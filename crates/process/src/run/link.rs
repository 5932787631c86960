//! The socket to one worker: frames in, frames out, never waiting for either.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::{Buf as _, Bytes};
use dayfly_wire::{Decoder, Frame, Violation, WireLimits, WorkerMessage};
use nix::sys::uio::writev;
use tokio::task::JoinHandle;

use super::socket::{Socket, read_now};

/// A payload of this many bytes is decoded where it blocks nobody.
const LARGE_PAYLOAD: u32 = 256 << 10;

/// What a queued frame costs beside its bytes.
const FRAME_COST: usize = 64;

/// One read of what a worker left, in bytes.
const REST_BYTES: usize = 16 << 10;

/// One read of a call that is waited for in place, in bytes. What is longer is read as it always is.
const NEXT_BYTES: usize = 4 << 10;

/// Such reads at most: twice what the kernel lets a socket hold by default. A process that escaped its warden may still
/// be writing.
const MOST_RESTS: usize = (8 << 20) / REST_BYTES;

/// Frames that one write takes at most: replies that are ready together leave together.
const FRAMES_PER_WRITE: usize = 64;

/// What there is to take from the worker now.
#[derive(Debug)]
pub(super) enum Next {
    /// A message, and the bytes of its frame.
    Message(WorkerMessage, usize),
    /// Nothing until more has arrived or has been decoded.
    Nothing,
}

/// What the socket brought.
#[derive(Debug)]
pub(super) enum Turn {
    /// The large message that was being decoded, and the bytes of its frame.
    Decoded(Result<WorkerMessage, Violation>, usize),
    /// Bytes came, or left.
    Moved,
}

/// The socket to one worker.
#[derive(Debug)]
pub(super) struct Link {
    /// Watched for reading alone: a socket that is watched for writing as well wakes its task once more for every frame that
    /// the worker takes.
    socket: Socket,
    /// The same socket watched for writing, while the worker has not taken what was written to it.
    full: Option<tokio::net::UnixStream>,
    decoder: Decoder,
    limits: WireLimits,
    decoding: Option<JoinHandle<Result<WorkerMessage, Violation>>>,
    decoding_bytes: usize,
    queue: VecDeque<Bytes>,
    queued_bytes: usize,
    ended: bool,
    /// The worker takes no more frames.
    refused: bool,
    rests: usize,
    pub(super) bytes_in: u64,
    pub(super) bytes_out: u64,
}

impl Link {
    /// Watches a socket, which must not block.
    pub(super) fn new(stream: UnixStream, limits: WireLimits) -> io::Result<Self> {
        Ok(Self {
            socket: Socket::watched(stream.into())?,
            full: None,
            decoder: Decoder::new(limits),
            limits,
            decoding: None,
            decoding_bytes: 0,
            queue: VecDeque::new(),
            queued_bytes: 0,
            ended: false,
            refused: false,
            rests: 0,
            bytes_in: 0,
            bytes_out: 0,
        })
    }

    /// Whether the worker has closed its end, so that nothing more comes.
    pub(super) const fn ended(&self) -> bool {
        self.ended
    }

    /// Whether the worker has closed its end, or the half of it that takes frames.
    pub(super) const fn closed(&self) -> bool {
        self.ended || self.refused
    }

    /// What is wrong with the end of the stream: it may have cut a frame short.
    pub(super) fn truncation(&self) -> Option<Violation> {
        if self.ended { self.decoder.finish().err() } else { None }
    }

    /// Memory that frames take which the worker has not read.
    pub(super) const fn queued_bytes(&self) -> usize {
        self.queued_bytes
    }

    /// Queues a frame for the worker.
    pub(super) fn send(&mut self, frame: Bytes) {
        self.queued_bytes = self.queued_bytes.saturating_add(frame.len() + FRAME_COST);
        self.queue.push_back(frame);
    }

    /// Does what the socket allows next: reads what has arrived (while `reading`), writes what is queued, or takes the
    /// large message that was being decoded. While one is, nothing is read.
    ///
    /// One read a turn, so that a worker that floods its socket cannot keep the run from its other business.
    ///
    /// # Cancellation
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn turn(&mut self, reading: bool) -> Turn {
        poll_fn(|cx| self.poll_turn(reading, cx)).await
    }

    fn poll_turn(&mut self, reading: bool, cx: &mut Context<'_>) -> Poll<Turn> {
        if let Some(decoding) = &mut self.decoding
            && let Poll::Ready(decoded) = Pin::new(decoding).poll(cx)
        {
            self.decoding = None;
            if let Ok(decoded) = decoded {
                return Poll::Ready(Turn::Decoded(decoded, self.decoding_bytes));
            }
            // The blocking pool is gone with its runtime, and soon this future.
        }
        if reading && !self.ended && self.decoding.is_none() && self.poll_read(cx).is_ready() {
            return Poll::Ready(Turn::Moved);
        }
        if !self.queue.is_empty() && self.poll_room(cx).is_ready() {
            self.flush();
            return Poll::Ready(Turn::Moved);
        }
        Poll::Pending
    }

    /// Waits until the worker has taken something of what was written to it.
    fn poll_room(&self, cx: &mut Context<'_>) -> Poll<()> {
        match self.full.as_ref().map(|full| full.poll_write_ready(cx)) {
            None | Some(Poll::Ready(Ok(()))) => Poll::Ready(()),
            // An error here is the end of the tokio runtime, and of this future with it.
            Some(Poll::Pending | Poll::Ready(Err(_))) => Poll::Pending,
        }
    }

    /// One write, which does not wait.
    fn write(&self, frames: &[IoSlice<'_>]) -> io::Result<usize> {
        match &self.full {
            Some(full) => full.try_write_vectored(frames),
            None => Ok(writev(self.socket.descriptor()?, frames)?),
        }
    }

    /// The socket takes no more now: from here on it is watched for room, until everything has left.
    fn watch_for_room(&mut self) {
        if self.full.is_none() {
            let watched = self.socket.descriptor().and_then(|socket| socket.try_clone_to_owned());
            match watched.and_then(|socket| tokio::net::UnixStream::from_std(UnixStream::from(socket))) {
                Ok(watched) => self.full = Some(watched),
                Err(error) => self.refuse(&error),
            }
        }
    }

    /// Gives up writing. What the worker has sent before is read all the same: its completion may be there.
    fn refuse(&mut self, error: &io::Error) {
        tracing::debug!(%error, "a worker takes no more frames");
        self.refused = true;
        self.queue.clear();
        self.queued_bytes = 0;
    }

    /// Reads what has arrived, up to one buffer. Unlike `try_read`, it knows a short read for the last one, and spares
    /// the read that only says so.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            match ready!(self.socket.poll_read(cx, &mut self.decoder.read_buffer())) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The end; an error is a reset: there were bytes that the worker did not read.
                Ok(0) | Err(_) => self.ended = true,
                Ok(read) => self.bytes_in = self.bytes_in.saturating_add(u64::try_from(read).unwrap_or(u64::MAX)),
            }
            return Poll::Ready(());
        }
    }

    /// Writes what the socket takes.
    pub(super) fn flush(&mut self) {
        while !self.queue.is_empty() {
            let mut frames = [IoSlice::new(&[]); FRAMES_PER_WRITE];
            let count = frames.iter_mut().zip(&self.queue).map(|(slot, frame)| *slot = IoSlice::new(frame)).count();
            match self.write(&frames[..count]) {
                Ok(written) => self.written(written),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return self.watch_for_room(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.refuse(&error),
            }
        }
        self.full = None;
    }

    /// Takes what was written off the queue.
    fn written(&mut self, mut bytes: usize) {
        self.bytes_out = self.bytes_out.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.queued_bytes = self.queued_bytes.saturating_sub(bytes);
        while let Some(frame) = self.queue.front_mut() {
            let taken = bytes.min(frame.len());
            frame.advance(taken);
            bytes -= taken;
            if !frame.is_empty() {
                return;
            }
            self.queue.pop_front();
            self.queued_bytes = self.queued_bytes.saturating_sub(FRAME_COST);
        }
    }

    /// Reads what a worker left that has ended, up to one buffer; whether there was anything.
    ///
    /// Asks the kernel and not tokio: what tokio knows of the socket may be older than the worker's last words.
    pub(super) fn read_rest(&mut self) -> bool {
        let mut buffer = [0; REST_BYTES];
        if self.rests == MOST_RESTS {
            return false;
        }
        self.rests += 1;
        match self.socket.descriptor().map_or(0, |socket| read_now(socket, &mut buffer)) {
            0 => {
                self.ended = true;
                false
            }
            read => {
                self.fed(&buffer[..read]);
                true
            }
        }
    }

    /// Waits in place for what the worker sends next, no longer than `until`, and reads one buffer of it; whether there
    /// was anything. From here on tokio does not watch the socket: no other thread of it wakes for the same bytes.
    /// [`watch`](Self::watch) must follow as soon as the run is to wait otherwise.
    ///
    /// The thread is offered to others between two looks: on a busy machine the worker may need this very CPU.
    pub(super) fn read_in_place(&mut self, until: Instant) -> bool {
        if self.closed() || self.decoding.is_some() || !self.queue.is_empty() {
            return false;
        }
        self.socket.hold();
        let mut buffer = [0; NEXT_BYTES];
        while Instant::now() < until {
            match self.socket.descriptor().and_then(|socket| Ok(nix::unistd::read(socket, &mut buffer)?)) {
                Ok(read) if read > 0 => {
                    self.fed(&buffer[..read]);
                    return true;
                }
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                // The end, or a reset.
                Ok(_) | Err(_) => {
                    self.ended = true;
                    return true;
                }
            }
            std::thread::yield_now();
        }
        false
    }

    /// Has tokio watch the socket again after [`read_in_place`](Self::read_in_place).
    pub(super) fn watch(&mut self) {
        if let Err(error) = self.socket.watch() {
            tracing::error!(%error, "failed to watch a worker's socket again");
            self.ended = true;
        }
    }

    fn fed(&mut self, bytes: &[u8]) {
        self.bytes_in = self.bytes_in.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.decoder.feed(bytes);
    }

    /// Takes the next message.
    pub(super) fn next(&mut self) -> Result<Next, Violation> {
        if self.decoding.is_some() {
            return Ok(Next::Nothing);
        }
        match self.decoder.next()? {
            Some(frame) if frame.header.length >= LARGE_PAYLOAD => {
                let limits = self.limits;
                self.decoding_bytes = frame_bytes(&frame);
                self.decoding = Some(tokio::task::spawn_blocking(move || decode(&frame, &limits)));
                Ok(Next::Nothing)
            }
            Some(frame) => {
                let bytes = frame_bytes(&frame);
                decode(&frame, &self.limits).map(|message| Next::Message(message, bytes))
            }
            None => Ok(Next::Nothing),
        }
    }

    /// Whether a large message is being decoded.
    pub(super) const fn is_decoding(&self) -> bool {
        self.decoding.is_some()
    }
}

fn frame_bytes(frame: &Frame) -> usize {
    dayfly_wire::HEADER_BYTES + frame.payload.len()
}

fn decode(frame: &Frame, limits: &WireLimits) -> Result<WorkerMessage, Violation> {
    WorkerMessage::decode(frame, limits)
}
