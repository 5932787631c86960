//! Bytes as they arrive, to whole frames.

use bytes::{BufMut, Bytes, BytesMut};

use crate::{HEADER_BYTES, Header, Side, Violation, WireLimits};

/// What is offered to one read when no frame asks for more, in bytes: 4,096 headers, a third of a socket's buffer.
const READ_BYTES: usize = 64 * 1024;

/// A buffer that held this many bytes more than twice what waits in it now is exchanged for a smaller one.
const KEEP_BYTES: usize = 128 * 1024;

/// A whole frame whose header has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// The checked header.
    pub header: Header,
    /// The payload, `header.length` bytes; it shares the decoder's buffer until it is dropped.
    pub payload: Bytes,
}

/// Cuts a stream of bytes into frames.
///
/// It does no I/O. Fill [`read_buffer`](Self::read_buffer) from the socket, then take frames with
/// [`next`](Self::next) until it gives `None`; call [`finish`](Self::finish) at the end of the stream.
///
/// Memory follows what has arrived, never what a header promises. A buffer has room for at most four times the bytes that
/// wait in it, plus 128 KiB; once frames have been taken from it, eight times and 640 KiB. A payload is handed out without
/// being copied.
///
/// Once it has found a [`Violation`] it gives that one for ever: after a broken frame nothing says where the next
/// begins.
#[derive(Debug)]
pub struct Decoder {
    limits: WireLimits,
    from: Side,
    buffer: BytesMut,
    /// The header of the frame whose payload is being collected; its bytes have left the buffer.
    header: Option<Header>,
    /// The most bytes that have waited in the buffer since it was new. Its room is not known: `BytesMut` does not count
    /// what lies before the bytes that wait.
    held: usize,
    /// Given again and again once found.
    failed: Option<Violation>,
}

impl Decoder {
    /// A decoder of what a worker sends.
    #[must_use]
    pub fn new(limits: WireLimits) -> Self {
        Self::of(Side::Worker, limits)
    }

    /// A decoder of what `from` sends.
    #[must_use]
    pub fn of(from: Side, limits: WireLimits) -> Self {
        Self { limits, from, buffer: BytesMut::new(), header: None, held: 0, failed: None }
    }

    /// Where the next bytes of the stream go: for `tokio`, `stream.read_buf(&mut decoder.read_buffer()).await`.
    ///
    /// It always has room, at most for the rest of the current frame or 64 KiB, whichever is more. Bytes are read
    /// into their final place. Dropping it, or the future that fills it, loses nothing.
    pub fn read_buffer(&mut self) -> impl BufMut + '_ {
        if self.failed.is_some() {
            self.buffer.clear();
        }
        // `reserve` doubles what is there, so room follows what has arrived; a header alone allocates nothing. The
        // limit keeps the next frames out of the buffer of a large one, but for READ_BYTES.
        self.buffer.reserve(READ_BYTES);
        let offered = self.missing().max(READ_BYTES);
        (&mut self.buffer).limit(offered)
    }

    /// Takes bytes that were read elsewhere, copying them.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let mut buffer = self.read_buffer();
            let room = buffer.chunk_mut().len().min(bytes.len());
            let (now, later) = bytes.split_at(room);
            buffer.put_slice(now);
            bytes = later;
        }
    }

    /// The next whole frame, or `None` when more bytes are needed.
    ///
    /// # Errors
    ///
    /// The [`Violation`] in the next header, now and at every later call.
    #[expect(clippy::should_implement_trait, reason = "more bytes may follow a `None`, which an iterator's may not")]
    pub fn next(&mut self) -> Result<Option<Frame>, Violation> {
        if let Some(violation) = &self.failed {
            return Err(violation.clone());
        }
        self.held = self.held.max(self.buffer.len());
        let header = match self.header {
            Some(header) => header,
            None => match self.take_header() {
                Ok(Some(header)) => *self.header.insert(header),
                Ok(None) => return Ok(self.wait()),
                Err(violation) => {
                    // What follows a broken frame is never looked at.
                    self.buffer = BytesMut::new();
                    self.failed = Some(violation.clone());
                    return Err(violation);
                }
            },
        };
        let length = payload_bytes(&header);
        if self.buffer.len() < length {
            return Ok(self.wait());
        }
        self.header = None;
        let payload = self.buffer.split_to(length).freeze();
        Ok(Some(Frame { header, payload }))
    }

    /// Says that the stream has ended.
    ///
    /// # Errors
    ///
    /// [`Violation::Truncated`] when it ended inside a frame; the violation already found, if there was one. Frames
    /// that [`next`](Self::next) has not given yet count as inside.
    pub fn finish(&self) -> Result<(), Violation> {
        if let Some(violation) = &self.failed {
            return Err(violation.clone());
        }
        match self.header {
            Some(header) => Err(Violation::Truncated {
                received: HEADER_BYTES + self.buffer.len(),
                expected: HEADER_BYTES + payload_bytes(&header),
            }),
            None if self.buffer.is_empty() => Ok(()),
            None => Err(Violation::Truncated { received: self.buffer.len(), expected: HEADER_BYTES }),
        }
    }

    /// Bytes of memory held for what has arrived and for what the next read may bring.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// More bytes are needed: gives a buffer back that is far larger than what waits in it.
    ///
    /// What is copied is less than half of what has left the buffer since it was new, so it is paid for.
    fn wait<T>(&mut self) -> Option<T> {
        let waiting = self.buffer.len();
        if self.held > waiting.saturating_mul(2).saturating_add(KEEP_BYTES) {
            self.buffer = BytesMut::from(&*self.buffer);
            self.held = waiting;
        }
        None
    }

    /// Takes a header off the buffer, once, as a copy that the peer cannot reach.
    fn take_header(&mut self) -> Result<Option<Header>, Violation> {
        let Some(bytes) = self.buffer.first_chunk::<HEADER_BYTES>().copied() else { return Ok(None) };
        let header = Header::decode(bytes, self.from, self.limits.max_frame_bytes)?;
        drop(self.buffer.split_to(HEADER_BYTES));
        Ok(Some(header))
    }

    /// Bytes that the current frame still lacks.
    fn missing(&self) -> usize {
        let wanted = self.header.map_or(HEADER_BYTES, |header| payload_bytes(&header));
        wanted.saturating_sub(self.buffer.len())
    }
}

/// A length as a size in memory: no target that Dayfly supports has a `usize` of less than 64 bits.
const fn payload_bytes(header: &Header) -> usize {
    header.length as usize
}
