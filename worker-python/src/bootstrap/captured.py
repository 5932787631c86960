# What the bootstrap uses, taken before the program starts, so that a program that rewrites `os.write` or `sys.modules`
# changes nothing here. Builtins are safe twice over: the loader gives this namespace a copy of its own, and the
# program's `builtins` is a copy too, so that not even the standard library sees what a program does to it.
import sys
import os
import io
import _json
import gc
import linecache
import select
import selectors
import struct
import threading
import asyncio
import builtins

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Coroutine
from _thread import _count as thread_count, allocate_lock, get_ident, RLock
from os import (
    close as os_close,
    fsencode as os_fsencode,
    get_blocking as os_get_blocking,
    listdir as os_listdir,
    read as os_read,
    readv as os_readv,
    set_blocking as os_set_blocking,
    set_inheritable as os_set_inheritable,
    write as os_write,
    writev as os_writev,
)
from posix import _exit as real_exit, abort as real_abort
from math import ceil, copysign
from select import poll as select_poll, POLLIN, POLLOUT, POLLHUP, POLLERR, EPOLLIN, EPOLLOUT
from selectors import EVENT_READ, EVENT_WRITE
from sys import (
    _current_frames as current_frames,
    _getframe as this_frame,
    getrecursionlimit,
    setprofile,
    setrecursionlimit,
    settrace,
)
from weakref import ref
from asyncio import Future
from asyncio.events import _get_running_loop as running_loop
from _signal import getitimer, getsignal, pthread_sigmask, valid_signals, ITIMER_REAL, SIG_BLOCK, SIGINT

SOCKET = 3
PROGRAM = "program.py"
# Stands for the program's completion value while its body runs; not an identifier, so no program can name it.
RETURNED = "<return>"

READY, CALL, LOG, DONE, FAILED = 0x01, 0x02, 0x03, 0x04, 0x05
START, REPLY = 0x81, 0x82
REPLY_FAILED = 0x01
MAGIC = b"DAYF"
VERSION = 1
header = struct.Struct("<4sHBBII")
pack_header = header.pack
unpack_header = header.unpack_from
HEADER_BYTES = header.size


def version_text():
    """The interpreter's version as `platform.python_version` gives it, without that module's 5 ms of imports."""
    return sys.version.split()[0].rstrip("+")


def quote(text):
    """`text` in double quotes with its control characters escaped, cut to a length a message can bear."""
    text = plain(text)
    if len(text) > 80:
        text = text[:77] + "..."
    return encode_string(text)


def plain(text):
    """An exact `str` of what may be a subclass or hold lone surrogates, without calling either's code."""
    return str.encode(text, "utf-8", "backslashreplace").decode("utf-8")


encode_string = _json.encode_basestring


class Limits:
    """What `start` says of sizes; the defaults hold until it has come."""

    value_bytes = 256 * 1024 * 1024
    depth = 10_000
