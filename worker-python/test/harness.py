"""A host in small: starts the interpreter under test as the real host does and speaks the protocol with it."""

import fcntl
import json
import os
import re
import shutil
import signal
import socket
import struct
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "src"
HEADER = struct.Struct("<4sHBBII")
READY, CALL, LOG, DONE, FAILED, START, REPLY = 1, 2, 3, 4, 5, 0x81, 0x82
NOTHING = "nothing was returned"
# Far beyond what any run here takes; a hang is a failure and not an endless test.
PATIENCE = 60.0


def interpreter():
    """The interpreter under test: DAYFLY_PYTHON, or the one that runs the tests."""
    return os.environ.get("DAYFLY_PYTHON") or sys.executable


def parts():
    """The parts of the bootstrap, in the order in which lib.rs joins them."""
    names = []
    for line in (SOURCES / "lib.rs").read_text().splitlines():
        if line.strip().startswith('include_str!("bootstrap/'):
            names.append(line.split('"')[1])
    return [SOURCES / name for name in names]


def bootstrap():
    return "".join(part.read_text() for part in parts())


def arguments(program):
    return ["-I", "-S", "-B", "-X", "utf8", "-c", program]


def loader():
    return (SOURCES / "loader.py").read_text()


def impatient(*_):
    raise AssertionError("the worker has done nothing for too long")


signal.signal(signal.SIGALRM, impatient)


class ToolFailure(Exception):
    """Raised by a tool of a test: its text is the failed reply's message."""


class Outcome:
    """All that one run left behind."""

    def __init__(self):
        self.version = None
        self.value = NOTHING
        self.failure = None
        self.logs = []
        self.calls = []
        self.status = None
        self.stdout = b""
        self.stderr = b""
        self.settled = False

    @property
    def lines(self):
        return [text for _, _, text in self.logs]

    def __repr__(self):
        return (
            f"Outcome(value={self.value!r}, failure={self.failure!r}, logs={self.logs[:20]!r}, status={self.status!r}, "
            f"stderr={self.stderr[-2000:].decode(errors='replace')!r})"
        )


def spawn(socket_end, content, directory, stdout, stderr):
    """Forks a worker: descriptors 0 to 4 as the contract says, an empty environment, a private directory."""
    path = interpreter()
    command = [path, *arguments(loader())]
    pid = os.fork()
    if pid:
        return pid
    try:
        null = os.open("/dev/null", os.O_RDONLY)
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (null, stdout, stderr, socket_end, content)]
        for target, fd in enumerate(high):
            os.dup2(fd, target)
        os.closerange(5, 1000)
        os.chdir(directory)
        os.execve(path, command, {})
    finally:
        os._exit(127)


def memfd(content):
    fd = os.memfd_create("dayfly", os.MFD_CLOEXEC)
    os.write(fd, content)
    return fd


class Worker:
    """One worker process and the host's end of its socket."""

    def __init__(self, content=None):
        """`content` is what descriptor 4 holds, or a descriptor that holds it."""
        self.directory = tempfile.mkdtemp(prefix="dayfly-test-")
        self.socket, theirs = socket.socketpair()
        self.content = os.dup(content) if isinstance(content, int) else memfd(content or bootstrap().encode())
        self.stdout, out = os.pipe()
        self.stderr, err = os.pipe()
        self.pid = self.spawn(theirs.fileno(), out, err)
        theirs.close()
        os.close(out)
        os.close(err)
        self.status = None
        self.buffer = bytearray()

    def spawn(self, socket_end, stdout, stderr):
        return spawn(socket_end, self.content, self.directory, stdout, stderr)

    def send(self, kind, id, payload, flags=0):
        data = json.dumps(payload, ensure_ascii=False).encode() if not isinstance(payload, bytes) else payload
        self.send_bytes(HEADER.pack(b"DAYF", 1, kind, flags, id, len(data)) + data)

    def send_bytes(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def receive(self):
        """The next frame `(kind, flags, id, payload)`; None at the end of the stream."""
        while True:
            if len(self.buffer) >= HEADER.size:
                magic, version, kind, flags, id, length = HEADER.unpack_from(self.buffer)
                assert magic == b"DAYF" and version == 1, bytes(self.buffer[:64])
                if len(self.buffer) >= HEADER.size + length:
                    payload = bytes(self.buffer[HEADER.size:HEADER.size + length])
                    del self.buffer[:HEADER.size + length]
                    return kind, flags, id, payload
            try:
                data = self.socket.recv(1 << 20)
            except ConnectionResetError:
                data = b""
            if not data:
                assert not self.buffer, "the stream ends inside a frame"
                return None
            self.buffer += data

    def wait(self):
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
        self.socket.close()
        os.close(self.stdout)
        os.close(self.stderr)
        os.close(self.content)
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def start_payload(program, tools=(), namespaces=None, **settings):
    if namespaces is None:
        namespaces = [{
            "global": "tools", "functions": list(tools),
            "error": {"class": "ToolCallError", "property": "toolName"},
        }]
    start = {"program": program, "namespaces": namespaces, "max_value_bytes": 256 * 1024 * 1024, "max_depth": 10_000}
    start.update(settings)
    return start


def run(program, tools=None, namespaces=None, files=None, content=None, raw=None, worker=None, **settings):
    """Runs `program` with `tools`, functions of the decoded argument, and `raw`, functions from payload to payload."""
    tools = tools or {}
    raw = raw or {}
    outcome = Outcome()
    with worker or Worker(content) as worker:
        for name, text in (files or {}).items():
            Path(worker.directory, name).write_text(text)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            frame = worker.receive()
            if frame is None:
                outcome.stderr = os.read(worker.stderr, 1 << 20)
                raise AssertionError(f"no `ready`: {outcome.stderr.decode()}")
            assert frame[:3] == (READY, 0, 0), frame
            outcome.version = json.loads(frame[3])
            worker.send(START, 0, start_payload(program, [*tools, *raw], namespaces, **settings))
            converse(worker, tools, raw, outcome)
            outcome.status = worker.wait()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        outcome.stdout = drain(worker.stdout)
        outcome.stderr = drain(worker.stderr)
    return outcome


NAME = re.compile(rb'^\{"global":"[^"]*","name":"(\w+)"')


def converse(worker, tools, raw, outcome):
    while True:
        frame = worker.receive()
        if frame is None:
            return
        kind, flags, id, payload = frame
        assert flags == 0
        name = NAME.match(payload) if kind == CALL and raw else None
        if name and name[1].decode() in raw:
            # Too deep or too long for this process's own JSON.
            worker.send(REPLY, id, raw[name[1].decode()](payload))
            continue
        fields = parse(payload)
        assert not outcome.settled, f"a frame after the last: {fields}"
        if kind == LOG:
            assert set(fields) == {"source", "level", "text"}, fields
            outcome.logs.append((fields["source"], fields["level"], fields["text"]))
        elif kind == CALL:
            assert id > (outcome.calls[-1][0] if outcome.calls else 0)
            arguments = fields.get("args", {})
            outcome.calls.append((id, fields["global"], fields["name"], arguments))
            try:
                worker.send(REPLY, id, tools[fields["name"]](arguments))
            except ToolFailure as failure:
                worker.send(REPLY, id, {"message": str(failure)}, flags=1)
            except NoReply:
                pass
        elif kind == DONE:
            outcome.settled = True
            outcome.value = fields.get("value", NOTHING)
        else:
            assert kind == FAILED, frame
            outcome.settled = True
            outcome.failure = fields


def parse(payload):
    try:
        return json.loads(payload)
    except RecursionError:
        # A completion that nests deeper than this process reads: that it came is what a test wants to know.
        return {"value": payload}


class NoReply(Exception):
    """Raised by a tool of a test that never answers."""


def drain(fd):
    data = bytearray()
    while True:
        more = os.read(fd, 1 << 16)
        if not more:
            return bytes(data)
        data += more
