# Standard output and standard error: real text streams over writers that turn complete lines into `log` frames.

# A line longer than this is sent in pieces: a program that never ends its line must still meet the host's cap.
LONGEST_LINE = 8 * 1024 * 1024


def longest_line():
    # A byte takes up to six in JSON, and the frame must not be longer than the host takes.
    return max(min(LONGEST_LINE, Limits.value_bytes // 8), 16)


def whole_characters(data, end):
    """The greatest length up to `end` at which `data` ends with a whole character of UTF-8."""
    for back in range(1, min(4, end + 1)):
        byte = data[end - back]
        if byte & 0xC0 != 0x80:
            wanted = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
            return end - back if wanted > back else end
    return end


class LogWriter(io.BufferedIOBase):
    """The binary stream under `sys.stdout` or `sys.stderr`: one log entry a line.

    It keeps nothing back but an unfinished line, and gives that up before the other stream's next entry, so entries
    stay in the order in which they were written. The lock is the socket's own: with a second one, a thread that prints and
    one that writes a frame (the last one, or one within which a destructor prints) would wait for each other.
    """

    def __init__(self, source, level, descriptor):
        self.name = f"<{source}>"
        self.source = source
        self.prefix = f'{{"source":"{source}","level":"{level}","text":'.encode()
        self.descriptor = descriptor
        self.pieces = []
        self.held = 0
        self.cut = False
        self.other = None

    def writable(self):
        return True

    def fileno(self):
        return self.descriptor

    def isatty(self):
        return False

    def write(self, data):
        if self.closed:
            raise ValueError("write to closed file")
        if type(data) is not bytes:
            data = bytes(memoryview(data))
        if wire.gone:
            return write_fully(self.descriptor, data)
        with wire.writing:
            if self.other.pieces:
                self.other.end_line()
            self.take(data)
        return len(data)

    def take(self, data):
        end = data.rfind(b"\n")
        if end < 0:
            if data:
                self.pieces.append(data)
                self.held += len(data)
                if self.held > longest_line():
                    self.cut_line()
            return
        pieces, self.pieces, self.held = self.pieces, [], 0
        if end + 1 < len(data):
            self.pieces.append(data[end + 1:])
            self.held = len(data) - end - 1
        pieces.append(data[:end])
        lines = b"".join(pieces).split(b"\n")
        if self.cut:
            self.cut = False
            if not lines[0]:
                # The line break belongs to the piece that was sent already.
                del lines[0]
        self.emit(lines)

    def cut_line(self):
        """Sends what there is of a line that is too long; a character whose bytes have not all come waits."""
        data = b"".join(self.pieces)
        end = whole_characters(data, len(data))
        self.pieces, self.held = [data[end:]] if end < len(data) else [], len(data) - end
        self.emit([data[:end]])
        self.cut = True

    def end_line(self):
        """Sends the unfinished line as an entry."""
        pieces, self.pieces, self.held = self.pieces, [], 0
        if pieces:
            self.emit([b"".join(pieces)])

    def emit(self, lines):
        frames = []
        longest = longest_line()
        for line in lines:
            while True:
                piece = line if len(line) <= longest else line[:whole_characters(line, longest)]
                text = piece.decode("utf-8", "replace")
                payload = self.prefix + encode_string(text).encode("utf-8") + b"}"
                frames.append(frame(LOG, 0, payload))
                line = line[len(piece):]
                if not line:
                    break
        if frames:
            wire.send(b"".join(frames))

    def close(self):
        if not self.closed and not wire.gone:
            with wire.writing:
                self.end_line()
        super().close()


stdout_writer = LogWriter("stdout", "log", 1)
stderr_writer = LogWriter("stderr", "error", 2)
stdout_writer.other = stderr_writer
stderr_writer.other = stdout_writer


def text_stream(writer):
    # Nothing is held back in the text layer; what cannot be encoded is shown escaped instead of failing a `print`.
    stream = io.TextIOWrapper(
        writer, encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True, write_through=True
    )
    stream.mode = "w"
    return stream


def install_output():
    sys.stdout = sys.__stdout__ = text_stream(stdout_writer)
    sys.stderr = sys.__stderr__ = text_stream(stderr_writer)


def note(text):
    """A log entry of Dayfly's own, for the reader of the logs."""
    flush_lines()
    payload = b'{"source":"console","level":"warn","text":' + encode_string(plain(text)).encode("utf-8") + b"}"
    wire.send(frame(LOG, 0, payload))


def flush_lines():
    """Sends what is unfinished on either stream."""
    with wire.writing:
        stdout_writer.end_line()
        stderr_writer.end_line()


def flush_streams():
    """Flushes whatever the program has put in the place of the standard streams, then the unfinished lines."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except BaseException:
            # A stream of the program's own making that fails has nothing to say.
            pass
    flush_lines()


def write_fully(descriptor, data):
    rest = memoryview(data)
    while rest:
        rest = rest[os_write(descriptor, rest):]
    return len(data)


def after_fork():
    """In a forked child: the socket stays the parent's, and output goes to the inherited pipes."""
    wire.gone = True
    wire.queue.clear()
    wire.ledger.clear()
    wire.writing = RLock()
    wire.writer = None
    wire.reading = RLock()
    wire.reader = None
    stdout_writer.pieces = []
    stderr_writer.pieces = []
    try:
        os_close(SOCKET)
    except OSError:
        pass
