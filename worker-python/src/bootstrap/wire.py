# The socket. Frames leave through one queue, so they never interleave, whoever sends them: the program's threads, a
# signal handler that interrupts a write, a destructor that prints. Replies come in whenever anyone reads.


class Wire:
    """Both directions of the worker's socket."""

    def __init__(self):
        self.queue = deque()
        self.sent = 0
        # Reentrant: a signal handler may interrupt between taking it and becoming the writer.
        self.writing = RLock()
        self.writer = None
        self.reading = allocate_lock()
        self.head = bytearray()
        self.body = None
        self.filled = 0
        self.on_reply = None
        # In a forked child the socket belongs to the parent: nothing is sent.
        self.gone = False

    def send(self, frame):
        """Sends `frame` and everything queued before it; returns when the kernel has it all."""
        self.queue.append(frame)
        self.pump(True)

    def post(self, frame):
        """Sends `frame` as far as the socket takes it now; False when some of the queue is left."""
        self.queue.append(frame)
        return self.pump(False)

    def pump(self, wait):
        """Writes the queue, to its end or (unless `wait`) until the socket is full. False when some is left."""
        me = get_ident()
        if self.writer == me:
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
        queue = self.queue
        while queue and not self.gone:
            frame = queue[0]
            try:
                self.sent += os_write(SOCKET, memoryview(frame)[self.sent:] if self.sent else frame)
            except BlockingIOError:
                if not wait:
                    return False
                self.wait_for_room()
                continue
            except OSError:
                # The host has closed its end: there is nobody left to run for.
                real_exit(1)
            if self.sent == len(frame):
                self.sent = 0
                queue.popleft()
        if self.gone:
            queue.clear()
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
        if not self.reading.acquire(False):
            return False
        try:
            while True:
                try:
                    more = self.receive_once()
                except BlockingIOError:
                    break
                if not more:
                    break
        finally:
            self.reading.release()
        return True

    def receive_once(self):
        """One read. True when the socket may hold more."""
        body = self.body
        if body is not None:
            # A long payload goes straight to its place.
            got = os_readv(SOCKET, [memoryview(body)[self.filled:]])
            if got == 0:
                real_exit(1)
            self.filled += got
            if self.filled == len(body):
                self.body = None
                self.on_reply(self.flags, self.id, body)
            return True
        data = os_read(SOCKET, 65536)
        if not data:
            real_exit(1)
        if self.head:
            self.head += data
            held = self.head
            self.head = bytearray()
        else:
            held = data
        at = 0
        while len(held) - at >= HEADER_BYTES:
            _, _, kind, flags, id, length = unpack_header(held, at)
            end = at + HEADER_BYTES + length
            if end > len(held):
                if length > 65536:
                    self.body = bytearray(length)
                    self.filled = len(held) - at - HEADER_BYTES
                    self.body[:self.filled] = held[at + HEADER_BYTES:]
                    self.flags, self.id = flags, id
                    return True
                break
            if kind == REPLY:
                self.on_reply(flags, id, held[at + HEADER_BYTES:end])
            at = end
        if at < len(held):
            self.head = bytearray(held[at:])
        return len(data) == 65536

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


def frame(kind, id, payload):
    return pack_header(MAGIC, VERSION, kind, 0, id, len(payload)) + payload


wire = Wire()
