# Coroutines that the program made and never awaited: nothing of them has run. CPython's own warning names no call, points to where
# the coroutine was thrown away, and advises to enable tracemalloc.

import warnings
from types import CoroutineType

MOST_UNAWAITED = 20
# Of a list that a global holds, so many elements are looked at.
MOST_ELEMENTS = 100
# What has been said: a loop makes the same mistake each time it goes round.
unawaited = set()
coroutine_name = CoroutineType.__dict__["__name__"].__get__
coroutine_origin = CoroutineType.__dict__["cr_origin"].__get__
coroutine_frame = CoroutineType.__dict__["cr_frame"].__get__
coroutine_running = CoroutineType.__dict__["cr_running"].__get__
# CPython 3.10 has none, and a frame that has not begun says so itself.
coroutine_suspended = getattr(CoroutineType.__dict__.get("cr_suspended"), "__get__", None)
format_warning = warnings._formatwarnmsg_impl


def install_unawaited():
    # One entry: the line that made the coroutine.
    sys.set_coroutine_origin_tracking_depth(1)
    warnings._warn_unawaited_coroutine = note_unawaited
    warnings._formatwarnmsg_impl = format_without_source


def format_without_source(message):
    # Of what has a source CPython says to enable tracemalloc, which nobody can do here.
    message.source = None
    return format_warning(message)


def note_unawaited(coroutine):
    """Says of a coroutine which call made it, and what to write instead. CPython calls it when it throws one away."""
    try:
        name = plain(coroutine_name(coroutine))
        origin = coroutine_origin(coroutine)
        line = origin[0][1] if origin and origin[0][0] == PROGRAM else None
        if (name, line) in unawaited or len(unawaited) == MOST_UNAWAITED:
            return
        unawaited.add((name, line))
        where, call = "", "the call"
        if line is not None:
            where = f"line {line}: "
            text = source_lines[line - 1].strip() if 0 < line <= len(source_lines) else ""
            call = f"`{text if len(text) <= 80 else text[:77] + '...'}`" if text else call
        note(f"{where}{name}(...) was called and never awaited, so nothing of it ran; put `await` before it in {call}")
    except BaseException:
        # It is thrown away in the midst of whatever the program does, and that may be out of memory or interrupted.
        pass


def note_held(scope):
    """Says it of those that the program's globals still hold when it ends: nothing throws them away."""
    for key, held in list(scope.items()):
        if type(key) is str and key == RETURNED:
            # What is returned is refused in words of its own.
            continue
        for value in held[:MOST_ELEMENTS] if type(held) is list or type(held) is tuple else (held,):
            if type(value) is CoroutineType and has_not_begun(value):
                note_unawaited(value)


def has_not_begun(coroutine):
    frame = coroutine_frame(coroutine)
    if frame is None or coroutine_running(coroutine):
        return False
    return not coroutine_suspended(coroutine) if coroutine_suspended else frame.f_lasti == -1
