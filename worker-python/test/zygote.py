"""Workers by the thousand: an interpreter that has imported what the bootstrap imports, and forks one worker a request.

A worker of it differs from a fresh one in nothing but how it came to be: it executes the bootstrap from its beginning.
"""

import os
import socket
import struct

from harness import Worker, arguments, bootstrap, interpreter, memfd

PROGRAM = r"""
import array, asyncio, builtins, gc, linecache, os, select, selectors, socket, struct, sys, threading, traceback
code = compile(os.pread(4, os.fstat(4).st_size, 0), "<dayfly>", "exec", 0, True)
channel = socket.socket(fileno=5)
while True:
    data, parts, _, _ = channel.recvmsg(1, socket.CMSG_SPACE(12))
    if not data:
        os._exit(0)
    given = array.array("i")
    for _, _, part in parts:
        given.frombytes(part[:12])
    pid = os.fork()
    if pid:
        for fd in given:
            os.close(fd)
        channel.sendall(struct.pack("<i", pid))
        channel.sendall(struct.pack("<i", os.waitpid(pid, 0)[1]))
        continue
    channel.detach()
    for target, fd in zip((3, 1, 2), given):
        os.dup2(fd, target)
    os.closerange(4, 64)
    for name in ("array", "given", "parts", "data", "channel", "pid", "target", "fd"):
        globals().pop(name, None)
    sys.modules.pop("array", None)
    exec(code, {"__name__": "dayfly", "__builtins__": dict(vars(builtins))})
"""


class Zygote:
    """The interpreter that forks; a context manager."""

    def __init__(self):
        self.channel, theirs = socket.socketpair()
        content = memfd(bootstrap().encode())
        null = os.open("/dev/null", os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, fd, 100 + at) for at, fd in enumerate((content, theirs.fileno(), null))]
        actions += [(os.POSIX_SPAWN_DUP2, 100, 4), (os.POSIX_SPAWN_DUP2, 101, 5), (os.POSIX_SPAWN_DUP2, 102, 0)]
        actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in (100, 101, 102)]
        self.pid = os.posix_spawn(interpreter(), [interpreter(), *arguments(PROGRAM)], {}, file_actions=actions)
        theirs.close()
        os.close(content)
        os.close(null)

    def fork(self, *descriptors):
        socket.send_fds(self.channel, [b"f"], descriptors)
        return self.integer()

    def integer(self):
        return struct.unpack("<i", self.channel.recv(4, socket.MSG_WAITALL))[0]

    def close(self):
        self.channel.close()
        os.waitpid(self.pid, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Forked(Worker):
    """A worker that a zygote forked."""

    def __init__(self, zygote):
        self.zygote = zygote
        super().__init__(b"\n")

    def spawn(self, socket_end, stdout, stderr):
        return self.zygote.fork(socket_end, stdout, stderr)

    def wait(self):
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(self.zygote.integer())
        return self.status
