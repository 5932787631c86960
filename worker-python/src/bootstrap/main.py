# From `ready` to the last frame.

settling = allocate_lock()
settler = None
# Given back when the run settles, so that a program that has used up its memory can still be spoken of.
reserve = [bytearray(1 << 20)]
spaces = {}
modules = None
body = None
program_builtins = type(sys)("builtins")
OUT_OF_MEMORY = frame(FAILED, 0, (
    b'{"kind":"exception","name":"MemoryError","message":"The program needs more memory than it may have: '
    b'process the data in parts, or keep less of it."}'
))


def begin_settling():
    """Lets one thread through, once. Others wait for the process to end; a destructor that runs while its own thread
    settles the run is told no."""
    global settler
    if settler == get_ident():
        return False
    settling.acquire()
    settler = get_ident()
    reserve.clear()
    # The program may have set it to anything.
    setrecursionlimit(max(getrecursionlimit(), 1000))
    return True


def settle(kind, payload):
    """Sends the frame that settles the run and ends the process: nothing of the program runs after it."""
    flush_streams()
    if not begin_settling():
        return
    try:
        note_unstarted()
        flush_lines()
        wire.send(frame(kind, 0, payload))
    except MemoryError:
        wire.send(OUT_OF_MEMORY)
    finally:
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
        payload = fields_payload(describe(problem, modules))
    except MemoryError:
        forget(problem)
        payload = OUT_OF_MEMORY[HEADER_BYTES:]
    if wire.gone:
        # A forked child's failure is its own: the run goes on in the parent.
        write_fully(2, decode(payload)["message"].encode("utf-8") + b"\n")
        leave(1)
    settle(FAILED, payload)


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
        note_unstarted()
    leave(int.__and__(code, 0xFF))


def complete(returned):
    """Ends the run with its completion value."""
    if wire.gone:
        leave(0)
    problem = unretrieved_failure()
    if problem is not None:
        settle_failed(problem)
    if type(returned) is not tuple or len(returned) != 1:
        if body.idle_functions:
            flush_streams()
            note(never_called(body.idle_functions))
        settle(DONE, b"{}")
    try:
        data = encode(returned[0], "result")
        payload = b'{"value":' + data + b"}"
        if len(payload) > Limits.value_bytes:
            raise too_large("result", len(data))
    except Refusal as refusal:
        settle(FAILED, fields_payload({
            "kind": "output-limit" if refusal.too_large else "invalid-output",
            "message": f"the program's result cannot be returned: at {refusal.path}: {refusal.reason}",
            "path": refusal.path,
        }))
    except MemoryError as problem:
        settle_failed(problem)
    settle(DONE, payload)


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
    names = list({call.member.shown: None for call in unstarted.values()})
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    note(
        f"{', '.join(names[:5])}{more}: called and never awaited, so the call was not made; "
        f"write `await {names[0]}(...)`"
    )


def bind(start, scope):
    """Puts the namespaces where the program, its functions and what it executes or imports see them."""
    for namespace in start["namespaces"]:
        space = namespace["global"]
        functions = namespace["functions"]
        spaces[space] = frozenset(functions)
        error_class, properties = RuntimeError, ()
        named = namespace.get("error")
        if named:
            error_class, properties = make_error_class(named["class"], named["property"])
            error_spaces.append((error_class, (space, properties)))
            expose(scope, named["class"], error_class)
        expose(scope, space, make_namespace(space, functions, error_class, properties))


def expose(scope, name, value):
    scope[name] = value
    # Code that the program executes in a namespace of its own sees it as well.
    setattr(program_builtins, name, value)


def prepare_interpreter():
    # C-locale coercion sets LC_CTYPE on its own; the environment of a program is empty.
    os.environ.clear()
    os_set_inheritable(SOCKET, False)
    os.register_at_fork(after_in_child=after_fork)
    install_output()
    install_loop()
    install_tracing()
    learn_paths()

    def exit(status=None, /):
        raise SystemExit(status)

    vars(program_builtins).update(vars(builtins))
    program_builtins.exit = program_builtins.quit = exit
    sys.modules["builtins"] = program_builtins

    def _exit(status):
        flush_streams()
        real_exit(status)

    def abort():
        flush_streams()
        real_abort()

    os._exit = sys.modules["posix"]._exit = _exit
    os.abort = sys.modules["posix"].abort = abort


async def drive(code, scope):
    try:
        waiting = eval(code, scope)
        if code.co_flags & CO_COROUTINE:
            await waiting
    except BaseException as problem:
        settle_failed(problem)
    complete(scope.get(RETURNED))


def run(loop, source, scope):
    global body, main_task
    try:
        body = Body(source)
        if body.runs_own_loop:
            # A script that starts its own event loop must find none running.
            eval(body.code, scope)
            complete(scope.get(RETURNED))
        main_task = loop.create_task(drive(body.code, scope))
        loop.run_forever()
    except BaseException as problem:
        # From the compiler, from a script, or an exit in another task.
        settle_failed(problem)
    settle_dead()


def main():
    global modules
    prepare_interpreter()
    loop = asyncio.SelectorEventLoop(WatchingSelector())
    asyncio.set_event_loop(loop)
    wire.send(frame(READY, 0, fields_payload({"language": "python", "version": version_text()})))
    start = wire.read_start()
    os_set_blocking(SOCKET, False)
    Limits.value_bytes = start["max_value_bytes"]
    Limits.depth = start["max_depth"]
    modules = start.get("modules")
    if modules:
        sys.path.append(modules)
        HOST_PATHS.insert(0, (modules, "<modules>"))
    sys.argv = [PROGRAM]
    program = type(sys)("__main__")
    scope = vars(program)
    scope["__builtins__"] = program_builtins
    scope["__file__"] = PROGRAM
    bind(start, scope)
    sys.modules["__main__"] = program
    run(loop, start["program"].removeprefix("\ufeff"), scope)


main()
