# Stack traces that the program prints itself: the standard library's `traceback`, and all that uses it, walks past the
# bootstrap's frames.

import traceback

original_walk_tb = traceback.walk_tb
original_walk_positions = getattr(traceback, "_walk_tb_with_full_positions", None)


def is_own(frame):
    # The loader's file name, "<string>", is also what `exec` of the program's own text gets: its globals tell them apart.
    code = frame.f_code
    return code.co_filename == "<dayfly>" or (code.co_filename == "<string>" and frame.f_globals is loader_globals)


def walk_stack(frame):
    if frame is None:
        frame = sys._getframe(1)
    while frame is not None:
        if is_own(frame):
            if frame.f_code is drive.__code__:
                # What is further out only runs the loop.
                return
        else:
            yield frame, frame.f_lineno
        frame = frame.f_back


def walk_tb(trace):
    for frame, line in original_walk_tb(trace):
        if not is_own(frame):
            yield frame, line


def walk_positions(trace):
    for frame, positions in original_walk_positions(trace):
        if not is_own(frame):
            yield frame, positions


def excepthook(kind, value, trace):
    """CPython's own prints from C, past the walkers above."""
    print_exception(kind, value, trace)


print_exception = traceback.print_exception


def install_tracing():
    sys.excepthook = sys.__excepthook__ = excepthook
    traceback.walk_stack = walk_stack
    traceback.walk_tb = walk_tb
    if original_walk_positions is not None:
        traceback._walk_tb_with_full_positions = walk_positions


loader_globals = sys._getframe(1).f_globals
