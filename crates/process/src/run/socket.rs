//! A worker's socket: watched by tokio, or held by its run alone.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::BufMut;
use tokio::net::unix::pipe::Receiver;
use tokio_util::io::poll_read_buf;

/// The socket to one worker, which does not block.
#[derive(Debug)]
pub(super) enum Socket {
    /// tokio wakes the run when something has arrived. It is a socket and no pipe, which are read by the same calls.
    Watched(Receiver),
    /// The run looks by itself: tokio does not know of the socket.
    Held(OwnedFd),
    /// It could not be handed over, and is closed.
    Lost,
}

impl Socket {
    /// A socket that tokio watches for reading.
    pub(super) fn watched(socket: OwnedFd) -> io::Result<Self> {
        Receiver::from_file_unchecked(File::from(socket)).map(Self::Watched)
    }

    /// Takes the socket from tokio.
    pub(super) fn hold(&mut self) {
        *self = match std::mem::replace(self, Self::Lost) {
            Self::Watched(receiver) => receiver.into_nonblocking_fd().map_or(Self::Lost, Self::Held),
            held @ (Self::Held(_) | Self::Lost) => held,
        };
    }

    /// Gives it back; what has arrived meanwhile wakes the run at once.
    pub(super) fn watch(&mut self) -> io::Result<()> {
        *self = match std::mem::replace(self, Self::Lost) {
            Self::Held(socket) => Self::watched(socket)?,
            watched @ (Self::Watched(_) | Self::Lost) => watched,
        };
        Ok(())
    }

    /// What the kernel knows it by.
    pub(super) fn descriptor(&self) -> io::Result<BorrowedFd<'_>> {
        match self {
            Self::Watched(receiver) => Ok(receiver.as_fd()),
            Self::Held(socket) => Ok(socket.as_fd()),
            Self::Lost => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Reads what has arrived, up to one buffer. A held socket wakes nobody.
    pub(super) fn poll_read(&mut self, cx: &mut Context<'_>, buffer: &mut impl BufMut) -> Poll<io::Result<usize>> {
        match self {
            Self::Watched(receiver) => poll_read_buf(Pin::new(receiver), cx, buffer),
            Self::Held(_) => Poll::Pending,
            Self::Lost => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }
}

/// Reads without waiting from a descriptor that does not block; 0 at the end, and when there is nothing.
pub(super) fn read_now(descriptor: impl AsFd, buffer: &mut [u8]) -> usize {
    loop {
        match nix::unistd::read(&descriptor, buffer) {
            Ok(read) => return read,
            Err(nix::errno::Errno::EINTR) => {}
            Err(_) => return 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Write as _;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[tokio::test]
    async fn what_arrives_while_a_socket_is_held_is_read_when_it_is_watched_again() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let mut socket = Socket::watched(ours.into()).unwrap();
        for word in [b"one", b"two"] {
            socket.hold();
            theirs.write_all(word).unwrap();
            let mut read = Vec::new();
            let early = poll_fn(|cx| Poll::Ready(socket.poll_read(cx, &mut read).is_ready())).await;
            assert!(!early, "a held socket is not read by tokio");
            socket.watch().unwrap();
            poll_fn(|cx| socket.poll_read(cx, &mut read)).await.unwrap();
            assert_eq!(read, word);
        }
    }
}
