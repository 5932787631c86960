# The event loop's edges: failures that nobody looks at, and a loop in which nothing can happen any more.

original_exception_handler = asyncio.BaseEventLoop.default_exception_handler
original_create_task = asyncio.BaseEventLoop.create_task
original_thread_hook = threading.excepthook
original_unraisable_hook = sys.unraisablehook
# References to all tasks; each leaves with its task.
all_tasks = set()
main_task = None


def exception_handler(loop, context):
    """An exception in a callback or in a task that nobody awaits ends the run; the rest is logged as asyncio does."""
    problem = context.get("exception")
    if problem is not None and ("handle" in context or "future" in context or "task" in context):
        settle_failed(problem)
    original_exception_handler(loop, context)


def create_task(loop, coroutine, **options):
    task = original_create_task(loop, coroutine, **options)
    if type(coroutine) is ToolCall and coroutine.future is None:
        coming.add(coroutine)
    all_tasks.add(ref(task, all_tasks.discard))
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
    for reference in list(all_tasks):
        task = reference()
        # The flag that asyncio itself reads before it says that an exception was never retrieved.
        if task is not None and task.done() and not task.cancelled() and getattr(task, "_log_traceback", False):
            return task.exception()
    return None


class WatchingSelector(selectors.EpollSelector):
    """A selector that serves the worker's socket itself, and notices when it is asked to wait for ever for nothing.

    A reply is handed on within `select`: what waits for it runs in the same turn of the loop, without a reader's
    callback and a second look at the selector in between.
    """

    def __init__(self):
        super().__init__()
        # What epoll is asked for of the socket; nothing before the first call.
        self.interest = 0

    def watch_socket(self):
        try:
            self._selector.register(SOCKET, EPOLLIN)
        except FileExistsError:
            # An exception of the program's came between this step and the next.
            pass
        self.interest = EPOLLIN

    def want(self, interest):
        if interest != self.interest:
            self._selector.modify(SOCKET, interest)
            self.interest = interest

    def select(self, timeout=None):
        if self.interest:
            if wire.inbox:
                # An exception of the program's cut the handing on of replies off.
                replies = wire.handed_on
                wire.receive()
                if wire.handed_on != replies:
                    timeout = 0
            if wire.queue or self.interest != EPOLLIN:
                self.want(EPOLLIN if wire.pump(False) else EPOLLIN | EPOLLOUT)
        if timeout is not None:
            return self.wait(ceil(timeout * 1e3) * 1e-3 if timeout > 0 else 0)
        if (in_flight and thread_count() == 0) or not self.only_internal():
            return self.wait(-1)
        # Other threads may still wake the loop, or make calls of their own. They end without a sound, or go idle in
        # their pool, so look again.
        patience = 0.01
        while True:
            hopeless = not in_flight and nothing_else_runs(patience)
            replies = wire.handed_on
            # A thread may have woken the loop just before it became idle: look once more before giving up.
            events = self.wait(0 if hopeless else patience)
            if events or wire.handed_on != replies:
                return events
            if hopeless and not in_flight:
                settle_dead()
            patience = min(patience * 2, 1.0)

    def wait(self, timeout):
        """One look at epoll, which waits for ever when `timeout` is -1."""
        ready = []
        try:
            found = self._selector.poll(timeout, len(self._fd_to_key) + 1)
        except InterruptedError:
            return ready
        for descriptor, events in found:
            key = self._fd_to_key.get(descriptor)
            if key is not None:
                mask = (EVENT_WRITE if events & ~EPOLLIN else 0) | (EVENT_READ if events & ~EPOLLOUT else 0)
                ready.append((key, mask & key.events))
            elif descriptor == SOCKET and events & ~EPOLLOUT and not wire.gone:
                wire.receive()
        return ready

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


def nothing_else_runs(patience):
    """Whether no thread (but idle ones of a pool) and no timer of the process could still wake a loop."""
    frames = current_frames()
    me = get_ident()
    idle = []
    for thread, top in frames.items():
        if thread != me:
            if not idle_in_pool(top):
                return False
            idle.append(top.f_locals["executor_reference"]())
    if HANDS_OVER and patience < 1.0 and any(
        pool is not None and pool._idle_semaphore._value < idle.count(pool) for pool in idle
    ):
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


# From 3.13 a queue hands what is put into it to a thread that waits: until that thread has the interpreter again, the
# work is neither in the queue nor in its hands, and only the pool's count of idle threads is lower by it. A race between
# two threads can lower that count for good, so it does not count when nothing has happened for more than a second.
HANDS_OVER = sys.version_info >= (3, 13)


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
