# How a run ends. Nothing here relies on what a program can have replaced, and whatever of the program's own is asked on
# the way (its streams, the text of its exception) may fail without holding the end back.

settling = allocate_lock()
settler = None
# Given back when the run settles, so that a program that has used up its memory can still be spoken of.
reserve = [bytearray(1 << 20)]
OUT_OF_MEMORY = (
    b'{"kind":"exception","name":"MemoryError","message":"The program needs more memory than it may have: '
    b'process the data in parts, or keep less of it."}'
)
MONITORING = getattr(sys, "monitoring", None)
if MONITORING is not None:
    MONITORING = (MONITORING.get_tool, MONITORING.set_events)
gc_disable = gc.disable


def attempt(function, *arguments):
    """Calls what may fail for reasons of the program's: an audit hook, a signal handler, a trace function. None then."""
    for _ in range(3):
        try:
            return function(*arguments)
        except BaseException:
            # The next try meets what raised it no more, or also fails; the run ends all the same.
            pass
    return None


def quieten():
    """Keeps code of the program's from running by itself in the midst of what follows."""
    # A limit of the program's may be reached at once.
    attempt(raise_limit)
    attempt(settrace, None)
    attempt(setprofile, None)
    if MONITORING is not None:
        attempt(stop_monitoring)
    attempt(gc_disable)
    attempt(pthread_sigmask, SIG_BLOCK, valid_signals())


def raise_limit():
    setrecursionlimit(max(getrecursionlimit(), 1000))


def stop_monitoring():
    get_tool, set_events = MONITORING
    for tool in range(6):
        if get_tool(tool) is not None:
            set_events(tool, 0)


def begin_settling():
    """Lets one thread through, once. Others wait for the process to end; a destructor that runs while its own thread
    settles the run is told no."""
    global settler
    if settler == get_ident():
        return False
    settling.acquire()
    settler = get_ident()
    reserve.clear()
    return True


def settle(kind, *pieces):
    """Sends the frame that settles the run and ends the process: nothing of the program runs after it."""
    attempt(flush_streams)
    quieten()
    if not begin_settling():
        return
    try:
        # No other thread sends anything after the last frame.
        wire.writing.acquire(True, 10)
        attempt(note_unstarted)
        attempt(note_held, program_scope)
        attempt(flush_lines)
        wire.queue.extend((frame_head(kind, 0, sum(map(len, pieces))), *pieces))
    except MemoryError:
        wire.queue.append(frame(FAILED, 0, OUT_OF_MEMORY))
    except BaseException:
        wire.queue.append(frame(FAILED, 0, BARE_PAYLOAD))
    for _ in range(100):
        try:
            wire.pump(True)
            break
        except BaseException:
            # What was written is known all the same: the next try goes on from there.
            pass
    try:
        drain()
    finally:
        real_exit(0)


def settle_failed(problem):
    """Ends the run with an exception, or with the exit that the exception asks for."""
    if derives(type(problem), SystemExit):
        leave_as_asked(problem)
    if derives(type(problem), MemoryError):
        reserve.clear()
    try:
        raise_limit()
        fields = describe(problem, modules)
        payload = fields_payload(fields)
    except MemoryError:
        attempt(forget, problem)
        fields, payload = decode(OUT_OF_MEMORY), OUT_OF_MEMORY
    except BaseException:
        # The program has replaced what even a plain description needs, or interrupts it.
        quieten()
        fields = attempt(describe_bare, problem) or {"kind": "exception", "name": "Exception", "message": BARE}
        payload = attempt(fields_payload, fields) or BARE_PAYLOAD
    if wire.gone:
        # A forked child's failure is its own: the run goes on in the parent.
        write_fully(2, fields["message"].encode("utf-8") + b"\n")
        leave(1)
    settle(FAILED, payload)


BARE = "the program failed, and its exception cannot be described: it has changed the interpreter under it"
BARE_PAYLOAD = b'{"kind":"exception","name":"Exception","message":"' + BARE.encode() + b'"}'


def describe_bare(problem):
    """As much of `describe` as can be had when the whole cannot."""
    name = name_of(problem)
    fields = {"kind": "exception", "name": name, "message": attempt(text_of, problem) or f"{name}; {BARE}"}
    frames = attempt(program_frames, problem)
    if frames:
        fields["line"] = frames[-1][0]
        stack = attempt(render, frames)
        if stack:
            fields["stack"] = stack
    return fields


def fields_payload(fields):
    return "".join(encode_shallow(fields, 0)).encode("utf-8")


def leave_as_asked(problem):
    """The exit that `sys.exit` asks for, with CPython's reading of its argument."""
    code = exit_code(problem)
    if code is None:
        code = 0
    elif not derives(type(code), int):
        try:
            print(code, file=sys.stderr)
        except BaseException:
            # The argument's own text failed; the exit stands.
            pass
        code = 1
    if not wire.gone:
        attempt(note_unstarted)
        attempt(note_held, program_scope)
    leave(int.__and__(code, 0xFF))


def leave(status):
    """Ends the process at once with everything printed on its way."""
    attempt(flush_streams)
    quieten()
    try:
        drain()
    finally:
        real_exit(status)


def drain():
    """Empties the socket: one closed with unread replies would look reset to the host."""
    if not wire.gone:
        wire.on_reply = lambda flags, id, payload: None
        wire.receive()


def never_called(functions):
    name, is_async = functions[-1]
    call = f"await {name}(...)" if is_async else f"{name}(...)"
    return (
        f"{name} was defined and never called, so the program did nothing: end it with `return {call}`, "
        "or write the statements at the top level"
    )


def note_unstarted():
    """Names the calls that were written without `await`."""
    if not unstarted:
        return
    names = list({call.member.shown: None for call in unstarted})
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    note(
        f"{', '.join(names[:5])}{more}: called and never awaited, so the call was not made; "
        f"write `await {names[0]}(...)`"
    )
