# The socket. Frames leave through one queue, so they never interleave, whoever sends them: the program's threads, a
# signal handler that interrupts a write, a destructor that prints. Replies come in whenever anyone reads.
#
# A signal handler or a trace function of the program's may raise between any two calls or lines of what follows. So
# what the kernel has done is never known only to a step still to come: what was written or read is put into a list by
# the C code that did it (`list.extend` of a `map`), and steps that belong together share a line and call nothing.

SOCKETS = (SOCKET,)
READ_SIZES = (65536,)
# Longer payloads are read to their place and written from it; shorter ones are copied together.
LONG = 65536
# No more pieces go into one write; the kernel takes 1,024.
MOST_PIECES = 256


class LongReply:
    """A reply whose payload is coming in."""

    def __init__(self, flags, id, length, begun):
        self.flags = flags
        self.id = id
        self.body = bytearray(length)
        self.body[:len(begun)] = begun
        # The counts of bytes that have come.
        self.counts = [len(begun)]


class Wire:
    """Both directions of the worker's socket."""

    def __init__(self):
        # Pieces of frames, in order.
        self.queue = deque()
        # The counts of bytes that were written of what now is at the head of the queue.
        self.ledger = []
        # Reentrant: a signal handler may interrupt between taking it and becoming the writer.
        self.writing = RLock()
        self.writer = None
        self.reading = RLock()
        self.reader = None
        # What has come and was not handed on: bytes, or a reply that is coming in.
        self.inbox = []
        self.handed_on = 0
        self.on_reply = None
        # In a forked child the socket belongs to the parent: nothing is sent.
        self.gone = False

    def send(self, *pieces):
        """Sends `pieces` and everything queued before them; returns when the kernel has it all."""
        self.queue.extend(pieces)
        self.pump(True)

    def pump(self, wait):
        """Writes the queue, to its end or (unless `wait`) until the socket is full. False when some is left."""
        me = get_ident()
        if self.writer == me and runs(WRITING):
            # The frame interrupted this thread's own write, which goes on with it before it returns.
            return True
        while self.queue:
            with self.writing:
                self.writer = me
                try:
                    if not self.write_queue(wait):
                        return False
                finally:
                    self.writer = None
        return True

    def write_queue(self, wait):
        queue, ledger = self.queue, self.ledger
        while not self.gone:
            sent = sum(ledger) if ledger else 0
            while queue and len(queue[0]) <= sent:
                sent -= len(queue[0])
                del queue[0]; ledger[:] = (sent,)
            if not queue:
                return True
            # By index: what is appended meanwhile, by a destructor for one, would end an iteration.
            pieces = [queue[at] for at in range(min(len(queue), MOST_PIECES))]
            if sent:
                pieces[0] = memoryview(pieces[0])[sent:]
            else:
                ledger[:] = ()
            try:
                ledger.extend(map(os_writev, SOCKETS, (pieces,)))
            except BlockingIOError:
                if not wait:
                    return False
                self.wait_for_room()
            except OSError:
                # The host has closed its end: there is nobody left to run for.
                real_exit(1)
        queue.clear()
        ledger.clear()
        return True

    def wait_for_room(self):
        """Waits until the socket takes more. What arrives meanwhile is taken in, so that two full directions
        never wait for each other."""
        poll = select_poll()
        poll.register(SOCKET, POLLIN | POLLOUT)
        while True:
            (_, events), = poll.poll()
            if events & (POLLIN | POLLHUP) and not self.receive():
                # Another thread, or the very one that was interrupted, is reading; only room counts.
                poll.modify(SOCKET, POLLOUT)
            if events & (POLLOUT | POLLERR | POLLHUP):
                return

    def receive(self):
        """Takes in what has arrived and hands on complete replies. False when someone else is at it."""
        me = get_ident()
        if (self.reader == me and runs(READING)) or not self.reading.acquire(False):
            return False
        self.reader = me
        try:
            while self.receive_once():
                pass
        finally:
            self.reader = None
            self.reading.release()
        return True

    def receive_once(self):
        """One read. True when the socket may hold more."""
        inbox = self.inbox
        if inbox and type(inbox[0]) is LongReply:
            return self.receive_long(inbox[0])
        got = -1
        try:
            inbox.extend(map(os_read, SOCKETS, READ_SIZES))
            got = len(inbox[-1])
            if got == 0:
                real_exit(1)
        except BlockingIOError:
            # Whole frames wait here when an exception of the program's cut their handing on off.
            if not inbox:
                return False
        if len(inbox) == 1 and HEADER_BYTES <= got < LONG:
            _, _, kind, flags, id, length = unpack_header(inbox[0])
            if got == HEADER_BYTES + length and kind == REPLY:
                payload = inbox[0][HEADER_BYTES:]
                inbox[:] = (); self.handed_on += 1
                self.on_reply(flags, id, payload)
                return False
        if len(inbox) > 1:
            inbox[:] = (b"".join(inbox),)
        held = memoryview(inbox[0])
        while len(held) >= HEADER_BYTES:
            _, _, kind, flags, id, length = unpack_header(held)
            end = HEADER_BYTES + length
            if end > len(held):
                if length > LONG:
                    inbox[:] = (LongReply(flags, id, length, held[HEADER_BYTES:]),)
                    return True
                break
            payload, held = held[HEADER_BYTES:end], held[end:]
            inbox[0] = held
            if kind == REPLY:
                self.handed_on += 1
                self.on_reply(flags, id, payload)
        if not held:
            inbox.clear()
        return got == READ_SIZES[0]

    def receive_long(self, reply):
        filled = sum(reply.counts)
        if filled < len(reply.body):
            reply.counts[:] = (filled,)
            try:
                reply.counts.extend(map(os_readv, SOCKETS, ((memoryview(reply.body)[filled:],),)))
            except BlockingIOError:
                return False
            if reply.counts[-1] == 0:
                real_exit(1)
            return True
        self.inbox.clear()
        self.handed_on += 1
        self.on_reply(reply.flags, reply.id, reply.body)
        return True

    def read_start(self):
        """The host's `start`, waited for."""
        magic, version, kind, _, _, length = unpack_header(self.read_exactly(HEADER_BYTES))
        if magic != MAGIC or kind != START:
            self.give_up("the first frame from the host is not `start`")
        if version != VERSION:
            self.give_up(f"the host speaks version {version} of the protocol, this worker version {VERSION}")
        return decode(self.read_exactly(length))

    def give_up(self, text):
        os_write(2, text.encode() + b"\n")
        real_exit(1)

    def read_exactly(self, length):
        data = bytearray(length)
        filled = 0
        while filled < length:
            got = os_readv(SOCKET, [memoryview(data)[filled:]])
            if got == 0:
                real_exit(1)
            filled += got
        return data


WRITING = Wire.write_queue.__code__
READING = Wire.receive.__code__


def runs(code):
    """Whether this thread is in the midst of `code` further out, and not merely marked so by a call that an exception
    of the program's cut off."""
    outer = this_frame(2)
    while outer is not None:
        if outer.f_code is code:
            return True
        outer = outer.f_back
    return False


def frame_head(kind, id, length):
    return pack_header(MAGIC, VERSION, kind, 0, id, length)


def frame(kind, id, payload):
    return frame_head(kind, id, len(payload)) + payload


def call_pieces(id, prefix, arguments):
    """The frame of a call, a long argument as a piece of its own."""
    head = frame_head(CALL, id, len(prefix) + len(arguments) + 1)
    if len(arguments) > LONG:
        return head + prefix, arguments, b"}"
    return b"".join((head, prefix, arguments, b"}")),


wire = Wire()
