# The event loop's edges: failures that nobody looks at, and a loop in which nothing can happen any more.

original_exception_handler = asyncio.BaseEventLoop.default_exception_handler
original_create_task = asyncio.BaseEventLoop.create_task
original_thread_hook = threading.excepthook
original_unraisable_hook = sys.unraisablehook
all_tasks = weakref.WeakSet()
main_task = None


def exception_handler(loop, context):
    """An exception in a callback or in a task that nobody awaits ends the run; the rest is logged as asyncio does."""
    problem = context.get("exception")
    if problem is not None and ("handle" in context or "future" in context or "task" in context):
        settle_failed(problem)
    original_exception_handler(loop, context)


def create_task(loop, coroutine, **options):
    task = original_create_task(loop, coroutine, **options)
    all_tasks.add(task)
    return task


def thread_hook(details):
    if details.exc_type is SystemExit or details.exc_value is None:
        return original_thread_hook(details)
    settle_failed(details.exc_value)


def unraisable_hook(details):
    message = details.err_msg
    if type(message) is str and message.startswith("Exception ignored in thread started by") and details.exc_value:
        settle_failed(details.exc_value)
    original_unraisable_hook(details)


def unretrieved_failure():
    """The exception of a finished task that nobody has asked for it."""
    for task in list(all_tasks):
        # The flag that asyncio itself reads before it says that an exception was never retrieved.
        if task.done() and not task.cancelled() and getattr(task, "_log_traceback", False):
            return task.exception()
    return None


class WatchingSelector(selectors.EpollSelector):
    """A selector that notices when it is asked to wait for ever for nothing."""

    def select(self, timeout=None):
        if timeout is not None or (in_flight and thread_count() == 0) or not self.only_internal():
            return super().select(timeout)
        # Other threads may still wake the loop, or make calls of their own. They end without a sound, or go idle in
        # their pool, so look again.
        patience = 0.01
        while True:
            hopeless = not in_flight and nothing_else_runs()
            # A thread may have woken the loop just before it became idle: look once more before giving up.
            events = super().select(0 if hopeless else patience)
            if events:
                return events
            if hopeless and not in_flight:
                settle_dead()
            patience = min(patience * 2, 1.0)

    def only_internal(self):
        """Whether all that is watched is the worker's socket and the loop's own wake-up."""
        inside = False
        for key in self.get_map().values():
            if key.fd == SOCKET:
                continue
            handles = key.data
            if type(handles) is not tuple or len(handles) != 2 or handles[1] is not None:
                return False
            callback = getattr(handles[0], "_callback", None)
            if getattr(callback, "__name__", None) != "_read_from_self":
                return False
            if getattr(callback.__self__, "_signal_handlers", None):
                return False
            inside = True
        return inside


def nothing_else_runs():
    """Whether no thread (but idle ones of a pool) and no timer of the process could still wake a loop."""
    frames = current_frames()
    me = get_ident()
    for thread, top in frames.items():
        if thread != me and not idle_in_pool(top):
            return False
    # What a handler of the program's own may do when a signal comes is not known. SIGINT's is asyncio's.
    if any(callable(getsignal(number)) for number in valid_signals() if number != SIGINT):
        return False
    try:
        if len(os_listdir("/proc/self/task")) > len(frames):
            return False
    except OSError:
        pass
    return getitimer(ITIMER_REAL)[0] == 0.0


def idle_in_pool(top):
    """Whether a thread whose top frame is this one is a pool's and has nothing to do.

    A thread that was given work and has not got the interpreter yet stands where an idle one stands: what tells them
    apart is that the work is still in its queue, or in its hands.
    """
    code = top.f_code
    if code.co_name != "_worker" or not code.co_filename.endswith("concurrent/futures/thread.py"):
        return False
    held = top.f_locals
    queue = held.get("work_queue")
    return held.get("work_item") is None and queue is not None and queue.qsize() == 0


def waiting_place():
    """The program's frames of the main task, outermost first, as `program_frames` gives them."""
    frames = []
    waited = main_task.get_coro() if main_task is not None else None
    while waited is not None and len(frames) < 1000:
        frame = getattr(waited, "cr_frame", None)
        if frame is not None and frame.f_code.co_filename == PROGRAM:
            frames.append((frame.f_lineno, None, frame.f_code.co_name))
        waited = getattr(waited, "cr_await", None)
    return frames


def settle_dead():
    frames = waiting_place()
    place = f" (line {frames[-1][0]})" if frames else ""
    fields = {
        "kind": "exception",
        "name": "DeadlockError",
        "message": f"the program waits{place} for something that can never happen: no call, timer, thread or input is "
        "left that could wake it. Look for a future, event, lock or queue that nothing sets, and return a value instead "
        "of waiting.",
    }
    if frames:
        fields["line"] = frames[-1][0]
        fields["stack"] = render(frames)
    settle(FAILED, fields_payload(fields))


def install_loop():
    asyncio.BaseEventLoop.default_exception_handler = exception_handler
    asyncio.BaseEventLoop.create_task = create_task
    selectors.DefaultSelector = WatchingSelector
    threading.excepthook = thread_hook
    sys.unraisablehook = unraisable_hook
