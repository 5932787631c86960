# From `ready` to the last frame.

spaces = {}
modules = None
body = None
VALUE = b'{"value":'
program_builtins = type(sys)("builtins")
# The program's globals.
program_scope = {}


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
        elif body.lost_value is not None:
            flush_streams()
            note(f"the value at the end of the program, in line {body.lost_value}, is no result by itself; write `return` in front of it")
        settle(DONE, b"{}")
    try:
        data = encode(returned[0], "result")
        if len(VALUE) + len(data) + 1 > Limits.value_bytes:
            raise too_large("result", len(data))
    except Refusal as refusal:
        settle(FAILED, fields_payload({
            "kind": "output-limit" if refusal.too_large else "invalid-output",
            "message": f"the program's result cannot be returned: at {refusal.path}: {refusal.reason}",
            "path": refusal.path,
        }))
    settle(DONE, VALUE, data, b"}")


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
    install_unawaited()
    learn_paths()
    # asyncio keeps the answer for the class: later it asks nothing that a program may have replaced.
    asyncio.iscoroutine(ToolCall.__new__(ToolCall))

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
        complete(scope.get(RETURNED))
    except BaseException as problem:
        settle_failed(problem)


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
    global modules, program_scope
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
    scope = program_scope = vars(program)
    scope["__builtins__"] = program_builtins
    scope["__file__"] = PROGRAM
    bind(start, scope)
    sys.modules["__main__"] = program
    run(loop, start["program"].removeprefix("\ufeff"), scope)


main()
